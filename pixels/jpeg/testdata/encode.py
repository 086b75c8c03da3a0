# Has Pillow write pictures as JPEG.
#
#	encode.py FOLDER COUNT OUT
#
# FOLDER has the pictures 0, 1, …: a line WIDTH HEIGHT CHANNELS QUALITY SUBSAMPLING
# OPTIMIZE, then the samples. OUT gets a line with the CRC of each file.
import io
import os
import sys
import zlib

from PIL import Image, ImageFile

ImageFile.MAXBLOCK = 1 << 24  # of a whole file, which optimizing needs
folder, count, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with open(out, "w") as lines:
    for i in range(count):
        with open(os.path.join(folder, str(i)), "rb") as f:
            width, height, channels, quality, subsampling, optimize = map(int, f.readline().split())
            image = Image.frombytes("L" if channels == 1 else "RGB", (width, height), f.read())
        how = dict(quality=quality, optimize=bool(optimize))
        if channels == 3:  # with it, Pillow would write factors of 2 for the only component, too
            how["subsampling"] = subsampling
        b = io.BytesIO()
        image.save(b, "JPEG", **how)
        lines.write("%08x\n" % zlib.crc32(b.getvalue()))
