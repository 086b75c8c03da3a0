package dataset

import (
	"fmt"
	"slices"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// addExample adds a module for records that are an Example, in protobuf or JSON.
func (s *script) addExample() {
	s.addHead("example", "import json\nimport os\n\nimport numpy as np")
	s.add(scriptMissing + scriptOptional)
	s.addHelpers()
	s.add("\n\n# As tf.io.parse_example takes it, for a batch of records.\n")
	s.addDict("FEATURES", s.features, spec)
	s.add("\n# What is not read as it is stored.\n")
	s.addDict("CASTS", s.features, cast)
	s.addDecoded("DECODED", "")
	s.add("\n# The images, and how many channels they are decoded to.\n")
	s.addDict("IMAGES", s.features, s.image)
	isDALI := s.Record.Message.Readers().DALI && s.Compression == tfrecord.None && s.Format().DALI
	if isDALI {
		s.add("\n# What NVIDIA DALI misreads, and why.\n")
		s.addDict("DALI", s.features, misread)
	}
	s.addParser("parse(record)", "one serialized Example", "record", "parse_single_example", "shape")
	if slices.ContainsFunc(s.features, isDecodedAlone) {
		s.add("\n\nparse_batch = None  # for tensors of their own shapes are read one by one\n")
	} else {
		s.addParser("parse_batch(records)", "a batch of serialized Examples", "records", "parse_example",
			"[-1] + shape")
	}
	s.addRecords()
	s.add("%s", scriptExampleDataset)
	if isDALI {
		s.add("%s", scriptDALI)
	}
}

// addParser adds a function that parses one record or a batch of records. shape is the Python
// expression of the shape that decoded bytes get.
func (s *script) addParser(head, what, name, how, shape string) {
	s.add("\n\ndef %s:\n    \"\"\"Returns the features of %s, by key.\"\"\"\n", head, what)
	if s.Record.Message.Payload() == schema.JSONPayload {
		s.add("    %[1]s = tf.io.decode_json_example(%[1]s)\n", name)
	}
	s.add(scriptParse, how, name)
	s.addDecode("example", "DECODED", s.features, shape)
	s.add("    return example\n")
}

// isDecodedAlone reports whether the tensors of a feature are decoded one by one. That is the
// case for TensorProtos, and for raw bytes of any length.
func isDecodedAlone(f *schema.Stored) bool {
	size, _ := f.Size()
	return f.IsPacked() && (f.Packing == schema.Tensor || f.IsOptional() || size < 0)
}

// image returns the number of channels to which an image is decoded, or an empty string.
func (s *script) image(f *schema.Stored) string {
	if !f.Image || len(f.Shape) > 0 || f.IsOptional() || f.IsPacked() {
		return ""
	}
	return imageChannels(s.Images[f.Key])
}

// misread returns why NVIDIA DALI cannot read the values of a feature, or an empty string.
func misread(f *schema.Stored) string {
	switch {
	case f.RaggedRank() > 0:
		return pythonString("it knows no lists of lists")
	case f.IsOptional():
		return pythonString("where a record lacks it, it reads any number; missing: {default: …} gives one")
	case f.List == message.BytesList && len(f.ListShape()) > 0:
		return pythonString("of several strings it reads the first, and fails if a record has no string")
	}
	return ""
}

const scriptMissing = `
# What is read where a record has no value.
MISSING = {tf.int64: np.int64(-(2**63)), tf.float32: np.float32("nan"), tf.string: b""}
`

const scriptOptional = `

def _optional(shape, dtype):
    return tf.io.FixedLenFeature(shape, dtype, default_value=np.full(shape, MISSING[dtype]))


def _variable(shape, dtype):
    inner = [tf.io.RaggedFeature.UniformRowLength(n) for n in shape]
    return tf.io.RaggedFeature(dtype, partitions=inner)
`

const scriptRagged = `

def _ragged(key, rank, shape, dtype):
    rows = [tf.io.RaggedFeature.RowLengths(f"{key}/ragged_row_lengths_{i}") for i in range(rank)]
    inner = [tf.io.RaggedFeature.UniformRowLength(n) for n in shape]
    return tf.io.RaggedFeature(dtype, f"{key}/ragged_flat_values", rows + inner, tf.int64)
`

const scriptRaw = `

def _raw(data, dtype, shape):
    bits = {tf.uint32: tf.int32, tf.uint64: tf.int64}.get(dtype, dtype)  # which decode_raw knows
    values = tf.io.decode_raw(data, bits)
    return tf.reshape(values if bits == dtype else tf.bitcast(values, dtype), shape)
`

const scriptTensor = `

def _tensor(data, dtype, shape):
    return tf.ensure_shape(tf.io.parse_tensor(data, dtype), [None if n < 0 else n for n in shape])
`

// A missing key is read as an empty string.
const scriptMaybe = `

def _maybe(decode):
    """Reads what a record may lack: an empty tensor, then."""

    def read(data, dtype, shape):
        none = tf.zeros([0] + [max(n, 0) for n in shape[1:]], dtype)
        return tf.cond(tf.equal(data, ""), lambda: none, lambda: decode(data, dtype, shape))

    return read
`

// scriptParse has the name of the parsing function and the name of its argument as parameters.
const scriptParse = `    example = tf.io.%s(%s, FEATURES)
    for key, dtype in CASTS.items():
        example[key] = tf.cast(example[key], dtype)
`

// scriptDecode has the name of the dict with the values, the name of the dict with the decoders,
// and the shape as parameters.
const scriptDecode = `    for key, (decode, dtype, shape) in %[2]s.items():
        %[1]s[key] = decode(%[1]s[key], dtype, %[3]s)
`

// addHelpers adds the functions that the features need.
func (s *script) addHelpers() {
	for _, h := range []struct {
		text string
		need func(*schema.Stored) bool
	}{
		{scriptRagged, func(f *schema.Stored) bool { return f.RaggedRank() > 0 && !s.Record.Message.IsObject() }},
		{scriptRaw, func(f *schema.Stored) bool { return f.Packing == schema.Raw }},
		{scriptTensor, func(f *schema.Stored) bool { return f.Packing == schema.Tensor }},
		{scriptMaybe, func(f *schema.Stored) bool { return f.IsPacked() && f.IsOptional() && !f.Steps }},
		{scriptSteps, func(f *schema.Stored) bool { return f.IsPacked() && f.Steps }},
	} {
		if slices.ContainsFunc(s.all, h.need) {
			s.add("%s", h.text)
		}
	}
}

// addDecoded adds dicts of the packed features and feature lists: how each is read.
func (s *script) addDecoded(features, sequence string) {
	if hasPacked(s.all) {
		s.add("\n# What is stored as bytes: how it is read, its dtype and its shape.\n")
	}
	if hasPacked(s.features) {
		s.addDict(features, s.features, decoding)
	}
	if hasPacked(s.sequence) {
		s.addDict(sequence, s.sequence, decoding)
	}
}

// addDecode adds the lines that read the features of such a dict. shape is the shape that they get.
func (s *script) addDecode(record, dict string, features []*schema.Stored, shape string) {
	if hasPacked(features) {
		s.add(scriptDecode, record, dict, shape)
	}
}

func hasPacked(features []*schema.Stored) bool {
	return slices.ContainsFunc(features, (*schema.Stored).IsPacked)
}

// spec returns the feature spec for tf.io.parse_example, or for tf.io.parse_sequence_example.
func spec(f *schema.Stored) string {
	dtype, shape := tensorflowDtype(f), f.ListShape()
	switch {
	case f.RaggedRank() > 0:
		return fmt.Sprintf("_ragged(%s, %d, %s, %s)", pythonString(f.Key), f.RaggedRank(), pythonShape(shape[1:]),
			dtype)
	case f.IsVariable():
		return fmt.Sprintf("_variable(%s, %s)", pythonShape(shape[1:]), dtype)
	case f.Steps && f.IsOptional():
		return fmt.Sprintf("tf.io.FixedLenSequenceFeature(%s, %s, allow_missing=True)", pythonShape(shape), dtype)
	case f.Steps:
		return fmt.Sprintf("tf.io.FixedLenSequenceFeature(%s, %s)", pythonShape(shape), dtype)
	case f.IsOptional():
		return fmt.Sprintf("_optional(%s, %s)", pythonShape(shape), dtype)
	}
	return fmt.Sprintf("tf.io.FixedLenFeature(%s, %s)", pythonShape(shape), dtype)
}

// cast returns the type of narrower integers and bools, or an empty string. Features with
// optional values are not cast, because a cast changes MISSING.
func cast(f *schema.Stored) string {
	if f.List != message.Int64List || f.Type == schema.Int64 || f.IsOptional() && !f.IsVariable() && !f.Steps {
		return ""
	}
	return "tf." + f.Type.String()
}

// decoding returns how bytes are decoded to a tensor, its dtype, and its shape, or an empty string.
func decoding(f *schema.Stored) string {
	if !f.IsPacked() {
		return ""
	}
	how := "_" + string(f.Packing)
	switch {
	case f.Steps:
		how = "_steps(" + how + ")"
	case f.IsOptional():
		how = "_maybe(" + how + ")"
	}
	return fmt.Sprintf("(%s, tf.%s, %s)", how, f.Type.Dtype(), pythonShape(f.Shape))
}
