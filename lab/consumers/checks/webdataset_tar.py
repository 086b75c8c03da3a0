"""WebDataset: archives in sequence, as they are and decoded, without torch."""

import samples
import yardstick

check = yardstick.Check()

import importlib.metadata

import webdataset

for dataset in yardstick.FEATURES:
    for how in ("bytes", "decode()"):
        read = {}
        for split in samples.splits(dataset):
            stream = webdataset.WebDataset(samples.shards(dataset, split), shardshuffle=False)
            if how == "decode()":
                stream = stream.decode()
            read[split] = [samples.row(sample) for sample in stream]
        check.rows(dataset, how, read, ordered=True)
check.done("webdataset " + importlib.metadata.version("webdataset"))
