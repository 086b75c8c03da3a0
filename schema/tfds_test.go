package schema_test

import (
	"testing"

	"tfr-build/schema"
)

func TestCheckTFDS(t *testing.T) {
	for _, c := range []struct {
		feature schema.Feature
		want    string
	}{
		{schema.Feature{Type: schema.Int64}, ""},
		{schema.Feature{Type: schema.Int64, TFDS: "Tensor"}, ""},
		{schema.Feature{Type: schema.Int64, TFDS: "Video"},
			`"Video" is not a feature of TFDS; expected one of Text, Tensor, Image, BBox, Audio`},
		{schema.Feature{Type: schema.Int64, TFDS: "Text"},
			"Text is bytes or string, one value or a list; the feature is int64 of shape []"},
		{schema.Feature{Type: schema.BytesType, TFDS: "Text"}, ""},
		{schema.Feature{Type: schema.BytesType, TFDS: "Text", Tensor: true},
			"Text is bytes or string, one value or a list; the feature is bytes in a tensor of shape []"},
		{schema.Feature{Type: schema.BytesType, TFDS: "Text", Shape: []int{-1, 2}},
			"Text is bytes or string, one value or a list; the feature is bytes of shape [-1, 2]"},
		{schema.Feature{Type: schema.StringType, TFDS: "Text", Shape: []int{-1, -1}}, ""},
		{schema.Feature{Type: schema.StringType, TFDS: "Text", Shape: []int{-1, -1, 2}},
			"Text is bytes or string, one value or a list; the feature is string of shape [-1, -1, 2]"},
		{schema.Feature{Type: schema.StringType, TFDS: "Text", OnMissing: schema.MissingOmit},
			"Text is in every record; what a record may lack is a Tensor"},
		{schema.Feature{Type: schema.StringType, TFDS: "Text", Shape: []int{-1}, OnMissing: schema.MissingOmit}, ""},
		{schema.Feature{Type: schema.BytesType, TFDS: "Image"}, ""},
		{schema.Feature{Type: schema.StringType, TFDS: "Image"},
			"Image is the bytes of one file or a list; the feature is string of shape []"},
		{schema.Feature{Type: schema.BytesType, TFDS: "Image", Shape: []int{-1}, OnMissing: schema.MissingOmit}, ""},
		{schema.Feature{Type: schema.BytesType, TFDS: "Image", Shape: []int{2, 3}},
			"Image is the bytes of one file or a list; the feature is bytes of shape [2, 3]"},
		{schema.Feature{Type: schema.BytesType, TFDS: "Image", OnMissing: schema.MissingOmit},
			"Image is in every record; what a record may lack is a Tensor"},
		{schema.Feature{Type: schema.Float, TFDS: "BBox", Shape: []int{4}}, ""},
		{schema.Feature{Type: schema.Float64, TFDS: "BBox", Shape: []int{-1, 4}}, ""},
		{schema.Feature{Type: schema.Float, TFDS: "BBox", Shape: []int{-1, -1, 4}}, ""},
		{schema.Feature{Type: schema.Float, TFDS: "BBox", Shape: []int{2, 3, 4}},
			"BBox is 4 floats, shape [4] or [-1, 4]; the feature is float of shape [2, 3, 4]"},
		{schema.Feature{Type: schema.Float, TFDS: "BBox"},
			"BBox is 4 floats, shape [4] or [-1, 4]; the feature is float of shape []"},
		{schema.Feature{Type: schema.Int64, TFDS: "BBox", Shape: []int{4}},
			"BBox is 4 floats, shape [4] or [-1, 4]; the feature is int64 of shape [4]"},
		{schema.Feature{Type: schema.Float, TFDS: "BBox", Shape: []int{4}, Raw: true},
			"BBox is 4 floats, shape [4] or [-1, 4]; the feature is raw float of shape [4]"},
		{schema.Feature{Type: schema.Int16, TFDS: "Audio", Shape: []int{-1}}, ""},
		{schema.Feature{Type: schema.Int16, TFDS: "Audio", Shape: []int{-1, 2}, Raw: true}, ""},
		{schema.Feature{Type: schema.Uint32, TFDS: "Audio", Shape: []int{-1, 2}, Raw: true},
			"Audio is numbers, shape [-1] or [-1, channels]; the feature is raw uint32 of shape [-1, 2]"},
		{schema.Feature{Type: schema.Int16, TFDS: "Audio", Shape: []int{-1}, Raw: true, OnMissing: schema.MissingOmit},
			"Audio is in every record; what a record may lack is a Tensor"},
		{schema.Feature{Type: schema.Int16, TFDS: "Audio", Shape: []int{-1, -1}},
			"Audio is numbers, shape [-1] or [-1, channels]; the feature is int16 of shape [-1, -1]"},
		{schema.Feature{Type: schema.Int64, TFDS: "Audio", Shape: []int{-1}, Classes: &schema.Classes{}},
			"Audio is numbers, shape [-1] or [-1, channels]; the feature is numbers of classes of shape [-1]"},
		{schema.Feature{Type: schema.BytesType, TFDS: "Audio"},
			"Audio is numbers, shape [-1] or [-1, channels]; the feature is bytes of shape []"},
	} {
		got := ""
		if err := c.feature.Stored(schema.ExampleMessage, false).CheckTFDS(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%+v:\n%s\nwant\n%s", c.feature, got, c.want)
		}
	}
}
