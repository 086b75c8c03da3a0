"""Reads datasets of each kind of record, and holds them against the rows.

The argument is a folder that holds rows.jsonl, and a dataset for each kind of
record that was made of it, in order: NAME/1.0.0. What a value should be is worked
out here from the text of its number, exactly.
"""

import base64
import glob
import importlib.util
import json
import os
import sys
from fractions import Fraction

import ml_dtypes
import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds

folder = sys.argv[1]
faults = 0


def check(ok, *what):
    global faults
    if not ok:
        faults += 1
        print("FAULT:", *[str(w)[:400] for w in what])


INTS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
FLOATS = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16, "float32": np.float32, "float64": np.float64}
BITS = {"float16": np.uint16, "bfloat16": np.uint16, "float32": np.uint32, "float64": np.uint64}


def nearest(text, name):
    """Returns the number of that type which is nearest to the text, of two the even one."""
    dtype, bits, exact = FLOATS[name], BITS[name], Fraction(text)
    with np.errstate(over="ignore"):
        guess = np.array(abs(float(exact)), dtype)
    middle = int(guess.view(bits))
    largest = int(np.array(np.inf, dtype).view(bits)) - 1
    near = []
    for pattern in range(max(0, middle - 2), min(largest, middle + 2) + 1):
        value = np.array(pattern, bits).view(dtype)
        near.append((abs(Fraction(float(value)) - abs(exact)), pattern % 2, pattern))
    value = np.array(min(near)[2], bits).view(dtype)
    return np.negative(value) if exact < 0 or text.startswith("-") else value


def array(value, name):
    """Returns numbers in lists of text as an array."""
    if name in FLOATS:
        convert = lambda v: [convert(x) for x in v] if isinstance(v, list) else nearest(v, name)
    elif name == "bool":
        convert = lambda v: v
    else:
        convert = lambda v: [convert(x) for x in v] if isinstance(v, list) else int(v)
    return np.array(convert(value), FLOATS.get(name, name))


with open(os.path.join(folder, "rows.jsonl"), encoding="utf-8") as file:
    rows = [json.loads(line, parse_int=str, parse_float=str) for line in file]


def directory(name):
    return os.path.join(folder, name, "1.0.0")


def payloads(name):
    paths = sorted(glob.glob(os.path.join(directory(name), "train-*")))
    check(len(paths) == 2, name, "shards", paths)
    found = [r.numpy() for r in tf.data.TFRecordDataset(paths)]
    check(len(found) == len(rows), name, "has", len(found), "records")
    return found


def reader(name):
    path = os.path.join(directory(name), "_tfr", "reader.py")
    spec = importlib.util.spec_from_file_location("reader", path)
    sys.dont_write_bytecode = True
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shaped(value, shape):
    return value.reshape(shape)


def number_features():
    """Yields key, type, column and shape of all numbers in tensors and raw bytes."""
    shapes = [[], [-1], [2, 3], [-1, 2], [1, 2, 1, 2]]
    for name in INTS + ["bool"] + list(FLOATS):
        letter = "b" if name == "bool" else "f" if name in FLOATS else "i"
        for i, shape in enumerate(shapes):
            yield "%s/%d" % (name, i), name, lambda row, column="%s%d" % (letter, i): row[column], shape
        yield name + "/ends", name, lambda row, name=name: row["ends"][name], [-1]


def text_features(row):
    yield "tensor/text/0", np.array(row["text"].encode(), object)
    yield "tensor/text/1", np.array([w.encode() for w in row["words"]], object)
    yield "tensor/text/2", np.array([[w.encode() for w in p] for p in row["pair"]], object)


def check_bytes(records):
    """Tensors are what tf.io.serialize_tensor gives, raw bytes what numpy does."""
    for record, row in zip(records, rows):
        features = tf.train.Example.FromString(record).features.feature
        for key, name, column, shape in number_features():
            want = shaped(array(column(row), name), shape)
            got = list(features["tensor/" + key].bytes_list.value)
            check(got == [tf.io.serialize_tensor(tf.constant(want)).numpy()], "tensor/" + key, "of", column(row), "is", got, "want", want)
            got = list(features["raw/" + key].bytes_list.value)
            check(got == [want.tobytes()], "raw/" + key, "of", column(row), "is", got, "want", want)
        for key, want in text_features(row):
            got = list(features[key].bytes_list.value)
            check(got == [tf.io.serialize_tensor(tf.constant(want, tf.string)).numpy()], key, "is", got, "want", want)
        again = tf.train.Example.FromString(record).SerializeToString(deterministic=True)
        check(again == record, "an Example is written in another way")


def ragged(value, dtype):
    if not isinstance(value, list):
        return array(value, dtype).tolist()
    return [ragged(v, dtype) for v in value]


def plain_features(row):
    """Yields the key, the dtype and the value of what is a feature as it is."""
    yield "id", "int64", array(row["id"], "int64")
    yield "small", "uint8", array(row["i0"], "uint8")
    yield "double", "float32", array(row["f0"], "float32")
    yield "flags", "bool", array(row["b1"], "bool")
    yield "text", "string", np.array(row["text"].encode(), object)
    yield "blob", "string", np.array(base64.b64decode(row["blob"]), object)
    yield "words", "string", np.array([w.encode() for w in row["words"]], object)
    yield "poly", "float32", ragged(row["poly"], "float32")
    yield "deep", "int16", ragged(row["deep"], "int16")
    yield "boxes", "float32", array(row["boxes"], "float32").reshape([-1, 4])
    yield "yes", "int64", array("1" if row["answer"] == "yes" else "0", "int64")
    yield "label", "int64", array(row["label"], "int64")


def same(got, want):
    if isinstance(want, list):
        return type(got).__name__ == "RaggedTensor" and got.to_list() == want
    value = got.numpy() if hasattr(got, "numpy") else got
    value = np.array(value, object) if isinstance(value, bytes) else np.asarray(value)
    return value.shape == want.shape and value.tolist() == want.tolist()


def check_plain(where, got, row):
    for key, dtype, want in plain_features(row):
        check(got[key].dtype.name == dtype, where, key, "is of", got[key].dtype)
        check(same(got[key], want), where, key, "is", got[key], "want", want)


def check_tip(where, got, row, none):
    if "tip" in row:
        check(same(got["tip"], array(row["tip"], "float32")), where, "tip is", got["tip"])
    else:
        check(none(got["tip"].numpy()), where, "tip is", got["tip"], "of a row without")


def check_numbers(where, got, row):
    for key, name, column, shape in number_features():
        want = shaped(array(column(row), name), shape)
        for of in ("tensor/", "raw/"):
            check(got[of + key].dtype.name == name, where, of + key, "is of", got[of + key].dtype)
            check(same(got[of + key], want), where, of + key, "is", got[of + key], "want", want)
    for key, want in text_features(row):
        check(same(got[key], want), where, key, "is", got[key], "want", want)


def check_reader(name):
    module = reader(name)
    found = list(module.dataset("train"))
    check(len(found) == len(rows), name, "reader.py: %d records" % len(found))
    for got, row in zip(found, rows):
        check_plain(name, got, row)
        check_numbers(name, got, row)
        check_tip(name, got, row, np.isnan)
    check(module.CLASSES == {"label": {"first": 0, "names": ["ant", "bee", "cat"]}}, name, "classes", module.CLASSES)


def plain(value):
    if isinstance(value, (tuple, dict)):
        return [plain(value[k]) for k in sorted(value)] if isinstance(value, dict) else [plain(v) for v in value]
    return repr(value.to_list() if isinstance(value, tf.RaggedTensor) else np.asarray(value.numpy()).tolist())


def check_batches(name):
    """A batch has what its records have."""
    module, at = reader(name), 0
    found = list(module.dataset("train"))
    for batch in module.dataset("train", batch_size=7):
        for i in range(min(7, len(rows) - at)):
            one = tf.nest.map_structure(lambda v: v[i], batch, expand_composites=False)
            check(plain(one) == plain(found[at]), name, "batch", plain(one), "want", plain(found[at]))
            at += 1
    check(at == len(rows), name, "batches have", at, "records")


def check_tfds():
    builder = tfds.builder_from_directory(directory("example"))
    features = builder.info.features
    for key, want in [
        ("text", "Text(shape=(), dtype=string)"),
        ("words", "Sequence(Text(shape=(), dtype=string))"),
        ("boxes", "Sequence(BBoxFeature(shape=(4,), dtype=float32))"),
        ("poly", "Sequence(Sequence(float32))"),
        ("deep", "Sequence(Sequence(Sequence(int16)))"),
        ("label", "ClassLabel(shape=(), dtype=int64, num_classes=3)"),
        ("raw/int16/2", "Tensor(shape=(2, 3), dtype=int16)"),
        ("raw/float64/3", "Tensor(shape=(None, 2), dtype=float64)"),
        ("tensor/int16/2", "Tensor(shape=(), dtype=string)"),
    ]:
        check(str(features[key]) == want, "TFDS:", key, "is", features[key])
    check(features["label"].names == ["ant", "bee", "cat"], "TFDS: names", features["label"].names)
    for got, row in zip(builder.as_dataset(split="train"), rows):
        check_plain("TFDS", got, row)
        check_tip("TFDS", got, row, lambda v: v == np.finfo(np.float32).min)
        for key, name, column, shape in number_features():
            want = shaped(array(column(row), name), shape)
            if name == "uint32":
                want = np.array(want.tobytes(), object)
            check(same(got["raw/" + key], want), "TFDS: raw/" + key, "is", got["raw/" + key], "want", want)
            want = np.array(tf.io.serialize_tensor(tf.constant(shaped(array(column(row), name), shape))).numpy(), object)
            check(same(got["tensor/" + key], want), "TFDS: tensor/" + key, "is", got["tensor/" + key], "want", want)


def check_sequence():
    """A batch, with specs of our own; and the reader."""
    records = payloads("sequence")
    context = {
        "id": tf.io.FixedLenFeature([], tf.int64),
        "tip": tf.io.FixedLenFeature([], tf.float32, default_value=-1),
        "frame": tf.io.FixedLenFeature([], tf.string),
    }
    lists = {
        "value": tf.io.FixedLenSequenceFeature([], tf.float32),
        "at": tf.io.FixedLenSequenceFeature([], tf.int64),
        "place": tf.io.RaggedFeature(tf.float32, partitions=[tf.io.RaggedFeature.UniformRowLength(2)]),
        "packed": tf.io.FixedLenSequenceFeature([], tf.string),
        "word": tf.io.VarLenFeature(tf.string),
    }
    got, sequence, lengths = tf.io.parse_sequence_example(records, context, lists)
    words = tf.RaggedTensor.from_sparse(tf.sparse.reshape(sequence["word"], sequence["word"].dense_shape[:2])).to_list()
    for i, row in enumerate(rows):
        n = len(row["series"])
        check(lengths["value"][i] == lengths["at"][i] == lengths["packed"][i] == n, "sequence: lengths", lengths["value"][i], n)
        check(got["id"][i] == int(row["id"]), "sequence: id", got["id"][i])
        check(got["frame"][i].numpy() == array(row["i2"], "uint8").tobytes(), "sequence: frame", got["frame"][i])
        check(got["tip"][i].numpy() == (nearest(row["tip"], "float32") if "tip" in row else -1), "sequence: tip", got["tip"][i])
        check(same(sequence["value"][i, :n], array(row["series"], "float32")), "sequence: value", sequence["value"][i])
        check(same(sequence["at"][i, :n], array(row["at"], "int64")), "sequence: at", sequence["at"][i])
        place = array(row["places"], "float32").reshape([-1, 1, 2])
        check(np.array_equal(np.array(sequence["place"][i].to_list(), np.float32).reshape([-1, 1, 2]), place), "sequence: place", sequence["place"][i])
        packed = [array(p, "float16").tobytes() for p in row["places"]]
        check(sequence["packed"][i, :n].numpy().tolist() == packed, "sequence: packed", sequence["packed"][i])
        check(words[i] == [w.encode() for w in row["marks"]], "sequence: word", words[i])
    for record, (one, steps), row in zip(records, reader("sequence").dataset("train"), rows):
        check(same(one["frame"], array(row["i2"], "uint8")), "reader.py: frame", one["frame"])
        check(one["id"].numpy() == int(row["id"]), "reader.py: id", one["id"])
        for key, dtype, want in [
            ("value", "float32", array(row["series"], "float32")),
            ("at", "int32", array(row["at"], "int32")),
            ("place", "float32", array(row["places"], "float32").reshape([-1, 2])),
            ("packed", "float16", array(row["places"], "float16").reshape([-1, 2])),
            ("tensor", "float64", array(row["places"], "float64").reshape([-1, 2])),
            ("word", "string", np.array([w.encode() for w in row["marks"]], object)),
        ]:
            check(steps[key].dtype.name == dtype, "reader.py:", key, steps[key].dtype)
            check(same(steps[key], want), "reader.py:", key, "is", steps[key], "want", want)
        again = tf.train.SequenceExample.FromString(record)
        check(again.SerializeToString(deterministic=True) == record, "a SequenceExample is written in another way")
        tensors = [s.bytes_list.value[0] for s in again.feature_lists.feature_list["tensor"].feature]
        want = [tf.io.serialize_tensor(tf.constant(array(p, "float64"))).numpy() for p in row["places"]]
        check(tensors == want, "sequence: tensor", tensors, "want", want)


def check_free():
    """Lists of lengths of their own, and steps of any number of values."""
    for (one, steps), row in zip(reader("free").dataset("train"), rows):
        check(one == {}, "free: context", one)
        check(same(steps["words"], np.array([w.encode() for w in row["words"]], object)), "free: words", steps["words"])
        check(same(steps["value"], array(row["series"], "float32")), "free: value", steps["value"])
        check(same(steps["many"], ragged(row["poly"], "float32")), "free: many", steps["many"])


def check_json_example(examples):
    for line, example in zip(payloads("json_example"), examples):
        decoded = tf.train.Example.FromString(tf.io.decode_json_example(line).numpy())
        check(decoded.SerializeToString(deterministic=True) == example, "json_example is another Example:", line)


def check_json():
    for line, row in zip(payloads("json"), rows):
        got = json.loads(line)
        check(list(got) == sorted(got) and b" " not in line.replace(b"line line", b""), "json: keys or spaces", line)
        check(got["id"] == int(row["id"]) and got["flags"] == row["b1"] and got["text"] == row["text"], "json:", line)
        check(np.float32(got["double"]) == nearest(row["f0"], "float32"), "json: double", got["double"])
        check(base64.b64decode(got["blob"]) == base64.b64decode(row["blob"]), "json: blob", got["blob"])
        check(base64.b64decode(got["raw/int16/2"]) == array(row["i2"], "int16").tobytes(), "json: raw", got["raw/int16/2"])
        check(("tip" in got) == ("tip" in row), "json: tip")


def check_texts():
    for name in ("text", "bytes"):
        want = [row["text"].encode() for row in rows]
        check(payloads(name) == want, name, payloads(name))
        check([r.numpy() for r in reader(name).dataset("train")] == want, name, "reader.py")
        check_batches(name)


def check_tfds_files():
    for name in os.listdir(folder):
        has = os.path.exists(os.path.join(folder, name, "1.0.0", "dataset_info.json"))
        check(has == (name == "example"), name, "has TFDS's files:", has)


examples = payloads("example")
check_bytes(examples)
check_json_example(examples)
check_reader("example")
check_reader("json_example")
check_reader("json")
check_tfds()
for kind in ("example", "sequence", "free"):
    check_batches(kind)
check_sequence()
check_free()
check_json()
check_texts()
check_tfds_files()
labels = open(os.path.join(directory("example"), "label.labels.txt"), encoding="utf-8").read()
check(labels == "ant\nbee\ncat\n", "label.labels.txt", labels)
print("TensorFlow", tf.__version__, "TFDS", tfds.__version__, "faults:", faults)
sys.exit(faults > 0)
