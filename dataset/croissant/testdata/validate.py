"""Validates Croissant files with mlcroissant.

    python validate.py FILE…

Each must be without errors and warnings. Where there is FILE.expected, a JSON object,
it must have these fields, its patterns must match these files among those that are
given, and its regular expression must find their splits.
"""

import json
import logging
import os
import pathlib
import re
import sys

import mlcroissant
from absl import logging as absl_logging
from mlcroissant._src.operation_graph.operations import filter as patterns

said = []


class Listener(logging.Handler):
    def emit(self, record):
        said.append(record.getMessage())


absl_logging.use_absl_handler()
logging.getLogger().addHandler(Listener())
absl_logging.get_absl_logger().addHandler(Listener())

faults = 0


def check(ok, *what):
    global faults
    if not ok:
        faults += 1
        print("FAULT:", *what)


for path in sys.argv[1:]:
    said.clear()
    dataset = mlcroissant.Dataset(jsonld=path)
    metadata = dataset.metadata
    check(not metadata.issues.errors, path, metadata.issues.errors)
    warnings = [w for w in metadata.issues.warnings if "is recommended" not in w]  # a card need not have a citation
    check(not warnings, path, warnings)
    check(not [s for s in said if "@context" in s], path, said)
    again = metadata.to_json()
    for key in ("name", "description", "license", "url", "creator", "datePublished", "version", "conformsTo", "distribution", "recordSet"):
        check(key in again or key in ("distribution", "recordSet"), path, "has lost", key)
    if not os.path.exists(path + ".expected"):
        print(path, "is valid")
        continue
    with open(path + ".expected", encoding="utf-8") as f:
        expected = json.load(f)
    records = [r for r in metadata.record_sets if r.id.split("/")[-1] == "records"]
    fields = [field.name for r in records for field in r.fields]
    check(fields == expected["fields"], path, "fields", fields, "want", expected["fields"])
    includes = metadata.distribution[0].includes if metadata.distribution else []
    got = [f for f in expected["among"] if includes and patterns.match_path(includes, pathlib.PurePath(f))]
    check(got == expected["files"], path, "files", got, "want", expected["files"])
    if records and metadata.record_sets[0].id.endswith("splits"):
        regex = records[0].fields[0].source.transforms[0].regex
        for prefix in ("", "/data/set/"):
            splits = {f: re.match(regex, prefix + f).group(1) for f in expected["files"]}
            check(splits == expected["splits"], path, "splits", splits, "want", expected["splits"])
    print(path, "is valid:", len(fields), "fields,", len(got), "files")
if faults:
    sys.exit(f"{faults} faults")
