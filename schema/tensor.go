package schema

import "google.golang.org/protobuf/encoding/protowire"

// This file encodes a TensorProto as tf.io.serialize_tensor does:
//
//	08 DTYPE                    dtype
//	12 n                        tensor_shape
//	  { 12 n  08 LENGTH }       a dimension; 12 00 if it is 0
//	22 n  numbers               tensor_content, little-endian; omitted if empty
//	{ 42 n  string }            or string_val, for bytes and string
//
// The messages are defined in tensorflow/core/framework/{tensor,tensor_shape}.proto.

// The tags of a TensorProto and of the messages within it.
const (
	tagDtype     = 1<<3 | byte(protowire.VarintType) // TensorProto.dtype
	tagShape     = tag2                              // TensorProto.tensor_shape
	tagContent   = tag4                              // TensorProto.tensor_content
	tagString    = 8<<3 | byte(protowire.BytesType)  // TensorProto.string_val
	tagDimension = tag2                              // TensorShapeProto.dim
	tagLength    = 1<<3 | byte(protowire.VarintType) // Dim.size
)

// dtypes are the numbers of the types in tensorflow/core/framework/types.proto. Package message,
// which reads tensors, has their names and sizes.
var dtypes = [...]byte{
	Float: 1, Float64: 2, Int32: 3, Uint8: 4, Int16: 5, Int8: 6, BytesType: 7, StringType: 7, Int64: 9, BoolType: 10,
	Bfloat16: 14, Uint16: 17, Float16: 19, Uint32: 22, Uint64: 23,
}

// appendTensorHeader appends the part of a TensorProto that is before the values in body.
func (x *field) appendTensorHeader(dst, body []byte) []byte {
	rows := 0 // length of the first dimension if it is -1
	if x.size < 0 {
		rows = x.countValues(body) / x.inner
	}
	return AppendTensorHeader(dst, x.Type, x.Shape, rows, len(body))
}

// AppendTensorHeader appends the part of a TensorProto that is before its content of n bytes. A first dimension of -1
// has the length rows.
func AppendTensorHeader(dst []byte, t Type, shape []int, rows, n int) []byte {
	size := 0
	for i, length := range shape {
		size += 1 + protowire.SizeBytes(dimensionSize(dimension(length, rows, i)))
	}
	dst = append(dst, tagDtype, dtypes[t], tagShape)
	dst = protowire.AppendVarint(dst, uint64(size))
	for i, length := range shape {
		length = dimension(length, rows, i)
		dst = append(dst, tagDimension, byte(dimensionSize(length)))
		if length > 0 {
			dst = protowire.AppendVarint(append(dst, tagLength), uint64(length))
		}
	}
	if t.Size() > 0 && n > 0 {
		dst = protowire.AppendVarint(append(dst, tagContent), uint64(n))
	}
	return dst
}

// dimension returns the length of dimension i. rows is the length of a first dimension of -1.
func dimension(length, rows, i int) int {
	if i == 0 && length < 0 {
		return rows
	}
	return length
}

// dimensionSize returns the size of a Dim message in bytes.
func dimensionSize(length int) int {
	if length == 0 {
		return 0
	}
	return 1 + protowire.SizeVarint(uint64(length))
}

// appendTensor appends an entry with a tensor of the values in body.
func (x *field) appendTensor(dst, body []byte) []byte {
	var buffer [64]byte
	head := x.appendTensorHeader(buffer[:0], body)
	n := len(head) + len(body)
	dst = x.appendOpening(dst, 1+protowire.SizeBytes(n))
	return append(append(appendStringSize(dst, tag1, n), head...), body...)
}

// countValues returns the number of values in body.
func (x *field) countValues(body []byte) (n int) {
	if x.width > 0 {
		return len(body) / x.width
	}
	for ; len(body) > 0; n++ {
		_, size := protowire.ConsumeBytes(body[1:])
		body = body[1+size:]
	}
	return n
}
