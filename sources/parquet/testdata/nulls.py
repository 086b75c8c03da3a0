"""Writes Parquet files whose pages or batches have nulls alone, in each type and encoding, and what they hold.

    python nulls.py FOLDER CODEC...
"""

import itertools
import json
import os
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

folder, codecs = sys.argv[1], sys.argv[2:]

PLAIN, SPLIT, DELTA, DICTIONARY = "PLAIN", "BYTE_STREAM_SPLIT", "DELTA_BINARY_PACKED", None
TYPES = {
    "f16": (pa.float16(), [np.float16(1.5), np.float16(-2)], [PLAIN, SPLIT, DICTIONARY]),
    "f32": (pa.float32(), [1.5, -2.0], [PLAIN, SPLIT, DICTIONARY]),
    "f64": (pa.float64(), [1.5, -2.0], [PLAIN, SPLIT, DICTIONARY]),
    "i32": (pa.int32(), [7, -9], [PLAIN, SPLIT, DELTA, DICTIONARY]),
    "i64": (pa.int64(), [7, -9], [PLAIN, SPLIT, DELTA, DICTIONARY]),
    "fixed": (pa.binary(5), [b"abcde", b"\0\1\2\3\4"], [PLAIN, SPLIT, "DELTA_BYTE_ARRAY", DICTIONARY]),
    "s": (pa.string(), ["a", "bcd"], [PLAIN, "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", DICTIONARY]),
    "bool": (pa.bool_(), [True, False], [PLAIN, "RLE", DICTIONARY]),
}
LONG = ["f32_PLAIN", "f32_BYTE_STREAM_SPLIT", "f32_DICTIONARY", "i64_BYTE_STREAM_SPLIT", "i64_DELTA_BINARY_PACKED",
        "fixed_BYTE_STREAM_SPLIT", "s_PLAIN", "s_DELTA_LENGTH_BYTE_ARRAY", "s_DELTA_BYTE_ARRAY", "bool_RLE"]
# A row is the number of a value, None, or a list of rows.
PATTERNS = {
    "none": [],
    "null": [None],
    "nulls": [None] * 100,
    "pages": [0, None, None, None, None, None, None, 1, None, None, None],
    "batch": [0] + [None] * 140_000 + [1],  # a page of three batches
}
LISTS = {
    "none": [],
    "null": [None, [], [None]],
    "nulls": [[None] * 50, None] * 2,
    "pages": [[0, None], None, [], [None, None, None], [1]],
    "batch": [[0], [None] * 140_000, [], [1]],
}
NESTED = {
    "none": [],
    "null": [None, [None], [[None]], [[]]],
    "pages": [[[0, None], None, []], [[None], [None]], [[1], [None]]],
}


def fill(row, values):
    if isinstance(row, list):
        return [fill(r, values) for r in row]
    return None if row is None else values[row]


def show(v, typ):
    if v is None:
        return None
    if pa.types.is_list(typ):
        return runs([show(x, typ.value_type) for x in v])
    if pa.types.is_floating(typ):
        return np.float64(v).tobytes().hex()
    if pa.types.is_fixed_size_binary(typ):
        return "b:" + v.hex()
    if pa.types.is_string(typ):
        return "s:" + v
    return str(v).lower()


def runs(shown):
    """Equal values after each other as [value, count]."""
    return [[v, len(list(of))] for v, of in itertools.groupby(shown)]


def write(name, patterns, wrap, want, **options):
    columns, encodings, dictionaries, types = {}, {}, [], {}
    for typ_name, (typ, values, list_of) in TYPES.items():
        for encoding in list_of:
            for pattern, rows in patterns.items():
                column = f"{typ_name}_{encoding or 'DICTIONARY'}"
                if pattern == "batch" and column not in LONG:
                    continue
                leaf = column + ".list.element" * wrap
                types[column] = typ
                for _ in range(wrap):
                    types[column] = pa.list_(types[column])
                columns.setdefault(pattern, {})[column] = pa.array([fill(r, values) for r in rows], types[column])
            if encoding:
                encodings[leaf] = encoding
            else:
                dictionaries.append(leaf)
    for pattern, of in columns.items():
        for groups in (1, 0):  # 0: a file without row groups
            if groups == 0 and pattern != "none":
                continue
            path = f"{name}_{pattern}" + ("_nogroup" if groups == 0 else "")
            table = pa.table(of)
            leaves = {c + ".list.element" * wrap for c in of}
            with pq.ParquetWriter(os.path.join(folder, path + ".parquet"), table.schema, use_dictionary=[d for d in dictionaries if d in leaves],
                                  column_encoding={e: v for e, v in encodings.items() if e in leaves}, data_page_size=64, write_batch_size=200_000 if pattern == "batch" else 2,
                                  max_rows_per_page=200_000, store_schema=False, write_statistics=False, **options) as w:
                if groups:
                    w.write_table(table)
            read = pq.read_table(os.path.join(folder, path + ".parquet"))
            assert read.num_rows == table.num_rows
            want[path] = {c: runs([show(v, types[c]) for v in read[c].to_pylist()]) for c in of}


want = {}
for codec in codecs:
    for version in ("1.0", "2.0"):
        for wrap, patterns in enumerate((PATTERNS, LISTS, NESTED)):
            write(f"{codec}_v{version[0]}_{wrap}", patterns, wrap, want, compression=codec, data_page_version=version)
with open(os.path.join(folder, "want.json"), "w") as f:
    json.dump(want, f, separators=(",", ":"))
