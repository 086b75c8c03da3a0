"""Reads the dataset bytes, version 1.0.0, with tf.data.

    import sys
    sys.path.append("DATASET/_tfr")
    import reader

    for payload in reader.dataset("train"):
        ...

tfr-build wrote this file together with the dataset. It is found to be changed
by tfr-build verify: copy it to change it, and pass the directory.
"""

import json
import os

import tensorflow as tf

DIRECTORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMPRESSION = ""


def parse(record):
    """Returns the payload of a record as a tf.string."""
    return record


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
    raise ValueError("keras: found records of bytes; expected tf.train.Example. Map dataset() to pairs of inputs and labels, or build the dataset with record: example")


# The names of classes: the first has the number "first".
CLASSES = {}
