"""Reads a dataset of odd classes with its reader and, where it can, with TFDS."""

import importlib.util
import os
import sys

import tensorflow as tf
import tensorflow_datasets as tfds

data = sys.argv[1]
directory = os.path.join(data, "odd", "1.0.0")
spec = importlib.util.spec_from_file_location("reader", os.path.join(directory, "_tfr", "reader.py"))
reader = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reader)

names = reader.CLASSES["label"]["names"]
assert names == [" Rex", b"caf\xe9", "plain", "two\nlines"], names
as_bytes = tf.constant(names).numpy().tolist()
for example in reader.dataset("train"):
    assert example["class"].numpy() == as_bytes[example["label"].numpy()], example
assert {os.fsencode(n) for n in os.listdir(os.path.join(data, "in"))} == set(as_bytes)

if os.path.exists(os.path.join(directory, "features.json")):
    builder = tfds.builder_from_directory(directory)
    label = builder.info.features["label"]
    assert label.names == ['" Rex"', '"caf\\xe9"', "plain", '"two\\nlines"'], label.names
    assert label.num_classes == 4 and label.str2int("plain") == 2
    assert builder.info.features["a.b"].names == ["a.txt"]
    assert type(builder.info.features["a/b"]).__name__ == "Tensor", builder.info.features["a/b"]
    assert len(list(builder.as_dataset(split="train"))) == 4
print("read", names)
