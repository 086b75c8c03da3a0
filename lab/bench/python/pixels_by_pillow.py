"""Decodes the images of a tree with Pillow, and does nothing else.

usage: pixels_by_pillow.py DIR
"""
import glob
import sys

from PIL import Image

for path in glob.glob(sys.argv[1] + "/*/*"):
    with Image.open(path) as image:
        image.load()
