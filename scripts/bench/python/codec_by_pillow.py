"""Pillow's CPU time for photos: of decoding them all, or of encoding them.

usage: codec_by_pillow.py decode|encode DIR
"""
import glob
import io
import sys
import time

from PIL import Image

task, folder = sys.argv[1:]
cpu = wall = 0.0
for path in sorted(glob.glob(folder + "/*")):
    with open(path, "rb") as file:
        photo = Image.open(io.BytesIO(file.read()))
    if task == "encode":
        photo.load()
    before = time.process_time(), time.perf_counter()
    if task == "encode":
        photo.save(io.BytesIO(), "JPEG", quality=95, subsampling="4:2:0")
    else:
        photo.load()
    cpu += time.process_time() - before[0]
    wall += time.perf_counter() - before[1]
print(f"CPU {cpu:.6f} wall {wall:.6f}")
