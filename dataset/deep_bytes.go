package dataset

import (
	"encoding/binary"
	"fmt"
	"slices"

	"tfr-build/internal/plural"
	"tfr-build/message"
	"tfr-build/schema"
)

// storedProblem checks a tensor or raw bytes.
func (w *featureCheck) storedProblem(f message.Feature) string {
	if f.Count != 1 {
		return fmt.Sprintf("it has %s; expected 1", plural.Of(f.Count, "value"))
	}
	for data := range f.Bytes() {
		if w.Packing == schema.Tensor {
			return w.tensorProblem(data)
		}
		return w.rawProblem(data)
	}
	return ""
}

func (w *featureCheck) rawProblem(data []byte) string {
	width := w.Type.Size()
	if len(data)%width != 0 {
		return fmt.Sprintf("it has %s; expected %s in %d bytes each", plural.Of(len(data), "byte"), w.Type, width)
	}
	if text := w.countProblem(len(data) / width); text != "" {
		return text
	}
	return w.contentProblem(data)
}

func (w *featureCheck) tensorProblem(data []byte) string {
	t, ok := message.ReadTensor(data)
	if !ok {
		return "it is not a TensorProto as tf.io.serialize_tensor writes it"
	}
	if dtype := w.Type.Dtype(); t.Dtype != dtype {
		return fmt.Sprintf("it is a tensor of %s; expected %s", t.Dtype, dtype)
	}
	fits := func(n int64, want int) bool { return want < 0 || n == int64(want) }
	if !slices.EqualFunc(t.Shape, w.Shape, fits) {
		return fmt.Sprintf("it is a tensor of shape %s; expected %s", pythonShape(t.Shape), pythonShape(w.Shape))
	}
	if w.Type.IsText() {
		return firstProblem(t.Strings(), w.bytesProblem)
	}
	return w.contentProblem(t.Content)
}

// contentProblem checks little-endian numbers, and returns the problem of the first invalid one.
func (w *featureCheck) contentProblem(data []byte) string {
	if w.Type.IsInteger() && w.ClassNames() == nil || w.Type.IsFloat() && !w.Finite {
		return "" // all bits are valid
	}
	width := w.Type.Size()
	for i := 0; i < len(data); i += width {
		if text := w.numberProblem(data[i : i+width]); text != "" {
			return fmt.Sprintf("value %d is %s", i/width, text)
		}
	}
	return ""
}

func (w *featureCheck) numberProblem(data []byte) string {
	switch {
	case w.Type.IsFloat():
		return w.floatProblem(w.Type.FloatOf(data))
	case w.Type == schema.Int64:
		return w.intProblem(int64(binary.LittleEndian.Uint64(data)))
	}
	return w.intProblem(int64(data[0])) // bool
}
