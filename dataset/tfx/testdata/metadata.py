"""Reads schemas and statistics with tensorflow_metadata.

Each argument is a directory that holds schema.pbtxt, statistics.pbtxt and what they
must have, expected.json.
"""

import json
import os
import sys

from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2

faults = 0


def check(ok, *what):
    global faults
    if not ok:
        faults += 1
        print("FAULT:", *what)


def read(path, message):
    with open(path, encoding="utf-8") as f:
        return text_format.Parse(f.read(), message)


for directory in sys.argv[1:]:
    with open(os.path.join(directory, "expected.json"), encoding="utf-8") as f:
        want = json.load(f)
    schema = read(os.path.join(directory, "schema.pbtxt"), schema_pb2.Schema())
    stats = read(os.path.join(directory, "statistics.pbtxt"), statistics_pb2.DatasetFeatureStatisticsList())
    names = [f.name for f in schema.feature]
    check(names == want["features"], directory, "features", names)
    tensors = schema.tensor_representation_group[""].tensor_representation
    check(len(tensors) == want["tensors"], directory, "tensors", len(tensors))
    check(all(t.WhichOneof("kind") for t in tensors.values()), directory, "a tensor is of no kind")
    splits = [d.name for d in stats.datasets]
    check(splits == want["splits"], directory, "splits", splits)
    for split in stats.datasets:
        check(bool(split.features) == (split.num_examples > 0), directory, split.name, len(split.features))
        check(all(f.WhichOneof("stats") and f.path.step for f in split.features), directory, split.name, "has no statistics")
    if want["top"]:
        domain = {d.name: list(d.value) for d in schema.string_domain}
        tops = {f.path.step[-1]: [v.value for v in f.string_stats.top_values] for f in stats.datasets[0].features}
        check(want["top"] in tops["island"], directory, tops["island"])
        check(not domain or want["top"] in domain["island"], directory, domain)
    print(directory, len(names), "features are read")
if faults:
    sys.exit(f"{faults} faults")
