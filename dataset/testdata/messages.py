"""Writes records of each kind, and holds what reader.py and TFDS read of them
against the values that they were made from.

Each argument is a dataset without its shard, and with message.json beside
_tfr/manifest.json: what a record is, and its features. TensorFlow and protobuf
write the records, so that nothing of the Go program has a part in them.
"""

import base64
import importlib.util
import json
import os
import sys

import numpy as np

RECORDS = 4  # the last one lacks what may be missing; the third has lists without values
NAMES = {"float": "float32", "bytes": "object", "string": "object"}

faults = 0


def check(ok, *what):
    global faults
    if not ok:
        faults += 1
        print("FAULT:", *what)


def np_type(feature):
    name = NAMES.get(feature["type"], feature["type"])
    if name == "bfloat16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


def make(feature, n, r, shape=None):
    """Returns a value for record n: an array, or lists of arrays where it is ragged."""
    shape = feature["shape"] if shape is None else shape
    if shape.count(-1) > 1:
        return [make(feature, n, r, shape[1:]) for _ in range(0 if n == 2 else r.integers(1, 4))]
    shape = [(0 if n == 2 else int(r.integers(0, 4))) if d < 0 else d for d in shape]
    dtype = np_type(feature)
    if dtype == object:
        texts = ["", "goat", "日本", 'a"\\\n'] + ([] if feature["type"] == "string" else [b"\x00\xff\x80"])
        flat = [texts[r.integers(len(texts))] for _ in range(int(np.prod(shape, dtype=int)))]
        values = np.empty(len(flat), object)
        values[:] = [v.encode() if isinstance(v, str) else v for v in flat]
        return values.reshape(shape)
    if dtype == bool:
        return r.integers(0, 2, shape).astype(bool)
    if feature["type"] == "float64" and not feature["exact"]:
        return r.normal(size=shape).astype(np.float32)
    if dtype.kind not in "iu":
        return r.normal(size=shape).astype(dtype)
    info = np.iinfo(dtype)
    top = info.max if feature["raw"] or feature["tensor"] else min(info.max, 2**63 - 1)
    return r.integers(max(info.min, -(2**63)), top, shape, dtype=dtype if top == info.max else np.int64, endpoint=True).astype(dtype)


def stored(feature, value, lists):
    """Returns what a message has of a value: kind and values, by key."""
    key = feature["key"]
    if feature["tensor"]:
        import tensorflow as tf

        dtype = tf.string if np_type(feature) == object else np_type(feature)
        return {key: ("bytes", [tf.io.serialize_tensor(tf.constant(value, dtype)).numpy()])}
    if feature["raw"]:
        return {key: ("bytes", [value.tobytes()])}
    out, rank = {}, max(0, feature["shape"].count(-1) - 1)
    for i in range(rank):
        out[f"{key}/ragged_row_lengths_{i}"] = ("int64", [len(v) for v in value])
        value = [v for row in value for v in row]
    flat = np.concatenate([np.empty(0, np_type(feature))] + [np.asarray(v).ravel() for v in value]) if rank else value.ravel()
    flat = flat.astype(np.int64) if flat.dtype == bool else flat
    out[key + "/ragged_flat_values" if rank else key] = (lists[feature["type"]], flat.tolist())
    return out


INTS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool"
EXAMPLE = {t: "int64" for t in INTS.split()} | {"float": "float", "float64": "float", "bytes": "bytes", "string": "bytes"}
OFRECORD = EXAMPLE | {t: "int32" for t in "int8 int16 int32 uint8 uint16 bool".split()} | {"float64": "double"}


def fill(feature, kind, values):
    getattr(feature, kind + "_list").value.extend(values)
    getattr(feature, kind + "_list").SetInParent()


def write_example(features, row):
    import tensorflow as tf

    example = tf.train.Example()
    for feature in features:
        if row[feature["key"]] is not None:
            for key, (kind, values) in stored(feature, row[feature["key"]], EXAMPLE).items():
                fill(example.features.feature[key], kind, values)
    return example.SerializeToString()


def write_sequence(spec, row, lists):
    import tensorflow as tf

    example = tf.train.SequenceExample()
    example.context.ParseFromString(tf.train.Example.FromString(write_example(spec["features"], row)).features.SerializeToString())
    for feature in spec["sequence"]:
        if lists[feature["key"]] is None:
            continue
        example.feature_lists.feature_list[feature["key"]].SetInParent()
        for step in lists[feature["key"]]:
            for key, (kind, values) in stored(feature, step, EXAMPLE).items():
                fill(example.feature_lists.feature_list[key].feature.add(), kind, values)
    return example.SerializeToString()


def write_json(features, row):
    out = {}
    for feature in features:
        if row[feature["key"]] is None:
            continue
        text = feature["type"] == "string" and not feature["tensor"]
        for key, (kind, values) in stored(feature, row[feature["key"]], EXAMPLE).items():
            if kind == "bytes":
                values = [v.decode() if text else base64.b64encode(v).decode() for v in values]
            if feature["type"] == "bool" and feature["key"] == key and not feature["tensor"] and not feature["raw"]:
                values = [bool(v) for v in values]
            one = feature["tensor"] or feature["raw"] or not feature["shape"]
            out[key] = values[0] if one else values
    return json.dumps(out, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def write_ofrecord(record, features, row):
    for feature in features:
        if row[feature["key"]] is not None:
            for key, (kind, values) in stored(feature, row[feature["key"]], OFRECORD).items():
                fill(record.feature[key], kind, values)
    return record.SerializeToString()


def same(got, want):
    if isinstance(want, list):
        return len(got) == len(want) and all(same(g, w) for g, w in zip(got, want))
    got = np.asarray(got)
    return got.shape == want.shape and np.array_equal(got.astype(want.dtype), want)


def plain(value):
    """Returns a tensor as numpy has it, and rows as a list."""
    if type(value).__name__ == "RaggedTensor":
        return [plain(v) for v in value]
    value = value.numpy()
    return np.array(value, object) if isinstance(value, bytes) else np.asarray(value)


def absent(feature, dtype):
    """Returns what is read of a feature that a record lacks."""
    shape = feature["shape"]
    if shape[:1] == [-1]:
        return np.empty([0] + [max(0, d) for d in shape[1:]], dtype)
    if feature["tensor"] or feature["raw"]:
        return np.empty([0] + shape[1:], dtype)
    if dtype == object:
        return np.full(shape, b"", object)
    return np.full(shape, np.nan if dtype.kind == "f" else -(2**63), np.float32 if dtype.kind == "f" else np.int64)


def want_dtype(feature):
    name = {"float": "float32", "bytes": "string"}.get(feature["type"], feature["type"])
    if name == "float64" and not feature["exact"]:
        name = "float32"
    lists = feature["shape"][:1] == [-1] or feature["tensor"] or feature["raw"]
    return "int64" if feature["omit"] and not lists and name in INTS else name


def check_features(where, features, got, row):
    check(set(got) == {f["key"] for f in features}, where, "keys", set(got))
    for f in features:
        value, name = plain(got[f["key"]]), "%s %s" % (where, f["key"])
        check(got[f["key"]].dtype.name == want_dtype(f), name, "dtype", got[f["key"]].dtype, "want", want_dtype(f))
        if row[f["key"]] is None:
            want = [] if f["shape"].count(-1) > 1 else absent(f, np_type(f))
            nan = want is not None and not isinstance(want, list) and want.dtype.kind == "f"
            check(np.array_equal(value, want, equal_nan=True) if nan else same(value, want), name, "missing", value, "want", want)
        else:
            check(same(value, row[f["key"]]), name, "is", value, "want", row[f["key"]])
        if "ragged" not in str(type(got[f["key"]])) and not f["omit"]:
            known = [None if d < 0 else d for d in f["shape"]]
            check(got[f["key"]].shape.is_compatible_with(known), name, "shape", got[f["key"]].shape)


def check_lists(where, features, got, lists):
    check(set(got) == {f["key"] for f in features}, where, "keys", set(got))
    for f in features:
        steps, name = lists[f["key"]] or [], "%s %s" % (where, f["key"])
        value = got[f["key"]]
        check(value.dtype.name == want_dtype(f | {"omit": False}), name, "dtype", value.dtype)
        found = list(value)
        check(len(found) == len(steps), name, "has", len(found), "steps, want", len(steps))
        check(all(same(plain(g), w) for g, w in zip(found, steps)), name, "is", value, "want", steps)


def load(directory):
    spec = importlib.util.spec_from_file_location("reader", os.path.join(directory, "_tfr", "reader.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_tfds(directory, spec, rows):
    import tensorflow_datasets as tfds

    builder = tfds.builder_from_directory(directory)
    found = list(builder.as_dataset(split="train"))
    check(len(found) == len(rows), "TFDS:", len(found), "records")
    for f in spec["features"]:
        got = str(builder.info.features[f["key"]])
        check(got == f["connector"], "TFDS:", f["key"], "is", got, "want", f["connector"])
    for got, row in zip(found, rows):
        for f in spec["features"]:
            if row[f["key"]] is None or f["connector"].startswith("Image"):
                continue
            want = row[f["key"]]
            if f["connector"] == "Tensor(shape=(), dtype=string)" and (f["tensor"] or f["raw"]):
                want = np.array(stored(f, want, EXAMPLE)[f["key"]][1][0], object)
            check(same(plain(got[f["key"]]), want), "TFDS:", f["key"], "is", got[f["key"]], "want", want)


def check_dataset(directory):
    with open(os.path.join(directory, "message.json"), encoding="utf-8") as file:
        spec = json.load(file)
    os.remove(os.path.join(directory, "message.json"))
    r = np.random.default_rng(7)
    kind, where = spec["message"], "%s:" % spec["message"]
    of = kind == "ofrecord"
    for f in spec["features"] + spec["sequence"]:
        f["exact"] = f["tensor"] or f["raw"] or of
    rows = [{f["key"]: None if f["omit"] and n == 3 else make(f, n, r) for f in spec["features"]} for n in range(RECORDS)]
    steps = [0 if n == 1 else 3 for n in range(RECORDS)]
    lists = [{f["key"]: None if f["omit"] and n == 3 else [make(f, n, r) for _ in range(steps[n])] for f in spec["sequence"]} for n in range(RECORDS)]
    reader = load(directory)
    if of:
        payloads = [write_ofrecord(reader.OFRecord(), spec["features"], row) for row in rows]
        with open(os.path.join(directory, "train-00000-of-00001"), "wb") as file:
            for p in payloads:
                file.write(len(p).to_bytes(8, "little") + p)
        found = list(reader.dataset("train"))
        check(len(found) == RECORDS, where, len(found), "records")
        for got, row in zip(found, rows):
            check_plain(where, spec["features"], got, row, reader)
        check("tensorflow" not in sys.modules, where, "it imports TensorFlow")
        return
    import tensorflow as tf

    if kind == "sequence":
        payloads = [write_sequence(spec, row, l) for row, l in zip(rows, lists)]
    elif kind == "json":
        payloads = [write_json(spec["features"], row) for row in rows]
    elif kind in ("text", "bytes"):
        payloads = ["日本".encode(), b"", b"a\nb", b"\xff" if kind == "bytes" else b"x"]
    else:
        payloads = [write_example(spec["features"], row) for row in rows]
    if kind == "json_example":
        from google.protobuf import json_format

        payloads = [json_format.MessageToJson(tf.train.Example.FromString(p), indent=None).encode() for p in payloads]
    with tf.io.TFRecordWriter(os.path.join(directory, "train-00000-of-00001")) as w:
        for p in payloads:
            w.write(p)
    found = list(reader.dataset("train"))
    check(len(found) == RECORDS, where, len(found), "records")
    for i, got in enumerate(found):
        if kind == "sequence":
            check_features(where, spec["features"], got[0], rows[i])
            check_lists(where, spec["sequence"], got[1], lists[i])
        elif kind in ("text", "bytes"):
            check(got.numpy() == payloads[i], where, got)
        else:
            check_features(where, spec["features"], got, rows[i])
    if kind == "example":
        check_tfds(directory, spec, rows)
        batch = tf.io.parse_example(payloads, reader.FEATURES)
        check(set(batch) == set(reader.FEATURES), where, "a batch has", set(batch))
    if kind == "sequence":
        context, sequence, _ = tf.io.parse_sequence_example(payloads, reader.CONTEXT, reader.SEQUENCE)
        check(set(context) == set(reader.CONTEXT) and set(sequence) == set(reader.SEQUENCE), where, "a batch")


def check_plain(where, features, got, row, reader):
    check(set(got) == {f["key"] for f in features}, where, "keys", set(got))
    for f in features:
        value, want, name = got[f["key"]], row[f["key"]], "%s %s" % (where, f["key"])
        if want is None:
            check(value is None, name, "is", value, "want None")
            continue
        if f["raw"]:
            dtype, shape = reader.RAW[f["key"]]
            if dtype == "bfloat16":
                import ml_dtypes

                dtype = ml_dtypes.bfloat16
            value = np.frombuffer(value, dtype).reshape(shape)
        elif f["type"] == "string":
            value = encoded(value)
        if isinstance(want, list):
            check(deep(value) == deep(want), name, "is", value, "want", want)
            continue
        value = np.asarray(value, want.dtype)
        if value.size == 0:
            value = value.reshape(want.shape)
        check(same(value, want), name, "is", value, "want", want)


def encoded(v):
    """Returns texts as bytes, and anything else as none."""
    return [encoded(x) for x in v] if isinstance(v, list) else v.encode() if isinstance(v, str) else None


def deep(v):
    return [deep(x) for x in v] if isinstance(v, list) else deep(v.tolist()) if hasattr(v, "tolist") else v


for directory in sys.argv[1:]:
    check_dataset(directory)
print("faults:", faults)
sys.exit(faults > 0)
