"""Reads OFRecords with code that protobuf generates of record.proto.

    python3 read.py FOLDER-OF-RECORD.PROTO FOLDER

In the folder are rows.jsonl with the dataset ofrecord that was made of it, and the
dataset digits. There is no TensorFlow here, and of the program only reader.py at the
end, which must give the same.
"""

import base64
import glob
import json
import os
import struct
import sys
import tempfile

from grpc_tools import protoc

proto, folder = sys.argv[1:]
generated = tempfile.TemporaryDirectory()
if protoc.main(["protoc", "--proto_path=" + proto, "--python_out=" + generated.name, "record.proto"]):
    sys.exit("protoc failed")
sys.path[:0] = [generated.name]
import record_pb2

faults = 0


def check(ok, *what):
    global faults
    if not ok:
        faults += 1
        print("FAULT:", *what)


def read_digits(path, count):
    """As OneFlow's documentation has it: the length, then the message."""
    images, labels = [], []
    with open(path, "rb") as f:
        for _ in range(count):
            (size,) = struct.unpack("<q", f.read(8))
            record = record_pb2.OFRecord.FromString(f.read(size))
            images.append(list(record.feature["images"].float_list.value))
            labels.append(list(record.feature["labels"].int32_list.value))
        check(f.read() == b"", path, "has more than", count, "records")
    return images, labels


images, labels = read_digits(os.path.join(folder, "digits", "train", "part-00000"), 3)
single = lambda x: struct.unpack("<f", struct.pack("<f", x))[0]
pixels = [single(float("%.6f" % (i / 784))) for i in range(784)]
check(images == [pixels] * 3, "images", images)
check(labels == [[4], [5], [6]], "labels", labels)


def records(paths):
    for path in paths:
        with open(path, "rb") as f:
            while size := f.read(8):
                yield record_pb2.OFRecord.FromString(f.read(int.from_bytes(size, "little")))


def values(record, key, kind):
    feature = record.feature[key]
    check(feature.WhichOneof("kind") == kind, key, "is", feature.WhichOneof("kind"), "want", kind)
    return list(getattr(feature, kind).value)


flat = lambda rows: [x for row in rows for x in row]
paths = sorted(glob.glob(os.path.join(folder, "ofrecord", "1.0.0", "train", "part-*")))
check([os.path.basename(p) for p in paths] == ["part-00000", "part-00001"], "parts", paths)
found = list(records(paths))
with open(os.path.join(folder, "rows.jsonl"), encoding="utf-8") as f:
    rows = [json.loads(line) for line in f]
check(len(found) == len(rows), len(found), "records")
for record, row in zip(found, rows):
    texts = [w.encode() for w in row["words"]]
    for key, kind, want in [
        ("id", "int64_list", [row["id"]]),
        ("small", "int32_list", [row["i0"]]),
        ("double", "double_list", [row["f0"]]),
        ("flags", "int32_list", [int(b) for b in row["b1"]]),
        ("text", "bytes_list", [row["text"].encode()]),
        ("blob", "bytes_list", [base64.b64decode(row["blob"])]),
        ("words", "bytes_list", texts),
        ("poly/ragged_flat_values", "float_list", [single(x) for x in flat(row["poly"])]),
        ("poly/ragged_row_lengths_0", "int64_list", [len(r) for r in row["poly"]]),
        ("deep/ragged_flat_values", "int32_list", flat(flat(row["deep"]))),
        ("deep/ragged_row_lengths_0", "int64_list", [len(r) for r in row["deep"]]),
        ("deep/ragged_row_lengths_1", "int64_list", [len(r) for r in flat(row["deep"])]),
        ("boxes", "float_list", [single(x) for x in flat(row["boxes"])]),
        ("yes", "int64_list", [int(row["answer"] == "yes")]),
        ("label", "int64_list", [row["label"]]),
        ("raw/int16/2", "bytes_list", [struct.pack("<6h", *flat(row["i2"]))]),
        ("raw/float64/1", "bytes_list", [struct.pack("<%dd" % len(row["f1"]), *row["f1"])]),
    ]:
        check(key in record.feature, key, "is missing")
        got = values(record, key, kind)
        check(got == want, key, "is", got, "want", want)
    check(("tip" in record.feature) == ("tip" in row), "tip")
    keys = list(record.feature)
    again = record_pb2.OFRecord.FromString(record.SerializeToString(deterministic=True))
    check(again == record and len(keys) > 70, len(keys), "features")
# Fields of a message that the program does not know would show here.
for path in paths:
    with open(path, "rb") as f:
        while size := f.read(8):
            payload = f.read(int.from_bytes(size, "little"))
            check(record_pb2.OFRecord.FromString(payload).SerializeToString(deterministic=True) == payload, path, "is written in another way")
sys.path.append(os.path.join(folder, "ofrecord", "1.0.0", "_tfr"))
import reader

given = list(reader.dataset("train"))
check([r["id"] for r in given] == [row["id"] for row in rows] and list(reader.dataset(["train"])) == given, "reader.py:", len(given), "records")
for split, what in (("trains", "'trains'; expected one of ['train']"), ([], "at least one split"), (["train", "train"], "each split once")):
    try:
        reader.files(split)
        check(False, "reader.py:", split, "is a split")
    except ValueError as e:
        check(what in str(e), "reader.py:", e)
check("tensorflow" not in sys.modules, "it imports TensorFlow")
print("faults:", faults)
sys.exit(faults > 0)
