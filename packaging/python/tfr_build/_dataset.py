"""Imports the reader that tfr-build wrote into a dataset. It was generated for the features
and files of that dataset, so no code of readers is here."""

import hashlib
import importlib
import importlib.abc
import importlib.util
import os
import sys

_PREFIX = "tfr_build._reader_"


def load(directory, name):
    """Returns the reader of a dataset as a module; a changed reader is another module."""
    path = os.path.join(os.path.abspath(directory), "_tfr", name)
    try:
        with open(path, "rb") as f:
            digest = hashlib.sha256(f.read()).hexdigest()[:16]
    except FileNotFoundError:
        raise FileNotFoundError(_missing(directory, name)) from None
    return importlib.import_module(f"{_PREFIX}{os.fsencode(path).hex()}_{digest}")


def _missing(directory, name):
    """Says why a directory has no reader."""
    if not os.path.isdir(directory):
        return f"{directory}: no such directory"
    if not os.path.exists(os.path.join(directory, "_tfr", "manifest.json")):
        return f"{directory}: not a dataset of tfr-build: it has no _tfr/manifest.json"
    if name == "torch_reader.py":
        return (
            f"{directory}: no _tfr/{name}: it exists for TFRecord files of tf.train.Example, strings, and bytes; use tfr_build.reader, "
            "or build the dataset with format: tfrecord and record: example"
        )
    return f"{directory}: no _tfr/{name}; tfr-build verify {directory} compares the files with the manifest"


class _Finder(importlib.abc.MetaPathFinder):
    """Finds a reader by its module's name, which holds the path: spawned workers of a
    DataLoader know no more than this name."""

    def find_spec(self, name, path=None, target=None):
        if not name.startswith(_PREFIX):
            return None
        encoded, _, _ = name[len(_PREFIX) :].partition("_")
        return importlib.util.spec_from_file_location(name, os.fsdecode(bytes.fromhex(encoded)))


sys.meta_path.append(_Finder())
