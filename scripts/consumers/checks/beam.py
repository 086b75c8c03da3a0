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


def read(name, source):
    """What a pipeline reads, by way of a file."""
    with beam.Pipeline("DirectRunner") as pipeline:
        source(pipeline) | beam.Map(values) | beam.io.WriteToText(f"beam/{name}", num_shards=1)
    for path in glob.glob(f"beam/{name}-*"):
        with open(path) as f:
            for row in map(json.loads, f):
                yield {k: [bytes.fromhex(x) if isinstance(x, str) else x for x in v] for k, v in row.items()}


for dataset in yardstick.FEATURES:
    rows = {}
    for split in yardstick.splits(dataset):
        rows[split] = list(read(f"{dataset}-{split}", lambda p: p | beam.io.ReadFromTFRecord(f"out/{dataset}/{split}-*")))
    check.rows(dataset, "ReadFromTFRecord", rows)

patterns = ["out/penguins/*-of-*"]
rows = {"all": list(read("all", lambda p: p | beam.Create(patterns) | beam.io.ReadAllFromTFRecord()))}
check.rows("penguins", "ReadAllFromTFRecord", rows)

check.done("apache-beam " + beam.__version__)
