"""Reads a dataset with PyTorch, or with NumPy alone.

from tfr_build import torch

for record in torch.load("out/penguins").Dataset("train"):
    ...
"""

from tfr_build import _dataset


def load(directory):
    """Returns the module _tfr/torch_reader.py of a dataset, which runs code from there."""
    return _dataset.load(directory, "torch_reader.py")
