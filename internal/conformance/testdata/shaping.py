"""Derives, filters and limits tables with pandas, as expressions_test.go says.

    shaping.py CASES.json

Each case has the file of a table and lines of Python. A line is a pair: the values of a
part of an expression, and in which rows it has none. It prints what is left of each
table, and how many rows are not.
"""

import json
import sys

import numpy as np
import pandas as pd


def read(path):
    """A table, and which values of each column are no numbers."""
    words = {}
    if path.endswith(".csv"):
        df = pd.read_csv(path, dtype=str, keep_default_na=False, skipinitialspace=False)
        for name in ("g", "m"):
            df[name] = df[name].where(df[name] != "", None)
        df["b"] = df["b"] == "true"
        words["g"] = (df["g"] == "n/a").to_numpy()
        df["g"] = df["g"].replace("n/a", None)
    else:
        with open(path, encoding="utf-8") as f:
            df = pd.DataFrame([json.loads(line) for line in f])
    for name in ("id", "i", "j"):
        df[name] = df[name].astype(np.int64)
    for name in ("f", "g"):
        df[name] = df[name].astype(np.float64)
    for name in ("s", "t", "m"):
        df[name] = df[name].astype(object)
    return df, {name: words.get(name, np.full(len(df), False)) for name in df}


def missing(column):
    return column.isna().to_numpy()


def texts(values):
    """A part's texts; those of rows that have none are empty."""
    return pd.Series(["" if v is None or v != v else v for v in values], dtype=object)


def kind(value):
    return {int: np.int64, float: np.float64, str: object}[type(value)]


def rounded(x):
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.sign(x), whole)


def written(value):
    if isinstance(value, str):
        return value.encode().hex()
    if isinstance(value, (float, np.floating)):
        return f"{np.float32(value):.9e}"
    return str(int(value))


def account(case):
    df, dirty = read(case["table"])
    v, b = [], []
    with np.errstate(all="ignore"):
        for line in case["lines"]:
            value, bad = eval(line, {"df": df, "dirty": dirty, "v": v, "b": b, "np": np, "pd": pd, "missing": missing, "texts": texts, "kind": kind, "rounded": rounded})
            v.append(value)
            b.append(np.broadcast_to(bad, len(df)))
    where = v[int(case["where"])].astype(bool)
    bad = b[int(case["where"])].copy()
    for d in case["read"] or []:
        bad |= b[int(d)]
    kept = np.flatnonzero(where & ~bad)
    out = {"Found": len(df), "Left": {"where": int((~where & ~bad).sum())}, "Rejected": int(bad.sum())}
    if case["limit"] >= 0:
        out["Left"]["limit"] = max(0, len(kept) - case["limit"])
        kept = kept[: case["limit"]]
    derived = [int(d) for d in case["derived"] or []]
    rows = [i for i in kept if not any(b[d][i] for d in derived)]
    out["Rejected"] += len(kept) - len(rows)
    out["Written"] = len(rows)
    out["Rows"] = [" ".join([str(df["id"][i])] + [written(v[d][i]) for d in derived]) for i in rows]
    return out


with open(sys.argv[1], encoding="utf-8") as f:
    print(json.dumps([account(case) for case in json.load(f)]))
