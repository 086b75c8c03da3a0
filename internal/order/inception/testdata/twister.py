"""Prints the table that the package is tested with: what Python's generator, its
shuffles and NumPy's linspace give.

    python3 twister.py > twister.txt

Python 2 shuffles with random.random(), whose numbers are the same in Python 3; so its
shuffle is done over that here. Under Python 2 itself the script prints the lines of
Python 2 alone, with the shuffle that it comes with:

    python2 twister.py | diff - <(grep -v -e '^shuffle 3' -e ^cut twister.txt)
"""
from __future__ import print_function

import hashlib
import random
import sys

PYTHON = sys.version_info[0]


def digest(numbers):
    text = ",".join("%d" % n for n in numbers)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def shuffled2(n):
    """The order of Python 2, of the generator as it is seeded."""
    x = list(range(n))
    if PYTHON == 2:
        random.shuffle(x)
        return x
    for i in reversed(range(1, n)):
        j = int(random.random() * (i + 1))
        x[i], x[j] = x[j], x[i]
    return x


def shuffled3(n):
    x = list(range(n))
    random.shuffle(x)
    return x


def cut(rows, shards, threads):
    """The first rank of each shard, and the last one's end, as the script has them."""
    import numpy as np

    spacing = np.linspace(0, rows, threads + 1).astype(int)
    first = []
    for t in range(threads):
        ends = np.linspace(spacing[t], spacing[t + 1], shards // threads + 1).astype(int)
        first.extend(ends[:-1])
    return first + [ends[-1]]


for seed in [0, 1, 12345, 2**32 - 1, 2**32, 2**64 - 1]:
    random.seed(seed)
    words = [random.getrandbits(32) for _ in range(2000)]
    print("words", seed, " ".join("%08x" % w for w in words[:3] + words[622:626]), digest(words))
    random.seed(seed)
    floats = [int(random.random() * 2**53) for _ in range(2000)]
    print("floats", seed, " ".join("%x" % f for f in floats[:3]), digest(floats))

SIZES = [0, 1, 2, 7, 16, 100, 5000, 65537]
for seed, sizes in [(12345, SIZES + [50000, 1281167]), (7, SIZES), (2**40, SIZES)]:
    for n in sizes:
        for python, shuffle in [(2, shuffled2), (3, shuffled3)]:
            if python == 2 or PYTHON == 3:
                random.seed(seed)
                x = shuffle(n)
                print("shuffle", python, seed, n, digest(x), *x[:16])

if PYTHON == 3:
    for rows, shards, threads in [
        (0, 8, 8), (1, 8, 8), (7, 16, 8), (7, 3, 1), (10, 3, 3), (100, 24, 8), (5000, 128, 8), (1000, 300, 3), (999, 49, 7),
        (1281167, 1024, 8), (1281167, 1000, 10), (50000, 128, 8), (50000, 126, 6), (123456789, 100000, 50), (3670, 2, 2),
    ]:
        ends = cut(rows, shards, threads)
        print("cut", rows, shards, threads, digest(ends), *ends[:17])
    for threads in range(1, 33):  # many ways to round
        ends = [e for rows in range(0, 300, 7) for each in range(1, 9, 3) for e in cut(rows, threads * each, threads)]
        print("cuts", threads, digest(ends))
