package dataset

import (
	"fmt"
	"slices"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// example adds a module for records that are an Example, also one as JSON.
func (s *script) example() {
	s.head("example", "import json\nimport os\n\nimport numpy as np")
	s.add(scriptMissing + scriptOptional)
	s.helpers()
	s.add("\n\n# As tf.io.parse_example takes it, for a batch of records.\n")
	s.dict("FEATURES", s.features, exampleSpec)
	s.add("\n# What is not read as it is stored.\n")
	s.dict("CASTS", s.features, cast)
	decoded := slices.ContainsFunc(s.features, inBytes)
	if decoded {
		s.add(scriptDecoded)
		s.dict("DECODED", s.features, decoding)
	}
	s.add("\n# The images, and how many channels they are decoded to.\n")
	s.dict("IMAGES", s.features, s.image)
	isDALI := s.Record.Message == schema.ExampleMessage && s.Compression == tfrecord.None && s.Framing == tfrecord.TFRecord
	if isDALI {
		s.add("\n# What NVIDIA DALI misreads, and why.\n")
		s.dict("DALI", s.features, misread)
	}
	s.parse("parse(record)", "one serialized Example", "record", "parse_single_example", "shape")
	if slices.ContainsFunc(s.features, isAlone) {
		s.add("\n\nparse_batch = None  # for tensors of their own shapes are read one by one\n")
	} else {
		s.parse("parse_batch(records)", "a batch of serialized Examples", "records", "parse_example", "[-1] + shape")
	}
	s.records()
	s.add("%s", scriptExampleDataset)
	if isDALI {
		s.add("%s", scriptDALI)
	}
}

// parse adds a function that parses one record or a batch of them; shape is that of
// what it decodes.
func (s *script) parse(head, what, name, how, shape string) {
	s.add("\n\ndef %s:\n    \"\"\"Returns the features of %s, by key.\"\"\"\n", head, what)
	if s.Record.Message == schema.JSONExampleMessage {
		s.add("    %[1]s = tf.io.decode_json_example(%[1]s)\n", name)
	}
	s.add(scriptParse, how, name)
	if slices.ContainsFunc(s.features, inBytes) {
		s.add(scriptDecode, "example", "DECODED", shape)
	}
	s.add("    return example\n")
}

// isAlone says whether the tensors of a feature are decoded one by one: those that
// TensorFlow serialized, and raw bytes of any length.
func isAlone(f schema.Feature) bool {
	return f.Tensor || f.Raw && (f.OnMissing == schema.MissingOmit || isVariable(f.Shape))
}

// image is how many channels an image is decoded to.
func (s *script) image(f *schema.Feature) string {
	if !f.Image || len(f.Shape) > 0 || f.OnMissing == schema.MissingOmit || inBytes(*f) {
		return ""
	}
	return imageChannels(s.Images[f.Key])
}

// misread says why NVIDIA DALI does not read the values of a feature.
func misread(f *schema.Feature) string {
	isText := f.StoredAs(schema.ExampleMessage) == message.BytesList
	switch {
	case f.IsRagged():
		return pythonString("it knows no lists of lists")
	case f.OnMissing == schema.MissingOmit:
		return pythonString("where a record lacks it, it reads any number; missing: {default: …} gives one")
	case isText && len(f.Shape) > 0 && !inBytes(*f):
		return pythonString("of several texts it reads the first, and fails where there is none")
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

// Without a key the data is read as an empty text.
const scriptMaybe = `

def _maybe(decode):
    """Reads what a record may lack: an empty tensor, then."""

    def read(data, dtype, shape):
        none = tf.zeros([0] + [max(n, 0) for n in shape[1:]], dtype)
        return tf.cond(tf.equal(data, ""), lambda: none, lambda: decode(data, dtype, shape))

    return read
`

const scriptDecoded = "\n# What is stored as bytes: how it is read, its dtype and its shape.\n"

// scriptParse takes the name of the function that parses, and of what it parses.
const scriptParse = `    example = tf.io.%s(%s, FEATURES)
    for key, dtype in CASTS.items():
        example[key] = tf.cast(example[key], dtype)
`

// scriptDecode takes the name of the dict, of what says how it is read, and the shape.
const scriptDecode = `    for key, (decode, dtype, shape) in %[2]s.items():
        %[1]s[key] = decode(%[1]s[key], dtype, %[3]s)
`

// helpers adds the functions that the features need.
func (s *script) helpers() {
	all := append(slices.Clip(s.features), s.sequence...)
	for _, h := range []struct {
		text string
		need func(schema.Feature) bool
	}{
		{scriptRagged, func(f schema.Feature) bool { return f.IsRagged() && s.Record.Message != schema.JSONMessage }},
		{scriptRaw, func(f schema.Feature) bool { return f.Raw }},
		{scriptTensor, func(f schema.Feature) bool { return f.Tensor }},
	} {
		if slices.ContainsFunc(all, h.need) {
			s.add("%s", h.text)
		}
	}
	if slices.ContainsFunc(s.features, func(f schema.Feature) bool { return inBytes(f) && f.OnMissing == schema.MissingOmit }) {
		s.add(scriptMaybe)
	}
}

// inBytes says whether the values of a feature are stored as one text.
func inBytes(f schema.Feature) bool { return f.Tensor || f.Raw }

// exampleSpec is how tf.io.parse_example reads a feature.
func exampleSpec(f *schema.Feature) string {
	dtype, shape := listDtype(f), f.Shape
	if inBytes(*f) {
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
	return fmt.Sprintf("_ragged(%s, %d, %s, %s)", pythonString(f.Key), rank, pythonShape(f.Shape[rank+1:]), listDtype(f))
}

// cast is the type of narrower integers and bools. Where a value may be missing
// there is no cast, which would make MISSING another number.
func cast(f *schema.Feature) string {
	if f.OnMissing == schema.MissingOmit && !isVariable(f.Shape) {
		return ""
	}
	return stepCast(f)
}

// stepCast is the type of narrower integers and bools.
func stepCast(f *schema.Feature) string {
	if f.StoredAs(schema.ExampleMessage) != message.Int64List || f.Type == schema.Int64 {
		return ""
	}
	return "tf." + f.Type.String()
}

// decoding is how bytes become a tensor.
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
