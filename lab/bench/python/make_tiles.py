"""Makes 60,000 PNG files of 32 x 32 pixels, such as CIFAR-10 has, in 10 folders
out of a few large photos.

usage: make_tiles.py OUT PHOTO...
"""
import os
import random
import sys

from PIL import Image

SIDE = 32
out, sources = sys.argv[1], [Image.open(path).convert("RGB") for path in sys.argv[2:]]
chance = random.Random(1)
for label in range(10):
    os.makedirs(os.path.join(out, str(label)))
for i in range(60_000):
    source = sources[i % len(sources)]
    side = SIDE * chance.uniform(4, 24)
    x, y = chance.uniform(0, source.width - side), chance.uniform(0, source.height - side)
    tile = source.resize((SIDE, SIDE), Image.Resampling.BOX, (x, y, x + side, y + side))
    tile.save(os.path.join(out, str(i % 10), f"{i:05}.png"))
