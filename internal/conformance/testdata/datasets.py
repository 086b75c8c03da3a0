"""Reads built datasets with TensorFlow and TFDS, and compares with the sources.

usage: datasets.py PROJECT IMAGENET DATA...

Each DATA is a data_dir of TFDS: it holds datasets as NAME/VERSION. PROJECT is
the project's folder, IMAGENET a tree of ImageNet's layout: where the sources
are.
"""

import collections
import glob
import importlib.util
import json
import os
import sys

import numpy as np
import sources
import tensorflow as tf
import tensorflow_datasets as tfds

faults = 0


def check(ok, *what):
    global faults
    if not ok:
        faults += 1
        print("FAULT:", *what)


def same_multiset(where, got, want):
    """Both are lists of hashable records."""
    got, want = collections.Counter(got), collections.Counter(want)
    if got != want:
        check(False, where, "has", list((got - want).items())[:1], "in the place of", list((want - got).items())[:1])


# --- What the source says, in the forms of the three readers.


def tf_example(row):
    """The Example that TensorFlow's own classes make."""
    make = {
        "int64": lambda v: tf.train.Feature(int64_list=tf.train.Int64List(value=v)),
        "float": lambda v: tf.train.Feature(float_list=tf.train.FloatList(value=v)),
        "bytes": lambda v: tf.train.Feature(bytes_list=tf.train.BytesList(value=v)),
    }
    feature = {key: make[v[0]](v[1]) for key, v in row.items() if v is not None}
    return tf.train.Example(features=tf.train.Features(feature=feature))


def flat(value):
    """A feature as a reader gave it, as a hashable tuple; an image as its pixels."""
    if isinstance(value, bytes):
        return (value,)
    value = np.asarray(value)
    if value.dtype == np.uint8 and value.ndim == 3:
        return (value.tobytes(),)
    return tuple("nan" if v != v else v for v in value.ravel().tolist())


def stored(value):
    kind, values = value
    return tuple(float(np.float32(v)) if kind == "float" else v for v in values)


def expected(rows, missing):
    """missing(key) is what a reader gives where a record has no value."""
    return [tuple((k, missing(k) if row[k] is None else stored(row[k])) for k in sorted(row)) for row in rows]


def read(records):
    return [tuple((k, flat(r[k])) for k in sorted(r)) for r in records]


# --- The readers.


def load_reader(directory):
    spec = importlib.util.spec_from_file_location("reader", os.path.join(directory, "_tfr", "reader.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_shards(directory, splits, compression):
    """tf.data reads every shard, each as long as the manifest says."""
    names = []
    for split in splits:
        for shard in split["shards"]:
            path = os.path.join(directory, shard["name"])
            names.append(path)
            n = sum(1 for _ in tf.data.TFRecordDataset(path, compression_type=compression))
            check(n == shard["records"], path, "has", n, "records, not", shard["records"])
    listed = [p for s in splits for p in glob.glob(os.path.join(directory, s["name"] + "[-.]*"))]
    check(sorted(names) == sorted(listed), directory, "holds other shards than its manifest says")


def check_examples(directory, splits, compression, rows, written):
    """The Examples are those that TensorFlow's own writer writes for the rows, byte for byte."""
    with tf.io.TFRecordWriter(written, compression) as w:
        for row in rows:
            w.write(tf_example(row).SerializeToString(deterministic=True))

    def examples(paths):
        return tf.data.TFRecordDataset(paths, compression_type=compression).as_numpy_iterator()

    ours = list(examples([os.path.join(directory, s["name"]) for p in splits for s in p["shards"]]))
    theirs = list(examples([written]))
    same_multiset(directory + ", Examples:", ours, theirs)
    if is_in_source_order(directory):
        check(ours == theirs, directory, "is not in the order of its source")


def check_untouched(directory, splits, compression, project):
    """The records are those of the old shards."""
    ours = [os.path.join(directory, s["name"]) for p in splits for s in p["shards"]]
    old = sorted(glob.glob(os.path.join(project, "testdata", "records", "*.tfrecord.gz")))
    same_multiset(
        directory + ", records:",
        list(tf.data.TFRecordDataset(ours, compression_type=compression).as_numpy_iterator()),
        list(tf.data.TFRecordDataset(old, compression_type="GZIP").as_numpy_iterator()),
    )


def is_in_source_order(directory):
    with open(os.path.join(directory, "_tfr", "manifest.json")) as f:
        return json.load(f)["order"] == "source"


# Features that are stored as raw bytes of uint8.
RAW = {"mnist": ["image_raw"]}


def decoded(name, rows):
    """The rows with the numbers that raw bytes hold, as readers of a dataset give them."""
    numbers = {key: sources.ints for key in RAW.get(name, [])}
    return [{key: numbers[key](*v[1][0]) if key in numbers else v for key, v in row.items()} for row in rows]


def check_reader(name, directory, splits, rows):
    """reader.py gives the values of the source."""
    reader = load_reader(directory)
    names = [s["name"] for s in splits]
    records = [r for name in names for r in reader.dataset(name).as_numpy_iterator()]

    def missing(key):
        value = reader.MISSING[reader.FEATURES[key].dtype]
        return flat(value)

    want = expected(rows, missing)
    same_multiset(directory + ", reader.py:", read(records), expected(decoded(name, rows), missing))
    raw = tf.data.TFRecordDataset([f for name in names for f in reader.files(name)], compression_type=reader.COMPRESSION)
    for batch in raw.batch(max(1, len(rows))):
        parsed = tf.io.parse_example(batch, reader.FEATURES)
        columns = {k: v.numpy() for k, v in parsed.items()}
        same_multiset(directory + ", a batch:", read([{k: v[i] for k, v in columns.items()} for i in range(len(rows))]), want)


# The connectors that TFDS is to see, where they are not Tensors.
CONNECTORS = {
    "penguins": {"species": "ClassLabel", "island": "ClassLabel", "sex": "Text"},
    "gsm8k": {"question": "Text", "answer": "Text"},
    "photos": {"image": "Image", "label": "ClassLabel", "filename": "Text"},
    "tutorial": {},
    "mnist": {},
    "nyc_taxi": {"store_and_fwd_flag": "ClassLabel"},
    "imagenet": {"image/encoded": "Image"},
}
CLASSES = {
    ("penguins", "species"): ["Adelie", "Chinstrap", "Gentoo"],
    ("penguins", "island"): ["Biscoe", "Dream", "Torgersen"],
    ("nyc_taxi", "store_and_fwd_flag"): ["N", "Y"],
    ("photos", "label"): ["landscape", "portrait"],
}
SHAPES = {("photos", "image"): (None, None, 3), ("imagenet", "image/encoded"): (None, None, 3), ("imagenet", "image/object/bbox/xmin"): (None,)}


def check_tfds(name, directory, data_dir, splits, rows):
    versioned = name + ":1.0.0"  # without a version TFDS prefers what it has under that name itself
    builders = {
        "builder_from_directory": tfds.builder_from_directory(directory),
        "builder": tfds.builder(versioned, data_dir=data_dir),
    }
    for how, builder in builders.items():
        where = f"{directory}, {how}"
        features = builder.info.features
        check(features.keys() == rows[0].keys(), where, "has the features", sorted(features.keys()))
        for key, feature in features.items():
            want = CONNECTORS[name].get(key, "Tensor")
            connector = "Tensor" if type(feature).__name__ == "Scalar" else type(feature).__name__
            check(connector == want, where, key, "is", connector, "not", want)
            if (name, key) in SHAPES:
                check(feature.shape == SHAPES[name, key], where, key, "has the shape", feature.shape)
            if (name, key) in CLASSES:
                check(feature.names == CLASSES[name, key], where, key, "has the names", feature.names)
        lengths = {s["name"]: s["records"] for s in splits if s["records"]}
        check({k: v.num_examples for k, v in builder.info.splits.items()} == lengths, where, "has the splits", builder.info.splits)
    check_values(f"{directory}, TFDS", name, rows, tfds.load(versioned, data_dir=data_dir))


def check_values(where, name, rows, loaded):
    images = [k for k, c in CONNECTORS[name].items() if c == "Image"]
    features = next(iter(loaded.values())).element_spec

    def missing(key):
        dtype = features[key].dtype
        return flat(b"" if dtype == tf.string else dtype.min)

    want = []
    for row in rows:
        row = dict(row)
        for key in images:
            row[key] = sources.texts(tf.io.decode_image(row[key][1][0], channels=3).numpy().tobytes())
        want.append(row)
    got = [r for split in loaded.values() for r in tfds.as_numpy(split)]
    same_multiset(where, read(got), expected(want, missing))


def main(project, imagenet, *data_dirs):
    for data_dir in data_dirs:
        for directory in sorted(glob.glob(os.path.join(data_dir, "*", "1.0.0"))):
            name = os.path.basename(os.path.dirname(directory))
            with open(os.path.join(directory, "_tfr", "manifest.json")) as f:
                manifest = json.load(f)
            splits = manifest["splits"]
            compression = {"none": "", "gzip": "GZIP", "zlib": "ZLIB"}[manifest["compression"]]
            check_shards(directory, splits, compression)
            if name == "reshard":
                check_untouched(directory, splits, compression, project)
                continue
            rows = list(getattr(sources, name)(imagenet if name == "imagenet" else project))
            check_examples(directory, splits, compression, rows, os.path.join(data_dir, "theirs"))
            check_reader(name, directory, splits, rows)
            if compression == "":
                check_tfds(name, directory, data_dir, splits, decoded(name, rows))
            print(f"{name}: {len(rows)} records, {sum(len(s['shards']) for s in splits)} shards, compression {manifest['compression']}")
    print("TensorFlow", tf.__version__, "TFDS", tfds.__version__, "faults:", faults)
    sys.exit(faults > 0)


main(*sys.argv[1:])
