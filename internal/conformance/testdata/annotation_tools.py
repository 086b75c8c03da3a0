"""Compares datasets with the exports of annotation tools, which are parsed here with the standard library only.

first DIR: via/via1.json, which has the regions of via/via.json as objects with gaps in their keys.
check DIR: all datasets below out have the values of the exports, as their readers and TFDS return them.
"""

import importlib.util
import json
import pathlib
import sys
import xml.etree.ElementTree

import numpy as np

NAMES = ["boat", "tree"]


def first(directory):
    images = json.loads((directory / "via" / "via.json").read_text())
    for image in images.values():
        image["regions"] = {str(50 - 5 * i): region for i, region in enumerate(image["regions"])}
    (directory / "via" / "via1.json").write_text(json.dumps(images))


def fiftyone(directory):
    document = json.loads((directory / "fiftyone" / "labels.json").read_text())
    names = {category["id"]: category["name"] for category in document["categories"]}
    for image in document["images"]:
        objects = [a for a in document["annotations"] if a["image_id"] == image["id"]]
        yield image["file_name"], {"objects/bbox": [a["bbox"] for a in objects], "objects/label": [names[a["category_id"]] for a in objects]}


def cvat(directory):
    for image in xml.etree.ElementTree.parse(directory / "cvat" / "annotations.xml").iter("image"):
        boxes = image.findall("box")
        sides = {"xmin": "xtl", "ymin": "ytl", "xmax": "xbr", "ymax": "ybr"}
        found = {key: [float(box.get(side)) for box in boxes] for key, side in sides.items()}
        found.update(label=[box.get("label") for box in boxes], occluded=[int(box.get("occluded")) for box in boxes])
        found["points"] = [polygon.get("points") for polygon in image.findall("polygon")]
        yield image.get("name"), found


def roboflow(directory):
    for path in (directory / "roboflow" / "train" / "labels").glob("*.txt"):
        lines = [line.split() for line in path.read_text().splitlines()]
        yield path.stem + ".jpg", {"objects/bbox": [[float(x) for x in line[1:]] for line in lines], "objects/label": [int(line[0]) for line in lines]}


def via(directory):
    for image in json.loads((directory / "via" / "via.json").read_text()).values():
        shapes = [region["shape_attributes"] for region in image["regions"]]
        found = {key: [shape.get(key, 0) for shape in shapes] for key in ("x", "y", "width", "height")}
        found.update(xs=[shape.get("all_points_x", []) for shape in shapes], ys=[shape.get("all_points_y", []) for shape in shapes])
        found["label"] = [region["region_attributes"]["label"] for region in image["regions"]]
        yield image["filename"], found


def labelme(directory):
    for path in (directory / "labelme").glob("*.jpg"):
        file = path.with_suffix(".json")
        shapes = json.loads(file.read_text())["shapes"] if file.exists() else []
        yield path.name, {"label": [s["label"] for s in shapes], "kind": [s["shape_type"] for s in shapes], "points": [s["points"] for s in shapes]}


def load(directory, tool, name):
    """The reader of a dataset."""
    spec = importlib.util.spec_from_file_location(f"{tool}_{name}", directory / "out" / tool / "_tfr" / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def plain(value):
    """A value of any reader as lists, numbers, and strings."""
    if hasattr(value, "to_list"):
        value = value.to_list()
    elif hasattr(value, "numpy"):
        value = value.numpy()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value


def compare(reader, tool, rows, want):
    want = dict(want)
    for row in rows:
        name = next(plain(row[key]) for key in ("filename", "file_name", "path") if key in row)
        expected = want.pop(pathlib.Path(name).name)
        for key, values in expected.items():
            found, values = plain(row[key]), np.float32(values).tolist() if key == "objects/bbox" else values
            if tool != "roboflow" and key.endswith("label"):
                found = [NAMES[i] for i in found]
            if found != values:
                sys.exit(f"{reader} of {tool}, {name}: {key} is {found}; expected {values}")
    if want:
        sys.exit(f"{reader} of {tool} lacks {sorted(want)}")


def check(directory):
    import tensorflow_datasets as tfds

    for tool in (fiftyone, cvat, roboflow, via, labelme):
        name = {fiftyone: "labels"}.get(tool, tool.__name__)
        splits = [split["name"] for split in json.loads((directory / "out" / name / "_tfr" / "manifest.json").read_text())["splits"]]
        compare("reader.py", name, load(directory, name, "reader").dataset(splits), tool(directory))
        torch_reader = load(directory, name, "torch_reader")
        compare("torch_reader.py", name, [row for split in splits for row in torch_reader.Dataset(split)], tool(directory))
        builder = tfds.builder_from_directory(str(directory / "out" / name))
        compare("TFDS", name, [row for split in builder.as_dataset().values() for row in split], tool(directory))


if __name__ == "__main__":
    {"first": first, "check": check}[sys.argv[1]](pathlib.Path(sys.argv[2]))
