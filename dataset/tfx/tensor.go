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

// A representation is a feature whose tensor is described.
type representation struct {
	*schema.Feature
	step bool
}

// addTensors adds the tensor of each feature, equal to the one that reader.py reads.
func (w *writer) addTensors(info *dataset.Info) {
	var all []representation
	for i := range info.Record.Features {
		all = append(all, representation{&info.Record.Features[i], false})
	}
	for i := range info.Record.Sequence {
		all = append(all, representation{&info.Record.Sequence[i], true})
	}
	slices.SortFunc(all, func(a, b representation) int { return strings.Compare(a.Key, b.Key) })
	w.message("tensor_representation_group", func() {
		w.string("key", "")
		w.message("value", func() {
			for _, r := range all {
				w.message("tensor_representation", func() {
					w.string("key", r.Key)
					w.message("value", func() { w.addTensor(r) })
				})
			}
		})
	})
}

func (w *writer) addTensor(r representation) {
	defer bug.Name(r.Key)
	shape := r.Shape
	if isStoredAsBytes(r.Feature) {
		shape = nil
	}
	switch {
	case r.step:
		w.addStepTensor(r.Key, shape)
	case r.IsRagged():
		w.addRaggedTensor(r.Feature)
	case isVariable(shape):
		w.message("ragged_tensor", func() {
			w.path("feature_path", r.Key)
			w.addUniformDimensions(shape[1:])
			w.word("row_partition_dtype", "INT32")
		})
	default:
		w.addDenseTensor(r.Feature, shape)
	}
}

func (w *writer) addDenseTensor(f *schema.Feature, shape []int) {
	w.message("dense_tensor", func() {
		w.string("column_name", f.Key)
		w.addShape(shape)
		if f.OnMissing == schema.MissingOmit {
			w.message("default_value", func() { w.addMissingValue(f.ExampleList()) })
		}
	})
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

// addRaggedTensor adds a feature of nested lists, whose row lengths are columns.
func (w *writer) addRaggedTensor(f *schema.Feature) {
	keys := f.Keys()
	w.message("ragged_tensor", func() {
		w.path("feature_path", keys[0])
		for _, lengths := range keys[1:] {
			w.message("partition", func() { w.string("row_length", lengths) })
		}
		w.addUniformDimensions(f.Shape[len(keys):])
		w.word("row_partition_dtype", "INT64")
	})
}

// addStepTensor adds a feature list. TFX supports only ragged ones, even if all steps have the
// same shape.
func (w *writer) addStepTensor(key string, shape []int) {
	w.message("ragged_tensor", func() {
		w.path("feature_path", sequenceKey, key)
		if len(shape) > 0 {
			w.addUniformDimensions(shape[1:])
		}
		w.word("row_partition_dtype", "INT32")
	})
}

// addUniformDimensions adds the dimensions within the rows of a ragged tensor.
func (w *writer) addUniformDimensions(shape []int) {
	for _, n := range shape {
		w.message("partition", func() { w.int("uniform_row_length", int64(n)) })
	}
}

func (t *textWriter) path(name string, steps ...string) {
	t.message(name, func() {
		for _, step := range steps {
			t.string("step", step)
		}
	})
}
