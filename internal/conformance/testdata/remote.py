"""Reads a dataset through a file system of TensorFlow's that is no local one, by its reader and TFDS."""

import importlib.util
import os
import shutil
import sys

import tensorflow as tf
import tensorflow_datasets as tfds
from etils.epath import backend, gpath, register

local, copy = sys.argv[1:]
shutil.copy(os.path.join(local, "_tfr", "reader.py"), copy)  # where no dataset is beside it
spec = importlib.util.spec_from_file_location("reader", os.path.join(copy, "reader.py"))
reader = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reader)


def plain(dataset):
    return [{key: value.tolist() for key, value in example.items()} for example in dataset.as_numpy_iterator()]


want = plain(reader.dataset("train", local))
want_tfds = plain(tfds.builder_from_directory(local).as_dataset(split="train"))
assert len(want) == 5 and len(want_tfds) == 5

remote = "ram://corpus/d/1.0.0"
for folder, _, names in os.walk(local):
    for name in names:
        path = os.path.join(folder, name)
        tf.io.gfile.copy(path, remote + "/" + os.path.relpath(path, local))
shutil.rmtree(local)

assert plain(reader.dataset("train", remote)) == want
gpath._URI_PREFIXES += ("ram://",)  # as TFDS knows s3:// and gs://
gpath._URI_SCHEMES |= {"ram"}
gpath._URI_MAP_ROOT["ram://"] = "/ram/"
gpath._PREFIX_TO_BACKEND["ram"] = backend.tf_backend
register._URI_PREFIXES_TO_CLS["ram://"] = gpath.PosixGPath
builder = tfds.builder_from_directory(remote)
assert plain(builder.as_dataset(split="train")) == want_tfds
assert builder.info.splits["train"].num_examples == 5 and builder.info.features["label"].names == ["cat", "dog"]
print("read", remote)
