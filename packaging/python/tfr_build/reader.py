"""Reads a dataset with TensorFlow.

from tfr_build import reader

for example in reader.load("out/penguins").dataset("train"):
    ...
"""

from tfr_build import _dataset


def load(directory):
    """Returns the module _tfr/reader.py of a dataset, which runs code from there."""
    return _dataset.load(directory, "reader.py")
