"""Reads label maps as the documentation of the Object Detection API's label_map_util says, and compares the label
maps that were read, those of the datasets, and the records."""

import os
import sys

import tensorflow as tf
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

SCHEMA = """
name: "label_map" package: "label_map"
message_type { name: "StringIntLabelMap"
  field { name: "item" number: 1 label: LABEL_REPEATED type: TYPE_MESSAGE type_name: ".label_map.Item" } }
message_type { name: "Item"
  field { name: "name" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING }
  field { name: "id" number: 2 label: LABEL_OPTIONAL type: TYPE_INT32 }
  field { name: "display_name" number: 3 label: LABEL_OPTIONAL type: TYPE_STRING } }
"""

pool = descriptor_pool.DescriptorPool()
pool.Add(text_format.Parse(SCHEMA, descriptor_pb2.FileDescriptorProto()))
StringIntLabelMap = message_factory.GetMessageClass(pool.FindMessageTypeByName("label_map.StringIntLabelMap"))


def load_labelmap(path):
    with open(path, encoding="utf-8") as f:
        label_map = text_format.Parse(f.read(), StringIntLabelMap())
    for item in label_map.item:
        assert item.id > 0 or item.id == 0 and "background" in (item.name, item.display_name), item
    return label_map


def get_label_map_dict(path):
    """From names to ids."""
    return {item.name: item.id for item in load_labelmap(path).item}


def create_category_index_from_labelmap(path):
    """From ids to categories. Of several items with an id, the first one counts, and id 0 does not."""
    index = {}
    for item in load_labelmap(path).item:
        if item.id > 0:
            index.setdefault(item.id, {"id": item.id, "name": item.name})
    return index


spec = {
    "name": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}
for given, directory in zip(sys.argv[1::2], sys.argv[2::2]):
    written = os.path.join(directory, "label_map.pbtxt")
    ids = get_label_map_dict(given)
    assert get_label_map_dict(written) == ids, (given, ids, get_label_map_dict(written))
    assert create_category_index_from_labelmap(written) == create_category_index_from_labelmap(given), given
    files = tf.io.gfile.glob(os.path.join(directory, "train-*"))
    found = {}
    for record in tf.data.TFRecordDataset(files).map(lambda r: tf.io.parse_single_example(r, spec)).as_numpy_iterator():
        found[record["name"].decode()] = int(record["label"])
    assert found == ids, (found, ids)
print(len(sys.argv) // 2, "label maps")
