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
	s.addDict("FEATURES", s.features, exampleSpec)
	s.add("\n# What is not read as it is stored.\n")
	s.addDict("CASTS", s.features, cast)
	decoded := slices.ContainsFunc(s.features, isStoredAsBytes)
	if decoded {
		s.add(scriptDecoded)
		s.addDict("DECODED", s.features, decoding)
	}
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
		s.addParser("parse_batch(records)", "a batch of serialized Examples", "records", "parse_example", "[-1] + shape")
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
	if slices.ContainsFunc(s.features, isStoredAsBytes) {
		s.add(scriptDecode, "example", "DECODED", shape)
	}
	s.add("    return example\n")
}

// isDecodedAlone reports whether the tensors of a feature are decoded one by one. That is the
// case for TensorProtos, and for raw bytes of any length.
func isDecodedAlone(f schema.Feature) bool {
	return f.Tensor || f.Raw && (f.OnMissing == schema.MissingOmit || isVariable(f.Shape))
}

// image returns the number of channels to which an image is decoded, or an empty string.
func (s *script) image(f *schema.Feature) string {
	if !f.Image || len(f.Shape) > 0 || f.OnMissing == schema.MissingOmit || isStoredAsBytes(*f) {
		return ""
	}
	return imageChannels(s.Images[f.Key])
}

// misread returns why NVIDIA DALI cannot read the values of a feature, or an empty string.
func misread(f *schema.Feature) string {
	isText := f.ExampleList() == message.BytesList
	switch {
	case f.IsRagged():
		return pythonString("it knows no lists of lists")
	case f.OnMissing == schema.MissingOmit:
		return pythonString("where a record lacks it, it reads any number; missing: {default: …} gives one")
	case isText && len(f.Shape) > 0 && !isStoredAsBytes(*f):
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

const scriptDecoded = "\n# What is stored as bytes: how it is read, its dtype and its shape.\n"

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
	all := append(slices.Clip(s.features), s.sequence...)
	for _, h := range []struct {
		text string
		need func(schema.Feature) bool
	}{
		{scriptRagged, func(f schema.Feature) bool { return f.IsRagged() && !s.Record.Message.IsObject() }},
		{scriptRaw, func(f schema.Feature) bool { return f.Raw }},
		{scriptTensor, func(f schema.Feature) bool { return f.Tensor }},
	} {
		if slices.ContainsFunc(all, h.need) {
			s.add("%s", h.text)
		}
	}
	if slices.ContainsFunc(s.features, func(f schema.Feature) bool { return isStoredAsBytes(f) && f.OnMissing == schema.MissingOmit }) {
		s.add(scriptMaybe)
	}
}

// isStoredAsBytes reports whether the values of a feature are stored as one byte string.
func isStoredAsBytes(f schema.Feature) bool { return f.Tensor || f.Raw }

// exampleSpec returns the feature spec for tf.io.parse_example.
func exampleSpec(f *schema.Feature) string {
	dtype, shape := tensorflowDtype(f), f.Shape
	if isStoredAsBytes(*f) {
		shape = nil
	}
	switch {
	case f.IsRagged():
		return raggedSpec(f)
	case isVariable(shape):
		return fmt.Sprintf("_variable(%s, %s)", pythonShape(shape[1:]), dtype)
	case f.OnMissing == schema.MissingOmit:
		return fmt.Sprintf("_optional(%s, %s)", pythonShape(shape), dtype)
	}
	return fmt.Sprintf("tf.io.FixedLenFeature(%s, %s)", pythonShape(shape), dtype)
}

func raggedSpec(f *schema.Feature) string {
	rank := f.RaggedRank()
	return fmt.Sprintf("_ragged(%s, %d, %s, %s)", pythonString(f.Key), rank, pythonShape(f.Shape[rank+1:]), tensorflowDtype(f))
}

// cast returns the type of narrower integers and bools, or an empty string. Features with
// optional values are not cast, because a cast changes MISSING.
func cast(f *schema.Feature) string {
	if f.OnMissing == schema.MissingOmit && !isVariable(f.Shape) {
		return ""
	}
	return stepCast(f)
}

// stepCast returns the type of narrower integers and bools, or an empty string.
func stepCast(f *schema.Feature) string {
	if f.ExampleList() != message.Int64List || f.Type == schema.Int64 {
		return ""
	}
	return "tf." + f.Type.String()
}

// decoding returns how bytes are decoded to a tensor, or an empty string.
func decoding(f *schema.Feature) string {
	how := decoder(f)
	if how != "" && f.OnMissing == schema.MissingOmit {
		how = "_maybe(" + how + ")"
	}
	return dtypeAndShape(how, f)
}

func decoder(f *schema.Feature) string {
	switch {
	case f.Raw:
		return "_raw"
	case f.Tensor:
		return "_tensor"
	}
	return ""
}

func dtypeAndShape(how string, f *schema.Feature) string {
	if how == "" {
		return ""
	}
	return fmt.Sprintf("(%s, tf.%s, %s)", how, f.Type.Dtype(), pythonShape(f.Shape))
}
