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

# The images, and how many channels they are decoded to.
IMAGES = {}


def parse(record):
    """Returns the features of one serialized Example, by key."""
    record = tf.io.decode_json_example(record)
    example = tf.io.parse_single_example(record, FEATURES)
    for key, dtype in CASTS.items():
        example[key] = tf.cast(example[key], dtype)
    return example


def parse_batch(records):
    """Returns the features of a batch of serialized Examples, by key."""
    records = tf.io.decode_json_example(records)
    example = tf.io.parse_example(records, FEATURES)
    for key, dtype in CASTS.items():
        example[key] = tf.cast(example[key], dtype)
    return example


def _chosen(split, manifest, directory):
    """Returns what the manifest has of a split, or of several splits in their order."""
    names = [split] if isinstance(split, str) else list(split)
    splits = {s["name"]: s for s in manifest["splits"]}
    for name in names:
        if name not in splits:
            raise ValueError(f"{directory}: found the split {name!r}; expected one of {sorted(splits)}")
    if not names or len(set(names)) < len(names):
        raise ValueError(f"split: found {names}; expected at least one split, and each split once")
    return [splits[name] for name in names]


def _splits(split, directory):
    """Returns what the manifest has of a split or of a list of splits."""
    with tf.io.gfile.GFile(os.path.join(directory, "_tfr", "manifest.json")) as f:
        return _chosen(split, json.load(f), directory)


def _shards(split, directory):
    """Returns the paths and the numbers of records of the shards, in order."""
    shards = [shard for one in _splits(split, directory) for shard in one["shards"]]
    return [os.path.join(directory, s["name"]) for s in shards], [s["records"] for s in shards]


def files(split, directory=DIRECTORY):
    """Returns the paths of the shards of a split or of a list of splits, in order."""
    return _shards(split, directory)[0]


def _payloads(split, directory, shuffle, seed):
    """Returns the records as they are stored, and how many they are: in order, or
    shuffled as dataset says."""
    paths, counts = _shards(split, directory)
    if not shuffle:
        payloads = tf.data.TFRecordDataset(paths, COMPRESSION)
    else:
        payloads = tf.data.Dataset.from_tensor_slices(tf.constant(paths, tf.string)).shuffle(max(1, len(paths)), seed)
        read = lambda path: tf.data.TFRecordDataset(path, COMPRESSION)
        payloads = payloads.interleave(read, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE, deterministic=True)
        payloads = payloads.shuffle(10_000 if shuffle is True else shuffle, seed)
    return payloads, sum(counts)


def _counted(dataset, count):
    """Returns a dataset that knows how many it gives."""
    return dataset.apply(tf.data.experimental.assert_cardinality(count))


def records(split, directory=DIRECTORY, *, shuffle=None, seed=None):
    """Returns the records of a split or of a list of splits as they are stored, a
    tf.data.Dataset that knows how many they are: in order, or shuffled as dataset
    says."""
    return _counted(*_payloads(split, directory, shuffle, seed))


def _image(data, channels, size):
    image = tf.io.decode_image(data, channels, expand_animations=False)
    image = tf.ensure_shape(image, [None, None, channels])
    return image if size is True else tf.ensure_shape(tf.image.resize(image, size), [*size, channels])


def dataset(split, directory=DIRECTORY, batch_size=None, *, drop_remainder=False, shuffle=None, seed=None, decode_images=False):
    """Returns the parsed records of the split as a tf.data.Dataset, in order.

    split           the name of a split, or a list of names: one split after the other
    batch_size      gives batches; what has lengths of its own is a RaggedTensor then
    drop_remainder  no smaller batch at the end
    shuffle         another order each time: of the shards, and of the records within
                    so many; True: 10000
    seed            makes the orders the same in each run
    decode_images   True: IMAGES are tensors of uint8; (height, width): they are resized
                    to that, and of float32 from 0 to 255
    """
    if decode_images and not IMAGES:
        raise ValueError("decode_images: the dataset has no images")
    if batch_size and parse_batch and not decode_images:
        payloads, count = _payloads(split, directory, shuffle, seed)
        batches = _counted(payloads.batch(batch_size, drop_remainder), count // batch_size if drop_remainder else -(-count // batch_size))
        return batches.map(parse_batch, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

    def read(record):
        example = parse(record)
        if decode_images:
            for key, channels in IMAGES.items():
                example[key] = _image(example[key], channels, decode_images)
        return example

    parsed = records(split, directory, shuffle=shuffle, seed=seed).map(read, num_parallel_calls=tf.data.AUTOTUNE)
    if batch_size:
        parsed = parsed.ragged_batch(batch_size, drop_remainder)
    return parsed.prefetch(tf.data.AUTOTUNE)


def _number(example, key):
    """Returns a feature as float32; what a record lacks as NaN."""
    values = tf.cast(example[key], tf.float32)
    return tf.where(example[key] == MISSING[tf.int64], np.nan, values) if example[key].dtype == tf.int64 else values


def _unlabeled(split, directory, label):
    """Returns how many records have no label, as the manifest counts them, how many
    records there are, and whether the first number is exact."""
    splits = _splits(split, directory)
    lacks = [one.get("dropped", {}).get(label, {}) for one in splits]
    dropped = sum(d.get("mixed", 0) for d in lacks)  # values, of which a row may have many
    return dropped + sum(d.get("missing", 0) for d in lacks), sum(one["records"] for one in splits), not dropped


def _is_marker(value):
    """Whether a value is what is read where a record has none."""
    if value.dtype not in MISSING:
        return tf.equal(tf.size(value), 0)
    same = tf.math.is_nan(value) if value.dtype == tf.float32 else tf.equal(value, MISSING[value.dtype])
    return tf.reduce_all(same)


def keras(split, batch_size=32, directory=DIRECTORY, *, label=None, inputs=None, image_size=(224, 224), shuffle=None, seed=None, missing_label="error"):
    """Returns batches of inputs and labels, for model.fit.

    label          the key of a class; the only one where not given. Labels count
                   from 0
    inputs         the key of what the model gets; the only image where not given, and
                   without images a dict of all but the label. A list of keys of single
                   numbers: these beside one another as float32, NaN where one is
                   missing
    image_size     the height and width to which images are resized; float32, 0 to 255
    missing_label  "error": if records have no label, a ValueError says how many;
                   "skip": these records are left out
    """
    if label is None:
        if len(CLASSES) != 1:
            raise ValueError(f"label: found the classes {sorted(CLASSES)}; expected one, or the key of one as label")
        (label,) = CLASSES
    if inputs is None and len(IMAGES) == 1:
        (inputs,) = IMAGES
    keys = [inputs] if isinstance(inputs, str) else inputs or FEATURES
    names = sorted(FEATURES)
    if label not in names:
        raise ValueError(f"label: found {label!r}; expected one of {names}")
    unknown = [key for key in keys if key not in names]
    if unknown:
        raise ValueError(f"inputs: found {unknown}; expected some of {names}")
    if inputs is not None and label in keys:
        raise ValueError(f"inputs: found the label {label!r}; expected other features")
    if missing_label not in ("error", "skip"):
        raise ValueError(f'missing_label: found {missing_label!r}; expected "error" or "skip"')
    may_lack = getattr(FEATURES[label], "default_value", None) is not None
    lacking, total, is_exact = _unlabeled(split, directory, label) if may_lack else (0, 0, True)
    if lacking and missing_label == "error":
        raise ValueError(f'label {label!r}: {lacking} of {total} records have no label; missing_label="skip" leaves them out')

    def has_label(example):
        return tf.logical_not(_is_marker(example[label]))

    def pair(example):
        target = example.pop(label)
        if label in CLASSES:
            target -= CLASSES[label]["first"]
        if inputs is None:
            return example, target
        return example[inputs] if isinstance(inputs, str) else tf.stack([_number(example, key) for key in inputs], 1), target

    images = any(key in IMAGES for key in keys)
    how = {"shuffle": shuffle, "seed": seed, "decode_images": images and tuple(image_size)}
    if lacking:
        batches = dataset(split, directory, **how).filter(has_label).ragged_batch(batch_size)
        if is_exact and label in CLASSES:
            batches = _counted(batches, -(-(total - lacking) // batch_size))
    else:
        batches = dataset(split, directory, batch_size, **how)
    return batches.map(pair, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


# The names of classes: the first has the number "first".
CLASSES = {}
