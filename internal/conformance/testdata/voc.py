"""Compares a dataset with what create_pascal_tf_record.py of the Object Detection API writes.

usage: python voc.py VOC DATASET

VOC has Annotations, ImageSets, and JPEGImages. The expected values are computed here, from the
files, as the script documents them. Each record is compared key by key and value by value.
"""
import glob
import hashlib
import os
import sys
import xml.etree.ElementTree

import numpy as np
import tensorflow as tf

CLASSES = (
    "aeroplane bicycle bird boat bottle bus car cat chair cow diningtable dog horse motorbike person "
    "pottedplant sheep sofa train tvmonitor"
).split()


def expected(voc, name):
    root = xml.etree.ElementTree.parse(os.path.join(voc, "Annotations", name + ".xml")).getroot()
    filename = root.findtext("filename").encode()
    with open(os.path.join(voc, "JPEGImages", root.findtext("filename")), "rb") as f:
        image = f.read()
    width, height = (int(root.findtext("size/" + side)) for side in ("width", "height"))
    objects = root.findall("object")

    def sides(side, size):
        return np.float32([float(o.findtext("bndbox/" + side)) / size for o in objects])

    return {
        "image/height": [height],
        "image/width": [width],
        "image/filename": [filename],
        "image/source_id": [filename],
        "image/key/sha256": [hashlib.sha256(image).hexdigest().encode()],
        "image/encoded": [image],
        "image/format": [b"jpeg"],
        "image/object/bbox/xmin": sides("xmin", width),
        "image/object/bbox/xmax": sides("xmax", width),
        "image/object/bbox/ymin": sides("ymin", height),
        "image/object/bbox/ymax": sides("ymax", height),
        "image/object/class/text": [o.findtext("name").encode() for o in objects],
        "image/object/class/label": [1 + CLASSES.index(o.findtext("name")) for o in objects],
        "image/object/difficult": [int(o.findtext("difficult")) for o in objects],
        "image/object/truncated": [int(o.findtext("truncated")) for o in objects],
        "image/object/view": [o.findtext("pose").encode() for o in objects],
    }


def values(feature):
    kind = feature.WhichOneof("kind")
    return list(getattr(feature, kind).value) if kind else []


voc, out = sys.argv[1:]
count = 0
for names, split in (("train", "train"), ("val", "validation")):
    with open(os.path.join(voc, "ImageSets", "Main", names + ".txt")) as f:
        want = {name: expected(voc, name) for name in f.read().split()}
    for payload in tf.data.TFRecordDataset(sorted(glob.glob(f"{out}/{split}-*"))).as_numpy_iterator():
        got = tf.train.Example.FromString(payload).features.feature
        name = os.path.splitext(values(got["image/filename"])[0].decode())[0]
        record = want.pop(name)
        assert set(got) == set(record), (name, set(got) ^ set(record))
        for key, list_ in record.items():
            found = values(got[key])
            assert len(found) == len(list_), (name, key, found, list_)
            for a, b in zip(found, list_):
                assert a == b, (name, key, a, b)
                count += 1
    assert not want, want
assert count == 48, count
