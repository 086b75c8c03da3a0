"""Makes the IDX files beside it of scikit-learn's digits: digits.csv.gz of its wheel.

usage: python make.py WHEEL

The first 1,500 images are the training set, the other 297 the test set. Pixels go
from 0 to 16. No time stands in the files, so that they are always the same.
"""

import gzip
import os
import struct
import sys
import zipfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
SPLITS = {"train": (0, 1500), "t10k": (1500, 1797)}


def write(name, dimensions, data):
    header = struct.pack(">BBBB", 0, 0, 8, len(dimensions)) + struct.pack(f">{len(dimensions)}I", *dimensions)
    with open(os.path.join(FOLDER, name), "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as z:
        z.write(header + data)


with zipfile.ZipFile(sys.argv[1]) as wheel:
    table = gzip.decompress(wheel.read("sklearn/datasets/data/digits.csv.gz")).decode()
rows = [[int(float(cell)) for cell in line.split(",")] for line in table.splitlines()]
for split, (first, end) in SPLITS.items():
    part = rows[first:end]
    write(f"{split}-images-idx3-ubyte.gz", (len(part), 8, 8), bytes(p for row in part for p in row[:64]))
    write(f"{split}-labels-idx1-ubyte.gz", (len(part),), bytes(row[64] for row in part))
