"""Holds digests of tables of weights against Pillow's weights.

    python weights.py FILE    exit 1 where a line's digest is not Pillow's

A line is a filter, the length of a line of the source, of the result, a period,
and a digest. Pillow shows its weights where an image of 32-bit integers has
impulses of 1 << 22, a period apart, in each row one sample further.
"""

import hashlib
import sys

import numpy as np
from PIL import Image

bad = total = 0
for line in open(sys.argv[1]):
    name, length, to, period, digest = line.split()
    length, to, period = int(length), int(to), int(period)
    impulses = np.zeros((period, length), np.int32)
    for row in range(period):
        impulses[row, row::period] = 1 << 22
    weights = Image.fromarray(impulses).resize((to, period), getattr(Image.Resampling, name.upper()))
    total += 1
    if hashlib.sha256(np.asarray(weights, "<i4").tobytes()).hexdigest()[:16] != digest:
        bad += 1
        print("other weights:", name, length, "to", to)
print(f"{bad} of {total} tables differ from those of Pillow {Image.__version__}")
sys.exit(bad > 0)
