package schema

import "google.golang.org/protobuf/encoding/protowire"

// This file writes the message TensorProto as tf.io.serialize_tensor does:
//
//	08 DTYPE                    dtype
//	12 n                        tensor_shape
//	  { 12 n  08 LENGTH }       a dimension; 12 00 where that is 0
//	22 n  numbers               tensor_content, little-endian; nothing where there are none
//	{ 42 n  text }              or string_val, of bytes and string
//
// The messages are those of tensorflow/core/framework/{tensor,tensor_shape}.proto.

// The tags of a TensorProto and of the messages within it.
const (
	tagDtype     = 1<<3 | byte(protowire.VarintType) // TensorProto.dtype
	tagShape     = tag2                              // TensorProto.tensor_shape
	tagContent   = tag4                              // TensorProto.tensor_content
	tagString    = 8<<3 | byte(protowire.BytesType)  // TensorProto.string_val
	tagDimension = tag2                              // TensorShapeProto.dim
	tagLength    = 1<<3 | byte(protowire.VarintType) // Dim.size
)

// dtypes are the numbers of the types in tensorflow/core/framework/types.proto; package
// message, which reads tensors, has the names and the sizes of these numbers.
var dtypes = [...]byte{
	Float: 1, Float64: 2, Int32: 3, Uint8: 4, Int16: 5, Int8: 6, BytesType: 7, StringType: 7, Int64: 9, BoolType: 10,
	Bfloat16: 14, Uint16: 17, Float16: 19, Uint32: 22, Uint64: 23,
}

// appendTensorHead appends what a TensorProto has before the values in body.
func (x *field) appendTensorHead(dst, body []byte) []byte {
	rows := 0 // the length of a first dimension that is -1
	if x.size < 0 {
		rows = x.count(body) / x.inner
	}
	size := 0
	for i, length := range x.Shape {
		size += 1 + protowire.SizeBytes(dimensionSize(known(length, rows, i)))
	}
	dst = append(dst, tagDtype, dtypes[x.Type], tagShape)
	dst = protowire.AppendVarint(dst, uint64(size))
	for i, length := range x.Shape {
		length = known(length, rows, i)
		dst = append(dst, tagDimension, byte(dimensionSize(length)))
		if length > 0 {
			dst = protowire.AppendVarint(append(dst, tagLength), uint64(length))
		}
	}
	if x.width > 0 && len(body) > 0 {
		dst = protowire.AppendVarint(append(dst, tagContent), uint64(len(body)))
	}
	return dst
}

// known is the length of a dimension.
func known(length, rows, i int) int {
	if i == 0 && length < 0 {
		return rows
	}
	return length
}

// dimensionSize is that of a message Dim.
func dimensionSize(length int) int {
	if length == 0 {
		return 0
	}
	return 1 + protowire.SizeVarint(uint64(length))
}

// appendTensor appends the entry of a tensor of the values in body.
func (x *field) appendTensor(dst, body []byte) []byte {
	var buffer [64]byte
	head := x.appendTensorHead(buffer[:0], body)
	n := len(head) + len(body)
	dst = x.appendOpening(dst, 1+protowire.SizeBytes(n))
	return append(append(appendTextSize(dst, tag1, n), head...), body...)
}

// count is how many values there are in body.
func (x *field) count(body []byte) (n int) {
	if x.width > 0 {
		return len(body) / x.width
	}
	for ; len(body) > 0; n++ {
		_, size := protowire.ConsumeBytes(body[1:])
		body = body[1+size:]
	}
	return n
}
