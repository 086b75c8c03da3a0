"""Megatron Energon: the samples of WebDataset shards, which tfr-build reads, too."""

import yardstick

yardstick.FEATURES["webdataset"] = {"key": "bytes 1", "image": "bytes 1", "label": "int 1", "caption": "bytes ?"}
check = yardstick.Check()

import json
import os
import subprocess
import sys

from megatron import energon


def samples():
    """The rows of the sources: every third photo has no caption."""
    rows = []
    for i, row in enumerate(yardstick.photos()[None]):
        row = {"key": [b"%04d" % i], "image": row["image"], "label": row["label"]}
        if i % 3:
            row["caption"] = [f"Straße {i}".encode()]
        rows.append(row)
    return {"train": rows}


@energon.stateless
def row(sample):
    """A sample as a row: its key is the name of the shard and that of the members."""
    caption = json.loads(sample["json"]).get("caption")
    return {
        "key": sample["__key__"].split("/")[-1],
        "image": sample["jpg"],
        "label": int(sample["cls"]),
        "caption": caption,
    }


yardstick.SOURCES["webdataset"] = samples
prepare = [os.path.join(os.path.dirname(sys.executable), "energon"), "prepare", "shards", "--non-interactive", "--no-progress"]
subprocess.run(prepare + ["--split-parts", "train:{000..002}.tar", "--sample-type", "CrudeWebdataset"], check=True, stdout=sys.stderr)


class Rows(energon.DefaultTaskEncoder):
    decoder = None  # the bytes of members
    cookers = [energon.Cooker(row)]


dataset = energon.get_val_dataset(
    "shards",
    split_part="train",
    worker_config=energon.WorkerConfig(rank=0, world_size=1, num_workers=0),
    batch_size=None,
    task_encoder=Rows(),
)
check.rows("webdataset", "get_val_dataset", {"train": list(energon.get_loader(dataset))}, ordered=True)
check.done("megatron-energon " + energon.__version__)
