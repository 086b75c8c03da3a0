package message

import (
	"iter"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Tensor is a message TensorProto, as tf.io.serialize_tensor writes it, checked.
// It shares the memory of the bytes that it was read from.
type Tensor struct {
	Dtype   string // float32, int64, string …
	Shape   []int64
	Content []byte // its numbers, little-endian; none of string
	data    []byte
}

// The fields of TensorProto, and of the messages within it.
const (
	tensorDtype   = 1
	tensorShape   = 2
	tensorContent = 4
	tensorTexts   = 8
	shapeDim      = 2
	dimSize       = 1
)

// A dtype is a type of elements: its name, and how many bytes each has; 0 for texts.
type dtype struct {
	name  string
	width int64
}

// dtypes are by their numbers in tensorflow/core/framework/types.proto: those that
// are kept here.
var dtypes = map[uint64]dtype{
	1: {"float32", 4}, 2: {"float64", 8}, 3: {"int32", 4}, 4: {"uint8", 1}, 5: {"int16", 2}, 6: {"int8", 1}, 7: {"string", 0},
	9: {"int64", 8}, 10: {"bool", 1}, 14: {"bfloat16", 2}, 17: {"uint16", 2}, 19: {"float16", 2}, 22: {"uint32", 4}, 23: {"uint64", 8},
}

// ReadTensor reads a TensorProto, and reports whether data is one whose elements
// fill its shape. One that tf.io.serialize_tensor does not write, with its elements
// in another field, is none here.
func ReadTensor(data []byte) (t Tensor, ok bool) {
	t.data = data
	var of dtype
	texts := int64(0)
	for rest := data; len(rest) > 0; {
		var field part
		if field, rest, ok = cutField(rest); !ok {
			return t, false
		}
		switch {
		case field.number == tensorDtype && field.form == protowire.VarintType:
			n, _ := protowire.ConsumeVarint(field.content)
			of = dtypes[n]
		case field.is(tensorShape):
			t.Shape, ok = readShape(field.content)
		case field.is(tensorContent):
			t.Content = field.content
		case field.is(tensorTexts):
			texts++
		default:
			ok = false
		}
		if !ok {
			return t, false
		}
	}
	t.Dtype = of.name
	elements, ok := product(t.Shape)
	switch {
	case !ok || of.name == "":
		return t, false
	case of.width == 0:
		return t, texts == elements && t.Content == nil
	}
	return t, texts == 0 && elements <= math.MaxInt64/8 && int64(len(t.Content)) == elements*of.width
}

func readShape(data []byte) (shape []int64, ok bool) {
	for len(data) > 0 {
		var dim part
		if dim, data, ok = cutField(data); !ok || !dim.is(shapeDim) {
			return nil, false
		}
		size := uint64(0)
		for rest := dim.content; len(rest) > 0; {
			var field part
			if field, rest, ok = cutField(rest); !ok || field.number != dimSize || field.form != protowire.VarintType {
				return nil, false
			}
			size, _ = protowire.ConsumeVarint(field.content)
		}
		if size > math.MaxInt64 {
			return nil, false
		}
		shape = append(shape, int64(size))
	}
	return shape, true
}

// product is how many elements a shape has.
func product(shape []int64) (n int64, ok bool) {
	n = 1
	for _, size := range shape {
		if size == 0 {
			return 0, true
		}
		if n > math.MaxInt64/size {
			n = math.MaxInt64 // unless there is a 0
		} else {
			n *= size
		}
	}
	return n, n < math.MaxInt64
}

// Texts are the elements of a tensor of string.
func (t Tensor) Texts() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for rest := t.data; len(rest) > 0; {
			var field part
			if field, rest, _ = cutField(rest); field.is(tensorTexts) && !yield(field.content) {
				return
			}
		}
	}
}
