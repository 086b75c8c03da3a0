"""Compares tensors, raw bytes and JSON with what TensorFlow and numpy make.

The argument is a file of JSON lines, each with a type, a shape, the texts of the
values, and what the encoder made of them.
"""

import json
import sys

import numpy as np
import tensorflow as tf

TYPES = {name: getattr(tf, name) for name in
         "int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool float16 bfloat16 float32 float64 string".split()}


def read(text, name):
    if name == "string":
        return text.encode()
    if name == "bool":
        return text == "true"
    if "int" in name:
        return int(text)
    return float(text)


with open(sys.argv[1], encoding="utf-8") as lines:
    cases = [json.loads(line) for line in lines]
for case in cases:
    dtype = TYPES[case["type"]]
    values = [read(text, case["type"]) for text in case["texts"]]
    array = np.array(values, dtype=dtype.as_numpy_dtype).reshape(case["shape"])
    tensor = bytes.fromhex(case["tensor"])
    want = tf.io.serialize_tensor(tf.constant(array, dtype=dtype)).numpy()
    assert tensor == want, (case, want.hex())
    back = tf.io.parse_tensor(tensor, dtype)
    assert back.shape == array.shape, case
    if case["type"] == "string":
        continue
    raw = bytes.fromhex(case["raw"])
    assert raw == array.tobytes(), (case, array.tobytes().hex())
    if raw and case["type"] not in ("uint32", "uint64"):  # which decode_raw does not know
        assert np.array_equal(tf.io.decode_raw(raw, dtype).numpy(), array.reshape(-1)), case
    if case["json"]:
        example = tf.train.Example.FromString(bytes.fromhex(case["example"]))
        decoded = tf.io.decode_json_example(case["json"]).numpy()
        assert tf.train.Example.FromString(decoded) == example, case
print(len(cases), "tensors")
