"""Reads the penguins with a reader of the package tfr_build, for scripts/packages."""

import json
import os
import sys

kind, directory = sys.argv[1:]


def torch_records(split):
    """Returns the records that Dataset gives, in this process."""
    from tfr_build import torch

    return list(torch.load(directory).Dataset(split))


def worker_records(split):
    """Returns the records that workers of a DataLoader give, which are started anew."""
    from torch.utils.data import DataLoader

    from tfr_build import torch

    dataset = torch.load(directory).Dataset(split)
    return list(DataLoader(dataset, batch_size=None, num_workers=1, multiprocessing_context="spawn"))


def tensorflow_records(split):
    """Returns the records that dataset gives, as NumPy."""
    from tfr_build import reader

    return list(reader.load(directory).dataset(split).as_numpy_iterator())


def main():
    read = {"torch": torch_records, "torch-workers": worker_records, "reader": tensorflow_records}[kind]
    with open(os.path.join(directory, "_tfr", "manifest.json"), encoding="utf-8") as f:
        splits = {s["name"]: s["records"] for s in json.load(f)["splits"]}
    if kind == "torch-workers":
        splits = {"test": splits["test"]}
    records = {name: read(name) for name in splits}
    found = {name: len(some) for name, some in records.items()}
    species = {int(r["species"]) for some in records.values() for r in some}
    if found != splits or species != {0, 1, 2}:
        sys.exit(f"{kind}: found {found} records of the species {species}; expected {splits} of 0, 1, and 2")


if __name__ == "__main__":
    main()
