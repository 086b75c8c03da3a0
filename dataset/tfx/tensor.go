package tfx

import (
	"math"
	"slices"
	"strings"

	"tfr-build/dataset"
	"tfr-build/internal/bug"
	"tfr-build/message"
	"tfr-build/schema"
)

// addTensors adds the tensor of each feature, equal to the one that reader.py reads.
func (w *writer) addTensors(info *dataset.Info) {
	all := info.Record.Stored()
	slices.SortFunc(all, func(a, b *schema.Stored) int { return strings.Compare(a.Key, b.Key) })
	w.message("tensor_representation_group", func() {
		w.string("key", "")
		w.message("value", func() {
			for _, s := range all {
				w.message("tensor_representation", func() {
					w.string("key", s.Key)
					w.message("value", func() { w.addTensor(s) })
				})
			}
		})
	})
}

func (w *writer) addTensor(s *schema.Stored) {
	defer bug.Name(s.Key)
	switch shape := s.ListShape(); {
	case s.Steps: // TFX supports only ragged feature lists, even if all steps have the same shape
		w.addRaggedTensor([]string{sequenceKey, s.Key}, nil, shape)
	case s.IsVariable():
		w.addRaggedTensor(s.Keys[:1], s.Keys[1:], shape)
	default:
		w.message("dense_tensor", func() {
			w.string("column_name", s.Key)
			w.addShape(shape)
			if s.IsOptional() {
				w.message("default_value", func() { w.addMissingValue(s.List) })
			}
		})
	}
}

// addMissingValue adds the value that a record without a value gets, as in MISSING of reader.py.
func (w *writer) addMissingValue(list message.List) {
	switch list {
	case message.BytesList:
		w.string("bytes_value", "")
	case message.FloatList:
		w.float("float_value", math.NaN())
	default:
		w.int("int_value", math.MinInt64)
	}
}

// addRaggedTensor adds a tensor of rows. The columns lengths have the row lengths of nested lists, the outermost first.
func (w *writer) addRaggedTensor(path, lengths []string, shape []int) {
	w.message("ragged_tensor", func() {
		w.path("feature_path", path...)
		dtype := "INT32"
		for _, column := range lengths {
			w.message("partition", func() { w.string("row_length", column) })
			dtype = "INT64"
		}
		for _, n := range shape[min(1, len(shape)):] {
			w.message("partition", func() { w.int("uniform_row_length", int64(n)) })
		}
		w.word("row_partition_dtype", dtype)
	})
}

func (t *textWriter) path(name string, steps ...string) {
	t.message(name, func() {
		for _, step := range steps {
			t.string("step", step)
		}
	})
}
