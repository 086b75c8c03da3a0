"""Reads datasets with TFDS, the shards of which stand in folders of their splits.

    layout.py FOLDER INPUT LABEL

FOLDER holds datasets as tfds.load expects them, NAME/VERSION, with a link current
to one version. INPUT and LABEL are the keys that as_supervised gives.
"""

import csv
import os
import sys

import tensorflow_datasets as tfds

data, input_key, label_key = sys.argv[1:]
with open(os.path.join(data, "rows.csv"), newline="") as f:
    rows = list(csv.DictReader(f))


def names(builder):
    return builder.info.features[label_key].names


def check(builder):
    assert set(builder.info.splits) == {"train", "test"}, builder.info.splits
    for split in builder.info.splits:
        want = sorted((r["text"], r["label"]) for r in rows if r["split"] == split)
        assert builder.info.splits[split].num_examples == len(want)
        pairs = tfds.as_numpy(builder.as_dataset(split=split, as_supervised=True))
        got = sorted((text.decode(), names(builder)[label]) for text, label in pairs)
        assert got == want, (split, got, want)
        first = list(builder.as_dataset(split=split + "[:1]"))
        assert len(first) == 1 and set(first[0]) == {input_key, label_key}, first


check(tfds.builder_from_directory(os.path.join(data, "plain", "1.2.3")))
check(tfds.builder_from_directory(os.path.join(data, "plain", "current")))
check(tfds.builder("plain", data_dir=data))
check(tfds.builder_from_directory(os.path.join(data, "hidden", "1.2.3", "_tfr", "tfds")))
assert tfds.load("plain:1.2.3", data_dir=data, split="train", as_supervised=True).element_spec[1].dtype.name == "int64"
print("read", len(rows), "rows of each")
