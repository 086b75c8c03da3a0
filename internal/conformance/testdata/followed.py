"""Makes photos with boxes, points, polygons, and masks, and compares what readers return with where they move.

    followed.py make FOLDER
    followed.py check FOLDER numpy|tensorflow|torch

FOLDER has the photos and, for check, the dataset followed/1.0.0. make computes the expected values with
Pillow and pycocotools; check needs neither.
"""

import importlib.util
import json
import os
import struct
import sys
import zlib

import numpy as np

ACTION, FOLDER = sys.argv[1:3]
BOX, RESULT, VISIBLE = (40, 30), (36, 24), 0.2  # of the config: resize, crop, and min_visible
LABELS = ["cat", "dog", "emu"]

# Where a point goes when its image is turned upright, as shares of width and height, by EXIF orientation.
TURNS = [None, lambda u, v: (u, v), lambda u, v: (1 - u, v), lambda u, v: (1 - u, 1 - v), lambda u, v: (u, 1 - v),
         lambda u, v: (v, u), lambda u, v: (1 - v, u), lambda u, v: (1 - v, 1 - u), lambda u, v: (v, 1 - u)]


class Photo:
    """A photo of a width, a height, and an orientation."""

    def __init__(self, width, height, orientation):
        self.stored, self.orientation = (width, height), orientation
        w, h = (height, width) if orientation >= 5 else (width, height)
        by_width = BOX[0] * h >= BOX[1] * w  # the box is covered
        self.resized = (BOX[0], max(1, round(BOX[0] * h / w))) if by_width else (max(1, round(BOX[1] * w / h)), BOX[1])
        self.corner = [(r - b) // 2 + (b - c) // 2 for r, b, c in zip(self.resized, BOX, RESULT)]

    def move(self, u, v):
        """Returns the pixels of the result for a point in shares of the stored photo."""
        u, v = TURNS[self.orientation](u, v)
        return u * self.resized[0] - self.corner[0], v * self.resized[1] - self.corner[1]

    def move_mask(self, pixels):
        """Returns a mask that Pillow moves."""
        from PIL import Image, ImageOps

        mask = Image.fromarray(pixels)
        mask.getexif()[0x0112] = self.orientation
        mask = ImageOps.exif_transpose(mask).resize(self.resized, Image.NEAREST)
        x, y = self.corner
        return np.asarray(mask.crop((x, y, x + RESULT[0], y + RESULT[1]))).tolist()


def kept_box(photo, box):
    """Returns ymin, xmin, ymax, and xmax in shares of the result, or None if too little of the box remains."""
    (x0, y0), (x1, y1) = sorted([photo.move(box[0], box[1]), photo.move(box[2], box[3])])
    y0, y1 = sorted([y0, y1])
    cut = [max(y0, 0), max(x0, 0), min(y1, RESULT[1]), min(x1, RESULT[0])]
    area = max(0, cut[2] - cut[0]) * max(0, cut[3] - cut[1])
    if area < VISIBLE * (x1 - x0) * (y1 - y0) or area == 0:
        return None
    return [cut[0] / RESULT[1], cut[1] / RESULT[0], cut[2] / RESULT[1], cut[3] / RESULT[0]]


def moved_point(photo, x, y, visible):
    if visible == 0:
        return [x, y, 0]
    x, y = photo.move(x / photo.stored[0], y / photo.stored[1])
    inside = 0 <= x <= RESULT[0] and 0 <= y <= RESULT[1]
    return [x, y, visible if inside else 0]


def polygon(rng, photo):
    """Returns a triangle that is completely inside or outside of the result, and what remains of it."""
    while True:
        points = rng.random((3, 2)).round(6)
        moved = np.array([photo.move(u, v) for u, v in points])
        if (moved >= 0).all() and (moved <= RESULT).all():
            return points.flatten().tolist(), (moved / RESULT).flatten().tolist()
        if (moved < 0).all(axis=0).any() or (moved > RESULT).all(axis=0).any():
            return points.flatten().tolist(), []


def make():
    from PIL import Image
    from pycocotools import mask as coco

    rng = np.random.default_rng(5)
    expected = {}
    for name in ("in", "masks"):
        os.makedirs(os.path.join(FOLDER, name))
    with open(os.path.join(FOLDER, "objects.jsonl"), "w") as table, open(os.path.join(FOLDER, "segments.jsonl"), "w") as segments:
        for i in range(24):
            name = f"{i}.jpg"
            photo = Photo(*(int(n) for n in rng.integers(20, 70, 2)), 1 + i % 8)
            width, height = photo.stored
            exif = Image.Exif()
            exif[0x0112] = photo.orientation
            Image.fromarray(rng.integers(0, 256, (height, width, 3), np.uint8)).save(os.path.join(FOLDER, "in", name), exif=exif)
            mask = rng.integers(0, 200, (height, width), np.uint8)
            Image.fromarray(mask).save(os.path.join(FOLDER, "masks", f"{i}.png"))
            runs = coco.encode(np.asfortranarray(rng.random((height, width)) < 0.4, np.uint8))
            pixels = coco.decode(runs)
            counts = runs["counts"].decode() if i % 2 else lengths(pixels)
            segments.write(json.dumps({"filename": name, "m": {"size": runs["size"], "counts": counts}}) + "\n")
            want = {"boxes": [], "label": [], "kp": [], "polygon": [], "mask": photo.move_mask(mask), "m": photo.move_mask(np.ascontiguousarray(pixels))}
            for n in range(i % 5):
                u, v = np.sort(rng.random(2)), np.sort(rng.random(2))
                box = [round(float(x), 6) for x in (u[0], v[0], u[1], v[1])]
                points = [[round(float(rng.random() * width), 2), round(float(rng.random() * height), 2), int(rng.integers(0, 3))] for _ in range(3)]
                corners, rest = polygon(rng, photo)
                row = {"filename": name, "bbox": box, "label": LABELS[(i + n) % 3], "kp": [x for point in points for x in point], "polygon": corners}
                table.write(json.dumps(row) + "\n")
                if (kept := kept_box(photo, box)) is not None:
                    want["boxes"].append(kept)
                    want["label"].append((i + n) % 3)
                    want["polygon"].append(rest)
                    want["kp"].append([x for point in points for x in moved_point(photo, *point)])
            expected[name] = want
    with open(os.path.join(FOLDER, "expected.json"), "w") as f:
        json.dump(expected, f)
    assert sum(len(w["boxes"]) for w in expected.values()) in range(15, 40)


def lengths(pixels):
    """Returns the runs of a mask as numbers, which begin with zeros."""
    flat = np.concatenate([[0], pixels.flatten(order="F"), [2]])
    return np.diff(np.concatenate([[0], np.flatnonzero(np.diff(flat))])).tolist()


def decoded(png):
    """Returns the pixels of a PNG with a byte per pixel."""
    at, data, png = 8, b"", bytes(png)
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at:at + 8])
        content = png[at + 8:at + 8 + size]
        if name == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", content[:10])
            assert depth == 8 and color in (0, 3), (depth, color)
        data += content if name == b"IDAT" else b""
        at += size + 12
    lines, above = zlib.decompress(data), [0] * width
    rows = []
    for y in range(height):
        kind, line = lines[y * (width + 1)], list(lines[y * (width + 1) + 1:(y + 1) * (width + 1)])
        for x in range(width):
            left, corner = (line[x - 1], above[x - 1]) if x else (0, 0)
            nearest = min((left, above[x], corner), key=lambda p: abs(left + above[x] - corner - p))
            line[x] = line[x] + (0, left, above[x], (left + above[x]) // 2, nearest)[kind] & 255
        rows.append(line)
        above = line
    return rows


def pixels(mask):
    """Returns the pixels of a mask: a file, or an image that TFDS has decoded, to equal channels."""
    if mask.ndim == 0:
        return decoded(mask.item())
    assert mask.shape[:2] == (RESULT[1], RESULT[0]) and (mask == mask[:, :, :1]).all(), mask.shape
    return mask[:, :, 0].tolist()


def plain(value):
    """Returns nested lists of a value of any reader."""
    if hasattr(value, "to_list"):  # ragged
        return value.to_list()
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return np.asarray(value).tolist()


def near(got, want):
    if isinstance(want, list):
        return len(got) == len(want) and all(near(g, w) for g, w in zip(got, want))
    return abs(got - want) <= 1e-4


def check(records):
    expected = json.load(open(os.path.join(FOLDER, "expected.json")))
    for record in records:
        name = plain(record["filename"])
        want = expected.pop(name.decode() if isinstance(name, bytes) else name)
        for key in ("boxes", "label", "kp", "polygon"):
            assert near(plain(record[key]), want[key]), (name, key, plain(record[key]), want[key])
        assert np.asarray(record["boxes"]).shape == (len(want["boxes"]), 4)
        for key in ("mask", "m"):
            assert pixels(np.asarray(record[key])) == want[key], (name, key)
    assert not expected, sorted(expected)


def load(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(FOLDER, "followed", "1.0.0", "_tfr", name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(reader):
    if reader == "tensorflow":
        check(load("reader").dataset("train"))
        import tensorflow_datasets as tfds

        builder = tfds.builder_from_directory(os.path.join(FOLDER, "followed", "1.0.0"))
        assert "BBoxFeature" in repr(builder.info.features["boxes"]), builder.info.features
        runs = builder.info.features["m"]
        assert (runs.shape, runs._encoding_format) == ((None, None, 1), "png"), runs
        check(tfds.as_numpy(builder.as_dataset(split="train")))
        return
    module = load("torch_reader")
    check(module.Dataset("train"))
    if reader == "torch":
        from torch.utils.data import DataLoader

        check(DataLoader(module.Dataset("train"), batch_size=None))
    else:
        assert "torch" not in sys.modules and "tensorflow" not in sys.modules


make() if ACTION == "make" else read(sys.argv[3])
