package webdataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/message"
	"tfr-build/schema"
)

// The beginning of a file in NumPy's format 1.0. The length of the header follows.
const (
	arrayMagic  = "\x93NUMPY\x01\x00"
	arrayAlign  = 64
	arrayHeadAt = len(arrayMagic) + 2
)

// descr returns NumPy's name of the type of the elements; empty if NumPy has none. A list stores all floats as float32.
func (f *Feature) descr() string {
	kind := f.kind
	switch {
	case kind.IsText() || kind == schema.Bfloat16:
		return ""
	case f.Packing == schema.NotPacked && kind.IsFloat():
		kind = schema.Float
	case kind == schema.BoolType:
		return "|b1"
	}
	letter := "i"
	switch {
	case kind.IsFloat():
		letter = "f"
	case strings.HasPrefix(kind.String(), "u"):
		letter = "u"
	}
	order := "<"
	if kind.Size() == 1 {
		order = "|"
	}
	return order + letter + strconv.Itoa(kind.Size())
}

// width returns the bytes of an element.
func (f *Feature) width() int {
	if f.Packing == schema.NotPacked && f.kind.IsFloat() {
		return schema.Float.Size()
	}
	return f.kind.Size()
}

// appendArray appends the values of a feature as a file of NumPy.
func appendArray(dst []byte, f *Feature, v *message.Feature) []byte {
	shape := f.Shape
	if f.Packing == schema.NotPacked {
		shape = sizedShape(shape, v.Count)
		dst = appendArrayHead(dst, f, shape)
		return appendElements(dst, f, v)
	}
	for packed := range v.Bytes() {
		if f.Packing == schema.Tensor {
			t, _ := message.ReadTensor(packed)
			packed = t.Content
		}
		dst = append(appendArrayHead(dst, f, sizedShape(shape, len(packed)/f.width())), packed...)
	}
	return dst
}

// sizedShape returns the shape of n elements, where a first dimension of -1 has its length.
func sizedShape(shape []int, n int) []int {
	if len(shape) == 0 || shape[0] >= 0 {
		return shape
	}
	sized := append([]int{n}, shape[1:]...)
	for _, length := range shape[1:] {
		sized[0] /= length
	}
	return sized
}

func appendArrayHead(dst []byte, f *Feature, shape []int) []byte {
	dims := make([]string, len(shape))
	for i, n := range shape {
		dims[i] = strconv.Itoa(n)
	}
	text := strings.Join(dims, ", ")
	if len(shape) == 1 {
		text += ","
	}
	head := "{'descr': '" + f.descr() + "', 'fortran_order': False, 'shape': (" + text + "), }"
	head += strings.Repeat(" ", arrayAlign-(arrayHeadAt+len(head))%arrayAlign-1) + "\n"
	dst = binary.LittleEndian.AppendUint16(append(dst, arrayMagic...), uint16(len(head)))
	return append(dst, head...)
}

// appendElements appends the values of a list as numbers of the feature's type.
func appendElements(dst []byte, f *Feature, v *message.Feature) []byte {
	if v.List == message.FloatList {
		for x := range v.Floats() {
			dst = appendFloat(dst, x)
		}
		return dst
	}
	var number [8]byte
	for n := range v.Ints() {
		binary.LittleEndian.PutUint64(number[:], uint64(n))
		dst = append(dst, number[:f.width()]...)
	}
	return dst
}

var errArray = errors.New("it is not a file of NumPy as the dataset has it")

// readArray returns the list of the Example for a file of NumPy. It accepts only what appendArray writes.
func readArray(content []byte, f *Feature) (list []byte, err error) {
	if !bytes.HasPrefix(content, []byte(arrayMagic)) || len(content) < arrayHeadAt {
		return nil, errArray
	}
	n := arrayHeadAt + int(binary.LittleEndian.Uint16(content[len(arrayMagic):]))
	if n > len(content) {
		return nil, errArray
	}
	elements := content[n:]
	if len(elements)%f.width() != 0 {
		return nil, errArray
	}
	count := len(elements) / f.width()
	shape := sizedShape(f.Shape, count)
	if !bytes.Equal(appendArrayHead(nil, f, shape), content[:n]) || product(shape) != count {
		return nil, fmt.Errorf("%w: %s", errArray, schema.Quote(bytes.TrimSpace(content[arrayHeadAt:n])))
	}
	switch {
	case f.Packing == schema.Raw:
		return schema.AppendBytes(nil, elements), nil
	case f.Packing == schema.Tensor:
		tensor := append(schema.AppendTensorHeader(nil, f.kind, shape, 0, len(elements)), elements...)
		return schema.AppendBytes(nil, tensor), nil
	case f.kind.IsFloat():
		return elements, nil
	}
	list = []byte{}
	for ; len(elements) > 0; elements = elements[f.width():] {
		list = protowire.AppendVarint(list, uint64(f.element(elements)))
	}
	return list, nil
}

// element returns the integer that elements begin with.
func (f *Feature) element(elements []byte) int64 {
	var number [8]byte
	copy(number[:], elements[:f.width()])
	n := int64(binary.LittleEndian.Uint64(number[:]))
	if lowest, _ := f.kind.Limits(); lowest < 0 {
		shift := 64 - 8*f.width()
		n = n << shift >> shift // with its sign
	}
	return n
}

func product(shape []int) int {
	n := 1
	for _, length := range shape {
		n *= length
	}
	return n
}

func appendFloat(dst []byte, x float32) []byte {
	return binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
}
