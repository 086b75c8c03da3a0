"""Reads ArrayRecord datasets with array_record, Grain, TFDS and reader.py, and compares
with the sources.

usage: random_access.py PROJECT DATA...

Each DATA is a data_dir of TFDS: it holds datasets as NAME/VERSION. PROJECT is the
project's folder: where the sources are.
"""

import collections
import glob
import importlib.util
import json
import os
import sys

import grain
import numpy as np
import sources
import tensorflow as tf
import tensorflow_datasets as tfds
from array_record.python import array_record_module

# What readers give for a value that a record lacks, beside NaN.
MISSING = {(int(np.iinfo(np.int64).min),), (float(np.finfo(np.float32).min),), (b"",), (None,)}


def plain(value):
    """A value as a reader gave it: a tuple of Python's own."""
    if isinstance(value, (bytes, str)):
        return (value if isinstance(value, bytes) else value.encode(),)
    value = np.asarray(value)
    if value.dtype == np.uint8 and value.ndim == 3:
        return (value.tobytes(),)
    return tuple(value.ravel().tolist())


def stored(row):
    """What an Example is to hold of a row."""
    kept = {key: v for key, v in row.items() if v is not None}
    return {key: tuple(float(np.float32(x)) if kind == "float" else x for x in values) for key, (kind, values) in kept.items()}


def example(payload):
    feature = tf.train.Example.FromString(payload).features.feature
    return {key: tuple(getattr(f, f.WhichOneof("kind")).value) for key, f in feature.items()}


def present(record):
    """A record of a reader, without what it gives for values that are missing."""
    values = {key: plain(v) for key, v in record.items()}
    return {key: v for key, v in values.items() if v not in MISSING and not (len(v) == 1 and v[0] != v[0])}


def same(what, got, want):
    """Both are the same records, in any order."""
    count = lambda records: collections.Counter(tuple(sorted(r.items())) for r in records)
    got, want = count(got), count(want)
    assert got == want, f"{what}: found {list((got - want).items())[:2]}\nwanted {list((want - got).items())[:2]}"


def load_reader(directory):
    spec = importlib.util.spec_from_file_location("reader", os.path.join(directory, "_tfr", "reader.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check(directory, rows):
    with open(os.path.join(directory, "_tfr", "manifest.json")) as f:
        splits = json.load(f)["splits"]
    reader = load_reader(directory)
    want = [stored(row) for row in rows]
    whole, some, random, order, parsed, shuffled = [], [], [], [], [], []
    for split in splits:
        name, payloads = split["name"], []
        for shard in split["shards"]:
            r = array_record_module.ArrayRecordReader(os.path.join(directory, shard["name"]))
            assert r.num_records() == shard["records"], shard
            records = r.read_all()
            payloads += records
            if records:
                some += r.read(range(len(records) - 1, -1, -2))
            r.close()
        whole += payloads
        if not payloads:
            assert len(reader.source(name)) == 0 == len(list(reader.dataset(name)))
            continue
        at = range(len(payloads) - 1, -1, -1)
        source = grain.sources.ArrayRecordDataSource([p for p, s in zip(reader.files(name), split["shards"]) if s["records"]])
        random += [source[i] for i in at]
        assert [reader.source(name)[i] for i in at] == [payloads[i] for i in at]
        loaded = grain.MapDataset.source(reader.source(name)).shuffle(seed=1).map(example)
        order += [loaded[i] for i in range(len(loaded))]
        parsed += list(reader.dataset(name).as_numpy_iterator())
        shuffled += [example(r) for r in reader.records(name, shuffle=True, seed=3).as_numpy_iterator()]
        assert list(reader.records(name).as_numpy_iterator()) == payloads
    same(directory + ", read_all", map(example, whole), want)
    assert set(some) <= set(whole) and len(some) >= len(whole) // 2
    same(directory + ", Grain", map(example, random), want)
    same(directory + ", Grain, shuffled", order, want)
    same(directory + ", reader.py", map(present, parsed), want)
    same(directory + ", reader.py, shuffled", shuffled, want)
    names = [split["name"] for split in splits]
    assert list(reader.records(names).as_numpy_iterator()) == whole
    together = reader.source(names)
    assert [together[i] for i in range(len(together))] == whole
    return splits


def check_tfds(directory, data_dir, name, splits, rows):
    """Images are compared as they are stored: TFDS decodes them here by OpenCV, which turns them."""
    version = name + ":1.0.0"
    features = tfds.builder_from_directory(directory).info.features
    images = [key for key, f in features.items() if isinstance(f, tfds.features.Image)]
    stay = {key: tfds.decode.SkipDecoding() for key in images}
    got = []
    for split in splits:
        if split["records"]:
            source = tfds.data_source(version, split=split["name"], data_dir=data_dir, decoders=stay)
            assert len(source) == split["records"], split
            got += [source[i] for i in range(len(source) - 1, -1, -1)]
    same(directory + ", tfds.data_source", map(present, got), map(stored, rows))
    for key in images:
        image = tfds.data_source(version, split=splits[0]["name"], data_dir=data_dir)[0][key]
        assert image.dtype == np.uint8 and image.ndim == 3, (image.dtype, image.shape)


def main(project, *data_dirs):
    for data_dir in data_dirs:
        for directory in sorted(glob.glob(os.path.join(data_dir, "*", "1.0.0"))):
            name = os.path.basename(os.path.dirname(directory))
            rows = list(getattr(sources, name)(project))
            check_tfds(directory, data_dir, name, check(directory, rows), rows)
            print(f"{name}: {len(rows)} records")


main(*sys.argv[1:])
