package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"tfr-build/message"
	"tfr-build/schema"
)

// A node is a JSON object, written with sorted keys.
type node map[string]any

// int64s returns n in decimal: the JSON format of protobuf has strings for int64.
func int64s(n int64) string { return strconv.FormatInt(n, 10) }

func encodeJSON(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding the metadata: %w", err)
	}
	return b.Bytes(), nil
}

// datasetInfoJSON returns dataset_info.json. TFDS rejects unknown keys, and cannot read a split
// without records. supervised has the keys of the input and the label, or is nil.
func datasetInfoJSON(info *Info, supervised []string) ([]byte, error) {
	splits := []node{}
	for _, s := range info.Splits {
		if s.Records == 0 {
			continue
		}
		lengths, payload := make([]string, 0, len(s.Shards)), int64(0)
		for _, shard := range s.Shards {
			lengths = append(lengths, int64s(shard.Records))
			payload += shard.PayloadBytes
		}
		splits = append(splits, node{
			"name":             s.Name,
			"filepathTemplate": info.filepathTemplate(),
			"numBytes":         int64s(payload),
			"shardLengths":     lengths,
		})
	}
	root := node{"name": info.Name, "version": info.Version, "fileFormat": info.Format().Name, "splits": splits}
	if info.Description != "" {
		root["description"] = info.Description
	}
	if info.SourceOrder {
		root["disableShuffling"] = true
	}
	if len(supervised) > 0 {
		items := []node{}
		for _, key := range supervised {
			items = append(items, node{"featureKey": key})
		}
		root["supervisedKeys"] = node{"tuple": node{"items": items}}
	}
	return encodeJSON(root, "  ")
}

// supervised returns the keys for as_supervised in TFDS: the only image or text, and the only
// class label. Without exactly one of each the choice is ambiguous, and supervised returns nil.
func supervised(connectors map[string]node) []string {
	var inputs, labels []string
	for key, c := range connectors {
		switch {
		case c["image"] != nil || c["text"] != nil:
			inputs = append(inputs, key)
		case c["classLabel"] != nil:
			labels = append(labels, key)
		}
	}
	if len(inputs) != 1 || len(labels) != 1 {
		return nil
	}
	return append(inputs, labels...)
}

const pythonPackage = "tensorflow_datasets.core.features."

// connectors returns the connectors of all features by key. A feature whose label file has
// another content than TFDS expects is not a ClassLabel.
func connectors(info *Info, l *labels) map[string]node {
	all := map[string]node{}
	for _, f := range info.Record.Stored() {
		if info.isStep(f.Key) {
			f = f.OfStep()
		}
		n := connector(f, info.Images[f.Key], !l.notClassLabel[f.Key])
		if file := l.fileOf[f.Key]; file != "" && n["tensor"] != nil {
			n["description"] = classNumber(f, file)
		}
		all[f.Key] = n
	}
	return all
}

// classNumber returns the description of a class that TFDS reads as a number, or of a vector. A ClassLabel counts
// from 0 and cannot read a record without a class, so only the label file has the names.
func classNumber(f *schema.Stored, file string) string {
	if f.Places != nil {
		return fmt.Sprintf("A 0 or 1 for each class. Line 1 of %s is the name of the first class, and so on.", file)
	}
	text := fmt.Sprintf("Number of a class. Line 1 of %s is the name of class %d, and so on.", file, f.Classes.First)
	if f.IsOptional() {
		text += " A record without a class is read as the lowest int64."
	}
	return text
}

// featuresJSON returns features.json.
func (info *Info) featuresJSON(connectors map[string]node) ([]byte, error) {
	if info.Steps != "" {
		return encodeJSON(info.episode(connectors), "    ")
	}
	features := node{}
	for key, c := range connectors {
		features[key] = c
	}
	return encodeJSON(featuresDict(features), "    ") // TFDS indents this file by 4, and dataset_info.json by 2
}

func featuresDict(features node) node {
	return node{
		"pythonClassName": pythonPackage + "features_dict.FeaturesDict",
		"featuresDict":    node{"features": features},
	}
}

// connector returns the feature connector of TFDS for a feature: the type by which TFDS reads it.
// A Tensor reads any feature; other connectors say more about it.
func connector(f *schema.Stored, images ImageMetadata, label bool) node {
	scalar := len(f.Shape) == 0
	always := !f.IsOptional()
	switch {
	case f.TFDS != "":
		return namedConnector(f, images)
	case f.IsPacked():
		return tensorConnector(f)
	case f.Image && isImageSequence(f, images) && f.OnMissing != schema.MissingDefault && (always || f.IsVariable()):
		return sequences(f.Shape, imageConnector(images))
	case f.Type == schema.StringType && scalar && always:
		return textConnector()
	case !label || !isClassLabel(f.Classes):
	case f.IsTFDSSequence(f.Shape) && (always || f.IsVariable()):
		return sequences(f.Shape, classLabel(f.Classes))
	}
	return tensorConnector(f)
}

// sequences wraps the connector of an element in a Sequence for each dimension.
func sequences(shape []int, element node) node {
	for _, n := range slices.Backward(shape) {
		element = node{
			"pythonClassName": pythonPackage + "sequence_feature.Sequence",
			"sequence":        node{"feature": element, "length": int64s(int64(n))},
		}
	}
	return element
}

// isClassLabel reports whether a ClassLabel has the same numbers for the classes: from 0, and -1
// for unknown.
func isClassLabel(c *schema.Classes) bool {
	return c != nil && len(c.Names) > 0 && c.First == 0 &&
		(c.Unknown == nil || -1 <= *c.Unknown && *c.Unknown < int64(len(c.Names)))
}

func classLabel(c *schema.Classes) node {
	return node{
		"pythonClassName": pythonPackage + "class_label_feature.ClassLabel",
		"classLabel":      node{"numClasses": int64s(int64(len(c.Names)))},
	}
}

func textConnector() node {
	return node{"pythonClassName": pythonPackage + "text_feature.Text", "text": node{}}
}

// tensorConnector describes values as they are stored. A value that may be missing from a record is
// optional, and TFDS then reads the lowest value of the dtype. For that reason all integers are
// int64 there, whose lowest value does not occur. A variable shape is not optional, because a
// missing key is read as an empty list.
//
// Values in bytes are a Tensor with encoding bytes if TFDS can decode them, and otherwise a
// string: TFDS cannot parse a TensorProto.
func tensorConnector(f *schema.Stored) node {
	omitted := f.IsOptional()
	if f.Packing == schema.Tensor || f.IsPacked() && (omitted || f.Type == schema.Uint32) {
		return tensorNode(nil, "string", "none", omitted)
	}
	if f.IsPacked() {
		return tensorNode(f.Shape, f.Type.Dtype(), "bytes", false)
	}
	dtype := listType(f)
	if rank := f.RaggedRank(); rank > 0 {
		return sequences(f.Shape[:rank+1], tensorNode(f.Shape[rank+1:], dtype, "none", false))
	}
	optional := omitted && !f.IsVariable()
	if optional && f.List == message.Int64List {
		dtype = "int64"
	}
	return tensorNode(f.Shape, dtype, "none", optional)
}

func tensorNode(shape []int, dtype, encoding string, optional bool) node {
	tensor := node{"shape": tensorShape(shape), "dtype": dtype, "encoding": encoding}
	if optional {
		tensor["optional"] = true
	}
	return node{"pythonClassName": pythonPackage + "tensor_feature.Tensor", "tensor": tensor}
}

// listType returns the dtype of the values in the list of an Example.
func listType(f *schema.Stored) string {
	switch f.List {
	case message.BytesList:
		return "string"
	case message.FloatList:
		return "float32"
	}
	return f.Type.String()
}

func tensorShape(shape []int) node {
	if len(shape) == 0 {
		return node{}
	}
	dimensions := make([]string, len(shape))
	for i, n := range shape {
		dimensions[i] = strconv.Itoa(n)
	}
	return node{"dimensions": dimensions}
}

// isImageSequence reports whether TFDS decodes all images of a record: one, or a list. A list becomes one tensor, so
// its images need one size.
func isImageSequence(f *schema.Stored, images ImageMetadata) bool {
	return f.IsTFDSSequence(f.Shape) && (len(f.Shape) == 0 || images.OneSize) && decodable(images)
}

// decodable reports whether TFDS decodes the images to three dimensions. It decodes GIF and WebP,
// which may be animated, to four, and BMP only with three channels.
func decodable(images ImageMetadata) bool {
	for _, format := range images.Formats {
		switch format {
		case "JPEG", "PNG":
		case "BMP":
			if !slices.Equal(images.Channels, []int{3}) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// imageChannels returns the number of channels to which images are decoded.
func imageChannels(images ImageMetadata) string {
	if slices.Equal(images.Channels, []int{1}) && slices.Equal(images.Colorspaces, []string{"GRAY"}) {
		return "1"
	}
	return "3"
}

func imageConnector(images ImageMetadata) node {
	image := node{"shape": node{"dimensions": []string{"-1", "-1", imageChannels(images)}}, "dtype": "uint8"}
	switch {
	case slices.Equal(images.Formats, []string{"JPEG"}):
		image["encodingFormat"] = "jpeg"
	case slices.Equal(images.Formats, []string{"PNG"}):
		image["encodingFormat"] = "png"
	}
	return node{"pythonClassName": pythonPackage + "image_feature.Image", "image": image}
}
