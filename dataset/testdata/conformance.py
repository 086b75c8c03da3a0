"""Reads datasets with TensorFlow and TFDS, and compares with what is expected.

Each argument is a directory that holds expected.json, inspected.jsonl and the
dataset as forms/1.2.3.
"""

import base64
import glob
import importlib.util
import json
import os
import sys

import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds

faults = 0


def check(ok, *what):
    global faults
    if not ok:
        faults += 1
        print("FAULT:", *what)


def want_values(feature, flat):
    """Returns the flat values as numpy has them; of what is missing, None."""
    if flat is None:
        return None
    kind = feature["kind"]
    if kind == "bytes":
        return [base64.b64decode(v) for v in flat]
    if kind == "float":
        return [np.float32(v) for v in flat]
    return [int(v) for v in flat]


def want_shape(feature, count):
    shape = list(feature["shape"])
    if shape and shape[0] < 0:
        shape[0] = count // int(np.prod(shape[1:], dtype=int))
    return tuple(shape)


def same(got, want):
    if isinstance(want, np.float32):
        return np.float32(got) == want
    return got == want


def check_value(where, feature, got, flat, missing):
    want = want_values(feature, flat)
    shape = feature["shape"]
    if want is None:
        want = [] if shape and shape[0] < 0 else [missing[feature["kind"]]] * int(np.prod(shape, dtype=int))
    if isinstance(got, bytes):
        got = np.array(got, dtype=object)  # numpy's own bytes lose their last zeros
    got = np.asarray(got)
    check(got.shape == want_shape(feature, len(want)), where, "shape", got.shape, "for", want)
    values = got.ravel().tolist()
    nan = lambda x: isinstance(x, (float, np.floating)) and np.isnan(x)
    equal = len(values) == len(want) and all(same(g, w) or nan(g) and nan(w) for g, w in zip(values, want))
    check(equal, where, "is", values, "want", want)


def check_image(where, got, flat, channels):
    want = tf.io.decode_image(base64.b64decode(flat[0]), channels=channels).numpy()
    check(got.dtype == np.uint8 and np.array_equal(got, want), where, "is another image")


def list_of(feature):
    return getattr(feature, feature.WhichOneof("kind")).value


def check_records(directory, expected):
    """The shards as they are, record by record."""
    for split, records in expected["splits"].items():
        names = sorted(glob.glob(os.path.join(directory, split + "-*")))
        check(len(names) == {"train": 3, "validation": 1, "test": 1}[split], "shards of", split, names)
        found = list(tf.data.TFRecordDataset(names, compression_type=expected["compression"]))
        check(len(found) == len(records), split, "has", len(found), "records")
        for got, record in zip(found, records):
            example = tf.train.Example.FromString(got.numpy()).features.feature
            for key, flat in record.items():
                check((key in example) == (flat is not None), split, key, "is there, or is not")
                if flat is not None:
                    want = want_values(expected["features"][key], flat)
                    got_values = list(list_of(example[key]))
                    check(len(got_values) == len(want) and all(map(same, got_values, want)), split, key, got_values, want)


def check_reader(directory, expected):
    path = os.path.join(directory, "_tfr", "reader.py")
    spec = importlib.util.spec_from_file_location("reader", path)
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    missing = {"int64": -(2**63), "float": np.float32("nan"), "bytes": b""}
    for split, records in expected["splits"].items():
        found = list(reader.dataset(split))
        check(len(found) == len(records), "reader.py:", split, "has", len(found), "records")
        for got, record in zip(found, records):
            check(set(got) == set(record), "reader.py: keys", set(got) ^ set(record))
            for key, flat in record.items():
                feature = expected["features"][key]
                where = "reader.py: %s %r" % (split, key)
                check_value(where, feature, got[key].numpy(), flat, missing)
                dtype = "string" if feature["connector"] == "Image" else feature["dtype"]
                check(got[key].dtype == tf.as_dtype(dtype), where, "dtype", got[key].dtype, "want", dtype)
    for key, feature in expected["features"].items():
        if feature["names"] and key != "label/lines" and "long" not in key:
            check(reader.CLASSES[key] == {"first": 0, "names": feature["names"]}, "reader.py: classes of", key)
    check(reader.CLASSES["label/first"]["first"] == 1, "reader.py: first class")
    odd = reader.CLASSES["label/lines"]["names"]
    check(odd == ["a\nb", " c", "", b'd\xff"'], "reader.py: odd names")
    check(tf.constant(odd).numpy().tolist() == [b"a\nb", b" c", b"", b'd\xff"'], "reader.py: odd names as a tensor")
    check_batch(reader, expected)


def check_batch(reader, expected):
    """FEATURES are also good for a batch of records."""
    records = expected["splits"]["train"]
    serialized = list(tf.data.TFRecordDataset(reader.files("train"), compression_type=reader.COMPRESSION))
    batch = tf.io.parse_example(serialized, reader.FEATURES)
    for key, feature in expected["features"].items():
        if feature["shape"] and feature["shape"][0] < 0:
            counts = [len(r[key] or []) // int(np.prod(feature["shape"][1:], dtype=int)) for r in records]
            check(batch[key].row_lengths().numpy().tolist() == counts, "batch:", key, batch[key])


def check_tfds(builder, expected):
    check(str(builder.version) == "1.2.3" and builder.name == "forms", "TFDS:", builder.name, builder.version)
    check(builder.info.description == "Every form of a feature.", "TFDS: description", builder.info.description)
    check(builder.info.disable_shuffling == expected["source_order"], "TFDS: order")
    check(set(builder.info.splits) == {"train", "validation"}, "TFDS: splits", set(builder.info.splits))
    for key, feature in expected["features"].items():
        got = builder.info.features[key]
        check(type(got).__name__ == feature["connector"], "TFDS:", key, "is", got, "want", feature["connector"])
        if feature["names"]:
            got = getattr(got, "feature", got)
            check(got.names == feature["names"], "TFDS: names of", key, got.names)
            check([got.str2int(n) for n in feature["names"]] == [0, 1, 2, 3], "TFDS: numbers of", key)
    missing = {"int64": -(2**63), "float": np.finfo(np.float32).min, "bytes": b""}
    for split in ("train", "validation"):
        records = expected["splits"][split]
        found = list(tfds.as_numpy(builder.as_dataset(split=split)))
        if not expected["source_order"]:
            records = sorted(records, key=lambda r: int(r["id"][0]))
            found = sorted(found, key=lambda r: r["id"])
        check(len(found) == len(records) == builder.info.splits[split].num_examples, "TFDS:", split, len(found))
        for got, record in zip(found, records):
            check_tfds_record(builder, split, got, record, expected, missing)


def check_tfds_record(builder, split, got, record, expected, missing):
    check(set(got) == set(record), "TFDS: keys", set(got) ^ set(record))
    for key, flat in record.items():
        feature = expected["features"][key]
        where = "TFDS: %s %r" % (split, key)
        if feature["connector"] == "Image":
            check_image(where, got[key], flat, builder.info.features[key].shape[-1])
            continue
        check_value(where, feature, got[key], flat, missing)
        if feature["dtype"] != "string":
            check(np.asarray(got[key]).dtype == np.dtype(feature["dtype"]), where, np.asarray(got[key]).dtype)


def check_inspected(data, directory, expected):
    """The JSON lines are what decode_json_example reads back."""
    with open(os.path.join(data, "inspected.jsonl"), encoding="utf-8") as f:
        lines = f.read().splitlines()
    path = os.path.join(directory, "train-00000-of-00003")
    records = list(tf.data.TFRecordDataset(path, compression_type=expected["compression"]))
    check(len(lines) == len(records) == 2, "inspected", len(lines), "records")
    for line, record in zip(lines, records):
        got = tf.train.Example.FromString(tf.io.decode_json_example(line).numpy())
        check(got == tf.train.Example.FromString(record.numpy()), "inspected:", line)


def main(directories):
    for data in directories:
        directory = os.path.join(data, "forms", "1.2.3")
        with open(os.path.join(data, "expected.json"), encoding="utf-8") as f:
            expected = json.load(f)
        for feature in expected["features"].values():
            dtype = feature["dtype"]
            image = feature["connector"] == "Image"
            feature["kind"] = "bytes" if dtype == "string" or image else "float" if dtype == "float32" else "int64"
        check_records(directory, expected)
        check_reader(directory, expected)
        check_inspected(data, directory, expected)
        has_tfds = os.path.exists(os.path.join(directory, "dataset_info.json"))
        check(has_tfds == (not expected["compression"]), "TFDS's files are there, or are not")
        if has_tfds:
            os.mkdir(os.path.join(data, "forms", ".1.2.3.tfr"))  # what a builder keeps beside its output
            check_tfds(tfds.builder_from_directory(directory), expected)
            check_tfds(tfds.builder("forms:1.2.3", data_dir=data), expected)
            loaded = tfds.load("forms", split="train", data_dir=data, shuffle_files=not expected["source_order"])
            check(len(list(loaded)) == 3, "tfds.load")
    print("TensorFlow", tf.__version__, "TFDS", tfds.__version__, "faults:", faults)
    sys.exit(faults > 0)


main(sys.argv[1:])
