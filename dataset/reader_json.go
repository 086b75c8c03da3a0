package dataset

import (
	"cmp"
	"fmt"

	"tfr-build/schema"
)

// addJSON adds a module for records that are a JSON object. TensorFlow cannot parse JSON, so
// Python parses one record at a time.
func (s *script) addJSON() {
	s.addHead("example", "import base64\nimport json\nimport os\n\nimport numpy as np")
	s.add(scriptMissing)
	s.addHelpers()
	s.add("\n\n# The dtype and the shape of each feature; -1 is any number.\n")
	s.addDict("FEATURES", s.features, jsonSpec)
	s.add("\n# What is in base64.\n")
	s.addDict("BASE64", s.features, func(f *schema.Stored) string {
		if f.IsBinary() {
			return "True"
		}
		return ""
	})
	s.addDecoded("DECODED", "")
	s.add(scriptParseJSON)
	s.addDecode("example", "DECODED", s.features, "shape")
	s.add("    return example\n")
	s.addRecords()
	s.add("%s", scriptDataset)
}

const scriptParseJSON = `

def _array(key, value, dtype):
    if dtype != tf.string:
        return np.array(value, dtype.as_numpy_dtype)
    texts = np.array(value, object)
    for i, text in enumerate(texts.flat):
        texts.flat[i] = base64.b64decode(text) if key in BASE64 else text.encode() if isinstance(text, str) else text
    return texts


def _rank(shape):
    """Returns how many dimensions have rows of their own lengths."""
    return max(0, shape.count(-1) - 1)


def _load(record):
    """Returns an array of values for each feature, and after it the lengths of its
    rows for each dimension that has lengths of its own, the outermost first."""
    row, arrays = json.loads(record), []
    for key, (dtype, shape) in FEATURES.items():
        rank = _rank(shape)
        value = row.get(key + "/ragged_flat_values" if rank else key)
        if value is None:
            value = [] if -1 in shape[:1] else np.full(shape, MISSING[dtype])
        arrays.append(_array(key, value, dtype).reshape(shape[rank:]))
        arrays += [np.array(row.get(f"{key}/ragged_row_lengths_{i}", []), np.int64) for i in range(rank)]
    return arrays


def parse(record):
    """Returns the features of one record, a JSON object, by key."""
    dtypes = []
    for dtype, shape in FEATURES.values():
        dtypes += [dtype] + [tf.int64] * _rank(shape)
    arrays = iter(tf.numpy_function(_load, [record], dtypes))
    example = {}
    for key, (dtype, shape) in FEATURES.items():
        inner = shape[_rank(shape) :]
        values = tf.ensure_shape(next(arrays), [None if n < 0 else n for n in inner])
        rows = [tf.ensure_shape(next(arrays), [None]) for _ in range(_rank(shape))]
        example[key] = tf.RaggedTensor.from_nested_row_lengths(values, rows) if rows else values
`

// jsonSpec returns the dtype and the shape of a feature in a JSON object. If values are optional,
// the dtype is one in MISSING.
func jsonSpec(f *schema.Stored) string {
	shape := f.Shape
	if f.IsPacked() {
		shape = nil
	}
	return fmt.Sprintf("(%s, %s)", cmp.Or(cast(f), tensorflowDtype(f)), pythonShape(shape))
}
