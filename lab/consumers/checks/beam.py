"""Apache Beam: ReadFromTFRecord and ReadAllFromTFRecord of patterns, on the runner in this process."""

import yardstick

check = yardstick.Check()
check.block()

import glob
import json
import logging

import apache_beam as beam
from tfrecord import example_pb2

logging.disable(logging.WARNING)


def values(record):
    """The Example in text: features by key, bytes by their hexadecimal digits."""
    row = {}
    for key, feature in example_pb2.Example.FromString(record).features.feature.items():
        read = feature.ListFields()[0][1].value
        row[key] = [v.hex() if isinstance(v, bytes) else v for v in read]
    return json.dumps(row)


def collect(name):
    """The rows that a pipeline wrote under the name."""
    rows = []
    for path in glob.glob(f"beam/{name}-?????-of-*"):
        with open(path) as f:
            for row in map(json.loads, f):
                rows.append({k: [bytes.fromhex(x) if isinstance(x, str) else x for x in v] for k, v in row.items()})
    return rows


with beam.Pipeline("DirectRunner") as pipeline:
    sources = {}
    for dataset in yardstick.FEATURES:
        for split in yardstick.splits(dataset):
            name = f"{dataset}-{split}"
            sources[name] = pipeline | name >> beam.io.ReadFromTFRecord(f"out/{dataset}/{split}-*")
    patterns = pipeline | beam.Create(["out/penguins/*-of-*"])
    sources["all"] = patterns | beam.io.ReadAllFromTFRecord()
    for name, records in sources.items():
        records | f"values of {name}" >> beam.Map(values) | f"write {name}" >> beam.io.WriteToText(f"beam/{name}", num_shards=1)

for dataset in yardstick.FEATURES:
    check.rows(dataset, "ReadFromTFRecord", {split: collect(f"{dataset}-{split}") for split in yardstick.splits(dataset)})
check.rows("penguins", "ReadAllFromTFRecord", {"all": collect("all")})

check.done("apache-beam " + beam.__version__)
