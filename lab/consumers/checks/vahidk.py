"""vahidk's tfrecord without torch: tfrecord_loader and multi_tfrecord_loader, and by halves with the index files."""

import yardstick

check = yardstick.Check()
check.block()

import importlib.metadata
import pathlib
import sys

import tfrecord

KINDS = {"int": "int", "float": "float", "bytes": "byte"}

for dataset in yardstick.FEATURES:
    rows, multi, parts = {}, {}, {}
    always = {f: KINDS[yardstick.kind(dataset, f)] for f in yardstick.FEATURES[dataset] if yardstick.number(dataset, f) != "?"}
    for split in yardstick.splits(dataset):
        rows[split] = [row for shard in yardstick.shards(dataset, split) for row in tfrecord.tfrecord_loader(shard, None)]
        names = {pathlib.Path(shard).name: 1.0 for shard in yardstick.shards(dataset, split)}
        multi[split] = list(tfrecord.multi_tfrecord_loader(f"out/{dataset}/{{}}", None, names, always, infinite=False))
        indexed = [(shard, f"out/{dataset}/_tfr/index/{pathlib.Path(shard).name}.idx") for shard in yardstick.shards(dataset, split)]
        parts[split] = [row for shard, index in indexed for i in range(2) for row in tfrecord.tfrecord_loader(shard, index, shard=(i, 2))]
    check.rows(dataset, "tfrecord_loader, halves by the index", parts, ordered=True)
    check.rows(dataset, "tfrecord_loader", rows, ordered=True)
    check.rows(dataset, "multi_tfrecord_loader", multi, only=always)

check.equal("no torch", "torch" in sys.modules, False)
check.done("tfrecord " + importlib.metadata.version("tfrecord"))
