"""Megatron Energon: datasets of archives that tfr-build has prepared; training, and what needs more than was prepared."""

import os
import pathlib
import shutil
import subprocess
import sys

import samples
import yardstick

check = yardstick.Check()

from megatron import energon

ALONE = energon.WorkerConfig(rank=0, world_size=1, num_workers=0)


@energon.stateless
def row(sample):
    """A sample as a row."""
    return samples.row(sample)


class Rows(energon.DefaultTaskEncoder):
    decoder = None  # the bytes of members
    cookers = [energon.Cooker(row)]


for dataset in yardstick.FEATURES:
    rows = {}
    for split in samples.splits(dataset):
        opened = energon.get_val_dataset(
            f"out/samples/{dataset}", split_part=split, worker_config=ALONE, batch_size=None, task_encoder=Rows()
        )
        rows[split] = list(energon.get_loader(opened))
    check.rows(dataset, "get_val_dataset", rows, ordered=True)


@energon.stateless
def kept(sample, other=None):
    """A sample as a row, with what Energon needs to restore it. A store of others has the same photo."""
    if other is not None:
        assert other[sample["__key__"] + ".jpg"][0] == sample["jpg"]
    return dict(energon.basic_sample_keys(sample), row=samples.row(sample))


class Batches(energon.DefaultTaskEncoder):
    decoder = None
    cookers = [energon.Cooker(kept)]

    def batch(self, rows):
        return [one["row"] for one in rows]


def loader(path, **options):
    """Shuffled batches of the split train."""
    opened = energon.get_train_dataset(
        path, worker_config=ALONE, batch_size=4, shuffle_buffer_size=8, max_samples_per_sequence=3, task_encoder=Batches(), **options
    )
    return energon.get_savable_loader(opened)


samples.train(check, "get_train_dataset", loader("out/samples/photos", repeat=False))

# A loader goes on where another one has stopped: it reads single samples by the indexes of the shards.
first = loader("out/samples/photos")
batches = iter(first)
next(batches)
state = first.save_state_rank()
again = loader("out/samples/photos")
again.restore_state_rank(state)
check.equal("the batch after a restored state", next(iter(again)), next(batches))


def joined(left, right):
    """A sample of two datasets, which have the same photos."""
    assert left["jpg"] == right["jpg"]
    return kept(right)


# Joins and auxiliary data need a database of the keys. `energon prepare --tar-index-only` adds it, and nothing else changes.
dataset = pathlib.Path("photos")
shutil.copytree("out/samples/photos", dataset)
prepared = {path: path.read_bytes() for path in dataset.rglob("*") if path.is_file()}
head = "__module__: megatron.energon\n__class__: MetadatasetV2\nsplits:\n  train:\n"
OTHERS = {
    "join.yaml": head + "    join: {left: {path: photos}, right: {path: photos}}\n    joiner: {__module__: __main__, __function__: joined}\n",
    "aux.yaml": head + "    path: photos\n    aux: {other: photos}\n",
}
for name, text in OTHERS.items():
    pathlib.Path(name).write_text(text)
    try:
        loader(name)
        check.fail(name, "it needs no index.sqlite; docs/tools/energon.md says so")
    except (FileNotFoundError, AssertionError) as error:
        check.equal(f"{name} names what is missing", "prepare" in str(error), True)
tool = [os.path.join(os.path.dirname(sys.executable), "energon"), "prepare", "--no-progress"]
subprocess.run(tool + ["--tar-index-only", "photos"], check=True, stdout=sys.stderr)
now = {path: path.read_bytes() for path in dataset.rglob("*") if path.is_file()}
check.equal("files that prepare adds", sorted(path.name for path in set(now) - set(prepared)), ["index.sqlite", "index.uuid"])
check.equal("files that prepare changes", [path for path in prepared if now[path] != prepared[path]], [])
subprocess.run(tool + ["join.yaml"], check=True, stdout=sys.stderr, env=dict(os.environ, PYTHONPATH="."))
for name in OTHERS:
    samples.train(check, name, loader(name, repeat=False))

check.done("megatron-energon " + energon.__version__)
