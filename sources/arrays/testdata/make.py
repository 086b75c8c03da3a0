"""Makes the test data of this folder with NumPy, and says what is in it.

    python make.py [FOLDER]

Every array stands in all.npz as NumPy stores it; want.json has the type, the
shape of a row, and each row as NumPy gives it: the little-endian bytes of
numbers in C order, or its texts.
"""

import gzip
import json
import os
import struct
import sys

import numpy as np
from numpy.lib import format as npy

out = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(1)
arrays, want = {}, {}
names = {"b1": "bool", "f2": "float16", "f4": "float32", "f8": "float64", "S": "bytes", "U": "string"}


def add(name, a):
    arrays[name] = a
    kind = a.dtype.kind if a.dtype.kind in "SU" else a.dtype.str[1:]
    rows = []
    for row in a:
        if a.dtype.kind == "S":
            rows.append([bytes(t).hex() for t in np.asarray(row).ravel()])
        elif a.dtype.kind == "U":
            rows.append([str(t) for t in np.asarray(row).ravel()])
        else:
            rows.append(np.asarray(row).astype(a.dtype.newbyteorder("<")).tobytes().hex())
    want[name] = {"type": names.get(kind, a.dtype.name), "shape": list(a.shape[1:]), "rows": rows}


shapes = {"1d": (3,), "2d": (3, 4), "4d": (3, 2, 1, 3)}
for t in ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]:
    for order in "<>" if int(t[1]) > 1 else "|":
        for name, shape in shapes.items():
            n = int(np.prod(shape))
            if t == "b1":
                a = rng.integers(0, 2, n).astype(bool)
            else:
                a = np.frombuffer(rng.bytes(n * int(t[1])), dtype=order + t)
                if t[0] == "f":
                    a = np.where(np.isnan(a), np.zeros_like(a), a).astype(order + t)
            a = a.reshape(shape)
            add(f"{t}-{'big' if order == '>' else 'little'}-{name}-c", a)
            if len(shape) > 1:
                add(f"{t}-{'big' if order == '>' else 'little'}-{name}-f", np.asfortranarray(a))
for order in "<>":
    texts = np.array([["ab", "", "\u20ac\U0001f600x"], ["a\0b", "cde", "z"]], dtype=order + "U3")
    add(f"U-{'big' if order == '>' else 'little'}-2d-c", texts)
    add(f"U-{'big' if order == '>' else 'little'}-2d-f", np.asfortranarray(texts))
    add(f"U-{'big' if order == '>' else 'little'}-1d-c", texts[:, 0].copy())
words = np.array([[b"ab", b""], [b"\xff\0c", b"d"]], dtype="S3")
add("S-2d-c", words)
add("S-2d-f", np.asfortranarray(words))
add("S-1d-c", words[:, 0].copy())
add("none-2d-c", np.zeros((0, 3), dtype="<i4"))
add("one-row", np.arange(5, dtype="<i2").reshape(1, 5))

np.savez(os.path.join(out, "all.npz"), **arrays)
np.savez_compressed(os.path.join(out, "deflated.npz"), **{n: arrays[n] for n in ["u1-little-2d-c", "i4-big-4d-c", "f8-big-4d-f", "U-little-2d-c"]})
for version in [(1, 0), (2, 0), (3, 0)]:
    with open(os.path.join(out, f"v{version[0]}.npy"), "wb") as f:
        npy.write_array(f, arrays["i4-little-2d-c"], version=version)
for name, a in {"objects": np.array([{"a": 1}, None], dtype=object), "structured": np.zeros(2, dtype=[("a", "<i4"), ("b", "<f4")]),
                "complex": np.zeros(2, dtype="<c8"), "dates": np.zeros(2, dtype="<M8[s]"), "scalar": np.float32(1), "empty-rows": np.zeros((2, 0))}.items():
    np.save(os.path.join(out, name + ".npy"), a)

# IDX as of MNIST, and of another type
images = np.arange(3 * 2 * 2, dtype=np.uint8).reshape(3, 2, 2)
idx = struct.pack(">BBBBIII", 0, 0, 8, 3, *images.shape) + images.tobytes()
open(os.path.join(out, "images-idx3-ubyte"), "wb").write(idx)
with gzip.GzipFile(os.path.join(out, "images-idx3-ubyte.gz"), "wb", mtime=0) as f:
    f.write(idx)
labels = np.array([7, -2, 1], dtype=">i4")
open(os.path.join(out, "labels-idx1-int"), "wb").write(struct.pack(">BBBBI", 0, 0, 0x0C, 1, 3) + labels.tobytes())

json.dump(want, open(os.path.join(out, "want.json"), "w"), indent=0, sort_keys=True)
