"""Says which files Inception's build_imagenet_data.py puts into which shards.

    inception.py TREE PYTHON SEED THREADS SPLIT=SHARDS ...

TREE holds labels.txt and a folder for each split, with a folder for each class in it.
The files of a class are taken by name: the script takes them as tf.gfile.Glob lists
them. PYTHON is 2 or 3. Python 2 shuffles with random.random(), whose numbers are the
same in Python 3. A line is the name of a shard and of a file, in the order of the
dataset.
"""
import os
import random
import sys

import numpy as np


def shuffle2(x):
    for i in reversed(range(1, len(x))):
        j = int(random.random() * (i + 1))
        x[i], x[j] = x[j], x[i]


def find(folder, labels, python, seed):
    """The files of a split, shuffled."""
    names = []
    for label in labels:
        of = os.path.join(folder, label)
        if os.path.isdir(of):
            names += [os.path.join(of, name) for name in sorted(os.listdir(of)) if name.endswith(".JPEG")]
    index = list(range(len(names)))
    random.seed(seed)
    if python == 2:
        shuffle2(index)
    else:
        random.shuffle(index)
    return [names[i] for i in index]


def thread(split, number, ranges, names, shards):
    """The files of one thread's shards."""
    each = shards // len(ranges)
    ends = np.linspace(ranges[number][0], ranges[number][1], each + 1).astype(int)
    for s in range(each):
        shard = "%s-%05d-of-%05d" % (split, number * each + s, shards)
        for i in np.arange(ends[s], ends[s + 1], dtype=int):
            yield shard, os.path.basename(names[i])


def main(tree, python, seed, threads, *splits):
    with open(os.path.join(tree, "labels.txt")) as f:
        labels = [line.strip() for line in f]
    for split, shards in (s.split("=") for s in splits):
        names = find(os.path.join(tree, split), labels, int(python), int(seed))
        spacing = np.linspace(0, len(names), int(threads) + 1).astype(int)
        ranges = [(spacing[i], spacing[i + 1]) for i in range(int(threads))]
        for number in range(int(threads)):
            for line in thread(split, number, ranges, names, int(shards)):
                print(*line)


main(*sys.argv[1:])
