"""Reads folds with lists of one length by a reader, and compares them with the table.

    lists.py FOLDER numpy|tensorflow|torch|dali

FOLDER has table.csv and the dataset folds/1.0.0.
"""

import csv
import importlib.util
import os
import sys

import numpy as np

folder, reader = sys.argv[1:]
dataset = os.path.join(folder, "folds", "1.0.0")
WORDS = "none the quick brown fox jumps over a lazy dog while snow falls on élan of 東京".split()


def load(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(dataset, "_tfr", name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def expected(row):
    numbers = [WORDS.index(w) for w in row["tags"].split(";") if w]
    return (numbers + [0, 0, 0])[:3], [float(n in numbers) for n in range(len(WORDS))]


with open(os.path.join(folder, "table.csv"), encoding="utf-8", newline="") as f:
    rows = list(csv.DictReader(f))
want = {int(r["id"]): expected(r) for r in rows}
zone = {int(r["id"]): r["zone"] for r in rows}
assert any(len(r["tags"].split(";")) < 3 for r in rows) and any(not r["tags"] for r in rows)


def check(records):
    """Compares the records with their rows, and returns the ids."""
    ids = []
    for r in records:
        words, some = np.asarray(r["words"]), np.asarray(r["some"])
        assert words.shape == (3,) and some.shape == (len(WORDS),), (words.shape, some.shape)
        id = int(np.asarray(r["id"]).reshape(-1)[0])
        assert (words.tolist(), some.tolist()) == want[id], (id, words, some, want[id])
        ids.append(id)
    return ids


def check_folds(read, fold):
    """Reads each fold. Training and validation of each round have every row of the folds once."""
    folds = [check(read(f"fold_{k}")) for k in range(3)]
    every = sorted(id for ids in folds for id in ids)
    assert len(set(every)) == len(every) and all(folds)
    for z in set(zone.values()):
        assert sum(zone[id] == z for id in folds[1]) == 5, "limit: 5 rows of each zone"
    assert len(every) > 80, len(every)
    for k in range(3):
        train, validation = fold(k)
        assert check(read(validation)) == folds[k]
        assert sorted(check(read(train)) + folds[k]) == every, k


def apart(batches):
    return [{k: v[i] for k, v in b.items()} for b in batches for i in range(len(b["id"]))]


if reader in ("numpy", "torch"):
    module = load("torch_reader")
    check_folds(module.Dataset, module.fold)
    check_folds(lambda split: apart(module.Dataset(split, batch_size=7)), module.fold)
    if reader == "torch":
        from torch.utils.data import DataLoader

        check_folds(lambda split: apart(DataLoader(module.Dataset(split), batch_size=7)), module.fold)
    else:
        assert "torch" not in sys.modules and "tensorflow" not in sys.modules
elif reader == "tensorflow":
    module = load("reader")
    check_folds(module.dataset, module.fold)
    check_folds(lambda split: apart(module.dataset(split, batch_size=7)), module.fold)
    import tensorflow_datasets as tfds

    builder = tfds.builder_from_directory(dataset)
    assert builder.info.features["words"].shape == (3,) and builder.info.features["some"].shape == (len(WORDS),)
    check_folds(lambda split: tfds.as_numpy(builder.as_dataset(split=split if isinstance(split, str) else "+".join(split))), module.fold)
else:
    module = load("reader")

    def read(split):
        pipeline = module.dali_pipeline(split, 1)
        pipeline.build()
        keys = list(module.FEATURES)
        return [{k: c.at(0) for k, c in zip(keys, pipeline.run())} for _ in range(pipeline.epoch_size("records"))]

    check_folds(read, module.fold)
