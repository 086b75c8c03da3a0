"""Writes facts.golden: what Pillow says of every image of the corpora.

usage: python facts.py PHOTOS > facts.golden     (Pillow 13.0.0, in this folder)

One line a file: its name, then format, width x height, bands, colorspace and
EXIF orientation, or `refused` with Pillow's reason. PHOTOS is the folder of
photos, one for each orientation.
"""
import io
import os
import sys
import tarfile
import warnings

import PIL
from PIL import Image

CORPORA = [
    "PngSuite", "go-image-testdata", "jpeg-decoder-tests",
    "libjpeg-turbo-testimages", "x-image-testdata", "made",
]
FORMATS = ["JPEG", "PNG", "GIF", "BMP", "WEBP", "TIFF"]
ORIENTATION = 0x0112
GRAY = {"1", "L", "LA", "I;16"}
TEXTS = (".md", ".sng", ".txt", ".ijg", ".README", ".original", ".bz2", "LICENSE", "README", "LICENSE-MIT", "LICENSE-APACHE")


def colorspace(image):
    if image.mode == "CMYK":
        return "YCCK" if image.info.get("adobe_transform") == 2 else "CMYK"
    return "GRAY" if image.mode in GRAY else "RGB"


def orientation(image):
    """The EXIF tag alone: Image.getexif would look into XMP too."""
    try:
        image.getexif()  # of a PNG it reads the chunks behind the pixels
    except Exception:
        pass
    exif = Image.Exif()
    try:
        exif.load(image.info.get("exif", b""))
    except Exception:
        return 1
    return exif.get(ORIENTATION, 1)


def facts(data):
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
    except PIL.UnidentifiedImageError:
        return "refused cannot identify image file"
    except Exception as e:
        return f"refused {type(e).__name__}: {e}"
    format = "JPEG" if image.format == "MPO" else image.format
    width, height = image.size
    return f"{format} {width}x{height} {len(image.getbands())} {colorspace(image)} {orientation(image)}"


def files(photos):
    for corpus in CORPORA:
        with tarfile.open(corpus + ".tar.gz") as archive:
            for member in archive:
                if member.isfile() and not member.name.endswith(TEXTS):
                    yield member.name, archive.extractfile(member).read()
    for folder, _, names in os.walk(photos):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".jpg"):
                with open(path, "rb") as f:
                    yield "photos/" + os.path.relpath(path, photos), f.read()


warnings.simplefilter("ignore")
for name, data in sorted(files(sys.argv[1])):
    print(name, facts(data), sep="\t")
