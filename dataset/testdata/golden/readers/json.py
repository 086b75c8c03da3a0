"""Reads the dataset json, version 1.0.0, with tf.data.

    import sys
    sys.path.append("DATASET/_tfr")
    import reader

    for example in reader.dataset("train"):
        ...

tfr-build wrote this file together with the dataset. It is found to be changed
by tfr-build verify: copy it to change it, and pass the directory.
"""

import base64
import json
import os

import numpy as np
import tensorflow as tf

DIRECTORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMPRESSION = ""

# What is read where a record has no value.
MISSING = {tf.int64: np.int64(-(2**63)), tf.float32: np.float32("nan"), tf.string: b""}


def _raw(data, dtype, shape):
    bits = {tf.uint32: tf.int32, tf.uint64: tf.int64}.get(dtype, dtype)  # which decode_raw knows
    values = tf.io.decode_raw(data, bits)
    return tf.reshape(values if bits == dtype else tf.bitcast(values, dtype), shape)


def _tensor(data, dtype, shape):
    return tf.ensure_shape(tf.io.parse_tensor(data, dtype), [None if n < 0 else n for n in shape])


def _maybe(decode):
    """Reads what a record may lack: an empty tensor, then."""

    def read(data, dtype, shape):
        none = tf.zeros([0] + [max(n, 0) for n in shape[1:]], dtype)
        return tf.cond(tf.equal(data, ""), lambda: none, lambda: decode(data, dtype, shape))

    return read


# The dtype and the shape of each feature; -1 is any number.
FEATURES = {
    "age": (tf.int64, []),
    "fine": (tf.bool, [-1]),
    "id": (tf.int64, []),
    "label": (tf.int64, []),
    "name": (tf.string, []),
    "pixels": (tf.string, []),
    "polygons": (tf.float32, [-1, -1, 2]),
    "vector": (tf.string, []),
}

# What is in base64.
BASE64 = {
    "pixels": True,
    "vector": True,
}

# What is stored as bytes: how it is read, its dtype and its shape.
DECODED = {
    "pixels": (_raw, tf.uint8, [28, 28]),
    "vector": (_maybe(_tensor), tf.float16, [-1, 3]),
}


def _array(key, value, dtype):
    if dtype != tf.string:
        return np.array(value, dtype.as_numpy_dtype)
    texts = np.array(value, object)
    for i, text in enumerate(texts.flat):
        texts.flat[i] = base64.b64decode(text) if key in BASE64 else text.encode() if isinstance(text, str) else text
    return texts


def _rank(shape):
    """Returns how many dimensions have rows of their own lengths."""
    return max(0, shape.count(-1) - 1)


def _load(record):
    """Returns an array of values for each feature, and after it the lengths of its
    rows for each dimension that has lengths of its own, the outermost first."""
    row, arrays = json.loads(record), []
    for key, (dtype, shape) in FEATURES.items():
        rank = _rank(shape)
        value = row.get(key + "/ragged_flat_values" if rank else key)
        if value is None:
            value = [] if -1 in shape[:1] else np.full(shape, MISSING[dtype])
        arrays.append(_array(key, value, dtype).reshape(shape[rank:]))
        arrays += [np.array(row.get(f"{key}/ragged_row_lengths_{i}", []), np.int64) for i in range(rank)]
    return arrays


def parse(record):
    """Returns the features of one record, a JSON object, by key."""
    dtypes = []
    for dtype, shape in FEATURES.values():
        dtypes += [dtype] + [tf.int64] * _rank(shape)
    arrays = iter(tf.numpy_function(_load, [record], dtypes))
    example = {}
    for key, (dtype, shape) in FEATURES.items():
        inner = shape[_rank(shape) :]
        values = tf.ensure_shape(next(arrays), [None if n < 0 else n for n in inner])
        rows = [tf.ensure_shape(next(arrays), [None]) for _ in range(_rank(shape))]
        example[key] = tf.RaggedTensor.from_nested_row_lengths(values, rows) if rows else values
    for key, (decode, dtype, shape) in DECODED.items():
        example[key] = decode(example[key], dtype, shape)
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
    raise ValueError("keras: found records of JSON object; expected tf.train.Example. Map dataset() to pairs of inputs and labels, or build the dataset with record: example")


# The names of classes: the first has the number "first".
CLASSES = {
    "label": {
        "first": 0,
        "names": [
            "ant",
            "bee",
        ],
    },
}
