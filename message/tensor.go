package message

import (
	"iter"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Tensor is a validated TensorProto, as tf.io.serialize_tensor writes it. It shares the memory of
// the bytes that it was read from.
type Tensor struct {
	Dtype   string // float32, int64, string …
	Shape   []int64
	Content []byte // its numbers, little-endian; nil for strings
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

// A dtype is the type of a tensor's elements: its name, and the bytes of an element, which are 0
// for strings.
type dtype struct {
	name  string
	width int64
}

// dtypes has the supported types by their numbers in tensorflow/core/framework/types.proto.
var dtypes = map[uint64]dtype{
	1: {"float32", 4}, 2: {"float64", 8}, 3: {"int32", 4}, 4: {"uint8", 1}, 5: {"int16", 2}, 6: {"int8", 1},
	7: {"string", 0},
	9: {"int64", 8}, 10: {"bool", 1}, 14: {"bfloat16", 2}, 17: {"uint16", 2}, 19: {"float16", 2}, 22: {"uint32", 4},
	23: {"uint64", 8},
}

// ReadTensor decodes a TensorProto. ok is false if data is not a TensorProto whose elements fill
// its shape. It also rejects tensors with elements in other fields, which tf.io.serialize_tensor
// does not write.
func ReadTensor(data []byte) (t Tensor, ok bool) {
	t.data = data
	var of dtype
	texts := int64(0)
	for rest := data; len(rest) > 0; {
		var field wireField
		if field, rest, ok = cutField(rest); !ok {
			return t, false
		}
		switch {
		case field.number == tensorDtype && field.wireType == protowire.VarintType:
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
		var dim wireField
		if dim, data, ok = cutField(data); !ok || !dim.is(shapeDim) {
			return nil, false
		}
		size := uint64(0)
		for rest := dim.content; len(rest) > 0; {
			var field wireField
			if field, rest, ok = cutField(rest); !ok || field.number != dimSize ||
				field.wireType != protowire.VarintType {
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

// product returns the number of elements of a shape. ok is false if it overflows.
func product(shape []int64) (n int64, ok bool) {
	n = 1
	for _, size := range shape {
		if size == 0 {
			return 0, true
		}
		if n > math.MaxInt64/size {
			n = math.MaxInt64 // a later dimension may be 0
		} else {
			n *= size
		}
	}
	return n, n < math.MaxInt64
}

// Strings iterates over the elements of a tensor of strings.
func (t Tensor) Strings() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for rest := t.data; len(rest) > 0; {
			var field wireField
			if field, rest, _ = cutField(rest); field.is(tensorTexts) && !yield(field.content) {
				return
			}
		}
	}
}
