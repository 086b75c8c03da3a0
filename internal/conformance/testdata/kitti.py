"""Compares the records of docs/tools/kitti.md with what a plain parser reads from the label files.

    kitti.py DIR

DIR has training/label_2, the datasets in out, and NAME.txt of each table.
"""

import glob
import os
import sys

import numpy as np
from PIL import Image
import tensorflow as tf

os.chdir(sys.argv[1])


def examples(pattern):
    for record in tf.data.TFRecordDataset(sorted(glob.glob(pattern))):
        yield tf.train.Example.FromString(record.numpy()).features.feature


def target(row):
    """The values of TAO's keys for a line: a class in lower case, then a float, an int, and floats."""
    return [row[0].lower().encode(), np.float32(row[1]), int(float(row[2]))] + [np.float32(cell) for cell in row[3:]]


TARGET = (
    "object_class truncation occlusion observation_angle coordinates_x1 coordinates_y1 coordinates_x2 coordinates_y2 "
    "world_bbox_h world_bbox_w world_bbox_l world_bbox_x world_bbox_y world_bbox_z world_bbox_rot_y"
).split()
KINDS = {"object_class": "bytes_list", "occlusion": "int64_list"}

images = {os.path.splitext(os.path.basename(p))[0]: p for p in glob.glob("training/image_2/*")}
boxes = skipped = 0
for found in examples("out/kitti/kitti_*-shard-*"):
    assert set(found) == {"frame/id", "frame/height", "frame/width"} | {"target/" + key for key in TARGET}
    (name,) = found["frame/id"].bytes_list.value
    directory, name = name.decode().split("/")
    assert directory == "image_2"
    size = (found["frame/width"].int64_list.value[0], found["frame/height"].int64_list.value[0])
    assert size == Image.open(images.pop(name)).size, name
    path, rows = f"training/label_2/{name}.txt", []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            rows = [line.split() for line in f if line.strip()]
    kept = [row for row in rows if int(float(row[4])) < int(float(row[6])) and int(float(row[5])) < int(float(row[7]))]
    boxes, skipped = boxes + len(kept), skipped + len(rows) - len(kept)
    for i, key in enumerate(TARGET):
        kind = KINDS.get(key, "float_list")
        assert found["target/" + key].WhichOneof("kind") == kind, (name, key)
        values = list(getattr(found["target/" + key], kind).value)
        assert values == [target(row)[i] for row in kept], (name, key, values)
assert not images and boxes > 20 and skipped > 20, (images, boxes, skipped)

PARSERS = {
    "dota": lambda line: line.split(),
    "yolo": lambda line: line.split(),
    "list": lambda line: line.split(),
    "mot": lambda line: line.split(","),
    "icdar": lambda line: line.split(",", 8),
    "movielens": lambda line: line.split("::"),
}
for name, parse in PARSERS.items():
    encoding = {"movielens": "latin-1", "icdar": "utf-8-sig"}.get(name, "utf-8")
    with open(name + ".txt", encoding=encoding) as f:
        want = [parse(line.rstrip("\r\n")) for line in f][2 if name == "dota" else 0 :]
    with open(name + ".yaml", encoding="utf-8") as f:
        columns = f.read().split("columns: [")[1].split("]")[0].split(", ")
    found = list(examples(f"out/{name}/train-*"))
    got = [[row[c].bytes_list.value[0].decode() for c in columns] for row in found]
    assert got == want, (name, [pair for pair in zip(got, want) if pair[0] != pair[1]][:1], len(got), len(want))
    print(name, len(got), "rows")
print(boxes, "boxes,", skipped, "skipped")
