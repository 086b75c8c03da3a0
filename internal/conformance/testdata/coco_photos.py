"""Lays photos out as COCO, and compares records of two configs with values that are computed here.

make DIR PHOTOS: annotations and photos. The annotations are made for this test.
check DIR:       out/object-detection-api has what create_coco_tf_record.py of the Object Detection API
                 writes; the script's rules are written out in api_values. out/coco-640 has the images as
                 Pillow resizes them, and coordinates and masks that moved with them.
"""
import glob
import hashlib
import io
import json
import os
import shutil
import sys

import numpy as np
from PIL import Image
from pycocotools import mask as masks

SIDE = 640
SPLITS = {"train": "train", "val": "validation"}
CATEGORIES = [
    {"id": 1, "name": "person", "supercategory": "person"},
    {"id": 28, "name": "umbrella", "supercategory": "accessory"},
    {"id": 90, "name": "waterfall", "supercategory": "outdoor"},
]
# The outlines of the waterfall and of the person, in pixels of the upright photos.
FALL = [1395, 110, 1480, 100, 1500, 140, 1440, 420, 1425, 1170, 1120, 1175, 1200, 760, 1290, 400]
PERSON = [470, 1110, 510, 1100, 545, 1120, 590, 1250, 555.5, 1560.25, 470, 1575, 452, 1230]
PUDDLE = [700, 1650, 800, 1640, 760, 1700]


def runs_of(pixels):
    flat = np.concatenate([[0], pixels.flatten(order="F"), [2]])
    return np.diff(np.concatenate([[0], np.flatnonzero(np.diff(flat))])).tolist()


def bounds(outline):
    x, y = outline[0::2], outline[1::2]
    return [min(x), min(y), max(x) - min(x), max(y) - min(y)]


def objects_of(name, width, height):
    """The objects of a photo, without their IDs."""
    band = np.zeros((height, width), dtype=np.uint8)
    band[height // 3 : height // 2, width // 5 : width // 3] = 1
    crowd = {"iscrowd": 1, "category_id": 1, "bbox": [width // 5, height // 3, width // 3 - width // 5, height // 2 - height // 3], "area": int(band.sum())}
    runs = {**crowd, "segmentation": {"counts": runs_of(band), "size": [height, width]}}
    compressed = {**crowd, "segmentation": {"counts": masks.encode(np.asfortranarray(band))["counts"].decode("ascii"), "size": [height, width]}}
    if name == "Landscape_1":
        fall = {"iscrowd": 0, "category_id": 90, "bbox": bounds(FALL), "area": 204250.5, "segmentation": [FALL]}
        outside = {"iscrowd": 0, "category_id": 28, "bbox": [1700.5, 10, 100, 20], "area": 7, "segmentation": [[1700.5, 10, 1790, 10, 1790, 30]]}
        return [fall, runs, outside]
    if name == "Portrait_1":
        keypoints = [0] * 51
        keypoints[:6], keypoints[45:48] = [515, 1130, 2, 522.5, 1122, 1], [545, 1550, 2]
        person = {"iscrowd": 0, "category_id": 1, "bbox": bounds(PERSON), "area": 40000, "segmentation": [PERSON, PUDDLE], "keypoints": keypoints}
        flat = {"iscrowd": 0, "category_id": 28, "bbox": [5, 5, 0, 3], "area": 0, "segmentation": [[5, 5, 5, 8, 5, 6]]}
        return [compressed, flat, person]
    if name == "Landscape_6":
        return [compressed]
    return []


def make(directory, photos):
    names = {"train": ["landscape/Landscape_1", "portrait/Portrait_1", "portrait/Portrait_2"], "val": ["landscape/Landscape_6"]}
    os.makedirs(f"{directory}/annotations")
    for split, files in names.items():
        images, annotations = [], []
        os.makedirs(f"{directory}/{split}2017")
        for number, file in enumerate(files):
            identity = len(split) * 1000 + number
            image = {"id": identity, "file_name": f"{identity:012d}.jpg"}
            target = f"{directory}/{split}2017/{image['file_name']}"
            shutil.copy(f"{photos}/{file}.jpg", target)
            image["width"], image["height"] = Image.open(target).size
            images.append(image)
            for k, found in enumerate(objects_of(os.path.basename(file), image["width"], image["height"])):
                annotations.insert(0, {"id": 100 * identity + k, "image_id": identity, **found})
        instances = [{key: value for key, value in a.items() if key != "keypoints"} for a in annotations]
        persons = [{"keypoints": [0] * 51, "num_keypoints": 3, **a} for a in annotations if a["category_id"] == 1]
        for name, objects, categories in (("instances", instances, CATEGORIES), ("person_keypoints", persons, CATEGORIES[:1])):
            with open(f"{directory}/annotations/{name}_{split}2017.json", "w") as f:
                json.dump({"images": images, "annotations": objects, "categories": categories}, f)


def read(directory, split, name="instances"):
    with open(f"{directory}/annotations/{name}_{split}2017.json") as f:
        return json.load(f)


def objects_by_image(document):
    found = {image["id"]: [] for image in document["images"]}
    for a in document["annotations"]:
        found[a["image_id"]].append(a)
    return found


def api_values(content, image, objects, names):
    """The values of create_coco_tf_record.py: boxes as parts of the size that the annotations have."""
    width, height = image["width"], image["height"]
    kept = [o for o in objects if o["bbox"][2] > 0 and o["bbox"][3] > 0]
    kept = [o for o in kept if o["bbox"][0] + o["bbox"][2] <= width and o["bbox"][1] + o["bbox"][3] <= height]
    return {
        "image/encoded": [content],
        "image/format": [b"jpeg"],
        "image/filename": [image["file_name"].encode()],
        "image/source_id": [str(image["id"]).encode()],
        "image/key/sha256": [hashlib.sha256(content).hexdigest().encode()],
        "image/height": [height],
        "image/width": [width],
        "image/object/bbox/xmin": np.float32([o["bbox"][0] / width for o in kept]),
        "image/object/bbox/xmax": np.float32([(o["bbox"][0] + o["bbox"][2]) / width for o in kept]),
        "image/object/bbox/ymin": np.float32([o["bbox"][1] / height for o in kept]),
        "image/object/bbox/ymax": np.float32([(o["bbox"][1] + o["bbox"][3]) / height for o in kept]),
        "image/object/class/text": [names[o["category_id"]].encode() for o in kept],
        "image/object/class/label": [o["category_id"] for o in kept],
        "image/object/is_crowd": [o["iscrowd"] for o in kept],
        "image/object/area": np.float32([o["area"] for o in kept]),
    }


def moved(outline, image):
    """x and y in turn, in the letterbox of an image."""
    (width, height), (new_width, new_height), (left, top) = geometry(image)
    return [v * new_height / height + top if i % 2 else v * new_width / width + left for i, v in enumerate(outline)]


def geometry(image):
    size = (image["width"], image["height"])
    new = tuple(round(SIDE * n / max(size)) for n in size)
    return size, new, tuple((SIDE - n) // 2 for n in new)


def letterbox(picture, image, how):
    _, new, at = geometry(image)
    canvas = Image.new(picture.mode, (SIDE, SIDE))
    canvas.paste(picture.resize(new, how), at)
    return canvas


def letterbox_values(content, image, objects, persons, labels):
    (width, height), (new_width, new_height), _ = geometry(image)
    jpeg = io.BytesIO()
    letterbox(Image.open(io.BytesIO(content)).convert("RGB"), image, Image.Resampling.LANCZOS).save(jpeg, "JPEG", quality=95, subsampling="4:2:0")
    boxes, points, lengths, polygons, keypoints, pixels = [], [], [], [], [], []
    for o in objects:
        # A box is moved by its corners, and clipped to the result.
        x, y, to_x, to_y = (min(max(v, 0), SIDE) for v in moved([*o["bbox"][:2], o["bbox"][0] + o["bbox"][2], o["bbox"][1] + o["bbox"][3]], image))
        boxes += [x, y, to_x - x, to_y - y]
        outlines = o["segmentation"] if isinstance(o["segmentation"], list) else []
        lengths.append(len(outlines))
        polygons += [len(p) for p in outlines]
        points += [v for p in outlines for v in moved(p, image)]
        found = np.reshape(persons.get(o["id"], [0] * 51), (-1, 3))
        keypoints += [v for x, y, v in found for v in ([*moved([x, y], image), v] if v else [x, y, v])]
        pixels.append(None if outlines else np.asarray(letterbox(Image.fromarray(decoded(o["segmentation"])), image, Image.Resampling.NEAREST)))
    return {
        "image": np.asarray(Image.open(jpeg)),
        "image/filename": [image["file_name"].encode()],
        "image/id": [image["id"]],
        "image/source/height": [height],
        "image/source/width": [width],
        "objects/id": [o["id"] for o in objects],
        "objects/bbox": np.float32(boxes),
        "objects/is_crowd": [o["iscrowd"] for o in objects],
        "objects/category": [o["category_id"] for o in objects],
        "objects/label": [labels.index(o["category_id"]) for o in objects],
        "objects/keypoints": np.float32(keypoints),
        "objects/segmentation/ragged_flat_values": np.float32(points),
        "objects/segmentation/ragged_row_lengths_0": lengths,
        "objects/segmentation/ragged_row_lengths_1": polygons,
        "objects/mask": pixels,
    }


def decoded(segmentation):
    if isinstance(segmentation["counts"], list):
        segmentation = masks.frPyObjects(segmentation, *segmentation["size"])
    return masks.decode(segmentation)


def pixels_of(value):
    return np.asarray(Image.open(io.BytesIO(value))) if value else None


def values(feature):
    kind = feature.WhichOneof("kind")
    return list(getattr(feature, kind).value) if kind else []


def compare(directory, dataset, expected, decode):
    """Compares all records of a dataset, key by key and value by value."""
    import tensorflow as tf

    count = 0
    for split, of in SPLITS.items():
        want = expected(directory, split)
        for payload in tf.data.TFRecordDataset(sorted(glob.glob(f"{dataset}/{of}-*"))).as_numpy_iterator():
            got = {key: values(feature) for key, feature in tf.train.Example.FromString(payload).features.feature.items()}
            record = want.pop(got["image/filename"][0])
            assert set(got) == set(record), set(got) ^ set(record)
            for key, list_ in record.items():
                found = decode(key, got[key])
                assert len(found) == len(list_), (key, found, list_)
                for a, b in zip(found, list_):
                    assert np.array_equal(a, b), (key, a, b)
                    count += 1
        assert not want, want.keys()
    return count


def contents(directory, split, document):
    for image in document["images"]:
        with open(f"{directory}/{split}2017/{image['file_name']}", "rb") as f:
            yield image, f.read()


def api_expected(directory, split):
    document = read(directory, split)
    objects = objects_by_image(document)
    names = {c["id"]: c["name"] for c in document["categories"]}
    return {i["file_name"].encode(): api_values(content, i, objects[i["id"]], names) for i, content in contents(directory, split, document)}


def letterbox_expected(directory, split):
    document = read(directory, split)
    objects = objects_by_image(document)
    persons = {a["id"]: a["keypoints"] for a in read(directory, split, "person_keypoints")["annotations"]}
    labels = [c["id"] for c in sorted(CATEGORIES, key=lambda c: c["name"])]
    return {
        i["file_name"].encode(): letterbox_values(content, i, objects[i["id"]], persons, labels) for i, content in contents(directory, split, document)
    }


def letterbox_decoded(key, list_):
    return pixels_of(list_[0]) if key == "image" else [pixels_of(v) for v in list_] if key == "objects/mask" else list_


if sys.argv[1] == "make":
    make(sys.argv[2], sys.argv[3])
else:
    count = compare(sys.argv[2], f"{sys.argv[2]}/out/object-detection-api", api_expected, lambda key, list_: list_)
    assert count == 4 * 7 + 5 * 8, count  # four images, and five objects that are kept
    compare(sys.argv[2], f"{sys.argv[2]}/out/coco-640", letterbox_expected, letterbox_decoded)
