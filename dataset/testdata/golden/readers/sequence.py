"""Reads the dataset sequence, version 1.0.0, with tf.data.

    import sys
    sys.path.append("DATASET/_tfr")
    import reader

    for context, sequence in reader.dataset("train"):
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


def _raw(data, dtype, shape):
    bits = {tf.uint32: tf.int32, tf.uint64: tf.int64}.get(dtype, dtype)  # which decode_raw knows
    values = tf.io.decode_raw(data, bits)
    return tf.reshape(values if bits == dtype else tf.bitcast(values, dtype), shape)


def _steps(decode):
    """Reads each step of a list; steps of any number of values are ragged."""

    def read(steps, dtype, shape):
        if not shape or shape[0] >= 0:
            return tf.map_fn(lambda s: decode(s, dtype, shape), steps, fn_output_signature=tf.TensorSpec(shape, dtype))
        flat = tf.RaggedTensorSpec([None], dtype, ragged_rank=0)
        rows = tf.map_fn(lambda s: tf.reshape(decode(s, dtype, shape), [-1]), steps, fn_output_signature=flat)
        inner = int(np.prod(shape[1:], dtype=int))
        return tf.RaggedTensor.from_row_lengths(tf.reshape(rows.values, shape), rows.row_lengths() // inner)

    return read


# As tf.io.parse_sequence_example takes them, for a batch of records.
CONTEXT = {
    "age": _optional([], tf.int64),
    "fine": _variable([], tf.int64),
    "id": tf.io.FixedLenFeature([], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
    "name": tf.io.FixedLenFeature([], tf.string),
}
SEQUENCE = {
    "frame": tf.io.FixedLenSequenceFeature([], tf.string),
    "kinds": tf.io.FixedLenSequenceFeature([], tf.int64),
    "place": tf.io.FixedLenSequenceFeature([2], tf.float32, allow_missing=True),
}

# What is not read as it is stored.
CONTEXT_CASTS = {
    "fine": tf.bool,
}
SEQUENCE_CASTS = {}

# What is stored as bytes: how it is read, its dtype and its shape.
SEQUENCE_DECODED = {
    "frame": (_steps(_raw), tf.uint32, [-1]),
}


def parse(record):
    """Returns the features of one serialized SequenceExample by key: those of its
    context, and its feature lists, whose first dimension is the steps. Steps of
    any number of values are a RaggedTensor."""
    context, sequence = tf.io.parse_single_sequence_example(record, CONTEXT, SEQUENCE)
    for key, dtype in CONTEXT_CASTS.items():
        context[key] = tf.cast(context[key], dtype)
    for key, dtype in SEQUENCE_CASTS.items():
        sequence[key] = tf.cast(sequence[key], dtype)
    for key, (decode, dtype, shape) in SEQUENCE_DECODED.items():
        sequence[key] = decode(sequence[key], dtype, shape)
    return context, sequence


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


def dataset(split, directory=DIRECTORY, batch_size=None, *, drop_remainder=False, shuffle=None, seed=None):
    """Returns the parsed records of the split as a tf.data.Dataset, in order.

    split           the name of a split, or a list of names: one split after the other
    batch_size      gives batches; what has lengths of its own is a RaggedTensor then
    drop_remainder  no smaller batch at the end
    shuffle         another order each time: of the shards, and of the records within
                    so many; True: 10000
    seed            makes the orders the same in each run
    """
    parsed = records(split, directory, shuffle=shuffle, seed=seed).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    if batch_size:
        parsed = parsed.ragged_batch(batch_size, drop_remainder)
    return parsed.prefetch(tf.data.AUTOTUNE)


def keras(*args, **kwargs):
    """Raises a ValueError: keras() is for records of tf.train.Example."""
    raise ValueError("keras: found records of tf.train.SequenceExample; expected tf.train.Example. Build the dataset with record: example. With group and windows, each feature is then a list with a value for each row")


# The names of classes: the first has the number "first".
CLASSES = {
    "label": {
        "first": 0,
        "names": [
            "ant",
            "bee",
        ],
    },
    "kinds": {
        "first": 0,
        "names": [
            "ant",
            "bee",
        ],
    },
}
