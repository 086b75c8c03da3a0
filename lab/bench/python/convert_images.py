"""Converts photos with a library on one core: one step of it, or the complete job, which
writes no files. Prints the time of that, without the time to load the library.

usage: convert_images.py opencv|libvips|thumbnail|pillow decode|area|lanczos|encode DIR
       convert_images.py opencv|libvips|thumbnail|pillow job DIR [FILTER]

area and lanczos resize the shorter side to 256 pixels. The job decodes, resizes with FILTER,
takes the middle of 224 x 224, and encodes. Quality is 95, with 4:2:0. DIR has photos.
"""

import glob
import io
import os
import sys
import time

os.environ["VIPS_CONCURRENCY"] = "1"


def size_of(width, height):
    """Returns the size whose shorter side has 256 pixels."""
    short = min(width, height)
    return round(width * 256 / short), round(height * 256 / short)


class OpenCV:
    """Has no filter but area that takes every pixel of a larger image into account."""

    def __init__(self, rgb):
        import cv2
        import numpy

        cv2.setNumThreads(1)
        self.cv2, self.numpy = cv2, numpy
        self.flags = (cv2.IMREAD_COLOR if rgb else cv2.IMREAD_ANYCOLOR) | cv2.IMREAD_IGNORE_ORIENTATION

    def decode(self, data):
        photo = self.cv2.imdecode(self.numpy.frombuffer(data, "uint8"), self.flags)
        assert photo is not None
        return photo

    def area(self, photo):
        return self.cv2.resize(photo, size_of(photo.shape[1], photo.shape[0]), interpolation=self.cv2.INTER_AREA)

    def crop(self, photo):
        y, x = (photo.shape[0] - 224) // 2, (photo.shape[1] - 224) // 2
        return photo[y : y + 224, x : x + 224]

    def encode(self, photo):
        ok, data = self.cv2.imencode(".jpg", photo, [self.cv2.IMWRITE_JPEG_QUALITY, 95])
        assert ok
        return data.tobytes()


class Pillow:
    def __init__(self, rgb):
        from PIL import Image

        self.image, self.to_rgb = Image, rgb

    def decode(self, data):
        photo = self.image.open(io.BytesIO(data))
        photo.load()
        return photo.convert("RGB") if self.to_rgb and photo.mode != "RGB" else photo

    def area(self, photo):
        return photo.resize(size_of(*photo.size), self.image.Resampling.BOX)

    def lanczos(self, photo):
        return photo.resize(size_of(*photo.size), self.image.Resampling.LANCZOS)

    def crop(self, photo):
        x, y = (photo.width - 224) // 2, (photo.height - 224) // 2
        return photo.crop((x, y, x + 224, y + 224))

    def encode(self, photo):
        out = io.BytesIO()
        photo.save(out, "JPEG", quality=95, subsampling="4:2:0")
        return out.getvalue()


class Libvips:
    """Computes lazily: a job is one pipeline, and a step alone stores its result."""

    def __init__(self, rgb):
        import pyvips

        pyvips.cache_set_max(0)
        self.image, self.lazy = pyvips.Image, rgb

    def decode(self, data):
        if not self.lazy:
            return self.image.jpegload_buffer(data, access="sequential").copy_memory()
        return self.as_rgb(self.image.jpegload_buffer(data, access="sequential"))

    def as_rgb(self, photo):
        return photo if photo.bands == 3 else photo.colourspace("srgb")

    def lanczos(self, photo):
        width, height = size_of(photo.width, photo.height)
        photo = photo.resize(width / photo.width, vscale=height / photo.height, kernel="lanczos3")
        return photo if self.lazy else photo.copy_memory()

    def crop(self, photo):
        return photo.crop((photo.width - 224) // 2, (photo.height - 224) // 2, 224, 224)

    def encode(self, photo):
        return photo.jpegsave_buffer(Q=95, subsample_mode="on")


class Thumbnail(Libvips):
    """Decodes at a half, a quarter, or an eighth of the size where that suffices."""

    def decode(self, data):
        return self.as_rgb(self.image.thumbnail_buffer(data, 256, height=256, crop="centre", no_rotate=True))

    def lanczos(self, photo):
        return photo


LIBRARIES = {"opencv": OpenCV, "pillow": Pillow, "libvips": Libvips, "thumbnail": Thumbnail}


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    name, task, directory, *filters = sys.argv[1:]
    library = LIBRARIES[name](rgb=task == "job")

    def job(path):
        resize = getattr(library, filters[0])
        library.encode(library.crop(resize(library.decode(read(path)))))

    if task == "job":
        prepare, work = str, job
    elif task == "decode":
        prepare, work = read, library.decode
    else:
        prepare, work = lambda path: library.decode(read(path)), getattr(library, task)
    cpu = wall = 0.0
    for path in sorted(glob.glob(directory + "/**/*.[jJ][pP]*", recursive=True)):
        given = prepare(path)
        before = time.process_time(), time.perf_counter()
        work(given)
        cpu += time.process_time() - before[0]
        wall += time.perf_counter() - before[1]
    print(f"CPU {cpu:.6f} wall {wall:.6f}")


if __name__ == "__main__":
    main()
