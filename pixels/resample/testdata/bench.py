"""Prints the least CPU time that Pillow and OpenCV take for what the benchmarks do, in ms."""

import time

import cv2
import numpy as np
from PIL import Image

cv2.setNumThreads(1)
noise = np.random.default_rng(1)


def least(work):
    times = []
    for _ in range(40):
        start = time.process_time_ns()
        work()
        times.append(time.process_time_ns() - start)
    return f"{min(times) / 1e6:.3f}"


def image(width, height, channels):
    return noise.integers(0, 256, (height, width, channels), dtype=np.uint8)


for channels, mode in ((1, "L"), (3, "RGB"), (4, "RGBA")):
    array = image(468, 401, channels)
    pillow = Image.frombytes(mode, (468, 401), array.tobytes())
    for name in ("NEAREST", "BOX", "BILINEAR", "BICUBIC", "LANCZOS"):
        print(f"{name.lower()}/{channels}", least(lambda: pillow.resize((299, 256), Image.Resampling[name])))
    print(f"area/{channels}", least(lambda: cv2.resize(array, (299, 256), interpolation=cv2.INTER_AREA)))
for width, height, to in ((600, 512, 300), (900, 768, 300), (200, 150, 300), (4000, 3000, 341)):
    array = image(width, height, 3)
    print(f"area/{width}x{height}", least(lambda: cv2.resize(array, (to, 256), interpolation=cv2.INTER_AREA)))
