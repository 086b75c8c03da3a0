"""Says which images TensorFlow and Pillow decode.

usage: python decoders.py DIR COUNT OUT

DIR holds the files 0, 1, … COUNT-1. A line of OUT is `ok` or `no` for
TensorFlow, then Pillow's size, or `no` where it does not decode every frame.
"""
import io
import sys
import warnings

import tensorflow as tf
from PIL import Image


DECODERS = {
    "JPEG": tf.io.decode_jpeg, "MPO": tf.io.decode_jpeg, "PNG": tf.io.decode_png,
    "GIF": tf.io.decode_gif, "BMP": tf.io.decode_bmp, "WEBP": tf.io.decode_webp,
}


def tensorflow(data, format):
    try:
        DECODERS[format](data)
    except Exception:
        return "no"
    return "ok"


def pillow(data):
    try:
        image = Image.open(io.BytesIO(data))
        size = "%dx%d" % image.size
        for frame in range(getattr(image, "n_frames", 1)):
            image.seek(frame)
            image.load()
    except Exception:
        return None, "no"
    if image.format == "WEBP" and image.n_frames > 1:
        return None, size  # decode_webp writes beyond its memory
    return image.format, size


warnings.simplefilter("ignore")
Image.MAX_IMAGE_PIXELS = 1 << 26
folder, count, out = sys.argv[1:]
with open(out, "w") as f:
    for i in range(int(count)):
        with open(f"{folder}/{i}", "rb") as image:
            data = image.read()
        format, size = pillow(data)
        print(tensorflow(data, format), size, file=f)
