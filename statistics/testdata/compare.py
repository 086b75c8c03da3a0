"""Compares a Document with what NumPy says of the same values.

compare.py DIR: document.json, and for each split and feature the values that were
counted, in SPLIT.FEATURE.f4, .f8 or .i8 (little-endian), or .json, a list of texts.
"""

import collections
import json
import math
import pathlib
import sys

import numpy as np

directory = pathlib.Path(sys.argv[1])
document = json.loads((directory / "document.json").read_bytes())
faults = []


def same(what, found, expected, relative=0.0, absolute=0.0):
    if isinstance(expected, float) and math.isnan(expected):
        ok = False
    else:
        ok = found == expected or abs(found - expected) <= relative * abs(expected) + absolute
    if not ok:
        faults.append(f"{what}: found {found}, expected {expected}")


def values_of(split, feature):
    key = feature["key"]
    for end, dtype in (("f4", "<f4"), ("f8", "<f8"), ("i8", "<i8")):
        path = directory / f"{split}.{key}.{end}"
        if path.exists():
            return np.fromfile(path, dtype)
    return json.loads((directory / f"{split}.{key}.json").read_bytes())


def shown(value):
    if isinstance(value, (np.integer, str)):
        return str(value)
    return np.format_float_positional(value, unique=True, trim="-")


def check_numbers(where, numbers, x, exact):
    finite = x[np.isfinite(x)] if x.dtype.kind == "f" else x
    same(where + " finite", numbers["finite"], len(finite))
    same(where + " zeros", numbers["zeros"], int((finite == 0).sum()))
    if x.dtype.kind == "f":
        same(where + " nan", numbers.get("nan", 0), int(np.isnan(x).sum()))
        same(where + " pos_inf", numbers.get("pos_inf", 0), int(np.isposinf(x).sum()))
        same(where + " neg_inf", numbers.get("neg_inf", 0), int(np.isneginf(x).sum()))
    if len(finite) == 0:
        return
    same(where + " min", x.dtype.type(numbers["min"]), finite.min())
    same(where + " max", x.dtype.type(numbers["max"]), finite.max())
    wide = finite.astype(np.longdouble)
    deviation = float(wide.std())
    same(where + " mean", numbers["mean"], float(wide.mean()), 1e-14, 1e-14 * deviation)
    same(where + " deviation", numbers["deviation"], deviation, 1e-12)
    shares = [0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99]
    method = "inverted_cdf" if exact else "linear"
    for share, found in zip(shares, numbers["quantiles"], strict=True):
        expected = float(np.quantile(finite, share, method=method))
        if exact:
            same(f"{where} p{share}", found, expected)
        else:
            # Where few values lie near, those who define a quantile differ by more.
            least = float(np.quantile(finite, share, method="inverted_cdf"))
            nearest = min(max(found, min(least, expected)), max(least, expected))
            same(f"{where} p{share}", found, nearest, 0.01, 0.001 * deviation)
    check_histogram(where, numbers["histogram"], finite)


def check_histogram(where, bins, x):
    edges = [b["low"] for b in bins] + [bins[-1]["high"]]
    for before, after in zip(bins, bins[1:]):
        same(where + " bound", before["high"], after["low"])
    x = x.astype(np.float64)
    if bins[0].get("open"):
        x = np.clip(x, edges[0], edges[-1])
    counts = np.histogram(x, bins=edges)[0] if len(bins) > 1 or edges[0] < edges[1] else [len(x)]
    if [b["count"] for b in bins] != [int(n) for n in counts]:
        faults.append(f"{where} histogram: found {bins}, expected {counts}")
    same(where + " all", sum(b["count"] for b in bins), len(x))


def check_top(where, values, x, exact):
    counts = collections.Counter(x)
    top = values.get("top", [])
    if exact:
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0].encode() if isinstance(item[0], str) else item[0]))
        expected = [(shown(v), n) for v, n in ordered[:20]]
        found = [(t["value"], t["count"]) for t in top]
        if found != expected:
            faults.append(f"{where} top: found {found}, expected {expected}")
    for t in top:
        value = t["value"] if isinstance(x[0], str) else type(x[0])(t["value"])
        same(f"{where} top {t['value']!r}", t["count"], counts[value])
    same(where + " other", values.get("other", 0), len(x) - sum(t["count"] for t in top))


for feature in document["features"]:
    for split, values in zip(document["splits"], feature["splits"], strict=True):
        where = f"{feature['key']} in {split['name']}"
        x = values_of(split["name"], feature)
        same(where + " count", values["count"], len(x))
        distinct = len(set(x)) if isinstance(x, list) else len(np.unique(x))
        exact = not values.get("estimated", False)
        same(where + " estimated", exact, distinct <= 1024)
        same(where + " distinct", values["distinct"], distinct, 0 if exact else 0.04)
        if isinstance(x, list):
            sizes = np.array([len(text.encode()) for text in x], np.int64)
            check_numbers(where + " sizes", values["sizes"], sizes, exact)
            same(where + " empty", values.get("empty", 0), int((sizes == 0).sum()))
        else:
            check_numbers(where, values["numbers"], x, exact)
        if "by_class" in values:
            names = feature["classes"]
            first = feature.get("first", 0)
            same(where + " classes", values["by_class"], [int((x == first + i).sum()) for i in range(len(names))])
            same(where + " unknown", values.get("unknown", 0), int(((x < first) | (x >= first + len(names))).sum()))
        elif isinstance(x, list) or not np.isnan(x).any():
            check_top(where, values, list(x), exact)

for fault in faults[:40]:
    print(fault)
print(f"{len(document['features'])} features compared, {len(faults)} faults")
sys.exit(bool(faults))
