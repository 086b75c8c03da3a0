"""Holds digests of resized images against what Pillow and OpenCV give.

    python peers.py FILE          exit 1 where a line's digest is not theirs
    python peers.py FILE write    print the lines with their digests

A line is a case: what the pixels are, seed, channels, width, height, of the
result, filter, and the first 16 hex digits of the SHA-256 of the result's bytes.
"""

import hashlib
import sys

import cv2
import numpy as np
from PIL import Image

FILTERS = {
    "nearest": Image.Resampling.NEAREST,
    "box": Image.Resampling.BOX,
    "bilinear": Image.Resampling.BILINEAR,
    "bicubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}
MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}


def pixels(kind, seed, channels, width, height):
    """Bytes that the tests make too: noise, or noise of only 0 and 255."""
    noise = hashlib.shake_128(seed.encode()).digest(width * height * channels)
    array = np.frombuffer(noise, np.uint8).reshape(height, width, channels)
    return array if kind == "noise" else (array & 1) * np.uint8(255)


def resized(array, width, height, name):
    if name == "area":
        return cv2.resize(np.ascontiguousarray(array), (width, height), interpolation=cv2.INTER_AREA)
    channels = array.shape[2]
    # not fromarray of two channels, which Pillow takes for another mode
    image = Image.frombytes(MODES[channels], (array.shape[1], array.shape[0]), array.tobytes())
    return np.frombuffer(image.resize((width, height), FILTERS[name]).tobytes(), np.uint8)


def main():
    write, bad = len(sys.argv) > 2, 0
    for line in open(sys.argv[1]):
        kind, seed, *sizes, name, digest = line.split()
        channels, width, height, to_width, to_height = map(int, sizes)
        array = pixels(kind, seed, channels, width, height)
        result = resized(array, to_width, to_height, name)
        want = hashlib.sha256(result.tobytes()).hexdigest()[:16]
        if write:
            print(kind, seed, *sizes, name, want)
        elif digest != want:
            bad += 1
            print("not as the peer:", line.strip())
    if not write:
        print(f"{bad} differ; Pillow {Image.__version__}, OpenCV {cv2.__version__}")
    sys.exit(bad > 0)


main()
