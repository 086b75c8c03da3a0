"""Writes Parquet files of all types, encodings and codecs, and what their columns hold.

    python make.py FOLDER ROWS
"""

import datetime
import decimal
import json
import os
import random
import struct
import sys
import uuid

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

folder, rows = sys.argv[1], int(sys.argv[2])
rng = random.Random(7)
want = {}


def some(make, nulls=0.2):
    return [None if rng.random() < nulls else make() for _ in range(rows)]


def word():
    return "".join(rng.choice("abcé☃ z") for _ in range(rng.randrange(9)))


def whole(bits, signed=True):
    edge = rng.random() < 0.2
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return rng.choice([low, high, 0]) if edge else rng.randint(max(low, -500), min(high, 500))


def days():
    return datetime.date.fromordinal(rng.randint(1, 3652059))


def dec(digits, scale):
    number = rng.randint(-(10**digits) + 1, 10**digits - 1) if rng.random() < 0.5 else rng.randint(-99, 99)
    return decimal.Decimal(number).scaleb(-scale, decimal.Context(prec=80))


def digits(unit):
    return {"s": 3, "ms": 3, "us": 6, "ns": 9}[unit]


def stamp(value, unit, zone):
    """value counts units since 1970."""
    scale = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    seconds, rest = divmod(value, scale)
    at = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    fraction = str(rest * (10 ** digits(unit) // scale)).zfill(digits(unit))
    return f"{at:%Y-%m-%dT%H:%M:%S}".zfill(19) + "." + fraction + ("Z" if zone else "")


def clock(value, unit):
    scale = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    seconds, rest = divmod(value, scale)
    fraction = str(rest * (10 ** digits(unit) // scale)).zfill(digits(unit))
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{fraction}"


def show(value, typ):
    """A value as the tests compare it."""
    if value is None:
        return None
    if pa.types.is_list(typ) or pa.types.is_large_list(typ) or pa.types.is_fixed_size_list(typ):
        return [show(v, typ.value_type) for v in value]
    if pa.types.is_boolean(typ):
        return str(value).lower()
    if pa.types.is_integer(typ):
        return str(value)
    if pa.types.is_floating(typ):
        return struct.pack("<d", float(value)).hex()
    if pa.types.is_decimal(typ):
        return f"n:{value:f}"
    if pa.types.is_timestamp(typ):
        return "s:" + stamp(value, typ.unit, typ.tz is not None)
    if pa.types.is_time(typ):
        return "s:" + clock(value, typ.unit)
    if pa.types.is_date(typ):
        return "s:" + f"{value:%Y-%m-%d}".zfill(10)
    if pa.types.is_dictionary(typ):
        return show(value, typ.value_type)
    if isinstance(value, str):
        return "s:" + value
    return "b:" + value.hex()


def project(value, typ, path):
    """What a path leads to."""
    if not path:
        return show(value, typ)
    if path[0] == "*":
        if value is None:
            return None
        if pa.types.is_map(typ):
            inner = pa.struct([("key", typ.key_type), ("value", typ.item_type)])
            return [project({"key": k, "value": v}, inner, path[1:]) for k, v in value]
        return [project(v, typ.value_type, path[1:]) for v in value]
    if value is None:
        return None
    return project(value[path[0]], typ.field(path[0]).type, path[1:])


def wide(unit):
    """A column of times as numbers: datetime has no nanoseconds."""
    scale = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    years = 80 if unit == "ns" else 1500
    return lambda: rng.randint(-years * 365 * 86400 * scale, years * 365 * 86400 * scale)


columns = {}


def some_list(make):
    return [None if rng.random() < 0.1 else make() for _ in range(rng.randrange(4))]


def column(name, typ, values, paths=None, type_name=None, store=None):
    columns[name] = (typ, values, paths or [name], type_name, store)


for bits in (8, 16, 32, 64):
    column(f"i{bits}", getattr(pa, f"int{bits}")(), some(lambda: whole(bits)), type_name=f"int{bits}")
    column(f"u{bits}", getattr(pa, f"uint{bits}")(), some(lambda: whole(bits, False)), type_name=f"uint{bits}")
column("full", pa.int64(), some(lambda: whole(64), 0), type_name="int64")
column("few", pa.int32(), some(lambda: rng.randrange(3), 0.05), type_name="int32")
column("none", pa.int32(), some(lambda: 1, 1), type_name="int32")
column("f16", pa.float16(), some(lambda: np.float16(rng.gauss(0, 9))), type_name="float16")
column("f32", pa.float32(), some(lambda: float(np.float32(rng.gauss(0, 9)))), type_name="float")
column("f64", pa.float64(), some(lambda: rng.choice([rng.gauss(0, 1e9), float("inf"), 0.1])), type_name="float64")
column("bool", pa.bool_(), some(lambda: rng.random() < 0.5), type_name="bool")
column("allbool", pa.bool_(), some(lambda: rng.random() < 0.5, 0), type_name="bool")
column("s", pa.string(), some(word), type_name="string")
column("same", pa.string(), some(lambda: rng.choice(["CMT", "VTS", ""]), 0), type_name="string")
column("big", pa.large_string(), some(word), type_name="string")
column("cat", pa.dictionary(pa.int32(), pa.string()), some(lambda: rng.choice("abc")), type_name="string")
column("b", pa.binary(), some(lambda: rng.randbytes(rng.randrange(9))), type_name="bytes")
column("fixed", pa.binary(5), some(lambda: rng.randbytes(5)), type_name="bytes")
column("day", pa.date32(), some(days), type_name="string")
for unit in ("ms", "us", "ns"):
    for zone in (None, "UTC"):
        column(f"t_{unit}_{zone}", pa.timestamp(unit, zone), some(wide(unit)), type_name="string", store=pa.int64())
column("clock32", pa.time32("ms"), some(lambda: rng.randrange(86400000)), type_name="string", store=pa.int32())
column("clock64", pa.time64("us"), some(lambda: rng.randrange(86400000000)), type_name="string", store=pa.int64())
column("clock_ns", pa.time64("ns"), some(lambda: rng.randrange(86400000000000)), type_name="string", store=pa.int64())
for digits_, scale in ((5, 2), (9, 9), (15, 0), (18, 3), (38, 10)):
    column(f"dec{digits_}", pa.decimal128(digits_, scale), some(lambda: dec(digits_, scale)), type_name="string")
column("dec70", pa.decimal256(70, 30), some(lambda: dec(70, 30)), type_name="string")
column("list", pa.list_(pa.int32()), some(lambda: some_list(lambda: whole(32))), type_name="int32")
column("vector", pa.list_(pa.float32(), 3), some(lambda: [0.5, float(np.float32(rng.random())), -1.0], 0), type_name="float")
column("words", pa.list_(pa.string()), some(lambda: some_list(word)), type_name="string")
column("bools", pa.list_(pa.bool_()), some(lambda: some_list(lambda: rng.random() < 0.5)), type_name="bool")
column("lists", pa.list_(pa.list_(pa.int64())), some(lambda: some_list(lambda: some_list(lambda: whole(64)))))
column("struct", pa.struct([("a", pa.int32()), ("b", pa.struct([("c", pa.string())]))]), some(lambda: {
    "a": rng.choice([None, 4]), "b": rng.choice([None, {"c": rng.choice([None, "x"])}])}), ["struct.a", "struct.b.c"])
boxes = pa.list_(pa.struct([("bbox", pa.list_(pa.float32())), ("label", pa.string())]))
column("boxes", boxes, some(lambda: some_list(lambda: {
    "bbox": rng.choice([None, [], [1.0, 2.0, 3.0, 4.0]]), "label": rng.choice([None, "cat"])})), ["boxes.*.bbox", "boxes.*.label"])
column("map", pa.map_(pa.string(), pa.int32()), some(lambda: [(word(), rng.choice([None, 5])) for _ in range(rng.randrange(3))]),
       ["map.*.key", "map.*.value"])


def table():
    arrays, names = [], []
    for name, (typ, values, _, _, store) in columns.items():
        names.append(name)
        if pa.types.is_float16(typ):
            mask = np.array([v is None for v in values])
            arrays.append(pa.array(np.array([0 if v is None else v for v in values], np.float16), mask=mask))
        elif store is not None:
            arrays.append(pa.array(values, store).cast(typ))
        else:
            arrays.append(pa.array(values, typ))
    return pa.table(arrays, names=names)


whole_table = table()
for name, (typ, values, paths, type_name, _) in columns.items():
    for path in paths:
        if path == name:
            shown = [show(v, typ) for v in values]
        else:
            shown = [project(v, typ, path.split(".")[1:]) for v in values]
        want[path] = {"type": type_name or "", "rows": shown}

ints = ["i32", "i64", "full", "few", "u32", "u64", "i8"]
texts = ["s", "same", "big", "b"]
plain = {"use_dictionary": False}
files = {
    "default": {},
    "plain": plain,
    "v2": {"data_page_version": "2.0", "compression": "zstd"},
    "v2_plain": {"data_page_version": "2.0", "compression": "none", "use_dictionary": False, "row_group_size": max(1, rows // 3)},
    "gzip": {"compression": "gzip", "row_group_size": max(1, rows // 4)},
    "brotli": {"compression": "brotli", "write_page_checksum": True},
    "lz4": {"compression": "lz4"},
    "zstd_small_pages": {"compression": "zstd", "data_page_size": 64, "write_batch_size": 3},
    "v2_small_pages": {"data_page_version": "2.0", "data_page_size": 64, "write_batch_size": 3, "use_dictionary": ["s", "list"]},
    "delta": plain | {"column_encoding": {n: "DELTA_BINARY_PACKED" for n in ints} | {n: "DELTA_LENGTH_BYTE_ARRAY" for n in texts}},
    "prefixes": plain | {"column_encoding": {n: "DELTA_BYTE_ARRAY" for n in texts + ["fixed"]}, "compression": "none"},
    "split": plain | {"column_encoding": {n: "BYTE_STREAM_SPLIT" for n in ["f32", "f64", "i32", "i64", "fixed", "f16"]}},
    "int96": {"use_deprecated_int96_timestamps": True},
    "old": {"version": "1.0"},
    "decimals": {"store_decimal_as_integer": True},
}
for name, options in files.items():
    if name == "int96":
        keep = [n for n in columns if n.startswith("t_")]
        good = {n: v for n, v in columns.items() if n == "t_ns_None"}
        pq.write_table(whole_table.select(list(good)), os.path.join(folder, "int96.parquet"), **options)
        continue
    part = whole_table
    if name == "old":
        part = whole_table.select(["s", "i32", "list", "day", "dec18", "t_us_UTC"])
    pq.write_table(part, os.path.join(folder, name + ".parquet"), **options)

with open(os.path.join(folder, "want.json"), "w") as f:
    json.dump({"files": list(files), "columns": want}, f, ensure_ascii=False, separators=(",", ":"))
