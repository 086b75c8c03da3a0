"""The rows of the project's configs, read from their sources with Python alone.

A row is a dict: key of the Example -> (kind, values), or None where the record
has no such key. Kinds are those of tf.train.Feature: "int64", "float", "bytes".
"""

import csv
import datetime
import glob
import gzip
import json
import os
import zoneinfo

import numpy as np
import pyarrow.parquet
from PIL import Image


def ints(*values):
    return "int64", [int(v) for v in values]


def floats(*values):
    return "float", [float(v) for v in values]


def texts(*values):
    return "bytes", [v.encode() if isinstance(v, str) else v for v in values]


def table(path, **options):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f, **options))


def penguins(root):
    rows = table(os.path.join(root, "testdata/penguins/penguins.csv"))
    species = ["Adelie", "Chinstrap", "Gentoo"]
    islands = sorted({r["island"] for r in rows})

    def optional(make, text):
        return None if text == "NA" else make(text)

    for r in rows:
        yield {
            "species": ints(species.index(r["species"])),
            "island": ints(islands.index(r["island"])),
            "bill_length_mm": optional(floats, r["bill_length_mm"]),
            "bill_depth_mm": optional(floats, r["bill_depth_mm"]),
            "flipper_length_mm": optional(ints, r["flipper_length_mm"]),
            "body_mass_g": ints(-1 if r["body_mass_g"] == "NA" else r["body_mass_g"]),
            "sex": texts("unknown" if r["sex"] == "NA" else r["sex"]),
            "year": ints(r["year"]),
        }


def gsm8k(root):
    with open(os.path.join(root, "testdata/gsm8k/test.jsonl"), encoding="utf-8") as f:
        for line in f:
            row = json.loads(line)
            yield {"question": texts(row["question"]), "answer": texts(row["answer"])}


def photos(root):
    orientation_tag = 0x0112
    for label, name in enumerate(["landscape", "portrait"]):
        for path in glob.glob(os.path.join(root, "testdata/photos", name, "*.jpg")):
            image = Image.open(path)
            with open(path, "rb") as f:
                data = f.read()
            orientation = image.getexif().get(orientation_tag, 1)
            yield {
                "image": texts(data),
                "format": texts("JPEG"),
                "height": ints(image.height),
                "width": ints(image.width),
                "orientation": ints(orientation if 1 <= orientation <= 8 else 1),
                "label": ints(label),
                "filename": texts(os.path.basename(path)),
            }


def tutorial(root):
    for r in table(os.path.join(root, "testdata/tutorial/observations.csv")):
        yield {
            "feature0": ints(r["feature0"] == "True"),
            "feature1": ints(r["feature1"]),
            "feature2": texts(r["feature2"]),
            "feature3": floats(r["feature3"]),
        }


def mnist(root):
    """As TensorFlow 1's convert_to_records.py read MNIST: the first images of the training set are for validation."""

    def read(name):
        with gzip.open(os.path.join(root, "testdata/digits", name + ".gz"), "rb") as f:
            data = f.read()
        dimensions = np.frombuffer(data, ">u4", data[3], 4)
        return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(dimensions)

    images, labels = read("train-images-idx3-ubyte"), read("train-labels-idx1-ubyte")
    parts = [(images[200:], labels[200:]), (images[:200], labels[:200])]
    parts.append((read("t10k-images-idx3-ubyte"), read("t10k-labels-idx1-ubyte")))
    for images, labels in parts:
        for image, label in zip(images, labels):
            yield {
                "image_raw": texts(image.tobytes()),
                "height": ints(image.shape[0]),
                "width": ints(image.shape[1]),
                "depth": ints(1),
                "label": ints(label),
            }


def nyc_taxi(root):
    zone = zoneinfo.ZoneInfo("America/New_York")
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)

    def seconds(local):
        return ints((local.replace(tzinfo=zone) - epoch) // datetime.timedelta(seconds=1))

    for r in pyarrow.parquet.read_table(os.path.join(root, "testdata/taxi/yellow_tripdata.parquet")).to_pylist():
        if r["fare_amount"] <= 0 or r["trip_distance"] <= 0:
            continue
        yield {
            "VendorID": ints(r["VendorID"]),
            "pickup": seconds(r["tpep_pickup_datetime"]),
            "dropoff": seconds(r["tpep_dropoff_datetime"]),
            "passenger_count": ints(1 if r["passenger_count"] is None else r["passenger_count"]),
            "trip_distance": floats(r["trip_distance"]),
            "RatecodeID": None if r["RatecodeID"] is None else ints(r["RatecodeID"]),
            "store_and_fwd_flag": ints(r["store_and_fwd_flag"] == "Y"),
            "PULocationID": ints(r["PULocationID"]),
            "DOLocationID": ints(r["DOLocationID"]),
            "payment_type": ints(r["payment_type"]),
            "fare_amount": floats(r["fare_amount"]),
            "tip_amount": floats(r["tip_amount"]),
            "tip_share": floats(r["tip_amount"] / r["fare_amount"]),
        }


def imagenet(root):
    def lines(name):
        with open(os.path.join(root, name), encoding="utf-8") as f:
            return f.read().splitlines()

    synsets = lines("imagenet_lsvrc_2015_synsets.txt")
    titles = dict(line.split("\t") for line in lines("imagenet_metadata.txt"))
    boxes = {}
    for line in lines("imagenet_2012_bounding_boxes.csv"):
        name, *edges = line.split(",")
        boxes.setdefault(name, []).append(edges)
    train = [(p, os.path.basename(os.path.dirname(p))) for p in glob.glob(os.path.join(root, "ILSVRC2012/train/*/*"))]
    validation = sorted(glob.glob(os.path.join(root, "ILSVRC2012/validation/*")))
    for path, synset in train + list(zip(validation, lines("imagenet_2012_validation_synset_labels.txt"), strict=True)):
        name = os.path.basename(path)
        image = Image.open(path)
        with open(path, "rb") as f:
            data = f.read()
        label = synsets.index(synset) + 1
        xmin, ymin, xmax, ymax = ([b[i] for b in boxes.get(name, [])] for i in range(4))
        yield {
            "image/encoded": texts(data),
            "image/format": texts("JPEG"),
            "image/height": ints(image.height),
            "image/width": ints(image.width),
            "image/channels": ints(len(image.getbands())),
            "image/colorspace": texts({"L": "GRAY", "RGB": "RGB"}[image.mode]),
            "image/filename": texts(name),
            "image/class/label": ints(label),
            "image/class/synset": texts(synset),
            "image/class/text": texts(titles[synset]),
            "image/object/bbox/xmin": floats(*xmin),
            "image/object/bbox/xmax": floats(*xmax),
            "image/object/bbox/ymin": floats(*ymin),
            "image/object/bbox/ymax": floats(*ymax),
            "image/object/bbox/label": ints(*[label] * len(xmin)),
        }
