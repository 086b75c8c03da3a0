package tfx

import (
	"math"
	"slices"
	"strings"

	"tfr-build/dataset"
	"tfr-build/message"
	"tfr-build/schema"
)

// A representation says how a feature is read.
type representation struct {
	*schema.Feature
	step bool
}

// tensors adds what tensor each feature is read as: the one that reader.py reads.
func (w *writer) tensors(info *dataset.Info) {
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
					w.message("value", func() { w.tensor(r) })
				})
			}
		})
	})
}

func (w *writer) tensor(r representation) {
	shape := r.Shape
	if inBytes(r.Feature) {
		shape = nil
	}
	switch {
	case r.step:
		w.stepTensor(r.Key, shape)
	case r.IsRagged():
		w.raggedTensor(r.Feature)
	case isVariable(shape):
		w.message("ragged_tensor", func() {
			w.path("feature_path", r.Key)
			w.uniform(shape[1:])
			w.word("row_partition_dtype", "INT32")
		})
	default:
		w.denseTensor(r.Feature, shape)
	}
}

func (w *writer) denseTensor(f *schema.Feature, shape []int) {
	w.message("dense_tensor", func() {
		w.string("column_name", f.Key)
		w.shape(shape)
		if f.OnMissing == schema.MissingOmit {
			w.message("default_value", func() { w.missing(f.StoredAs(schema.ExampleMessage)) })
		}
	})
}

// missing adds what is read where a record has no value: MISSING of reader.py.
func (w *writer) missing(list message.List) {
	switch list {
	case message.BytesList:
		w.string("bytes_value", "")
	case message.FloatList:
		w.float("float_value", math.NaN())
	default:
		w.int("int_value", math.MinInt64)
	}
}

// raggedTensor adds a feature of lists of lists, whose lengths are columns of their
// own.
func (w *writer) raggedTensor(f *schema.Feature) {
	keys := f.Keys()
	w.message("ragged_tensor", func() {
		w.path("feature_path", keys[0])
		for _, lengths := range keys[1:] {
			w.message("partition", func() { w.string("row_length", lengths) })
		}
		w.uniform(f.Shape[len(keys):])
		w.word("row_partition_dtype", "INT64")
	})
}

// stepTensor adds a feature list. TFX knows it as ragged alone, also where all steps
// have one shape.
func (w *writer) stepTensor(key string, shape []int) {
	w.message("ragged_tensor", func() {
		w.path("feature_path", sequenceKey, key)
		if len(shape) > 0 {
			w.uniform(shape[1:])
		}
		w.word("row_partition_dtype", "INT32")
	})
}

// uniform adds dimensions within the rows of a ragged tensor.
func (w *writer) uniform(shape []int) {
	for _, n := range shape {
		w.message("partition", func() { w.int("uniform_row_length", int64(n)) })
	}
}

func (t *text) path(name string, steps ...string) {
	t.message(name, func() {
		for _, step := range steps {
			t.string("step", step)
		}
	})
}
