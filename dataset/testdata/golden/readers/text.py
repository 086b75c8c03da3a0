"""Reads the dataset text, version 1.0.0, with tf.data.

    import sys
    sys.path.append("DATASET/_tfr")
    import reader

    for text in reader.dataset("train"):
        ...

tfr-build wrote this file together with the dataset. It is found to be changed
by tfr-build verify: copy it to change it, and pass the directory.
"""

import json
import os

import tensorflow as tf

DIRECTORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMPRESSION = ""


def parse(record):
    """Returns the text of a record, UTF-8, as a tf.string."""
    return record


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
