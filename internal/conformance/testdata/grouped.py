"""Reads groups and windows of a table by a reader, and compares them with the table.

    grouped.py DIRECTORY numpy|tensorflow|torch|dali

DIRECTORY has table.csv, and the datasets WINDOWS_FORM/1.0.0: the windows whole, drop, keep, and pad,
in the forms sequence and example.
"""

import csv
import importlib.util
import os
import sys

import numpy as np

directory, reader = sys.argv[1:]
LENGTH, STRIDE = 4, 3
CODES = ["none", "a", "b", "c"]
FIELDS = ["number", "name", "n", "last", "value", "code", "pair"]
STEPS = FIELDS[4:]

with open(os.path.join(directory, "table.csv"), encoding="utf-8", newline="") as f:
    rows = list(csv.DictReader(f))


def windows(rows, last):
    """Returns the windows of the rows of a group."""
    if last == "whole":
        return [rows]
    full = [rows[i : i + LENGTH] for i in range(0, len(rows) - LENGTH + 1, STRIDE)]
    end = (len(full) - 1) * STRIDE + LENGTH if full else 0
    if last != "drop" and end < len(rows) and len(full) * STRIDE < len(rows):
        full.append(rows[len(full) * STRIDE :])
    return full


def record(rows, last):
    """Returns the record of the rows of a window."""
    more = LENGTH - len(rows) if last == "pad" else 0
    return {
        "number": int(rows[0]["number"]),
        "name": rows[0]["name"],
        "n": len(rows),
        "last": float(rows[-1]["value"]),
        "value": [float(r["value"]) for r in rows] + more * [-1.0],
        "code": [CODES.index(r["code"]) for r in rows] + more * [0],
        "pair": [[int(r["x"]), int(r["y"])] for r in rows] + more * [[0, 0]],
    }


def expected(last):
    """Returns all records, in the order of the first row of their group."""
    groups = {}
    for row in rows:
        groups.setdefault(row["number"], []).append(row)
    return [record(w, last) for g in groups.values() for w in windows(sorted(g, key=lambda r: int(r["time"])), last)]


def plain(value):
    """Returns a value as Python has it: a number, a string, or lists."""
    if hasattr(value, "numpy"):
        value = value.numpy()
    if hasattr(value, "to_list"):
        value = value.to_list()
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, bytes):
        value = value.decode()
    return [plain(v) for v in value] if isinstance(value, list) else value


def compare(what, last, read, fields=FIELDS):
    """Compares the records of both splits with those of the table. No group is in both."""
    want = [{k: r[k] for k in fields} for r in expected(last)]
    train, test = ([{k: plain(r[k]) for k in fields} for r in read(split)] for split in ("train", "test"))
    number = lambda list: {r["number"] for r in list}
    assert train and test and not number(train) & number(test), what
    got = sorted(train + test, key=lambda r: [w["number"] for w in want].index(r["number"]))
    assert got == want, (what, [pair for pair in zip(got, want) if pair[0] != pair[1]][:1], len(got), len(want))
    print(what, len(got), "records")


def module(dataset, name):
    path = os.path.join(dataset, "_tfr", name + ".py")
    spec = importlib.util.spec_from_file_location(name, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def apart(batches):
    """Returns the records of batches, whose values are one after another."""
    return [{k: v[i] for k, v in b.items()} for b in batches for i in range(len(b["number"]))]


def merged(records):
    """Returns records of one mapping: a SequenceExample has context and sequence."""
    return ({**r[0], **r[1]} if isinstance(r, tuple) else r for r in records)


def shards(dataset, split):
    return sorted(os.path.join(dataset, f) for f in os.listdir(dataset) if f.startswith(split + "-"))


def check_tfx(dataset, form, last):
    """Parses records as TFX's schema says."""
    import tensorflow as tf
    from google.protobuf import text_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    with open(os.path.join(dataset, "_tfr", "schema.pbtxt"), encoding="utf-8") as f:
        schema = text_format.Parse(f.read(), schema_pb2.Schema())
    types = {}
    for feature in schema.feature:
        types.update({f.name: f.type for f in feature.struct_domain.feature} if feature.name == "##SEQUENCE##" else {feature.name: feature.type})
    dtypes = {schema_pb2.INT: tf.int64, schema_pb2.FLOAT: tf.float32, schema_pb2.BYTES: tf.string}
    once, each, inner = {}, {}, {}
    for key, of in schema.tensor_representation_group[""].tensor_representation.items():
        dtype = dtypes[types[key]]
        if of.WhichOneof("kind") == "dense_tensor":
            once[key] = tf.io.FixedLenFeature([d.size for d in of.dense_tensor.shape.dim], dtype)
            continue
        ragged = of.ragged_tensor
        *above, name = ragged.feature_path.step
        assert name == key and above == (["##SEQUENCE##"] if form == "sequence" else []), (key, above)
        inner[key] = [p.uniform_row_length for p in ragged.partition]
        (each if above else once)[key] = tf.io.RaggedFeature(dtype, partitions=[tf.io.RaggedFeature.UniformRowLength(n) for n in inner[key]])

    def read(split):
        for payload in tf.data.TFRecordDataset(shards(dataset, split)):
            if form == "example":
                yield tf.io.parse_single_example(payload, once)
            else:
                context, steps = tf.io.parse_single_sequence_example(payload, once, each)
                yield {**context, **{k: v if k == "pair" else v.flat_values for k, v in steps.items()}}

    compare(f"{last} {form}, schema.pbtxt", last, read)


def check_tensorflow(dataset, form, last):
    read = module(dataset, "reader").dataset
    compare(f"{last} {form}, reader.py", last, lambda split: merged(read(split)))
    compare(f"{last} {form}, reader.py in batches", last, lambda split: apart(merged(read(split, batch_size=5))))
    check_tfx(dataset, form, last)
    if form == "example":
        import tensorflow_datasets as tfds

        builder = tfds.builder_from_directory(dataset)
        steps = {"whole": None, "keep": None}.get(last, LENGTH)
        assert builder.info.features["pair"].shape == (steps, 2) and builder.info.features["code"].shape == (steps,), builder.info.features
        compare(f"{last} {form}, TFDS", last, lambda split: builder.as_dataset(split=split))


def check_torch(dataset, last):
    torch_reader = module(dataset, "torch_reader")
    compare(f"{last}, torch_reader.py", last, torch_reader.Dataset)
    compare(f"{last}, torch_reader.py in batches", last, lambda split: apart(torch_reader.Dataset(split, batch_size=5)))
    if reader == "torch":
        from torch.utils.data import DataLoader

        compare(f"{last}, DataLoader", last, lambda split: DataLoader(torch_reader.Dataset(split), batch_size=None))
    else:
        assert "torch" not in sys.modules and "tensorflow" not in sys.modules


def check_dali(dataset, last):
    keys = ["number", "n", "last"] + STEPS

    def read(split):
        pipeline = module(dataset, "reader").dali_pipeline(split, 1, features=keys)
        pipeline.build()
        for _ in range(pipeline.epoch_size("records")):
            values = {k: np.asarray(c.at(0)) for k, c in zip(keys, pipeline.run())}
            values["pair"] = values["pair"].reshape(-1, 2)  # DALI has no lists of lists of any length
            yield {k: v if k in STEPS else v.reshape(-1)[0] for k, v in values.items()}

    compare(f"{last}, DALI", last, read, keys)


for last in ("whole", "drop", "keep", "pad"):
    for form in ("sequence", "example"):
        dataset = os.path.join(directory, f"{last}_{form}", "1.0.0")
        if reader == "tensorflow":
            check_tensorflow(dataset, form, last)
        elif form == "example" and reader == "dali":
            check_dali(dataset, last)
        elif form == "example":
            check_torch(dataset, last)
