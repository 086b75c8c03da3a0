package dataset

import "tfr-build/schema"

// namedConnector returns the connector that the config names for a feature.
// schema.Stored.CheckTFDS has checked it.
func namedConnector(f *schema.Stored, images ImageMetadata) node {
	switch f.TFDS {
	case "Text":
		return sequences(f.Shape, textConnector())
	case "Image":
		return sequences(f.Shape, imageConnector(images))
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

// audioConnector describes audio samples as they are stored, which is a Tensor to TFDS.
func audioConnector(f *schema.Stored) node {
	dtype, encoding := listType(f), "none"
	if f.IsPacked() {
		dtype, encoding = f.Type.Dtype(), "bytes"
	}
	return node{
		"pythonClassName": pythonPackage + "audio_feature.Audio",
		"audio":           node{"shape": tensorShape(f.Shape), "dtype": dtype, "encoding": encoding},
	}
}
