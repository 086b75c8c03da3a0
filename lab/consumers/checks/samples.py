"""The samples of WebDataset archives as rows, for the checks of programs that read them."""

import json

import yardstick


def shards(dataset, split):
    """The archives of a split, in order."""
    manifest = json.loads((yardstick.pathlib.Path("out/samples") / dataset / "_tfr/manifest.json").read_text())
    return [f"out/samples/{dataset}/{s['name']}" for one in manifest["splits"] if one["name"] == split for s in one["shards"]]


def splits(dataset):
    """The names of the splits."""
    manifest = json.loads((yardstick.pathlib.Path("out/samples") / dataset / "_tfr/manifest.json").read_text())
    return [one["name"] for one in manifest["splits"]]


def row(sample):
    """The features of a sample: the members, and those in json, which may be decoded already."""
    document = sample["json"]
    if not isinstance(document, dict):
        document = json.loads(document)
    found = dict(document)
    if sample.get("jpg") is not None:
        found["image"] = bytes(sample["jpg"])
    return found
