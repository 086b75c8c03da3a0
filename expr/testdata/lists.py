"""Computes the expressions of a file of JSON Lines with NumPy, and compares the values."""
import json
import sys

import numpy as np

EXPRESSIONS = {
    "a.map(x, x * 2 - 1)": lambda a, b: a * 2 - 1,
    "a.map(x, x / 3)": lambda a, b: a / 3,
    "a.filter(x, x > 0)": lambda a, b: a[a > 0],
    "a.exists(x, x > 9)": lambda a, b: np.any(a > 9),
    "a.all(x, x > -9)": lambda a, b: np.all(a > -9),
    "size(a)": lambda a, b: a.size,
    "size(a.filter(x, x % 2 == 0))": lambda a, b: np.count_nonzero(a % 2 == 0),
    "zip(a, b).map(p, p[0] * p[1])": lambda a, b: a * b,
    "zip(a, b).filter(p, p[0] < p[1]).map(p, p[1] - p[0])": lambda a, b: (b - a)[a < b],
    "a.map(x, b.filter(y, y < x)).map(l, size(l))": lambda a, b: (b[None, :] < a[:, None]).sum(axis=1),
    "a.filter(x, x in b)": lambda a, b: a[np.isin(a, b)],
    "a[0]": lambda a, b: a[0],
    "a[size(a) - 1] + b[0]": lambda a, b: a[-1] + b[0],
    "a.map(x, b.exists(y, y > x))": lambda a, b: (b[None, :] > a[:, None]).any(axis=1),
    "a.map(x, max(x, 0))": lambda a, b: np.maximum(a, 0),
    "b.map(y, y * 0.1)": lambda a, b: b * 0.1,
    "b.map(y, sqrt(abs(y)))": lambda a, b: np.sqrt(np.abs(b)),
    "b.map(y, floor(y))": lambda a, b: np.floor(b),
}

compared = 0
for line in open(sys.argv[1], encoding="utf-8"):
    row = json.loads(line)
    a, b = np.array(row["a"], np.int64), np.array(row["b"], np.float64)
    for text, value in row["values"].items():
        expected = EXPRESSIONS[text](a, b).tolist() if hasattr(EXPRESSIONS[text](a, b), "tolist") else EXPRESSIONS[text](a, b)
        assert value == expected, f"{text} of {row['a']} and {row['b']} is {value}, and {expected} in NumPy"
        compared += 1
assert compared == int(sys.argv[2]), compared
