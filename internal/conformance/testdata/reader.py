"""Reads datasets by their reader.py: batches, orders, images, and pairs for Keras.

The argument is the folder that holds the datasets table, splits, raw, few, lacking…, mixed and images, and
the folder in, of which images was made.
"""

import importlib.util
import os
import sys

import numpy as np
import tensorflow as tf

folder = sys.argv[1]


def load(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(folder, name, "_tfr", "reader.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def plain(value):
    return repr(value.to_list() if isinstance(value, tf.RaggedTensor) else np.asarray(value).tolist())


def records(dataset):
    return [{k: plain(v) for k, v in r.items()} for r in dataset]


def apart(batches):
    return [{k: plain(v[i]) for k, v in b.items()} for b in batches for i in range(len(b["id"]))]


def ids(dataset):
    return [int(r["id"]) for r in dataset]


def refused(do, *what):
    try:
        do()
    except ValueError as e:
        assert all(w in str(e) for w in what), e
        return
    raise AssertionError("nothing was refused: " + str(what))


table, images = load("table"), load("images")
found = records(table.dataset("train"))
assert len(found) == 100 and found[0].keys() == table.FEATURES.keys()
assert table.dataset("train").cardinality() == 100 and table.dataset("train", batch_size=30).cardinality() == 4
assert table.dataset("train", batch_size=30, drop_remainder=True).cardinality() == 3 == len(list(table.dataset("train", batch_size=30, drop_remainder=True)))
batches = list(table.dataset("train", batch_size=30))
assert [len(b["id"]) for b in batches] == [30, 30, 30, 10] and apart(batches) == found
assert isinstance(batches[0]["tags"], tf.RaggedTensor) and batches[0]["paid"].dtype == tf.bool
assert [len(b["id"]) for b in table.dataset("train", batch_size=30, drop_remainder=True)] == [30] * 3

order = ids(table.dataset("train"))
shuffled = [ids(table.dataset("train", shuffle=16, seed=s)) for s in (1, 1, 2)]
assert shuffled[0] == shuffled[1] != shuffled[2] and shuffled[0] != order
assert all(sorted(s) == sorted(order) for s in shuffled) and sorted(ids(table.dataset("train", shuffle=True))) == sorted(order)

splits = load("splits")
alone = {name: records(splits.dataset(name)) for name in ("train", "validation", "test")}
assert all(alone.values()) and records(splits.dataset(["test", "train"])) == alone["test"] + alone["train"]
both = splits.dataset(("train", "validation"), batch_size=8)
assert apart(both) == alone["train"] + alone["validation"] and both.cardinality() == len(list(both))
assert splits.files(["test", "train"]) == splits.files("test") + splits.files("train")
mixed = sorted(ids(splits.dataset(["train", "test"], shuffle=True)))
assert mixed == sorted(ids(splits.dataset("train")) + ids(splits.dataset("test")))
refused(lambda: splits.dataset(["train", "tests"]), "'tests'", "['test', 'train', 'validation']")
refused(lambda: splits.dataset(["train", "train"]), "found ['train', 'train']", "each split once")
refused(lambda: splits.dataset([]), "found []", "at least one")

raw = load("raw")  # what is decoded from bytes, a batch at once
assert raw.parse_batch and apart(raw.dataset("train", batch_size=7)) == records(raw.dataset("train"))
assert next(iter(raw.dataset("train", batch_size=7)))["u"].shape == (7, 2, 3)

sources = {}
for split in ("train", "test"):
    for r, big, small in zip(images.dataset(split), images.dataset(split, decode_images=True), images.dataset(split, decode_images=(8, 6))):
        with open(os.path.join(folder, "in", r["path"].numpy().decode()), "rb") as f:
            want = tf.io.decode_image(f.read(), 3, expand_animations=False)
        assert big["image"].dtype == tf.uint8 and np.array_equal(big["image"], want)
        assert np.array_equal(small["image"], tf.image.resize(want, (8, 6)))
        sources[r["path"].numpy()] = int(r["label"])
assert len(sources) == 12
ragged = next(iter(images.dataset("train", batch_size=4, decode_images=True)))["image"]
assert isinstance(ragged, tf.RaggedTensor) and ragged.shape[0] == 4

pairs = list(images.keras("train", batch_size=5, image_size=(8, 6)))
assert pairs[0][0].shape == (5, 8, 6, 3) and sum(len(y) for _, y in pairs) == sum(1 for _ in images.dataset("train"))
assert sorted(int(v) for split in ("train", "test") for _, y in images.keras(split, image_size=(8, 6)) for v in y) == sorted(sources.values())
import keras

model = keras.Sequential([keras.layers.Rescaling(1 / 255), keras.layers.Flatten(), keras.layers.Dense(3)])
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
assert model.fit(images.keras("train", image_size=(8, 6), shuffle=True), verbose=0).history["loss"]

first, label = next(iter(table.keras("train", 100, inputs=["id", "tip"])))
assert first.dtype == tf.float32 and first[:, 0].numpy().tolist() == order
missing = [plain(r["tip"]) == "nan" for r in table.dataset("train")]
assert any(missing) and np.isnan(first[:, 1]).tolist() == missing
assert label.numpy().tolist() == [int(r["vendor"]) - 1 for r in table.dataset("train")] and table.CLASSES["vendor"]["first"] == 1
(few, label), = load("few").keras("train", inputs=["a", "b"])
assert plain(few) == "[[1.0, 2.0], [nan, 3.0]]" and label.numpy().tolist() == [0, 1]
for name in ("lacking", "lacking_json", "lacking_without_statistics"):
    unlabeled = load(name)
    pay = [int(r["pay"]) for r in unlabeled.dataset(["train", "test"])]
    assert pay.count(unlabeled.MISSING[tf.int64]) == 9 and len(pay) == 60 and unlabeled.CLASSES["pay"]["first"] == 1
    want = sorted(n - 1 for n in pay if n > 0)
    refused(lambda: unlabeled.keras("train", label="pay"), "'pay'", "9 of 40 records", 'missing_label="skip"')
    refused(lambda: unlabeled.keras(["test", "train"], label="pay"), "9 of 60 records")
    refused(lambda: unlabeled.keras("train", label="pay", missing_label="ignore"), "'ignore'")
    assert sum(len(y) for _, y in unlabeled.keras("test", label="pay")) == 20, "the label of another split is missing"
    for how in ({}, {"shuffle": True, "seed": 1}, {"inputs": ["id", "mass"]}):
        given = unlabeled.keras(["train", "test"], 7, label="pay", missing_label="skip", **how)
        found = list(given)
        assert sorted(int(n) for _, y in found for n in y) == want and given.cardinality() == len(found) == 8
        assert set(want) == {0, 1, 2}
    features = {int(i) for x, _ in unlabeled.keras("train", label="pay", missing_label="skip") for i in x["id"]}
    assert features == {int(r["id"]) for r in unlabeled.dataset("train") if int(r["pay"]) > 0}
    mass = [float(m) for _, y in unlabeled.keras("train", label="mass", inputs="id", missing_label="skip") for m in y]
    assert len(mass) == 36 and not np.isnan(mass).any()
    refused(lambda: unlabeled.keras("train", label="mass", inputs="id"), "4 of 40 records")
    refused(lambda: unlabeled.keras("train", label="note", inputs="id"), "2 of 40 records")
    assert sum(len(y) for _, y in unlabeled.keras("train", label="note", inputs="id", missing_label="skip", batch_size=16)) == 38
    assert sum(y.shape[0] for _, y in unlabeled.keras("train", label="tags", inputs="id")) == 40, "an empty list is a label"
model = keras.Sequential([keras.layers.Dense(3)])
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
loss = model.fit(unlabeled.keras("train", 8, label="pay", inputs=["id"], missing_label="skip"), verbose=0).history["loss"]
assert np.isfinite(loss).all()

import tensorflow_datasets as tfds  # which keeps the names of a class that may be missing

directory = os.path.join(folder, "lacking")
feature = tfds.builder_from_directory(directory).info.features["pay"]
assert "Line 1 of pay.labels.txt is the name of class 1" in feature.doc.desc, feature.doc
assert tfds.features.ClassLabel(names_file=os.path.join(directory, "pay.labels.txt")).names == ["card", "cash", "none"]
read = [int(r["pay"]) for r in tfds.builder_from_directory(directory).as_dataset(split="train")]
assert sorted(read) == sorted(int(r["pay"]) for r in load("lacking").dataset("train"))

mixed = load("mixed")
refused(lambda: mixed.keras("train", label="a.b"), "2 of 3 records")
assert [y.numpy().tolist() for _, y in mixed.keras("train", label="a.b", missing_label="skip")] == [[0]]

rest, _ = next(iter(table.keras("train", 4)))
assert rest.keys() == table.FEATURES.keys() - {"vendor"}
texts, _ = next(iter(table.keras("train", 4, inputs="note")))
assert texts.dtype == tf.string

refused(lambda: table.dataset("train", decode_images=True), "no images")
refused(lambda: table.dataset("tests"), "'tests'", "['train']")
refused(lambda: table.keras("train", inputs=["id", "nonesuch"]), "inputs: found ['nonesuch']", "'tip'")
refused(lambda: table.keras("train", inputs="tips"), "inputs: found ['tips']", "'tip'")
refused(lambda: table.keras("train", label="vendors"), "label: found 'vendors'; expected one of", "'vendor'")
refused(lambda: table.keras("train", inputs=["tip", "vendor"], label="vendor"), "inputs: found the label 'vendor'")
refused(lambda: raw.keras("train"), "found the classes []")
refused(lambda: table.dali_pipeline("train", 4), "tip: ", "tags: ", "missing: {default")
refused(lambda: table.dali_pipeline("train", 4, features=["id"]), ".idx", "index: true")
refused(lambda: images.dali_pipeline("train", 4, features=["nonesuch"]), "nonesuch")
