# Makes made.tar.gz: small JPEGs of each form that libjpeg-turbo 3.2 writes.
#
#	made.py CJPEG
#
# CJPEG is the cjpeg of libjpeg-turbo 3.2.0, for the samplings and scans that Pillow
# does not write.
import gzip
import io
import os
import subprocess
import sys
import tarfile
import tempfile

import numpy
from PIL import Image

cjpeg = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
random = numpy.random.default_rng(20261122)
files = {}


def picture(width, height):
    """Smooth colors with an edge and some noise."""
    low = random.integers(0, 256, (4, 4, 3), dtype=numpy.uint8)
    a = numpy.asarray(Image.fromarray(low).resize((width, height), Image.BICUBIC)).astype(int)
    a[height // 3:, width // 2:] = 255 - a[height // 3:, width // 2:]
    a += random.integers(-12, 13, a.shape)
    return Image.fromarray(a.clip(0, 255).astype(numpy.uint8))


def pillow(name, image, **how):
    b = io.BytesIO()
    image.save(b, "JPEG", **how)
    files["pillow/%s.jpg" % name] = b.getvalue()


SIZES = [(1, 1), (2, 3), (7, 9), (16, 16), (17, 33), (40, 21)]
for i, (width, height) in enumerate(SIZES):
    for sampling in range(3):
        for progressive in (False, True):
            how = dict(quality=(35, 75, 95)[(i + sampling) % 3], subsampling=sampling, progressive=progressive)
            if (i + sampling) % 2:
                how["restart_marker_blocks"] = 1 + i
            pillow("rgb-%dx%d-%d-%d" % (width, height, sampling, progressive), picture(width, height), **how)
for progressive in (False, True):
    pillow("grey-%d" % progressive, picture(33, 19).convert("L"), progressive=progressive)
    pillow("cmyk-%d" % progressive, picture(33, 19).convert("CMYK"), progressive=progressive)
    pillow("keep-rgb-%d" % progressive, picture(33, 19), keep_rgb=True, progressive=progressive)
for quality in (1, 100):
    noise = Image.fromarray(random.integers(0, 2, (24, 24, 3), dtype=numpy.uint8) * 255)
    pillow("noise-%d" % quality, noise, quality=quality)
    pillow("noise-progressive-%d" % quality, noise, quality=quality, progressive=True)

SAMPLINGS = [
    "1x2", "3x1", "1x3", "4x1", "1x4", "3x3", "4x2", "2x4", "3x2",
    "1x1,2x2,1x1", "2x2,2x1,1x2", "4x2,2x2,1x1", "4x1,2x1,1x1", "1x4,1x2,1x1", "2x2,2x2,1x1", "2x1,2x1,2x1",
]
SCRIPTS = {
    "apart": "0;1;2;",
    "two": "0 1;2;",
    "rough": "0,1,2: 0-0, 0, 2; 0: 1-9, 0, 3; 1: 1-63, 0, 2; 2: 1-63, 0, 2; 0,1,2: 0-0, 2, 1;",
    "means": "0,1,2: 0-0, 0, 0;",
    "few": "0: 0-0, 0, 0; 1: 0-0, 0, 0; 2: 0-0, 0, 0; 0: 1-2, 0, 0;",
}
with tempfile.TemporaryDirectory() as folder:
    def run(name, image, *args):
        image.save(folder + "/in.ppm")
        subprocess.run([cjpeg, *args, "-outfile", folder + "/out", folder + "/in.ppm"], check=True)
        with open(folder + "/out", "rb") as f:
            files["cjpeg/%s.jpg" % name] = f.read()

    def script(name):
        with open(folder + "/scans", "w") as f:
            f.write(SCRIPTS[name].replace(";", ";\n"))
        return ["-scans", folder + "/scans"]

    for i, sampling in enumerate(SAMPLINGS):
        for progressive in (False, True):
            args = ["-quality", "80", "-sample", sampling]
            if sampling in ("3x3", "4x2,2x2,1x1"):  # too many blocks in an MCU
                args += script("few" if progressive else "apart")
            elif progressive:
                args.append("-progressive")
            if i % 3 == 0:
                args += ["-restart", "2B"]
            run("%s-%d" % (sampling, progressive), picture(21 + i, 45 - i), *args)
    for name in SCRIPTS:
        for sampling in ("1x1", "2x2", "1x2", "2x1"):
            run("%s-%s" % (name, sampling), picture(50, 37), "-sample", sampling, *script(name))
    run("optimize", picture(50, 37), "-optimize", "-quality", "90")

with open(os.path.join(here, "made.tar.gz"), "wb") as f:
    with gzip.GzipFile("", "wb", 9, f, 0) as z, tarfile.open(fileobj=z, mode="w", format=tarfile.USTAR_FORMAT) as t:
        for name in sorted(files):
            info = tarfile.TarInfo(name)
            info.size = len(files[name])
            t.addfile(info, io.BytesIO(files[name]))
print(len(files), "files")
