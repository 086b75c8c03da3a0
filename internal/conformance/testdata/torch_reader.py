"""Reads datasets by their torch_reader.py, and holds them against the rows.

The first argument is the folder that holds rows.jsonl, table.csv and the datasets.
With "torch" as the second, PyTorch's DataLoader reads them, too. What a value should
be is worked out here from the text of its number, exactly.
"""

import base64
import copy
import csv
import importlib.util
import json
import os
import pickle
import shutil
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np

folder = sys.argv[1]
BITS = {"float16": np.uint16, "float32": np.uint32, "float64": np.uint64}
GIVEN = {"uint16": "int32", "uint32": "int64", "uint64": "int64", "bfloat16": "float32"}


def load(name):
    spec = importlib.util.spec_from_file_location("dataset_" + name, os.path.join(folder, name, "_tfr", "torch_reader.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def values(name):
    """Returns a function from bits to numbers of a type, and its bits of infinity."""
    if name == "bfloat16":
        return lambda bits: np.array(bits << 16, np.uint32).view(np.float32), 0x7F80
    dtype, bits = np.dtype(name), BITS[name]
    return lambda b: np.array(b, bits).view(dtype), int(np.array(np.inf, dtype).view(bits))


def nearest(text, name):
    """Returns the number of that type which is nearest to the text, of two the even one."""
    (value, infinite), exact = values(name), abs(Fraction(text))
    low, high = 0, infinite - 1
    while low < high:  # the last pattern whose value is not above
        middle = (low + high + 1) // 2
        low, high = (middle, high) if Fraction(float(value(middle))) <= exact else (low, middle - 1)
    pattern = min((abs(Fraction(float(value(p))) - exact), p % 2, p) for p in (low, low + 1) if p < infinite)[2]
    return -value(pattern) if text.startswith("-") else value(pattern)


def number(text, name):
    if name == "bool":
        return text
    return nearest(text, name) if "float" in name else int(text)


def array(value, name):
    convert = lambda v: [convert(x) for x in v] if isinstance(v, list) else number(v, name)
    return np.array(convert(value), GIVEN.get(name, name))


def ragged(value, dtype, rank):
    return [ragged(v, dtype, rank - 1) if rank > 1 else array(v, dtype) for v in value]


def text_array(value):
    out = np.empty(np.shape(value), object)
    out[...] = np.array(value, object) if np.size(value) else out
    return out


with open(os.path.join(folder, "rows.jsonl"), encoding="utf-8") as f:
    rows = [json.loads(line, parse_int=str, parse_float=str) for line in f]


def expected(row):
    """Yields the key and the value of each feature."""
    yield "id", array(row["id"], "int64")
    yield "small", array(row["i0"], "uint8")
    yield "double", array(row["f0"], "float32")
    yield "flags", array(row["b1"], "bool")
    yield "text", row["text"]
    yield "blob", base64.b64decode(row["blob"])
    yield "words", text_array([w.encode() for w in row["words"]])
    yield "poly", ragged(row["poly"], "float32", 1)
    yield "deep", ragged(row["deep"], "int16", 2)
    yield "boxes", array(row["boxes"], "float32").reshape([-1, 4])
    yield "yes", array("1" if row["answer"] == "yes" else "0", "int64")
    yield "label", array(row["label"], "int64")
    yield "tip", array(row["tip"], "float32") if "tip" in row else np.array(np.nan, "float32")
    yield "tensor/text/0", text_array(row["text"])
    yield "tensor/text/1", text_array(row["words"])
    yield "tensor/text/2", text_array([[w.encode() for w in p] for p in row["pair"]])
    shapes = [[], [-1], [2, 3], [-1, 2], [1, 2, 1, 2]]
    for name, letter in [*((n, "i") for n in "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()), ("bool", "b"),
                         *((n, "f") for n in "float16 bfloat16 float32 float64".split())]:  # fmt: skip
        for of in ("tensor", "raw"):
            for i, shape in enumerate(shapes):
                yield f"{of}/{name}/{i}", array(row[f"{letter}{i}"], name).reshape(shape)
            if name != "uint64":
                yield f"{of}/{name}/ends", array(row["ends"][name], name)


def same(got, want):
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(same, got, want))
    if isinstance(want, (str, bytes)):
        return type(got) is type(want) and got == want
    if hasattr(got, "numpy"):
        got = got.numpy()
    if want.dtype == object:
        return got.shape == want.shape and got.tolist() == want.tolist()
    return got.dtype == want.dtype and got.shape == want.shape and np.array_equal(got, want, equal_nan=want.dtype.kind == "f")


def check_values(name, found):
    found = list(found)
    assert len(found) == len(rows), (name, len(found))
    for got, want in zip(found, wanted):
        assert got.keys() == want.keys(), got.keys() ^ want.keys()
        for key in want:
            assert same(got[key], want[key]), (name, key, got[key], want[key])


def apart(batch):
    """Returns the records of a batch."""
    return [dict(zip(batch, values)) for values in zip(*batch.values())]


def plain(record):
    return tuple((k, tuple(v.tolist()) if getattr(v, "ndim", 0) else repr(v.item()) if hasattr(v, "item") else v) for k, v in record.items())


wanted = [dict(expected(row)) for row in rows]


def check_types():
    for name in ("none", "gzip", "zlib"):
        module = load(name)
        check_values(name, module.Dataset("train"))
        check_values(name, (r for b in module.Dataset("train", batch_size=7, check="payloads") for r in apart(b)))
    walk, module._walk = module._walk, lambda *_: None
    check_values("one by one", module.Dataset("train"))
    module._walk = walk
    moved = os.path.join(folder, "moved", "none")
    shutil.move(os.path.join(folder, "none"), moved)
    check_values("moved", load(os.path.join("moved", "none")).Dataset("train"))
    texts = [row["text"] for row in rows]
    assert [r["string"] for r in load("text").Dataset("train")] == texts
    assert [v for b in load("bytes").Dataset("train", batch_size=3) for v in b["bytes"]] == [t.encode() for t in texts]
    refused(lambda: list(load("large").Dataset("train")), "feature 'n': found 18446744073709551615; expected at most")


def refused(do, *what):
    try:
        do()
    except (ValueError, EOFError) as e:
        assert all(w in str(e) for w in what), e
        return
    raise AssertionError("nothing was refused: " + str(what))


def table_rows():
    for row in csv.DictReader(open(os.path.join(folder, "table.csv"), encoding="utf-8", newline="")):
        tip = nearest(row["tip"], "float32") if row["tip"] != "NA" else np.float32("nan")
        yield plain({
            "distance": np.array(nearest(row["distance"], "float32")), "id": np.int64(row["id"]), "note": row["note"],
            "paid": np.bool_(row["paid"] == "true"), "tags": text_array(row["tags"].split(";") if row["tags"] else []),
            "tip": np.array(tip), "vendor": np.int64(sorted(["CMT", "VTS", "DDS"]).index(row["vendor"])),
        })  # fmt: skip


def as_worker(id, workers):
    table.get_worker_info = lambda: SimpleNamespace(id=id, num_workers=workers) if workers else None


def check_shares():
    """Workers of ranks have every record once, equally many but for one."""
    want = sorted(table_rows())
    assert sorted(plain(r) for r in table.Dataset("train")) == want
    for how in ({}, {"shuffle": 16}, {"batch_size": 7, "shuffle": True}):
        for world in (1, 2):
            for workers in (0, 1, 3):
                found = []
                for rank in range(world):
                    dataset = table.Dataset("train", rank=rank, world_size=world, **how)
                    dataset.set_epoch(3)
                    for worker in range(max(1, workers)):
                        as_worker(worker, workers)
                        records = [apart(r) if "batch_size" in how else [r] for r in dataset]
                        found.append([plain(r) for rs in records for r in rs])
                assert sorted(r for f in found for r in f) == want, (how, world, workers)
                assert max(map(len, found)) - min(map(len, found)) <= 1
    as_worker(2, 3)
    for n in (None, 5):
        sizes = {len(list(table.Dataset("train", rank=r, world_size=2, batch_size=n, drop_last=True))) for r in (0, 1)}
        assert sizes == {16 if n is None else 3}, sizes
    as_worker(0, 0)


def items(dataset):
    return [[plain(r) for r in (apart(i) if dataset.batch_size else [i])] for i in dataset]


def check_positions():
    """What is continued is what was not interrupted."""
    as_worker(1, 3)
    orders = set()
    for epoch in (0, 1):
        for how in ({}, {"batch_size": 4}, {"shuffle": 10}, {"shuffle": 10, "batch_size": 4}):
            make = lambda: table.Dataset("train", seed=5, **how)
            whole = make()
            whole.set_epoch(epoch)
            want = items(whole)
            assert items(whole) == want, "another order in the same epoch"
            orders.add(str([r for i in want for r in i]))
            for stop in (0, 1, len(want) // 2, len(want) - 1, len(want)):
                first, again = make(), make()
                first.set_epoch(epoch)
                at = iter(first)
                head = [next(at) for _ in range(stop)]
                again.load_state_dict(json.loads(json.dumps(first.state_dict())))
                assert items(again) == want[stop:], (how, stop, len(head))
                assert items(again) == want, "the next loop does not begin anew"
    assert len(orders) == 3, len(orders)
    state = first.state_dict()
    as_worker(0, 2)
    again.load_state_dict(state)
    refused(lambda: iter(again), "found share 1 of 3; expected 0 of 2")
    refused(lambda: table.Dataset("train", seed=6).load_state_dict(state), "found seed 5; expected 6")
    as_worker(0, 0)


def check_epochs():
    """A loop stays in its epoch, and a copy has an epoch of its own."""
    first = table.Dataset("train", seed=5, shuffle=10)
    first.set_epoch(1)
    want, at = items(first), iter(first)
    head = [[plain(next(at))] for _ in range(40)]
    first.set_epoch(2)
    state = first.state_dict()
    assert state["epoch"] == 1 and state["next"] == 40 and first.epoch == 2
    assert head + [[plain(r)] for r in at] == want, "the epoch changed within a loop"
    assert first.state_dict()["epoch"] == 2
    sys.modules[table.__name__] = table  # where pickle finds it
    for second in (copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        second.set_epoch(1)
        assert first.epoch == 2 and items(second) == want


def check_splits():
    """Several splits are one dataset, one split after the other."""
    splits = load("splits")
    alone = {name: items(splits.Dataset(name)) for name in ("train", "validation", "test")}
    assert all(alone.values())
    assert items(splits.Dataset(["test", "train"])) == alone["test"] + alone["train"]
    both = splits.Dataset(("train", "validation"), shuffle=64)
    assert items(both) != alone["train"] + alone["validation"] and sorted(items(both)) == sorted(alone["train"] + alone["validation"])
    again = splits.Dataset(["train", "validation"], shuffle=64)
    again.load_state_dict(json.loads(json.dumps(both.state_dict())))
    assert items(again) == items(both)
    refused(lambda: splits.Dataset("train").load_state_dict(both.state_dict()), "found split ['train', 'validation']; expected 'train'")
    refused(lambda: splits.Dataset(["train", "tests"]), "'tests'", "['test', 'train', 'validation']")
    refused(lambda: splits.Dataset(["train", "train"]), "found ['train', 'train']", "each split once")
    refused(lambda: splits.Dataset([]), "found []", "at least one")


def check_damage():
    path, _ = table.shards("train")[1]
    with open(path, "rb") as f:
        whole = f.read()
    second = 16 + int.from_bytes(whole[:8], "little")

    def with_bytes(data, **how):
        with open(path, "wb") as f:
            f.write(data)
        try:
            list(table.Dataset("train", **how))
        finally:
            with open(path, "wb") as f:
                f.write(whole)

    changed = lambda i: whole[:i] + bytes([whole[i] ^ 64]) + whole[i + 1 :]
    with_bytes(whole, check="payloads")
    refused(lambda: with_bytes(changed(second + 6)), path, "record 1", "checksum", "length")
    refused(lambda: with_bytes(changed(second + 6), check=False), path, "record 1", "ends within")
    refused(lambda: with_bytes(changed(second + 40), check="payloads"), path, "record 1", "checksum", "payload")
    refused(lambda: with_bytes(whole[:-3]), path, "ends within")
    refused(lambda: with_bytes(whole[:second]), path, "found 1 records")
    refused(lambda: with_bytes(changed(second + 12)), path, "record 1", "'distance': found 0 values")
    refused(lambda: with_bytes(changed(second + 13)), path, "record 1", "not a tf.train.Example")
    refused(lambda: table.Dataset("trains"), "'trains'", "['train']")
    refused(lambda: table.Dataset("train", rank=2, world_size=2), "found 2 of world_size 2")
    refused(lambda: table.Dataset("train", decode={"x": len}), "found ['x']")


def check_decode():
    notes = [r["note"] for r in table.Dataset("train")]
    assert [r["note"] for r in table.Dataset("train", decode={"note": len})] == [len(n) for n in notes]
    batch = next(iter(table.Dataset("train", batch_size=9, decode={"note": lambda n: np.full(2, len(n))})))
    assert batch["note"].tolist() == [[len(n)] * 2 for n in notes[:9]]


def check_loaders():
    import torch.utils.data
    from torch.utils.data import DataLoader

    table.get_worker_info = torch.utils.data.get_worker_info
    want = sorted(table_rows())
    for workers in (0, 1, 3):
        found = []
        for rank in (0, 1):
            dataset = table.Dataset("train", rank=rank, world_size=2, shuffle=16, batch_size=8)
            for batch in DataLoader(dataset, batch_size=None, num_workers=workers):
                assert batch["distance"].dtype is torch.float32 and batch["paid"].dtype is torch.bool and torch.is_tensor(batch["id"])
                found += [plain(r) for r in apart(batch)]
        assert sorted(found) == want, workers
    batch = next(iter(DataLoader(table.Dataset("train", decode={"tags": len}), batch_size=6)))
    assert torch.is_tensor(batch["tip"]) and len(batch["note"]) == 6 and batch["tags"].shape == (6,)
    for record in DataLoader(load("gzip").Dataset("train"), batch_size=None):
        assert torch.is_tensor(record["raw/uint16/2"]) and record["raw/bfloat16/0"].dtype is torch.float32


def check_persistent():
    """set_epoch reaches workers that run already, however they are started."""
    from torch.utils.data import DataLoader

    sys.path.insert(0, os.path.join(folder, "table", "_tfr"))
    import torch_reader

    def orders(**how):
        dataset = torch_reader.Dataset("train", shuffle=16)
        loader, found = DataLoader(dataset, batch_size=None, num_workers=2, **how), []
        for epoch in (4, 7):
            dataset.set_epoch(epoch)
            found.append([int(r["id"]) for r in loader])
        return found

    want = orders()
    assert want[0] != want[1] and sorted(want[0]) == sorted(want[1]) and len(set(want[0])) == 100
    for method in ("fork", "spawn"):
        assert orders(persistent_workers=True, multiprocessing_context=method) == want, method


table = load("table")
if __name__ == "__main__":  # and not in a worker that is spawned
    check_types()
    check_shares()
    check_positions()
    check_epochs()
    check_splits()
    check_damage()
    check_decode()
    if sys.argv[2:]:
        check_loaders()
        check_persistent()
    assert "tensorflow" not in sys.modules
