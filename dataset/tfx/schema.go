package tfx

import (
	"slices"
	"strings"

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
	features, steps := columns(info.Record.Features, false), columns(info.Record.Sequence, true)
	for i := range features {
		w.addFeature(&features[i])
	}
	if len(steps) > 0 {
		w.addFeatureLists(steps)
	}
	for _, c := range append(features, steps...) {
		if values := w.vocabulary(&c); values != nil {
			w.addStringDomain(c.key, values)
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

// A column is a key of the records. A feature has one column, a ragged feature several.
type column struct {
	*schema.Feature
	key     string
	list    message.List
	lengths bool // the row lengths of a ragged feature
	step    bool // a feature list
}

// columns returns the columns of features, sorted by key.
func columns(features []schema.Feature, step bool) (all []column) {
	for i := range features {
		f := &features[i]
		for k, key := range f.Keys() {
			c := column{Feature: f, key: key, list: f.ExampleList(), lengths: k > 0, step: step}
			if c.lengths {
				c.list = message.Int64List
			}
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b column) int { return strings.Compare(a.key, b.key) })
	return all
}

// isStoredAsBytes reports whether the values of a record are stored as one byte string.
func isStoredAsBytes(f *schema.Feature) bool { return f.Tensor || f.Raw }

// shape returns the shape of the stored values.
func (c *column) shape() []int {
	switch {
	case isStoredAsBytes(c.Feature):
		return nil
	case c.IsRagged():
		return []int{-1}
	}
	return c.Shape
}

// isVariable reports whether a shape has a variable number of values.
func isVariable(shape []int) bool { return len(shape) > 0 && shape[0] < 0 }

func (w *writer) addFeature(c *column) {
	defer bug.Name(c.key)
	w.message("feature", func() {
		w.string("name", c.key)
		w.word("type", schemaType(c.list))
		w.addPresence(c)
		w.addDomain(c)
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
func (w *writer) addPresence(c *column) {
	if c.step {
		w.addAnyPresence()
		return
	}
	always := c.OnMissing != schema.MissingOmit
	if always {
		w.message("presence", func() {
			w.int("min_fraction", 1)
			w.int("min_count", 1)
		})
	} else {
		w.addAnyPresence()
	}
	switch shape := c.shape(); {
	case isVariable(shape):
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
func (w *writer) addFeatureLists(all []column) {
	w.message("feature", func() {
		w.string("name", sequenceKey)
		w.word("type", "STRUCT")
		w.addAnyPresence()
		w.message("struct_domain", func() {
			for i := range all {
				w.addFeature(&all[i])
			}
		})
	})
}
