"""Hugging Face datasets: load_dataset("webdataset") of the archives."""

import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = os.path.join(os.path.abspath(sys.argv[1]), "huggingface")

import samples
import yardstick

check = yardstick.Check()

import datasets

datasets.disable_progress_bars()
for dataset in yardstick.FEATURES:
    files = {split: samples.shards(dataset, split) for split in samples.splits(dataset)}
    loaded = datasets.load_dataset("webdataset", data_files=files, split=None)
    if dataset == "photos":
        loaded = loaded.cast_column("jpg", datasets.Image(decode=False))
    rows = {split: [samples.row(dict(row, jpg=row["jpg"]["bytes"]) if "jpg" in row else row) for row in loaded[split]] for split in loaded}
    check.rows(dataset, "load_dataset", rows, ordered=True)
check.done("datasets " + datasets.__version__)
