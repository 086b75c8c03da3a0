"""Moves boxes, points, and masks with albumentations, and encodes masks with pycocotools.

    coordinates.py > coordinates.json

The result has the versions of both, and for each case the input and what they make of it.
"""

import importlib.metadata
import json
import sys

import albumentations as A
import numpy as np
from pycocotools import mask as coco

# The flips that turn an image upright, by its EXIF orientation.
TURNS = {
    1: [],
    2: [A.HorizontalFlip(p=1)],
    3: [A.HorizontalFlip(p=1), A.VerticalFlip(p=1)],
    4: [A.VerticalFlip(p=1)],
    5: [A.Transpose(p=1)],
    6: [A.Transpose(p=1), A.HorizontalFlip(p=1)],
    7: [A.Transpose(p=1), A.HorizontalFlip(p=1), A.VerticalFlip(p=1)],
    8: [A.Transpose(p=1), A.VerticalFlip(p=1)],
}


def resized(steps, step, width, height):
    """Returns the resize to the size that a step makes. The step itself moves points by another scale than boxes."""
    shape = A.Compose(steps + [step])(image=np.zeros((height, width, 3), np.uint8))["image"].shape
    return A.Resize(shape[0], shape[1], p=1)


def moved(rng, orientation):
    """Returns a case of an image with boxes and points."""
    width, height = (int(n) for n in rng.integers(60, 900, 2))
    case = {"width": width, "height": height, "orientation": orientation}
    steps = list(TURNS[orientation])
    kind = int(rng.integers(0, 4))
    if kind in (0, 1):
        case["short"] = int(rng.integers(20, 300))
        steps.append(resized(steps, A.SmallestMaxSize(max_size=case["short"], p=1), width, height))
    if kind == 2:
        case["long"] = int(rng.integers(60, 300))
        steps.append(resized(steps, A.LongestMaxSize(max_size=case["long"], p=1), width, height))
    if kind in (1, 3):
        side = min(case.get("short", 10**6), width, height)
        case["crop"] = [int(n) for n in rng.integers(max(1, side // 2), side + 1, 2)]
        steps.append(A.CenterCrop(width=case["crop"][0], height=case["crop"][1], p=1))
    case["min_visible"] = float(rng.choice([0, 0.1, 0.5]))
    corners = rng.random((7, 2)) * [width * 0.9, height * 0.9]
    sizes = rng.random((7, 2)) * [width, height]
    boxes = np.hstack([corners, np.minimum(corners + sizes + 2, [width, height])])
    case["boxes"] = boxes.round(3).tolist()
    compose = A.Compose(steps, bbox_params=A.BboxParams("pascal_voc", min_visibility=case["min_visible"], label_fields=["numbers"]),
                        keypoint_params=A.KeypointParams("xy", remove_invisible=False))
    # A keypoint is a pixel there: flips make W - 1 - x of it, where a coordinate becomes W - x.
    points = rng.random((5, 2)).round(4) * [width, height] if orientation == 1 else np.zeros((0, 2))
    out = compose(image=np.zeros((height, width, 3), np.uint8), bboxes=case["boxes"], numbers=list(range(7)), keypoints=points)
    case["points"] = points.tolist()
    case["result"] = {
        "width": out["image"].shape[1], "height": out["image"].shape[0],
        "numbers": [int(n) for n in out["numbers"]], "boxes": np.asarray(out["bboxes"]).reshape(-1, 4).round(4).tolist(),
        "points": np.asarray(out["keypoints"]).reshape(-1, 2).round(4).tolist(),
    }
    return case


def masks(rng):
    """Returns masks: empty, full, of single rows and columns, small and large ones with many and with few pixels."""
    for height, width in ((1, 1), (1, 9), (9, 1), (480, 640)):
        yield np.zeros((height, width), np.uint8)
        yield np.ones((height, width), np.uint8)
    for _ in range(60):
        height, width = (int(n) for n in rng.integers(1, 15, 2))
        pixels = (rng.random((height, width)) < rng.choice([0.02, 0.3, 0.5, 0.98])).astype(np.uint8)
        if rng.random() < 0.3:
            pixels = np.kron(pixels, np.ones(rng.integers(1, 60, 2), np.uint8))
        yield pixels


def encoded(pixels):
    """Returns the string of a mask's runs, and the runs as numbers."""
    runs = coco.encode(np.asfortranarray(pixels))
    ones = "".join(map(str, pixels.flatten(order="F")))
    assert (coco.decode(runs) == pixels).all()
    lengths, last, n = [], "0", 0
    for bit in ones:
        if bit != last:
            lengths, last, n = lengths + [n], bit, 0
        n += 1
    numbers = coco.frPyObjects({"size": runs["size"], "counts": lengths + [n]}, *pixels.shape)
    assert (coco.decode(numbers) == pixels).all()
    return {"size": runs["size"], "counts": runs["counts"].decode(), "runs": lengths + [n]}


def main():
    rng = np.random.default_rng(37)
    json.dump({
        **{name: importlib.metadata.version(name) for name in ("albumentations", "pycocotools", "numpy")},
        "moved": [moved(rng, 1 + i % 8) for i in range(80)],
        "encoded": [encoded(pixels) for pixels in masks(rng)],
    }, sys.stdout)
    print()


if __name__ == "__main__":
    main()
