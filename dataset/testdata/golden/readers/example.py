"""Reads the dataset example, version 1.0.0, with tf.data.

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


def _ragged(key, rank, shape, dtype):
    rows = [tf.io.RaggedFeature.RowLengths(f"{key}/ragged_row_lengths_{i}") for i in range(rank)]
    inner = [tf.io.RaggedFeature.UniformRowLength(n) for n in shape]
    return tf.io.RaggedFeature(dtype, f"{key}/ragged_flat_values", rows + inner, tf.int64)


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


# As tf.io.parse_example takes it, for a batch of records.
FEATURES = {
    "age": _optional([], tf.int64),
    "fine": _variable([], tf.int64),
    "id": tf.io.FixedLenFeature([], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
    "name": tf.io.FixedLenFeature([], tf.string),
    "pixels": tf.io.FixedLenFeature([], tf.string),
    "polygons": _ragged("polygons", 1, [2], tf.float32),
    "vector": _optional([], tf.string),
}

# What is not read as it is stored.
CASTS = {
    "fine": tf.bool,
}

# What is stored as bytes: how it is read, its dtype and its shape.
DECODED = {
    "pixels": (_raw, tf.uint8, [28, 28]),
    "vector": (_maybe(_tensor), tf.float16, [-1, 3]),
}

# The images, and how many channels they are decoded to.
IMAGES = {}

# What NVIDIA DALI misreads, and why.
DALI = {
    "age": "where a record lacks it, it reads any number; missing: {default: …} gives one",
    "polygons": "it knows no lists of lists",
    "vector": "where a record lacks it, it reads any number; missing: {default: …} gives one",
}


def parse(record):
    """Returns the features of one serialized Example, by key."""
    example = tf.io.parse_single_example(record, FEATURES)
    for key, dtype in CASTS.items():
        example[key] = tf.cast(example[key], dtype)
    for key, (decode, dtype, shape) in DECODED.items():
        example[key] = decode(example[key], dtype, shape)
    return example


parse_batch = None  # for tensors of their own shapes are read one by one


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


def dali_pipeline(split, batch_size, directory=DIRECTORY, *, features=None, image_size=None, shuffle=False, num_threads=2, device_id=None, **reader):
    """Returns a pipeline of NVIDIA DALI: each batch has the features, in their order.

    features    the keys; all of FEATURES where not given
    image_size  the height and width to which IMAGES are decoded and resized, uint8;
                they are bytes where not given
    device_id   the GPU; None: the CPU alone
    reader      more arguments of fn.readers.tfrecord: shard_id, num_shards …

    Its reader has the name "records", and needs the files that "index: true" in the
    config makes.
    """
    keys = list(features or FEATURES)
    unknown, wrong = sorted(set(keys) - set(FEATURES)), [f"{k}: {DALI[k]}" for k in keys if k in DALI]
    if unknown:
        raise ValueError(f"features: found {unknown}; expected some of {sorted(FEATURES)}")
    if wrong:
        raise ValueError("DALI misreads some features; give those that it does not as features=[…]. " + "; ".join(wrong))
    paths = files(split, directory)
    index = [os.path.join(directory, "_tfr", "index", os.path.relpath(p, directory) + ".idx") for p in paths]
    absent = [p for p in index if not os.path.exists(p)]
    if absent:
        raise ValueError(f"{absent[0]} is missing: DALI needs it; build the dataset with index: true")
    from nvidia.dali import fn, pipeline_def, tfrecord

    def described(spec):
        dtype = {tf.int64: tfrecord.int64, tf.float32: tfrecord.float32, tf.string: tfrecord.string}[spec.dtype]
        default = {tf.int64: 0, tf.float32: 0.0, tf.string: ""}[spec.dtype]
        if isinstance(spec, tf.io.FixedLenFeature):
            return tfrecord.FixedLenFeature(spec.shape, dtype, default)
        return tfrecord.VarLenFeature(dtype, default)

    @pipeline_def(batch_size=batch_size, num_threads=num_threads, device_id=device_id)
    def pipeline():
        specs = {key: described(FEATURES[key]) for key in keys}
        values = fn.readers.tfrecord(path=paths, index_path=index, features=specs, random_shuffle=shuffle, name="records", **reader)
        for key in set(keys) & set(IMAGES) if image_size else ():
            images = fn.decoders.image(values[key], device="cpu" if device_id is None else "mixed")
            values[key] = fn.resize(images, size=image_size)
        return tuple(values[key] for key in keys)

    return pipeline()


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
