"""NVIDIA DALI on the CPU: fn.readers.tfrecord with the index files of the dataset."""

import yardstick

check = yardstick.Check()
check.block()

import os

import numpy as np
import nvidia.dali as dali
from nvidia.dali import fn, pipeline_def, tfrecord

TYPES = {"int": (tfrecord.int64, 0), "float": (tfrecord.float32, 0.0), "bytes": (tfrecord.string, "")}

# What DALI reads right: features that every record has, and of texts one a record.
READ = {
    "penguins": ["species", "island", "body_mass_g", "sex", "year"],
    "notes": ["id", "sizes", "box", "kind"],
    "photos": ["image", "height", "width", "label", "filename"],
}


def index(shard):
    folder, name = os.path.split(shard)
    return os.path.join(folder, "_tfr", "index", name + ".idx")


def description(dataset, feature):
    of, none = TYPES[yardstick.kind(dataset, feature)]
    number = yardstick.number(dataset, feature)
    if number == "*":
        return tfrecord.VarLenFeature(of, none)
    return tfrecord.FixedLenFeature([] if number == "1" else [int(number)], of, none)


def read(dataset, split):
    """The rows of the split, in batches, the last of which begins again where the split ends."""
    paths = yardstick.shards(dataset, split)
    features = {f: description(dataset, f) for f in READ[dataset]}

    @pipeline_def(batch_size=4, num_threads=2, device_id=None)
    def pipeline():
        columns = fn.readers.tfrecord(path=paths, index_path=[index(p) for p in paths], features=features, name="reader")
        return tuple(columns[f] for f in READ[dataset])

    reading = pipeline()
    reading.build()
    rows = []
    while len(rows) < reading.epoch_size("reader"):
        columns = reading.run()
        for i in range(4):
            rows.append({f: value(dataset, f, column.at(i)) for f, column in zip(READ[dataset], columns)})
    return rows[: reading.epoch_size("reader")]


def value(dataset, feature, array):
    array = np.asarray(array).reshape(-1)
    return [array.tobytes()] if yardstick.kind(dataset, feature) == "bytes" else array


for dataset in yardstick.FEATURES:
    rows = {split: read(dataset, split) for split in yardstick.splits(dataset)}
    check.rows(dataset, "fn.readers.tfrecord", rows, only=READ[dataset], ordered=True)

check.done("nvidia-dali " + dali.__version__)
