package schema

import (
	"fmt"
	"strings"
)

// tfdsNames are the valid values of Feature.TFDS.
var tfdsNames = []string{"Text", "Tensor", "Image", "BBox", "Audio"}

// CheckTFDS returns an error if s cannot be of the TFDS feature type that s.TFDS names. It returns
// nil if s.TFDS is empty. The error does not name the feature.
//
//	Text    bytes or string   one value, [n], [-1], ragged
//	Image   bytes             one value
//	BBox    float, float64    [4], and lists of it: [n, 4], [-1, 4], ragged
//	Audio   numbers           [n], [-1], [-1, channels]
//	Tensor  all               any
func (s *Stored) CheckTFDS() error {
	texts, floats := s.Type.IsText(), s.Type == Float || s.Type == Float64
	last := len(s.Shape) - 1
	var fits bool
	var expected string
	switch s.TFDS {
	case "", "Tensor":
		return nil
	case "Text":
		expected, fits = "bytes or string, one value or a list", texts && !s.IsPacked() && s.IsTFDSSequence(s.Shape)
	case "Image":
		expected, fits = "the bytes of one file or a list", s.Type == BytesType && !s.IsPacked() &&
			s.IsTFDSSequence(s.Shape)
	case "BBox":
		expected, fits = "4 floats, shape [4] or [-1, 4]", floats && !s.IsPacked() && last >= 0 && s.Shape[last] == 4 &&
			s.IsTFDSSequence(s.Shape[:last])
	case "Audio":
		numbers := (s.Type.IsInteger() || floats) && s.Classes == nil && s.Packing != Tensor &&
			(!s.IsPacked() || s.Type != Uint32)
		expected, fits = "numbers, shape [-1] or [-1, channels]", numbers && (last == 0 || last == 1 && s.Shape[1] > 0)
	default:
		return fmt.Errorf("%q is not a feature of TFDS; expected one of %s", s.TFDS, strings.Join(tfdsNames, ", "))
	}
	if !fits && s.nested {
		expected = strings.NewReplacer(" or a list", "", " or [-1, 4]", "").Replace(expected) + ", in a nested dataset"
	}
	if !fits {
		return fmt.Errorf("%s is %s; the feature is %s of shape %s", s.TFDS, expected, s.storedType(),
			ShapeText(s.Shape))
	}
	// If the key is absent, TFDS fails, unless it reads the feature as an empty list.
	if s.IsOptional() && !s.IsVariable() {
		return fmt.Errorf("%s is in every record; what a record may lack is a Tensor", s.TFDS)
	}
	return nil
}

// OfStep returns the feature of an element of a nested Dataset of TFDS. s has a value for each element: the first
// dimension of its shape.
func (s *Stored) OfStep() *Stored {
	step := *s
	step.Shape, step.Keys, step.nested = s.Shape[1:], s.Keys[:max(1, s.RaggedRank())], true
	return &step
}

// IsTFDSSequence reports whether dims, the dimensions of s or the first of them, are empty or a
// Sequence of TFDS. Only ragged features are nested Sequences, and a nested Dataset has none.
func (s *Stored) IsTFDSSequence(dims []int) bool {
	return len(dims) == 0 || !s.nested && (len(dims) == 1 || s.RaggedRank() == len(dims)-1)
}

// storedType returns the type of a feature, and how its values are stored.
func (s *Stored) storedType() string {
	switch {
	case s.Packing == Tensor:
		return s.Type.String() + " in a tensor"
	case s.Packing == Raw:
		return "raw " + s.Type.String()
	case s.Classes != nil:
		return "numbers of classes"
	}
	return s.Type.String()
}
