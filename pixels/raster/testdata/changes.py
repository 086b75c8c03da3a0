"""Writes changes.golden: what Pillow makes of images.

usage: python changes.py OUT     (Pillow 13.0.0, in this folder)

A line is an image, what is done to it, the size and the channels of the result, and
the crc32 of its pixels.
"""
import io
import sys
import tarfile
import zlib

import numpy as np
from PIL import Image, ImageOps

IMAGES = ["png-0-8-33x17", "png-4-8-33x17", "png-2-8-33x17", "png-6-8-33x17", "png-2-8-1x1", "png-6-8-3x2", "levels"]
BACKGROUNDS = ["#ffffff", "#000000", "#336699", "#808080"]
GRAYS = {"L": "L", "LA": "LA", "RGB": "L", "RGBA": "LA"}
COLORS = {"L": "RGB", "LA": "RGBA", "RGB": "RGB", "RGBA": "RGBA"}


def levels():
    """Each grey with each alpha."""
    y, x = np.mgrid[0:256, 0:256].astype(np.uint8)
    return Image.fromarray(np.stack([x, x, y, y], -1))


def turned(im, orientation):
    im = im.copy()
    im.getexif()[0x0112] = orientation
    return ImageOps.exif_transpose(im)


def flat(im, background):
    if im.mode not in ("LA", "RGBA"):
        return im
    out = Image.new("RGBA", im.size, background)
    out.alpha_composite(im.convert("RGBA"))
    background = Image.new("RGB", (1, 1), background).getpixel((0, 0))
    gray = im.mode == "LA" and len(set(background)) == 1
    return out.convert("RGB").getchannel(0) if gray else out.convert("RGB")


def padded(im, size, place, background):
    mode = im.mode
    color = Image.new("RGB", (1, 1), background).convert(mode).getpixel((0, 0))
    out = Image.new(mode, size, color)
    out.paste(im, place)
    return out


def changes(im):
    for orientation in range(1, 9):
        yield f"turn {orientation}", turned(im, orientation)
    yield "gray", im.convert(GRAYS[im.mode])
    yield "rgb", im.convert(COLORS[im.mode])
    for background in BACKGROUNDS:
        yield f"flatten {background}", flat(im, background)
        yield f"pad {background}", padded(im, (50, 40), (7, 9), background)
    yield "pad cut", padded(im, (20, 10), (-5, -3), "#336699")


with tarfile.open("testdata/made.tar.gz") as archive, open(sys.argv[1], "w") as f:
    for name in IMAGES:
        if name == "levels":
            image = levels()
        else:
            image = Image.open(io.BytesIO(archive.extractfile(f"raster/{name}.png").read()))
        for what, result in changes(image):
            pixels = np.ascontiguousarray(np.asarray(result))
            said = f"{result.width}x{result.height}x{len(result.getbands())} {zlib.crc32(pixels.tobytes()):08x}"
            print(name, what, said, sep="\t", file=f)
