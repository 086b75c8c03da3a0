"""TFDS: builder_from_directory, load by name and version, slices of splits."""

import yardstick

check = yardstick.Check()
check.block()

import os

import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds

# What TFDS gives in the place of a value that is not there.
MISSING = {"int": np.iinfo(np.int64).min, "float": np.finfo(np.float32).min, "bytes": b""}

os.makedirs("data", exist_ok=True)
for dataset in yardstick.FEATURES:
    os.makedirs(f"data/{dataset}", exist_ok=True)
    at_once = tfds.builder_from_directory(f"out/{dataset}")
    version = str(at_once.info.version)
    if not os.path.lexists(f"data/{dataset}/{version}"):
        os.symlink(os.path.abspath(f"out/{dataset}"), f"data/{dataset}/{version}")
    skip = {"image": tfds.decode.SkipDecoding()} if dataset == "photos" else None
    rows = {s: list(tfds.as_numpy(at_once.as_dataset(split=s, decoders=skip))) for s in at_once.info.splits}
    check.rows(dataset, "builder_from_directory", rows, missing=MISSING, ordered=True)
    check.equal(f"{dataset}, info.splits", {s: i.num_examples for s, i in at_once.info.splits.items()}, {s: len(r) for s, r in rows.items()})
    loaded = tfds.load(f"{dataset}:{version}", data_dir="data", decoders=skip)
    check.rows(dataset, "load", {s: list(tfds.as_numpy(d)) for s, d in loaded.items()}, missing=MISSING)
    parts = tfds.even_splits("train", 3)
    third = [row for s in parts for row in tfds.as_numpy(at_once.as_dataset(split=s, decoders=skip))]
    check.rows(dataset, "even_splits", {**rows, "train": third}, missing=MISSING)

for row in tfds.builder_from_directory("out/photos").as_dataset(split="test"):
    data = open(next(yardstick.ROOT.glob("testdata/photos/*/" + row["filename"].numpy().decode())), "rb").read()
    check.equal("photos, decoded", bool(tf.reduce_all(row["image"] == tf.io.decode_image(data, channels=3))), True)

check.done("tensorflow-datasets " + tfds.__version__)
