"""Reads the dataset example, version 1.0.0, with PyTorch, or with NumPy alone.

    import sys
    sys.path.append("DATASET/_tfr")
    import torch_reader
    from torch.utils.data import DataLoader

    for batch in DataLoader(torch_reader.Dataset("train", batch_size=32), batch_size=None, num_workers=2):
        ...

It needs neither TensorFlow nor, to be looped over by itself, PyTorch. tfr-build
wrote this file together with the dataset. It is found to be changed by tfr-build
verify: copy it to change it, and pass the directory.
"""

import gzip
import json
import multiprocessing
import os
import struct
import zlib
from multiprocessing.context import get_spawning_popen

import numpy as np

try:
    import torch
    import torch.distributed
    from torch.utils.data import IterableDataset, get_worker_info
except ImportError:
    torch, IterableDataset = None, object

    def get_worker_info():
        return None


DIRECTORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMPRESSION = ""

# What is read where a record has no value; of a text, the empty one.
MISSING = {"int64": np.int64(-(2**63)), "float": np.float32("nan")}

# What a record is where it is no message with features: string or bytes.
PAYLOAD = ""

# How a feature is stored, its dtype, its shape, in which -1 is any number, and
# whether a record may lack it. PyTorch gets uint16 as int32, uint32 and uint64 as
# int64, and bfloat16 as float32.
FEATURES = {
    "age": ("int64", "int64", [], True),
    "fine": ("int64", "bool", [-1], False),
    "id": ("int64", "int64", [], False),
    "label": ("int64", "int64", [], False),
    "name": ("bytes", "string", [], False),
    "pixels": ("raw", "uint8", [28, 28], False),
    "polygons": ("float", "float32", [-1, -1, 2], False),
    "vector": ("tensor", "float16", [-1, 3], True),
}

# The lists of a record, in their order, and whether it may lack one.
LISTS = {
    "age": ("int64", True),
    "fine": ("int64", False),
    "id": ("int64", False),
    "label": ("int64", False),
    "name": ("bytes", False),
    "pixels": ("bytes", False),
    "polygons/ragged_flat_values": ("float", False),
    "polygons/ragged_row_lengths_0": ("int64", False),
    "vector": ("bytes", True),
}


def _chosen(split, manifest, directory):
    """Returns what the manifest has of a split, or of several splits in their order."""
    names = [split] if isinstance(split, str) else list(split)
    splits = {s["name"]: s for s in manifest["splits"]}
    for name in names:
        if name not in splits:
            raise ValueError(f"{directory}: found the split {name!r}; expected one of {sorted(splits)}")
    if not names or len(set(names)) < len(names):
        raise ValueError(f"split: found {names}; expected at least one split, and each split once")
    return [splits[name] for name in names]

…


# The names of classes: the first has the number "first".
CLASSES = {
    "label": {
        "first": 0,
        "names": [
            "ant",
            "bee",
        ],
    },
}
