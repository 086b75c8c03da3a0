# Says what Pillow, simplejpeg and TensorFlow make of JPEG files.
#
#	decoders.py FOLDER COUNT OUT
#
# FOLDER has the files 0, 1, …; OUT gets a line for each, with the CRC of the pixels that
# Pillow, simplejpeg and TensorFlow give, or - where it does not decode the file.
# Pillow's CMYK is turned back to what the file has.
import io
import os
import sys
import zlib

import numpy
import simplejpeg
import tensorflow
from PIL import Image

folder, count, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def pillow(data):
    image = Image.open(io.BytesIO(data))
    pixels = numpy.asarray(image)
    return ~pixels if image.mode == "CMYK" else pixels


def simple(data):
    space = simplejpeg.decode_jpeg_header(data, strict=False)[2]
    space = {"Gray": "GRAY", "YCbCr": "RGB", "YCCK": "CMYK"}.get(space, space)
    return simplejpeg.decode_jpeg(data, colorspace=space, strict=True)


def flow(data):
    a = tensorflow.io.decode_jpeg(data, dct_method="INTEGER_ACCURATE").numpy()
    if a.shape[2] == 3 and Image.open(io.BytesIO(data)).mode == "CMYK":
        raise ValueError("made RGB")
    return a


with open(out, "w") as lines:
    for i in range(count):
        with open(os.path.join(folder, str(i)), "rb") as f:
            data = f.read()
        words = []
        for decode in (pillow, simple, flow):
            try:
                words.append("%08x" % zlib.crc32(numpy.ascontiguousarray(decode(data)).tobytes()))
            except Exception:
                words.append("-")
        lines.write(" ".join(words) + "\n")
