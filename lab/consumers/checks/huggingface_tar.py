"""Hugging Face datasets: load_dataset("webdataset") of the archives, and training steps from it."""

import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = os.path.join(os.path.abspath(sys.argv[1]), "huggingface")

import samples
import yardstick

check = yardstick.Check()

import datasets
import torch

datasets.disable_progress_bars()


def found(row):
    """A row of a table, in which an image is a struct."""
    return samples.row(dict(row, jpg=row["jpg"]["bytes"]) if "jpg" in row else row)


for dataset in yardstick.FEATURES:
    files = {split: samples.shards(dataset, split) for split in samples.splits(dataset)}
    loaded = datasets.load_dataset("webdataset", data_files=files, split=None)
    if dataset == "photos":
        loaded = loaded.cast_column("jpg", datasets.Image(decode=False))
    rows = {split: [found(row) for row in loaded[split]] for split in loaded}
    check.rows(dataset, "load_dataset", rows, ordered=True)
photos = loaded["train"]  # of the last dataset
for how, source in (("map-style", photos.shuffle(seed=1)), ("iterable", photos.to_iterable_dataset().shuffle(seed=1, buffer_size=5))):
    batches = torch.utils.data.DataLoader(source, batch_size=4, collate_fn=lambda rows: [found(row) for row in rows])
    samples.train(check, how, batches)
check.done("datasets " + datasets.__version__)
