"""Draws docs/images/coordinates.jpg: a photo and its annotations before and after convert.

usage: python figures.py TFR-BUILD PICTURE

The right half is a record of a real build. The photo is testdata/photos/landscape/Landscape_6.jpg, which its
EXIF orientation turns; its license is in testdata/photos/LICENSE. The annotations are made for this picture.
"""
import glob
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import tensorflow as tf
from PIL import Image, ImageDraw

PHOTO = pathlib.Path(__file__).parent.parent / "testdata/photos/landscape/Landscape_6.jpg"
WIDTH, HEIGHT = 1800, 1200  # of the upright photo
SIDE, GAP = 420, 24
BOX, DROPPED, POINT, POLYGON, MASK = (255, 210, 0), (120, 255, 90), (255, 60, 200), (0, 230, 255), (235, 50, 50)

CONFIG = """\
name: figure
output: out
source:
  jsonl: photo.jsonl
  load:
    image:
      path: "{file}"
      dir: .
      convert:
        orientation: apply
        resize: {short: 480}
        crop: {width: SIDE, height: SIDE}
        format: png
        boxes: [{xyxy: boxes, unit: pixel, with: [polygons]}]
        points: [{xyv: points, unit: pixel}]
        polygons: [{column: polygons, unit: pixel}]
        masks: [{rle: mask}]
        of: stored
features:
  image: {from: image}
  boxes: {from: boxes, type: float, shape: [-1, 4]}
  points: {from: points, type: float, shape: [-1]}
  polygons: {from: polygons, type: float, shape: [-1, -1]}
  mask: {from: mask}
""".replace("SIDE", str(SIDE))


def stored(points):
    """Points of the upright photo, in the stored one."""
    return [(y, WIDTH - x) for x, y in points]


def box_of(points):
    (x, y), (to_x, to_y) = np.min(points, axis=0), np.max(points, axis=0)
    return [int(x), int(y), int(to_x), int(to_y)]


def annotations():
    fall = stored([(1395, 110), (1480, 100), (1500, 140), (1440, 420), (1425, 1170), (1120, 1175), (1200, 760), (1290, 400)])
    rock = Image.new("L", (HEIGHT, WIDTH))
    area = box_of(stored([(660, 690), (1010, 930)]))
    ImageDraw.Draw(rock).ellipse(area, fill=1)
    flat = np.concatenate([[0], np.asarray(rock).flatten(order="F"), [2]])
    return {
        "file": PHOTO.name,
        "boxes": [box_of(fall), area, box_of(stored([(30, 40), (330, 300)]))],
        "points": [v for x, y in stored([(560, 425), (1300, 560), (362, 905)]) for v in (x, y, 2)],
        "polygons": [[v for point in fall for v in point], [], []],
        "mask": {"counts": np.diff(np.concatenate([[0], np.flatnonzero(np.diff(flat))])).tolist(), "size": [WIDTH, HEIGHT]},
    }, rock


def draw(image, boxes, points, polygons, mask, scale=1.0):
    image = image.convert("RGB")
    image.paste(MASK, mask=mask.point(lambda v: 120 if v else 0))
    size = (round(image.width * scale), round(image.height * scale))
    image = image.resize(size, Image.Resampling.LANCZOS)
    pen = ImageDraw.Draw(image, "RGBA")
    for outline in polygons:
        if outline:
            pen.polygon([v * scale for v in outline], fill=(*POLYGON, 70), outline=(*POLYGON, 255), width=2)
    for box, color in boxes:
        left, top, right, bottom = (round(v * scale) for v in box)
        pen.rectangle((left, top, min(right, size[0] - 1), min(bottom, size[1] - 1)), outline=color, width=2)
    for x, y, visible in np.reshape(points, (-1, 3)):
        if visible:
            pen.ellipse((x * scale - 5, y * scale - 5, x * scale + 5, y * scale + 5), fill=POINT, outline=(255, 255, 255))
    return image


def build(program, row):
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        (root / PHOTO.name).write_bytes(PHOTO.read_bytes())
        (root / "photo.jsonl").write_text(json.dumps(row) + "\n")
        (root / "figure.yaml").write_text(CONFIG)
        subprocess.run([program, "build", "-q", root / "figure.yaml"], check=True)
        (payload,) = tf.data.TFRecordDataset(glob.glob(f"{root}/out/train-*")).as_numpy_iterator()
    features = tf.train.Example.FromString(payload).features.feature
    return {key: list(getattr(f, f.WhichOneof("kind")).value) for key, f in features.items()}


def main(program, picture):
    row, mask = annotations()
    boxes = [(box, DROPPED if i == 2 else BOX) for i, box in enumerate(row["boxes"])]
    before = draw(Image.open(PHOTO), boxes, row["points"], row["polygons"], mask, SIDE / WIDTH)

    record = build(program, row)
    lengths, numbers, polygons = record["polygons/ragged_row_lengths_0"], record["polygons/ragged_flat_values"], []
    for n in lengths:
        polygons.append(numbers[:n])
        numbers = numbers[n:]
    boxes = [(box, BOX) for box in np.reshape(record["boxes"], (-1, 4))]
    image, mask = (Image.open(io.BytesIO(record[key][0])) for key in ("image", "mask"))
    after = draw(image, boxes, record["points"], polygons, mask)

    sheet = Image.new("RGB", (before.width + GAP + after.width, SIDE), "white")
    sheet.paste(before, (0, 0))
    sheet.paste(after, (before.width + GAP, 0))
    sheet.save(picture, quality=85, optimize=True)


main(*sys.argv[1:])
