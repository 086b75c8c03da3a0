"""Makes 1,000 photos such as ImageNet has out of a few large ones.

usage: make_photos.py OUT PHOTO...
"""
import os
import random
import sys

from PIL import Image, ImageEnhance, ImageFilter

# Widths, heights and how many of 1,000 have them: 468 x 401 in the mean.
SIZES = [(500, 375, 520), (375, 500, 170), (500, 333, 110), (333, 500, 40), (500, 500, 40), (400, 300, 40),
         (800, 600, 20), (640, 480, 20), (320, 240, 20), (250, 188, 20)]
# Chroma subsampling as Pillow names it: 760 4:4:4, 200 4:2:0, 20 4:2:2, 20 grey.
COLORS = ["4:4:4"] * 760 + ["4:2:0"] * 200 + ["4:2:2"] * 20 + ["gray"] * 20
QUALITIES = {75: 30, 80: 30, 85: 50, 90: 110, 92: 110, 95: 240, 96: 240, 98: 130, 100: 60}

out, sources = sys.argv[1], [Image.open(path).convert("RGB") for path in sys.argv[2:]]
chance = random.Random(1)
sizes = [(width, height) for width, height, count in SIZES for _ in range(count)]
qualities = [quality for quality, count in QUALITIES.items() for _ in range(count)]
for values in (sizes, COLORS, qualities):
    assert len(values) == 1000
    chance.shuffle(values)

for i, ((width, height), color, quality) in enumerate(zip(sizes, COLORS, qualities)):
    source = sources[i % len(sources)]
    scale = chance.uniform(0.7, 1) * min(source.width / width, source.height / height)
    x = chance.uniform(0, source.width - scale * width)
    y = chance.uniform(0, source.height - scale * height)
    photo = source.resize((width, height), Image.Resampling.LANCZOS, (x, y, x + scale * width, y + scale * height))
    photo = photo.filter(ImageFilter.UnsharpMask(1, 140, 0))  # as Flickr, whence ImageNet has most
    photo = ImageEnhance.Brightness(photo).enhance(chance.uniform(0.7, 1.3))
    if color == "gray":
        photo, color = photo.convert("L"), "4:4:4"
    photo.save(os.path.join(out, f"{i:04}.jpg"), quality=quality, subsampling=color)
