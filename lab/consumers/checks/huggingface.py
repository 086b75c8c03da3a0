"""Hugging Face datasets, which has no loader of TFRecord files: from_generator, over vahidk's reader."""

import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = os.path.join(os.path.abspath(sys.argv[1]), "huggingface")

import yardstick

check = yardstick.Check()
check.block()

import datasets
import tfrecord

datasets.disable_progress_bars()


def rows(paths):
    """The records as lists of values, whose types are the same in every row; None is no value."""
    for path in paths:
        for row in tfrecord.tfrecord_loader(path, None):
            yield {f: None if f not in row else [row[f]] if isinstance(row[f], bytes) else row[f].tolist() for f in columns}


KINDS = {"int": "int64", "float": "float32", "bytes": "binary"}
for dataset in yardstick.FEATURES:
    columns = datasets.Features({f: datasets.List(datasets.Value(KINDS[yardstick.kind(dataset, f)])) for f in yardstick.FEATURES[dataset]})
    read = {}
    for split in yardstick.splits(dataset):
        read[split] = list(datasets.Dataset.from_generator(rows, columns, gen_kwargs={"paths": yardstick.shards(dataset, split)}))
    check.rows(dataset, "from_generator", read, ordered=True)

check.done("datasets " + datasets.__version__)
