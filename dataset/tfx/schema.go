package tfx

import (
	"tfr-build/dataset"
	"tfr-build/internal/bug"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/statistics"
)

// Schema returns the schema of a dataset, or nil if [Reason] is not empty. stats may be nil. With
// stats, the schema lists the values of strings that have few.
func Schema(info *dataset.Info, stats *statistics.Document) []byte {
	if Reason(info) != "" {
		return nil
	}
	w := writer{vocabularies: vocabularies(stats)}
	all := info.Record.Entries()
	w.addFeatures(all, false)
	if len(info.Record.Sequence) > 0 {
		w.addFeatureLists(all)
	}
	for i := range all {
		if values := w.vocabulary(&all[i]); values != nil {
			w.addStringDomain(all[i].Key, values)
		}
	}
	w.addTensors(info)
	return w.out
}

// A writer writes a schema.
type writer struct {
	textWriter
	vocabularies map[string][]string
}

// shape returns the shape of the stored values.
func shape(e *schema.Entry) []int {
	if e.RaggedRank() > 0 {
		return []int{-1}
	}
	return e.ListShape()
}

// addFeatures adds the features, or with steps the feature lists.
func (w *writer) addFeatures(all []schema.Entry, steps bool) {
	for i := range all {
		if all[i].Steps == steps {
			w.addFeature(&all[i])
		}
	}
}

func (w *writer) addFeature(e *schema.Entry) {
	defer bug.Name(e.Key)
	w.message("feature", func() {
		w.string("name", e.Key)
		w.word("type", schemaType(e.List))
		w.addPresence(e)
		w.addDomain(e)
	})
}

func schemaType(list message.List) string {
	switch list {
	case message.BytesList:
		return "BYTES"
	case message.FloatList:
		return "FLOAT"
	}
	return "INT"
}

// addPresence adds the required number of records with a column, and the number of its values.
// Only a column of every record has a shape. A feature list has neither, because TFDV would
// compare it with the values of all steps of a record.
func (w *writer) addPresence(e *schema.Entry) {
	if e.Steps {
		w.addAnyPresence()
		return
	}
	always := !e.IsOptional()
	if always {
		w.message("presence", func() {
			w.int("min_fraction", 1)
			w.int("min_count", 1)
		})
	} else {
		w.addAnyPresence()
	}
	switch shape := shape(e); {
	case e.IsVariable():
		w.message("value_count", func() { w.int("min", 0) })
	case always:
		w.addShape(shape)
	default:
		w.message("value_count", func() {
			w.int("min", size(shape))
			w.int("max", size(shape))
		})
	}
}

func (w *writer) addAnyPresence() {
	w.message("presence", func() { w.int("min_count", 0) })
}

// size returns the number of values of a shape without -1.
func size(shape []int) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= int64(d)
	}
	return n
}

func (w *writer) addShape(shape []int) {
	w.message("shape", func() {
		for _, n := range shape {
			w.message("dim", func() { w.int("size", int64(n)) })
		}
	})
}

// addFeatureLists adds the feature lists of SequenceExamples as tfx_bsl names them: features of a
// struct.
func (w *writer) addFeatureLists(all []schema.Entry) {
	w.message("feature", func() {
		w.string("name", sequenceKey)
		w.word("type", "STRUCT")
		w.addAnyPresence()
		w.message("struct_domain", func() { w.addFeatures(all, true) })
	})
}
