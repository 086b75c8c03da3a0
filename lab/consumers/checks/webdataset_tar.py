"""WebDataset: archives in sequence, as they are and decoded; and a training step from each batch of a DataLoader."""

import samples
import yardstick

check = yardstick.Check()

import importlib.metadata

import torch
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
stream = webdataset.WebDataset(samples.shards("photos", "train"), shardshuffle=10).shuffle(5).map(samples.row)
samples.train(check, "DataLoader", torch.utils.data.DataLoader(stream, batch_size=4, num_workers=2, collate_fn=list))
check.done("webdataset " + importlib.metadata.version("webdataset"))
