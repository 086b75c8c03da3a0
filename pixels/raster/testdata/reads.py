"""Reads PNGs with Pillow and compares the pixels.

usage: python reads.py DIR COUNT

DIR holds 0.png, 0.raw, … Each PNG must have the pixels of the raw file, and a mode
with its channels.
"""
import sys

import numpy as np
from PIL import Image

folder, count = sys.argv[1:]
for i in range(int(count)):
    im = Image.open(f"{folder}/{i}.png")
    want = np.fromfile(f"{folder}/{i}.raw", np.uint8)
    assert im.mode in ("L", "LA", "RGB", "RGBA") and not im.info, (i, im.mode, im.info)
    assert np.array_equal(np.asarray(im).reshape(-1), want), i
