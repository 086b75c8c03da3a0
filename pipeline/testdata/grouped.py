"""Groups each table of a directory with pandas, and cuts the groups into windows with NumPy.

NAME.json says how. The windows of all groups go to NAME.want: one line each with the ids of
its rows, the lines of a group one after another, groups in the order of their first rows.
"""
import glob
import json
import sys

import numpy as np
import pandas as pd
from numpy.lib.stride_tricks import sliding_window_view


def windows_of(ids, length, stride, last):
    if not length:
        yield list(ids)
        return
    full = list(sliding_window_view(ids, length)[::stride]) if len(ids) >= length else []
    yield from (list(w) for w in full)
    if last == "drop":
        return
    start, covered = len(full) * stride, {int(i) for w in full for i in w}
    if any(int(i) not in covered for i in ids[start:]):
        rest = [int(i) for i in ids[start : start + length]]
        yield rest + [-1] * (length - len(rest) if last == "pad" else 0)


for path in sorted(glob.glob(sys.argv[1] + "/*.json")):
    how = json.load(open(path, encoding="utf-8"))
    tables = [pd.read_csv(f"{sys.argv[1]}/{name}", dtype=str, keep_default_na=False, encoding="latin-1") for name in how["files"]]
    table = pd.concat(tables, ignore_index=True)
    for column in how["by"] + ([how["sort"]] if how["sort"] else []):
        table = table[(table[column] != "") & ~table[column].str.contains("\xff")]  # others are invalid
    if how["sort"]:
        key = {"": lambda s: s.map(lambda text: text.encode()), "int64": lambda s: s.astype("int64"), "float64": lambda s: s.astype("float64")}[how["type"]]
        table = table[key(table[how["sort"]]).notna()].sort_values(how["sort"], kind="stable", key=key)
    lines = []
    groups = sorted((group for _, group in table.groupby(how["by"], sort=False)), key=lambda g: g.index.min())
    for group in groups:
        ids = group["id"].astype("int64").to_numpy()
        lines += (" ".join(str(int(i)) for i in w) for w in windows_of(ids, how["length"], how["stride"], how["last"]))
    with open(path[: -len("json")] + "want", "w", encoding="utf-8") as f:
        f.write("\n".join(lines))
