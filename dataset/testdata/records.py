"""Reads the shards of datasets, with nothing but Python's standard library.

    python3 records.py EXPECTED DATASET...

For each dataset there is a line with its directory, then one for each record:
shard, number, offset, size and SHA-256 of the payload. Where a shard is no
sequence of records, a line says so and the shard ends. The lines have to be
those of the file EXPECTED. This was written from the description of the format,
and shares nothing with the Go program but that.
"""

import gzip
import hashlib
import json
import os
import struct
import sys
import zlib

TABLE = []
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
    TABLE.append(n)


def masked_crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def content(path, compression):
    with open(path, "rb") as f:
        data = f.read()
    if not data or compression == "none":
        return data
    return gzip.decompress(data) if compression == "gzip" else zlib.decompress(data)


def records(data):
    at = 0
    while at < len(data):
        if at + 12 > len(data):
            raise ValueError(at)
        size, crc = struct.unpack_from("<QI", data, at)
        if masked_crc32c(data[at : at + 8]) != crc or at + 16 + size > len(data):
            raise ValueError(at)
        payload = data[at + 12 : at + 12 + size]
        if masked_crc32c(payload) != struct.unpack_from("<I", data, at + 12 + size)[0]:
            raise ValueError(at)
        yield at, payload
        at += 16 + size


lines = []
for directory in sys.argv[2:]:
    lines.append(directory)
    with open(os.path.join(directory, "_tfr", "manifest.json")) as f:
        manifest = json.load(f)
    for shard in [s for split in manifest["splits"] for s in split["shards"]]:
        path, n = os.path.join(directory, shard["name"]), 0
        try:
            for at, payload in records(content(path, manifest["compression"])):
                lines.append(f"{shard['name']} {n} {at} {len(payload)} {hashlib.sha256(payload).hexdigest()}")
                n += 1
        except ValueError as e:
            lines.append(f"{shard['name']} {n} {e} damaged")
with open(sys.argv[1]) as f:
    expected = f.read().splitlines()
for n in range(max(len(lines), len(expected))):
    if lines[n : n + 1] != expected[n : n + 1]:
        sys.exit(f"line {n}: read {lines[n : n + 1]}, expected {expected[n : n + 1]}")
print(len(lines), "lines are the same")
