// Package tfx describes a dataset for TFX: TensorFlow Data Validation, TensorFlow
// Transform, and whatever else reads the messages of tensorflow_metadata.
//
//	dataset.Info ──────────────┬─ Schema ─────► _tfr/schema.pbtxt      tensorflow.metadata.v0.Schema
//	statistics.Document ───────┴─ Statistics ─► _tfr/statistics.pbtxt  …DatasetFeatureStatisticsList
//
// Both are in the text format of protobuf and are written by hand, as the fields of
// schema.proto, statistics.proto and path.proto in
// github.com/tensorflow/metadata/tree/master/tensorflow_metadata/proto/v0 have
// them. They depend on what they are given alone.
//
// A schema says of each key of the records what type it has, in how many records it
// must be, how many values it may have, and what these may be:
//
//	feature {
//	  name: "species"
//	  type: INT
//	  presence {
//	    min_fraction: 1
//	    min_count: 1
//	  }
//	  shape {
//	  }
//	  int_domain {
//	    name: "species"
//	    min: 0
//	    max: 2
//	    is_categorical: true
//	  }
//	}
//
// It promises what the config does: the types, the shapes, the classes, floats that
// are finite. What the records alone show it has of texts, where all values are known
// and few. No split of the dataset is an anomaly to it.
//
// At its end it says what tensor each feature is read as, and this is what reader.py
// reads: schema_as_feature_spec of TensorFlow Transform gives FEATURES of reader.py.
// A feature list is ragged to TFX, also where each step has one shape.
//
// In the statistics a class is a number whose texts are counted, as TFDV counts what
// the schema calls categorical. Mean and deviation are of the finite numbers.
//
// [Reason] says of which datasets TFX can read nothing; these have neither file.
//
// `make tfx` holds both against TFX itself.
package tfx

import (
	"tfr-build/dataset"
	"tfr-build/schema"
)

// The names of the files.
const (
	SchemaName     = "_tfr/schema.pbtxt"
	StatisticsName = "_tfr/statistics.pbtxt"
)

// sequenceKey is the struct of all feature lists of a SequenceExample, as tfx_bsl
// names it.
const sequenceKey = "##SEQUENCE##"

// Reason says why TFX cannot read such a dataset; it is empty where it can.
func Reason(info *dataset.Info) string {
	switch info.Record.Message {
	case schema.ExampleMessage, schema.SequenceMessage:
		return ""
	case schema.OFRecordMessage:
		return "TFX reads no OFRecord files"
	}
	return "TFX reads no records but tf.train.Example and tf.train.SequenceExample"
}
