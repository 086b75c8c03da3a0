"""vahidk's tfrecord without torch: tfrecord_loader and multi_tfrecord_loader, with index files where there are some."""

import yardstick

check = yardstick.Check()
check.block()

import importlib.metadata
import pathlib
import sys

import tfrecord

KINDS = {"int": "int", "float": "float", "bytes": "byte"}

for dataset in yardstick.FEATURES:
    rows, multi = {}, {}
    always = {f: KINDS[yardstick.kind(dataset, f)] for f in yardstick.FEATURES[dataset] if yardstick.number(dataset, f) != "?"}
    for split in yardstick.splits(dataset):
        rows[split] = [row for shard in yardstick.shards(dataset, split) for row in tfrecord.tfrecord_loader(shard, None)]
        names = {pathlib.Path(shard).name: 1.0 for shard in yardstick.shards(dataset, split)}
        multi[split] = list(tfrecord.multi_tfrecord_loader(f"out/{dataset}/{{}}", None, names, always, infinite=False))
    check.rows(dataset, "tfrecord_loader", rows, ordered=True)
    check.rows(dataset, "multi_tfrecord_loader", multi, only=always)

check.equal("no torch", "torch" in sys.modules, False)
check.done("tfrecord " + importlib.metadata.version("tfrecord"))
