"""Merges the tables of a directory with pandas, and compares the rows with those in results.json."""
import json
import os
import sys

import pandas

directory = sys.argv[1]


def read(name):
    return pandas.read_csv(os.path.join(directory, name), dtype=str, keep_default_na=False, na_values=[""])


def shown(values, many):
    values = [v for v in values if not pandas.isna(v)]
    if many:
        return "[" + " ".join(values) + "]"
    assert len(values) <= 1, values
    return values[0] if values else "-"


results = json.load(open(os.path.join(directory, "results.json"), encoding="utf-8"))
assert len(results) == 200, len(results)
matched = 0
for result in results:
    left, right, kind = read(f"l{result['number']}.csv"), read(f"r{result['number']}.csv"), result["kind"]
    right = right.dropna(subset=["s", "e"])  # pandas matches missing keys with one another
    if kind == "where":
        right = right[right.time.astype("int64") >= 0]
    if kind == "derive":
        right = right.iloc[(-right.time.astype("int64")).argsort(kind="stable")]
    if kind == "from_path":
        right = pandas.concat([right[right.time.astype("int64") > 0], right])
    if kind in ("int64", "float"):
        right = right.iloc[right.time.astype({"int64": "int64", "float": "float64"}[kind]).argsort(kind="stable")]
    if kind == "string":
        right = right.sort_values("time", kind="stable")
    merged = left.merge(right, how="left", left_on=["subject", "event"], right_on=["s", "e"])
    rows = []
    for number in left.id:
        values = list(merged[merged.id == number].v)
        matched += sum(not pandas.isna(v) for v in values)
        rows.append(number + "|" + shown(values, kind != "none"))
    assert rows == result["rows"], f"table {result['number']}, {kind}: {result['rows']}, and {rows} by pandas"
assert matched > 150, matched
