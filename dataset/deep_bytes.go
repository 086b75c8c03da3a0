package dataset

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"tfr-build/message"
	"tfr-build/schema"
)

// storedFault says what is wrong with a tensor, or with raw bytes.
func (w *featureCheck) storedFault(f message.Feature) string {
	if f.Count != 1 {
		return fmt.Sprintf("it has %d values; expected 1", f.Count)
	}
	for data := range f.Bytes() {
		if w.Tensor {
			return w.tensorFault(data)
		}
		return w.rawFault(data)
	}
	return ""
}

func (w *featureCheck) rawFault(data []byte) string {
	width := typeWidth(w.Type)
	if len(data)%width != 0 {
		return fmt.Sprintf("it has %d bytes; expected %s in %d bytes each", len(data), w.Type, width)
	}
	if text := w.countFault(len(data) / width); text != "" {
		return text
	}
	return w.contentFault(data)
}

func (w *featureCheck) tensorFault(data []byte) string {
	t, ok := message.ReadTensor(data)
	if !ok {
		return "it is no TensorProto as tf.io.serialize_tensor writes it"
	}
	if dtype := dtypeName(w.Type); t.Dtype != dtype {
		return fmt.Sprintf("it is a tensor of %s; expected %s", t.Dtype, dtype)
	}
	fits := func(n int64, want int) bool { return want < 0 || n == int64(want) }
	if !slices.EqualFunc(t.Shape, w.Shape, fits) {
		return fmt.Sprintf("it is a tensor of shape %s; expected %s", pythonShape(t.Shape), pythonShape(w.Shape))
	}
	if dtypeName(w.Type) == "string" {
		return firstFault(t.Texts(), w.bytesFault)
	}
	return w.contentFault(t.Content)
}

// typeWidth is how many bytes a number has.
func typeWidth(t schema.Type) int {
	switch t {
	case schema.Int8, schema.Uint8, schema.BoolType:
		return 1
	case schema.Int16, schema.Uint16, schema.Float16, schema.Bfloat16:
		return 2
	case schema.Int64, schema.Uint64, schema.Float64:
		return 8
	}
	return 4
}

// contentFault says which of many numbers, little-endian, cannot be.
func (w *featureCheck) contentFault(data []byte) string {
	if w.Type.IsInteger() && w.Classes == nil || w.Type.IsFloat() && w.AllowNonfinite {
		return "" // of any bits
	}
	width := typeWidth(w.Type)
	for i := 0; i < len(data); i += width {
		if text := w.numberFault(data[i : i+width]); text != "" {
			return fmt.Sprintf("value %d is %s", i/width, text)
		}
	}
	return ""
}

func (w *featureCheck) numberFault(data []byte) string {
	switch w.Type {
	case schema.Float:
		return w.float32Fault(math.Float32frombits(binary.LittleEndian.Uint32(data)))
	case schema.Float64:
		return w.float64Fault(math.Float64frombits(binary.LittleEndian.Uint64(data)))
	case schema.Bfloat16:
		return w.float32Fault(math.Float32frombits(uint32(binary.LittleEndian.Uint16(data)) << 16))
	case schema.Float16:
		return w.floatFault(nonfinite16(binary.LittleEndian.Uint16(data)), 32)
	case schema.Int64:
		return w.intFault(int64(binary.LittleEndian.Uint64(data)))
	}
	return w.intFault(int64(data[0])) // bool
}

// nonfinite16 is a float16 that is not finite, and 0 for any other.
func nonfinite16(bits uint16) float64 {
	const exponent, fraction = 0x7c00, 0x03ff
	switch {
	case bits&exponent != exponent:
		return 0
	case bits&fraction != 0:
		return math.NaN()
	case bits>>15 != 0:
		return math.Inf(-1)
	}
	return math.Inf(1)
}
