"""Writes pixels.golden: what Pillow and TensorFlow show of images.

usage: python pixels.py DIR COUNT OUT [pillow]     (Pillow 13.0.0, TensorFlow 2.21)

DIR holds the files 0, 1, … COUNT-1. A line of OUT is `width x height x channels
crc32` of Pillow's pixels, and the crc32 of those of TensorFlow with as many channels;
`no` stands for what is refused, and all there is with `pillow`. CMYK counts as RGB, as TensorFlow makes it.
"""
import io
import sys
import warnings
import zlib

import numpy as np
from PIL import Image

if sys.argv[4:] != ["pillow"]:
    import tensorflow as tf


def pillow(data):
    """Grey, grey and alpha, RGB or RGBA, whichever holds what the file says."""
    im = Image.open(io.BytesIO(data))
    im.load()
    if im.mode == "CMYK":
        return tensorflow(data, 3)
    transparent = "transparency" in im.info
    if im.mode == "I;16":
        high = np.asarray(im).astype(np.uint16)
        if not transparent:
            return (high >> 8).astype(np.uint8)[..., None]
        alpha = np.where(high == im.info["transparency"], 0, 255)
        return np.stack([high >> 8, alpha], -1).astype(np.uint8)
    if im.format == "PNG" and data[25] == 4:
        mode = "LA"  # of 16 bits Pillow makes RGBA
    elif im.mode in ("1", "L"):
        mode = "LA" if transparent else "L"
    elif im.mode in ("P", "RGB"):
        mode = "RGBA" if transparent else "RGB"
    else:
        mode = im.mode
    if im.mode == "1" and transparent:
        im = im.convert("L")
    pixels = np.asarray(im.convert(mode))
    return pixels.reshape(pixels.shape[0], pixels.shape[1], -1)


def tensorflow(data, channels):
    if data[:2] == b"\xff\xd8":
        return tf.io.decode_jpeg(data, channels=channels, dct_method="INTEGER_ACCURATE").numpy()
    if data[:4] == b"\x89PNG":
        if channels == 2:  # which decode_png has not
            return tf.io.decode_png(data, channels=4).numpy()[..., [0, 3]]
        return tf.io.decode_png(data, channels=channels).numpy()
    if data[:3] == b"GIF":
        return tf.io.decode_gif(data).numpy()[0]
    if data[:2] == b"BM":
        return tf.io.decode_bmp(data).numpy()
    pixels = tf.io.decode_webp(data, channels=channels).numpy()
    return pixels.reshape(pixels.shape[-3:])


def sum_of(pixels):
    return f"{zlib.crc32(np.ascontiguousarray(pixels).tobytes()):08x}"


def line(data):
    try:
        pixels = pillow(data)
    except Exception:
        return "no no"
    height, width, channels = pixels.shape
    said = f"{width}x{height}x{channels} {sum_of(pixels)}"
    if sys.argv[4:]:
        return said + " no"
    try:
        if Image.open(io.BytesIO(data)).format == "WEBP" and Image.open(io.BytesIO(data)).n_frames > 1:
            return said + " no"  # decode_webp writes beyond its memory
        return said + " " + sum_of(tensorflow(data, channels))
    except Exception:
        return said + " no"


warnings.simplefilter("ignore")
Image.MAX_IMAGE_PIXELS = 1 << 26
folder, count, out = sys.argv[1:4]
with open(out, "w") as f:
    for i in range(int(count)):
        with open(f"{folder}/{i}", "rb") as image:
            print(line(image.read()), file=f)
