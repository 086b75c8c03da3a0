"""Prints rows of every kind of value, as JSON lines, for example.yaml and
sequence.yaml."""

import json
import random

r = random.Random(1)
for i in range(2000):
    row = {
        "id": i,
        "words": [r.choice("abcdef") for _ in range(r.randrange(4))],
        "numbers": [r.random() for _ in range(r.randrange(3))],
        "box": [r.random() for _ in range(4)],
        "boxes": [[r.random() for _ in range(4)] for _ in range(r.randrange(3))],
        "rows": [[r.randrange(9) for _ in range(r.randrange(3))] for _ in range(r.randrange(3))],
        "pairs": [[[r.choice("xy"), "z"] for _ in range(r.randrange(3))] for _ in range(r.randrange(3))],
        "flag": r.random() < 0.5,
        "color": r.choice(["red", "green", "blue"]),
        "text": f"text {i} ü \x01\"",
        "normal": r.gauss(0, 1),
        "none": [],
    }
    if r.random() < 0.3:
        row |= {"small": r.randrange(100), "pair": [1.5, 2.5], "note": "some ü\n", "list": [1, 2]}
    print(json.dumps(row))
