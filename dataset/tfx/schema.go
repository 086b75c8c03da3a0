package tfx

import (
	"slices"
	"strings"

	"tfr-build/dataset"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/statistics"
)

// Schema returns the schema of a dataset: nil where [Reason] has one. Statistics
// may be nil; where they have all the values of a text, and these are few, the
// schema has them, too.
func Schema(info *dataset.Info, stats *statistics.Document) []byte {
	if Reason(info) != "" {
		return nil
	}
	w := writer{vocabularies: vocabularies(stats)}
	features, steps := columns(info.Record.Features, false), columns(info.Record.Sequence, true)
	for i := range features {
		w.feature(&features[i])
	}
	if len(steps) > 0 {
		w.steps(steps)
	}
	for _, c := range append(features, steps...) {
		if values := w.vocabulary(&c); values != nil {
			w.stringDomain(c.key, values)
		}
	}
	w.tensors(info)
	return w.out
}

// A writer writes a schema.
type writer struct {
	text
	vocabularies map[string][]string
}

// A column is a key of the records: a feature has one, a ragged one several.
type column struct {
	*schema.Feature
	key     string
	list    message.List
	lengths bool // of the rows of a ragged feature
	step    bool // it is a feature list
}

// columns are those of features, in the order of their keys.
func columns(features []schema.Feature, step bool) (all []column) {
	for i := range features {
		f := &features[i]
		for k, key := range f.Keys() {
			c := column{Feature: f, key: key, list: f.StoredAs(schema.ExampleMessage), lengths: k > 0, step: step}
			if c.lengths {
				c.list = message.Int64List
			}
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b column) int { return strings.Compare(a.key, b.key) })
	return all
}

// inBytes says whether all values of a record are one text.
func inBytes(f *schema.Feature) bool { return f.Tensor || f.Raw }

// shape is that of the values as they are stored.
func (c *column) shape() []int {
	switch {
	case inBytes(c.Feature):
		return nil
	case c.IsRagged():
		return []int{-1}
	}
	return c.Shape
}

// isVariable says whether a shape does not tell how many values there are.
func isVariable(shape []int) bool { return len(shape) > 0 && shape[0] < 0 }

func (w *writer) feature(c *column) {
	w.message("feature", func() {
		w.string("name", c.key)
		w.word("type", schemaType(c.list))
		w.presence(c)
		w.domain(c)
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

// presence adds in how many records a column is, and with how many values. A shape
// is for what is in every record alone. Of a feature list neither is said: TFDV
// would hold it against the values of all steps of a record.
func (w *writer) presence(c *column) {
	if c.step {
		w.anyPresence()
		return
	}
	always := c.OnMissing != schema.MissingOmit
	if always {
		w.message("presence", func() {
			w.int("min_fraction", 1)
			w.int("min_count", 1)
		})
	} else {
		w.anyPresence()
	}
	switch shape := c.shape(); {
	case isVariable(shape):
		w.message("value_count", func() { w.int("min", 0) })
	case always:
		w.shape(shape)
	default:
		w.message("value_count", func() {
			w.int("min", size(shape))
			w.int("max", size(shape))
		})
	}
}

func (w *writer) anyPresence() {
	w.message("presence", func() { w.int("min_count", 0) })
}

// size is how many values a shape without -1 has.
func size(shape []int) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= int64(d)
	}
	return n
}

func (w *writer) shape(shape []int) {
	w.message("shape", func() {
		for _, n := range shape {
			w.message("dim", func() { w.int("size", int64(n)) })
		}
	})
}

// steps adds the feature lists of SequenceExamples, as tfx_bsl has them: the
// features of a struct.
func (w *writer) steps(all []column) {
	w.message("feature", func() {
		w.string("name", sequenceKey)
		w.word("type", "STRUCT")
		w.anyPresence()
		w.message("struct_domain", func() {
			for i := range all {
				w.feature(&all[i])
			}
		})
	})
}
