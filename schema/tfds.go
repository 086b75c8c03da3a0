package schema

import (
	"fmt"
	"strings"
)

// tfdsNames are the valid values of Feature.TFDS.
var tfdsNames = []string{"Text", "Tensor", "Image", "BBox", "Audio"}

// CheckTFDS returns an error if f cannot be of the TFDS feature type that f.TFDS names. It returns
// nil if f.TFDS is empty. The error does not name the feature.
//
//	Text    bytes or string   one value, [n], [-1], ragged
//	Image   bytes             one value
//	BBox    float, float64    [4], and lists of it: [n, 4], [-1, 4], ragged
//	Audio   numbers           [n], [-1], [-1, channels]
//	Tensor  all               any
func (f *Feature) CheckTFDS() error {
	texts, floats := f.Type.IsText(), f.Type == Float || f.Type == Float64
	last := len(f.Shape) - 1
	var fits bool
	var expected string
	switch f.TFDS {
	case "", "Tensor":
		return nil
	case "Text":
		expected, fits = "bytes or string, one value or a list", texts && !f.Tensor && f.IsTFDSSequence(f.Shape)
	case "Image":
		expected, fits = "the bytes of one file", f.Type == BytesType && !f.Tensor && last < 0
	case "BBox":
		expected, fits = "4 floats, shape [4] or [-1, 4]", floats && !f.Tensor && !f.Raw && last >= 0 && f.Shape[last] == 4 && f.IsTFDSSequence(f.Shape[:last])
	case "Audio":
		numbers := (f.Type.IsInteger() || floats) && f.Classes == nil && !f.Tensor && (!f.Raw || f.Type != Uint32)
		expected, fits = "numbers, shape [-1] or [-1, channels]", numbers && (last == 0 || last == 1 && f.Shape[1] > 0)
	default:
		return fmt.Errorf("%q is not a feature of TFDS; expected one of %s", f.TFDS, strings.Join(tfdsNames, ", "))
	}
	if !fits && f.ofStep {
		expected = strings.NewReplacer(" or a list", "", " or [-1, 4]", "").Replace(expected) + ", in a nested dataset"
	}
	if !fits {
		return fmt.Errorf("%s is %s; the feature is %s of shape %s", f.TFDS, expected, f.storedType(), ShapeText(f.Shape))
	}
	// If the key is absent, TFDS fails, unless it reads the feature as an empty list.
	if f.OnMissing == MissingOmit && (raggedDims(f.Shape) == 0 || f.Raw) {
		return fmt.Errorf("%s is in every record; what a record may lack is a Tensor", f.TFDS)
	}
	return nil
}

// OfStep returns the feature of an element of a nested Dataset of TFDS. f has a value for each element: the first
// dimension of its shape.
func (f *Feature) OfStep() *Feature {
	step := *f
	step.Shape, step.ofStep = f.Shape[1:], true
	return &step
}

// IsTFDSSequence reports whether dims, the dimensions of f or the first of them, are empty or a
// Sequence of TFDS. Only ragged features are nested Sequences, and a nested Dataset has none.
func (f *Feature) IsTFDSSequence(dims []int) bool {
	return len(dims) == 0 || !f.ofStep && (len(dims) == 1 || f.RaggedRank() == len(dims)-1)
}

// storedType returns the type of a feature, and how its values are stored.
func (f *Feature) storedType() string {
	switch {
	case f.Tensor:
		return f.Type.String() + " in a tensor"
	case f.Raw:
		return "raw " + f.Type.String()
	case f.Classes != nil:
		return "numbers of classes"
	}
	return f.Type.String()
}
