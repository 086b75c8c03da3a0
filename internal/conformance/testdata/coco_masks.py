"""Makes annotations with masks of each form, and compares masks of records with them.

make DIR:  annotations of COCO's layout, whose masks are those of pycocotools.
check DIR: the masks in got.json, which the records have, are those of the annotations.
"""
import base64
import json
import pathlib
import sys

import numpy as np
from pycocotools import mask as masks


def annotation(rng, form, number, height, width):
    """An object with a mask of a form, on the image of a number."""
    found = {"id": number, "image_id": number // 4 + 1, "category_id": 1, "iscrowd": 0, "area": 1.0, "bbox": [0, 0, 1, 1]}
    if form == "polygons":
        found["segmentation"] = [[float(x) / 4 for x in rng.integers(0, 4 * min(height, width), 8)] for _ in range(rng.integers(1, 3))]
        return found
    pixels = np.asfortranarray(rng.integers(0, 2, (height, width), dtype=np.uint8))
    rle = masks.encode(pixels)
    if form == "compressed":
        found["segmentation"] = {"counts": rle["counts"].decode("ascii"), "size": rle["size"]}
        return found
    flat = np.concatenate([[0], pixels.flatten(order="F"), [2]])
    ends = np.flatnonzero(np.diff(flat))
    runs = np.diff(np.concatenate([[0], ends])).tolist()
    found.update(iscrowd=1, segmentation={"counts": [int(n) for n in runs], "size": [height, width]})
    return found


def make(directory):
    rng = np.random.default_rng(7)
    for split, first in (("train", 0), ("val", 4000)):
        images, objects = [], []
        for i in range(6):
            height, width = int(rng.integers(5, 40)), int(rng.integers(5, 40))
            images.append({"id": (first + 4 * i) // 4 + 1, "file_name": f"{split}{i}.jpg", "height": height, "width": width})
            for n in range(4):
                form = ("polygons", "compressed", "runs")[(i + n) % 3]
                objects.append(annotation(rng, form, first + 4 * i + n, height, width))
        document = {"images": images, "annotations": objects, "categories": [{"id": 1, "name": "cat", "supercategory": "animal"}]}
        (directory / "annotations").mkdir(exist_ok=True)
        (directory / "annotations" / f"instances_{split}2017.json").write_text(json.dumps(document))


def decoded(segmentation, height, width):
    """The pixels of a segmentation, as pycocotools' annToMask makes them."""
    if isinstance(segmentation, list):
        segmentation = masks.merge(masks.frPyObjects(segmentation, height, width))
    elif isinstance(segmentation["counts"], list):
        segmentation = masks.frPyObjects(segmentation, height, width)
    return masks.decode(segmentation)


def check(directory):
    got = json.loads((directory / "got.json").read_text())
    for split in ("train", "val"):
        document = json.loads((directory / "annotations" / f"instances_{split}2017.json").read_text())
        sizes = {image["id"]: (image["height"], image["width"]) for image in document["images"]}
        for original in document["annotations"]:
            record = got.pop(str(original["id"]))
            counts = base64.b64decode(record["counts"] or "")
            forms = [form for form, there in (("polygons", record["polygons"]), ("compressed", counts), ("runs", record["runs"])) if there]
            if len(forms) != 1:
                sys.exit(f"object {original['id']}: the record has {forms or 'no mask'}; expected one form")
            found = {
                "polygons": record["polygons"],
                "compressed": {"counts": counts, "size": record["size"]},
                "runs": {"counts": record["runs"], "size": record["size"]},
            }[forms[0]]
            size = sizes[original["image_id"]]
            if not np.array_equal(decoded(found, *size), decoded(original["segmentation"], *size)):
                sys.exit(f"object {original['id']}, {forms[0]}: the record has another mask")
    if got:
        sys.exit(f"records have objects {sorted(got)} that the annotations lack")


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](pathlib.Path(sys.argv[2]))
