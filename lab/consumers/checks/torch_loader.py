"""PyTorch: torch_reader.py, which stands in the dataset, in a DataLoader with workers and without."""

import yardstick

check = yardstick.Check()
check.block()

import importlib.util

import torch
from torch.utils.data import DataLoader

# What stands in the place of a value that is not there: a text is an empty one.
MISSING = yardstick.MISSING


def rows_of(batches):
    """The rows of batches, which are dicts of tensors, arrays and lists."""
    for batch in batches:
        for i in range(len(next(iter(batch.values())))):
            yield {feature: values[i] for feature, values in batch.items()}


for dataset in yardstick.FEATURES:
    spec = importlib.util.spec_from_file_location(dataset, f"out/{dataset}/_tfr/torch_reader.py")
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    one, many, ranks = {}, {}, {}
    for split in yardstick.splits(dataset):
        one[split] = list(reader.Dataset(split))
        loader = DataLoader(reader.Dataset(split, batch_size=4, shuffle=True), batch_size=None, num_workers=2, collate_fn=lambda batch: batch)
        many[split] = list(rows_of(loader))
        ranks[split] = [row for rank in range(3) for row in reader.Dataset(split, rank=rank, world_size=3)]
    check.rows(dataset, "record by record", one, missing=MISSING, ordered=True)
    check.rows(dataset, "batches of two workers", many, missing=MISSING)
    check.rows(dataset, "three ranks", ranks, missing=MISSING, ordered=True)

check.done("torch " + torch.__version__)
