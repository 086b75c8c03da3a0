"""Makes 500 photos of 640 x 480 pixels, as COCO has most, out of a few large ones.

usage: make_landscapes.py OUT PHOTO...
"""
import os
import random
import sys

from PIL import Image

WIDTH, HEIGHT = 640, 480

out, sources = sys.argv[1], [Image.open(path).convert("RGB") for path in sys.argv[2:]]
chance = random.Random(1)
for i in range(500):
    source = sources[i % len(sources)]
    scale = chance.uniform(0.7, 1) * min(source.width / WIDTH, source.height / HEIGHT)
    x = chance.uniform(0, source.width - scale * WIDTH)
    y = chance.uniform(0, source.height - scale * HEIGHT)
    photo = source.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS, (x, y, x + scale * WIDTH, y + scale * HEIGHT))
    photo.save(os.path.join(out, f"{i:04}.jpg"), quality=92)
