package dataset

import (
	"fmt"
	"strings"

	"tfr-build/schema"
)

// CheckTFDS says why TFDS cannot take a feature for what its TFDS names; nil where
// it can, and where it names nothing. The text is about the name alone: it does
// not say which feature has it.
//
//	Text    bytes or string   one value, [n], [-1], ragged
//	Image   bytes             one value
//	BBox    float, float64    [4], and a list of such: [n, 4], [-1, 4], ragged
//	Audio   numbers           [n], [-1], [-1, channels]
//	Tensor  all               any
func CheckTFDS(f *schema.Feature) error {
	texts, floats := f.Type == schema.BytesType || f.Type == schema.StringType, f.Type == schema.Float || f.Type == schema.Float64
	last := len(f.Shape) - 1
	var fits bool
	var expected string
	switch f.TFDS {
	case "", "Tensor":
		return nil
	case "Text":
		expected, fits = "bytes or string, one value or a list", texts && !f.Tensor && isSequence(f, f.Shape)
	case "Image":
		expected, fits = "the bytes of one file", f.Type == schema.BytesType && !f.Tensor && last < 0
	case "BBox":
		expected, fits = "4 floats, shape [4] or [-1, 4]", floats && !f.Tensor && !f.Raw && last >= 0 && f.Shape[last] == 4 && isSequence(f, f.Shape[:last])
	case "Audio":
		numbers := (f.Type.IsInteger() || floats) && f.Classes == nil && !f.Tensor && (!f.Raw || f.Type != schema.Uint32)
		expected, fits = "numbers, shape [-1] or [-1, channels]", numbers && (last == 0 || last == 1 && f.Shape[1] > 0)
	default:
		return fmt.Errorf("%q is no feature of TFDS; expected one of %s", f.TFDS, strings.Join(TFDSNames, ", "))
	}
	if !fits {
		return fmt.Errorf("%s is %s; the feature is %s of shape %s", f.TFDS, expected, storedAs(f), pythonShape(f.Shape))
	}
	// Without the key TFDS fails, unless it takes that for an empty list.
	if f.OnMissing == schema.MissingOmit && (!isVariable(f.Shape) || f.Raw) {
		return fmt.Errorf("%s is in every record; what a record may lack is a Tensor", f.TFDS)
	}
	return nil
}

// isSequence reports whether the dimensions of f, all or its first ones, are
// none, or a Sequence. Only what is ragged is one of Sequences to TFDS.
func isSequence(f *schema.Feature, dims []int) bool {
	return len(dims) <= 1 || raggedRank(f) == len(dims)-1
}

// storedAs names the type of a feature, and what becomes of its values.
func storedAs(f *schema.Feature) string {
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

// TFDSNames are what a feature's TFDS may be.
var TFDSNames = []string{"Text", "Tensor", "Image", "BBox", "Audio"}

// namedConnector is the connector that a feature asks for, checked by CheckTFDS.
func namedConnector(f *schema.Feature, facts ImageFacts) node {
	switch f.TFDS {
	case "Text":
		return sequences(f.Shape, textConnector())
	case "Image":
		return imageConnector(facts)
	case "BBox":
		return sequences(f.Shape[:len(f.Shape)-1], node{
			"pythonClassName": pythonPackage + "bounding_boxes.BBoxFeature",
			"boundingBox":     node{"shape": tensorShape([]int{4}), "dtype": "float32"},
		})
	case "Audio":
		return audioConnector(f)
	}
	return tensorConnector(f)
}

// audioConnector describes samples as they are stored: a Tensor, to TFDS.
func audioConnector(f *schema.Feature) node {
	dtype, encoding := listType(f), "none"
	if f.Raw {
		dtype, encoding = dtypeName(f.Type), "bytes"
	}
	return node{
		"pythonClassName": pythonPackage + "audio_feature.Audio",
		"audio":           node{"shape": tensorShape(f.Shape), "dtype": dtype, "encoding": encoding},
	}
}
