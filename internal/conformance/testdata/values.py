"""Compares what reader.py and TFDS read of each dataset with a JSON file.

    values.py DATA

DATA has a directory and a JSON file per dataset: the values of its records in order, the
shapes of features, and the names of classes.
"""

import glob
import importlib.util
import json
import os
import sys

import numpy as np
import tensorflow_datasets as tfds


def plain(tensor):
    """A tensor as JSON has it."""
    value = np.asarray(tensor).tolist()
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list):
        return [v.decode() if isinstance(v, bytes) else v for v in value]
    return value


def rows(examples):
    return [{key: plain(value) for key, value in example.items()} for example in examples]


for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.json"))):
    name = os.path.splitext(os.path.basename(path))[0]
    with open(path, encoding="utf-8") as f:
        want = json.load(f)
    directory = os.path.join(sys.argv[1], name, "1.0.0")
    spec = importlib.util.spec_from_file_location("reader", os.path.join(directory, "_tfr", "reader.py"))
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    got = rows(reader.dataset("train"))
    assert got == want["rows"], (name, got, want["rows"])
    for key, names in (want["names"] or {}).items():
        assert reader.CLASSES[key]["names"] == names, (name, key, reader.CLASSES)
    builder = tfds.builder_from_directory(directory)
    got = rows(builder.as_dataset(split="train"))
    assert got == want["rows"], (name, got, want["rows"])
    for key, shape in (want["shapes"] or {}).items():
        assert list(builder.info.features[key].shape) == shape, (name, key, builder.info.features[key])
    print("read", name)
