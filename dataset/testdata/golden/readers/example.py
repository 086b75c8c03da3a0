"""Reads the dataset example, version 1.0.0, with tf.data.

    import sys
    sys.path.append("DATASET/_tfr")
    import reader

    for example in reader.dataset("train"):
        ...

tfr-build wrote this file together with the dataset. It is found to be changed
by tfr-build verify: copy it to change it, and pass the directory.
"""

import json
import os

import numpy as np
import tensorflow as tf

DIRECTORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMPRESSION = ""

# What is read where a record has no value.
MISSING = {tf.int64: np.int64(-(2**63)), tf.float32: np.float32("nan"), tf.string: b""}


def _optional(shape, dtype):
    return tf.io.FixedLenFeature(shape, dtype, default_value=np.full(shape, MISSING[dtype]))


def _variable(shape, dtype):
    inner = [tf.io.RaggedFeature.UniformRowLength(n) for n in shape]
    return tf.io.RaggedFeature(dtype, partitions=inner)


def _ragged(key, rank, shape, dtype):
    rows = [tf.io.RaggedFeature.RowLengths(f"{key}/ragged_row_lengths_{i}") for i in range(rank)]
    inner = [tf.io.RaggedFeature.UniformRowLength(n) for n in shape]
    return tf.io.RaggedFeature(dtype, f"{key}/ragged_flat_values", rows + inner, tf.int64)


def _raw(data, dtype, shape):
    bits = {tf.uint32: tf.int32, tf.uint64: tf.int64}.get(dtype, dtype)  # which decode_raw knows
    values = tf.io.decode_raw(data, bits)
    return tf.reshape(values if bits == dtype else tf.bitcast(values, dtype), shape)


def _tensor(data, dtype, shape):
    return tf.ensure_shape(tf.io.parse_tensor(data, dtype), [None if n < 0 else n for n in shape])


def _maybe(decode):
    """Reads what a record may lack: an empty tensor, then."""

    def read(data, dtype, shape):
        none = tf.zeros([0] + [max(n, 0) for n in shape[1:]], dtype)
        return tf.cond(tf.equal(data, ""), lambda: none, lambda: decode(data, dtype, shape))

    return read


# As tf.io.parse_example takes it, for a batch of records.
FEATURES = {
    "age": _optional([], tf.int64),
    "fine": _variable([], tf.int64),
    "id": tf.io.FixedLenFeature([], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
    "name": tf.io.FixedLenFeature([], tf.string),
    "pixels": tf.io.FixedLenFeature([], tf.string),
    "polygons": _ragged("polygons", 1, [2], tf.float32),
    "vector": _optional([], tf.string),
}

# What is not read as it is stored.
CASTS = {
    "fine": tf.bool,
}

# What is stored as bytes: how it is read, its dtype and its shape.
DECODED = {
    "pixels": (_raw, tf.uint8, [28, 28]),
    "vector": (_maybe(_tensor), tf.float16, [-1, 3]),
}


def parse(record):
    """Returns the features of one serialized Example, by key."""
    example = tf.io.parse_single_example(record, FEATURES)
    for key, dtype in CASTS.items():
        example[key] = tf.cast(example[key], dtype)
    for key, (decode, dtype, shape) in DECODED.items():
        example[key] = decode(example[key], dtype, shape)
    return example


def files(split, directory=DIRECTORY):
    """Returns the paths of the split's shards, in order."""
    with tf.io.gfile.GFile(os.path.join(directory, "_tfr", "manifest.json")) as f:
        splits = {s["name"]: s["shards"] for s in json.load(f)["splits"]}
    return [os.path.join(directory, shard["name"]) for shard in splits[split]]


def dataset(split, directory=DIRECTORY):
    """Returns the parsed records of the split as a tf.data.Dataset, in order."""
    records = tf.data.TFRecordDataset(files(split, directory), compression_type=COMPRESSION)
    return records.map(parse, num_parallel_calls=tf.data.AUTOTUNE)


# The names of classes: the first has the number "first".
CLASSES = {
    "label": {
        "first": 0,
        "names": [
            "ant",
            "bee",
        ],
    },
}
