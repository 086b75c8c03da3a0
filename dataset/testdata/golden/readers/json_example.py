"""Reads the dataset json_example, version 1.0.0, with tf.data.

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


# As tf.io.parse_example takes it, for a batch of records.
FEATURES = {
    "age": _optional([], tf.int64),
    "id": tf.io.FixedLenFeature([], tf.int64),
}

# What is not read as it is stored.
CASTS = {}


def parse(record):
    """Returns the features of one serialized Example, by key."""
    record = tf.io.decode_json_example(record)
    example = tf.io.parse_single_example(record, FEATURES)
    for key, dtype in CASTS.items():
        example[key] = tf.cast(example[key], dtype)
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
CLASSES = {}
