"""Imports the reader that tfr-build wrote into a dataset, for its features and its
version. No code of readers is here."""

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
        raise FileNotFoundError(f"{directory}: no _tfr/{name}; expected a dataset of tfr-build, of a format that {name} reads") from None
    return importlib.import_module(f"{_PREFIX}{os.fsencode(path).hex()}_{digest}")


class _Finder(importlib.abc.MetaPathFinder):
    """Finds a reader by its module's name, which holds the path: spawned workers of a
    DataLoader know no more than this name."""

    def find_spec(self, name, path=None, target=None):
        if not name.startswith(_PREFIX):
            return None
        encoded, _, _ = name[len(_PREFIX) :].partition("_")
        return importlib.util.spec_from_file_location(name, os.fsdecode(bytes.fromhex(encoded)))


sys.meta_path.append(_Finder())
