// Package tfx describes a dataset for TFX: TensorFlow Data Validation (TFDV), TensorFlow
// Transform, and other programs that read the messages of tensorflow_metadata.
//
//	dataset.Info ──────────────┬─ Schema ─────► _tfr/schema.pbtxt      tensorflow.metadata.v0.Schema
//	statistics.Document ───────┴─ Statistics ─► _tfr/statistics.pbtxt  …DatasetFeatureStatisticsList
//
// Both files are in protobuf's text format. This package writes them without the generated code.
// The fields follow schema.proto, statistics.proto, and path.proto in
// github.com/tensorflow/metadata/tree/master/tensorflow_metadata/proto/v0. The output depends on
// the arguments alone.
//
// For each key of the records, a schema has its type, the required number of records, the number
// of values per record, and the domain:
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
// The schema states what the config guarantees: types, shapes, classes, and that floats are
// finite. Only the domains of strings come from the records: strings have one if all values are
// known and there are few. No split of the dataset violates the schema.
//
// At its end the schema has the tensor of each feature, equal to the one that reader.py reads.
// schema_as_feature_spec of TensorFlow Transform returns FEATURES of reader.py. In TFX a feature
// list is always ragged, even if all steps have the same shape.
//
// In the statistics a class is a number whose strings are counted, because TFDV counts a
// categorical integer that way. Mean and deviation are of the finite numbers.
//
// [Reason] says which datasets TFX cannot read. These have neither file.
//
// `make tfx` compares both files with TFX itself.
package tfx

import (
	"tfr-build/dataset"
)

// The names of the files in a dataset.
const (
	SchemaName     = "_tfr/schema.pbtxt"
	StatisticsName = "_tfr/statistics.pbtxt"
)

// sequenceKey is the name that tfx_bsl gives to the struct of all feature lists of a
// SequenceExample.
const sequenceKey = "##SEQUENCE##"

// Reason returns why TFX cannot read the dataset, or an empty string.
func Reason(info *dataset.Info) string {
	return info.Record.Message.Readers().TFX
}
