"""Writes odd records with TensorFlow and protobuf, and reads them again after
tfr-build has printed them as JSON and written them from that.

odd.py make DIR    writes DIR/NAME, the files, and DIR/NAME.protobuf.jsonl, their
                   messages as protobuf has them in JSON
odd.py check DIR   reads them, DIR/NAME.jsonl and DIR/NAME.copy, which were made of
                   DIR/NAME, and DIR/NAME.protobuf, of DIR/NAME.protobuf.jsonl
"""

import json
import os
import struct
import sys

import numpy as np
import tensorflow as tf
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

faults = 0


def check(ok, *what):
    global faults
    if not ok:
        faults += 1
        print("FAULT:", *what)


def of_record_class():
    """Returns the class of oneflow.OFRecord, as protoc makes it of record.proto."""
    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="record.proto", package="oneflow", syntax="proto2")
    feature = descriptor_pb2.DescriptorProto(name="Feature")
    feature.oneof_decl.add(name="kind")
    lists = [("BytesList", "bytes_list", kinds.TYPE_BYTES), ("FloatList", "float_list", kinds.TYPE_FLOAT), ("DoubleList", "double_list", kinds.TYPE_DOUBLE),
             ("Int32List", "int32_list", kinds.TYPE_INT32), ("Int64List", "int64_list", kinds.TYPE_INT64)]
    for number, (name, field, kind) in enumerate(lists, 1):
        value = file.message_type.add(name=name).field.add(name="value", number=1, label=kinds.LABEL_REPEATED, type=kind)
        value.options.packed = kind != kinds.TYPE_BYTES
        feature.field.add(name=field, number=number, label=kinds.LABEL_OPTIONAL, type=kinds.TYPE_MESSAGE, type_name=".oneflow." + name, oneof_index=0)
    file.message_type.append(feature)
    record = file.message_type.add(name="OFRecord")
    entry = record.nested_type.add(name="FeatureEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, label=kinds.LABEL_OPTIONAL, type=kinds.TYPE_STRING)
    entry.field.add(name="value", number=2, label=kinds.LABEL_OPTIONAL, type=kinds.TYPE_MESSAGE, type_name=".oneflow.Feature")
    record.field.add(name="feature", number=1, label=kinds.LABEL_REPEATED, type=kinds.TYPE_MESSAGE, type_name=".oneflow.OFRecord.FeatureEntry")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("oneflow.OFRecord"))


OFRecord = of_record_class()
CLASSES = {"examples": tf.train.Example, "sequences": tf.train.SequenceExample, "ofrecords": OFRecord}
COMPRESSIONS = {"": "", "gz": "GZIP", "zlib": "ZLIB"}


def fill(features):
    """Fills a map of features with all that JSON has no form of its own for."""
    keys = ["z", "a", "", "é", 'quote" back\\', "\u2028\u0000\n", "日本", "b" * 300]
    for i, key in enumerate(keys):  # in no order
        features[key].bytes_list.value.extend([b"\xff\x00", b"", b"goat"] * i)
    features["no list"]
    features["no bytes"].bytes_list.SetInParent()
    features["no floats"].float_list.SetInParent()
    features["no ints"].int64_list.SetInParent()
    features["floats"].float_list.value.extend([float("nan"), float("inf"), -float("inf"), -0.0, 0.1, 1e-37, 3.4e38, 1e21, 1e-7])
    features["ints"].int64_list.value.extend([0, 1, -1, 2**63 - 1, -(2**63), 2**53 + 1])
    features["long"].int64_list.value.extend(range(100_000))
    features["large"].bytes_list.value.append(np.random.default_rng(1).bytes(1 << 20))


def examples():
    everything = tf.train.Example()
    fill(everything.features.feature)
    yield everything.SerializeToString()
    yield everything.SerializeToString(deterministic=True)
    yield b""
    yield tf.train.Example(features=tf.train.Features()).SerializeToString()
    # What protobuf spells in another way: unpacked numbers, another NaN, a key twice.
    yield tf.io.decode_json_example('{"features":{"feature":{"a":{"int64List":{"value":["1","1","3"]}}}}}').numpy()
    negative = tf.train.Example()
    negative.features.feature["f"].float_list.value.append(np.frombuffer(b"\x00\x00\xc0\xff", "<f4")[0])
    yield negative.SerializeToString()
    yield negative.SerializeToString() + everything.SerializeToString()
    yield b"no message"
    yield tf.io.serialize_tensor(tf.constant([1.5, 2.5])).numpy()


def sequences():
    everything = tf.train.SequenceExample()
    fill(everything.context.feature)
    for key in ["z", "a", ""]:
        steps = everything.feature_lists.feature_list[key]
        for i in range(3):
            steps.feature.add().int64_list.value.extend(range(i))
        steps.feature.add().bytes_list.value.append(b"\xff")
        steps.feature.add()
    everything.feature_lists.feature_list["no steps"]
    yield everything.SerializeToString()
    only = tf.train.SequenceExample()
    only.feature_lists.feature_list["a"].feature.add().float_list.value.append(0.5)
    yield only.SerializeToString()
    yield tf.train.SequenceExample(feature_lists=tf.train.FeatureLists()).SerializeToString()
    yield tf.train.SequenceExample(context=everything.context).SerializeToString()


def of_records():
    everything = OFRecord()
    fill(everything.feature)
    everything.feature["no doubles"].double_list.SetInParent()
    everything.feature["doubles"].double_list.value.extend([float("nan"), float("inf"), -0.0, 0.1, 5e-324, 1.7976931348623157e308])
    everything.feature["int32"].int32_list.value.extend([0, -1, 2**31 - 1, -(2**31)])
    yield everything.SerializeToString()
    for i in range(3):  # as OneFlow's documentation makes them
        record = OFRecord()
        record.feature["images"].float_list.value.extend([float(i)] * 784)
        record.feature["labels"].int32_list.value.append(i)
        yield record.SerializeToString()


PAYLOADS = {"examples": examples, "sequences": sequences, "ofrecords": of_records}


def read_of_records(path):
    with open(path, "rb") as f:
        while head := f.read(8):
            yield f.read(struct.unpack("<q", head)[0])


def read(path, compression=""):
    if path.rsplit("/", 1)[1].startswith("ofrecords"):
        return list(read_of_records(path))
    return [r.numpy() for r in tf.data.TFRecordDataset(path, compression)]


def parsed(name, payload):
    try:
        return CLASSES[name].FromString(payload)
    except Exception:
        return None


def canonical(message):
    return message.SerializeToString(deterministic=True)


def make(directory):
    for name, payloads in PAYLOADS.items():
        payloads = list(payloads())
        if name == "ofrecords":
            with open(os.path.join(directory, name), "wb") as f:
                f.writelines(struct.pack("<q", len(p)) + p for p in payloads)
        else:
            for suffix, compression in COMPRESSIONS.items():
                with tf.io.TFRecordWriter(os.path.join(directory, name + suffix), compression) as w:
                    for p in payloads:
                        w.write(p)
        with open(os.path.join(directory, name + ".protobuf.jsonl"), "w", encoding="utf-8") as f:
            for message in filter(None, (parsed(name, p) for p in payloads)):
                f.write(json_format.MessageToJson(message, indent=None) + "\n")


def check_lines(name, path, payloads):
    """Lets protobuf, and TensorFlow, read what was printed."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    check(len(lines) == len(payloads), path, "has", len(lines), "lines for", len(payloads), "records")
    for line, payload in zip(lines, payloads):
        fields = json.loads(line)
        if "payload" in fields:
            continue
        of = CLASSES["examples" if "features" in fields else name]  # a SequenceExample without lists looks like an Example
        want = canonical(of.FromString(payload))
        check(canonical(json_format.Parse(line, of())) == want, path, "protobuf reads", line[:200])
        if of is tf.train.Example:
            got = of.FromString(tf.io.decode_json_example(line).numpy())
            check(canonical(got) == want, path, "TensorFlow reads", line[:200])


def check_all(directory):
    count = 0
    for name in PAYLOADS:
        for suffix, compression in COMPRESSIONS.items():
            path = os.path.join(directory, name + suffix)
            if not os.path.exists(path):
                continue
            payloads = read(path, compression)
            copies = read(path + ".copy", compression)
            check(copies == payloads, path, "has other payloads in its copy")
            check_lines(name, path + ".jsonl", payloads)
            count += len(payloads)
        messages = [m for m in (parsed(name, p) for p in read(os.path.join(directory, name))) if m]
        made = read(os.path.join(directory, name + ".protobuf"))
        check(len(made) == len(messages), name, "as protobuf prints them")
        for payload, message in zip(made, messages):
            # As texts, for which all NaNs are one.
            check(str(CLASSES[name].FromString(payload)) == str(message), name, "as protobuf prints them")
    check(count > 30, "only", count, "records were compared")


{"make": make, "check": check_all}[sys.argv[1]](sys.argv[2])
sys.exit(1 if faults else 0)
