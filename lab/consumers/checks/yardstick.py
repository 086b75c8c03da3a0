"""What the datasets of the checks must hold, from their sources alone, and the comparison with it.

The sources are the CSV file, the JSON lines and the JPEG files that tfr-build reads. They are
read here with Python's own library, so that nothing of the writer vouches for the writer.

    check = Check()                          # of WORK BLOCK, the arguments that trial.go gives
    check.block()                            # runs the block of docs/how-to/read/readers.md
    check.rows("notes", "by name", got)      # got: {split: rows}; a row is {feature: value or values}
    check.done(numpy.__version__)

The datasets stand in out/NAME below the folder WORK, which is the current one; as ArrayRecord files
in out/random/NAME, and with a folder for each split in out/folders/NAME.
"""

import collections
import contextlib
import csv
import hashlib
import io
import json
import os
import pathlib
import re
import struct
import sys
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[3]
NOTES = ROOT / "lab/consumers/data/notes.jsonl"

# The kind of each feature's values, with how many there are in a row: "1" one, "?" one or none,
# "*" any number, or that number.
FEATURES = {
    "penguins": {
        "species": "int 1",
        "island": "int 1",
        "bill_length_mm": "float ?",
        "bill_depth_mm": "float ?",
        "flipper_length_mm": "int ?",
        "body_mass_g": "int 1",
        "sex": "bytes 1",
        "year": "int 1",
    },
    "notes": {
        "id": "int 1",
        "score": "float ?",
        "title": "bytes ?",
        "tags": "bytes *",
        "sizes": "int *",
        "box": "float 4",
        "kind": "int 1",
    },
    "photos": {"image": "bytes 1", "height": "int 1", "width": "int 1", "label": "int 1", "filename": "bytes 1"},
}


def kind(dataset, feature):
    return FEATURES[dataset][feature].split()[0]


def number(dataset, feature):
    return FEATURES[dataset][feature].split()[1]


def float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def penguins():
    """The rows of the table: their split is left to tfr-build."""
    species = ["Adelie", "Chinstrap", "Gentoo"]
    islands = ["Biscoe", "Dream", "Torgersen"]
    rows = []
    with open(ROOT / "testdata/penguins/penguins.csv", newline="") as f:
        for cells in csv.DictReader(f):
            row = {"species": [species.index(cells["species"])], "island": [islands.index(cells["island"])]}
            for feature, read in (("bill_length_mm", float), ("bill_depth_mm", float), ("flipper_length_mm", int)):
                if cells[feature] != "NA":
                    row[feature] = [read(cells[feature])]
            row["body_mass_g"] = [-1 if cells["body_mass_g"] == "NA" else int(cells["body_mass_g"])]
            row["sex"] = [b"unknown" if cells["sex"] == "NA" else cells["sex"].encode()]
            row["year"] = [int(cells["year"])]
            rows.append(row)
    return {None: rows}


def notes():
    """The rows by split, in the order of the lines."""
    kinds = ["bird", "fish", "stone"]
    splits = {"train": [], "test": []}
    with open(NOTES, encoding="utf-8") as f:
        for line in map(json.loads, f):
            row = {"id": [line["id"]], "box": line["box"], "kind": [kinds.index(line["kind"])]}
            row["tags"] = [t.encode() for t in line["tags"]]
            row["sizes"] = line["sizes"]
            if "score" in line:
                row["score"] = [line["score"]]
            if "title" in line:
                row["title"] = [line["title"].encode()]
            splits[line["part"]].append(row)
    return splits


def photos():
    """The files, their split is left to tfr-build."""
    rows = []
    for label, folder in enumerate(["landscape", "portrait"]):
        for path in sorted((ROOT / "testdata/photos" / folder).glob("*.jpg")):
            data = path.read_bytes()
            height, width = jpeg_size(data)
            rows.append({"image": [data], "height": [height], "width": [width], "label": [label], "filename": [path.name.encode()]})
    return {None: rows}


def jpeg_size(data):
    """Height and width, of the frame header: the first marker from SOF0 to SOF15 that is none of three others."""
    at = 2
    while not (0xC0 <= data[at + 1] <= 0xCF and data[at + 1] not in (0xC4, 0xC8, 0xCC)):
        at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    return struct.unpack_from(">HH", data, at + 5)


SOURCES = {"penguins": penguins, "notes": notes, "photos": photos}


def listed(values):
    """The values of a feature as a list, which some readers give as one value or as an array."""
    if hasattr(values, "tolist"):
        values = values.tolist()
    return values if isinstance(values, (list, tuple)) else [values]


def canonical(dataset, row):
    """The row as what can be compared and counted: features by name, floats by their 32 bits, large bytes by their hash."""
    out = []
    for feature, values in sorted(row.items()):
        if values is not None:
            out.append((feature, tuple(CANONICAL[kind(dataset, feature)](v) for v in listed(values))))
    return tuple(out)


def text(dataset, feature, values, missing):
    """The values as text, like valuesOf in dataset.go: integers in decimal, floats by their bits, bytes in hexadecimal."""
    of = kind(dataset, feature)
    values = [TEXT[of](v) for v in ([] if values is None else listed(values))]
    if missing and number(dataset, feature) == "?" and values == [TEXT[of](missing[of])]:
        return ""
    return ",".join(values)


def canonical_bytes(value):
    if isinstance(value, str):
        value = value.encode()
    value = bytes(value)
    return value if len(value) < 100 else (len(value), hash(value))


def hexadecimal(value):
    return (value.encode() if isinstance(value, str) else bytes(value)).hex()


def canonical_int(value):
    if int(value) != value:
        raise ValueError(f"{value} is no integer")
    return int(value)


CANONICAL = {"int": canonical_int, "float": lambda v: struct.pack("<f", v).hex(), "bytes": canonical_bytes}

TEXT = {"int": lambda v: str(canonical_int(v)), "float": lambda v: struct.pack(">f", v).hex(), "bytes": hexadecimal}

# What a reader that has no absent values gives in their place: that of reader.py, if it says nothing else.
MISSING = {"int": -(2**63), "float": float("nan"), "bytes": b""}


class Check:
    def __init__(self):
        work, text = sys.argv[1:3]
        self.text = json.loads(text)  # the code of the block, and what it prints
        os.chdir(work)
        self.failures = []
        self.values = 0
        self.found = {}  # what was read, for the answer: by dataset and split

    def block(self):
        """Runs the block of docs/how-to/read/readers.md, and compares what it prints with what is shown there."""
        code, shown = self.text
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "docs/how-to/read/readers.md", "exec"), {"__name__": "__main__"})
        except Exception:
            return self.fail("the block of docs/how-to/read/readers.md", traceback.format_exc())
        self.shown(printed.getvalue(), shown)

    def shown(self, printed, shown):
        pattern = re.escape(shown.strip()).replace("…", ".*")
        if not re.fullmatch(pattern, printed.strip()):
            self.fail("the block of docs/how-to/read/readers.md", f"prints\n{printed}\nand shows\n{shown}")

    def fail(self, what, why):
        self.failures.append(f"{what}: {why}")

    def rows(self, dataset, what, got, only=None, missing=None, ordered=False):
        """Compares the rows of each split with the source's.

        only: the features that are read, none: all. missing: what stands in the place of a value
        that is not there, by kind; none: nothing does. ordered: the rows of notes come in order.
        """
        try:
            self.note(dataset, got, only or FEATURES[dataset], missing)
            got = {split: [canonical(dataset, row) for row in rows] for split, rows in got.items()}
        except Exception:
            return self.fail(f"{dataset}, {what}", traceback.format_exc())
        want = {}
        for split, rows in SOURCES[dataset]().items():
            want[split] = [self.wanted(dataset, row, only, missing) for row in rows]
        if None in want:  # which row is in which split, only tfr-build says
            got = {None: [row for rows in got.values() for row in rows]}
        for split in want:
            self.values += sum(len(values) for row in want[split] for _, values in row)
            self.same(f"{dataset}, {what}" + (f", {split}" if split else ""), got.get(split, []), want[split], ordered and split)

    def note(self, dataset, got, features, missing):
        """Adds the rows to the answer: how many there are, and a digest of the values of each feature, in any order."""
        if sorted(got) != splits(dataset):
            return  # what was read was not told apart by split
        for split, rows in got.items():
            found = self.found.setdefault(dataset, {}).setdefault(split, {"records": len(rows), "features": {}})
            for feature in features:
                lines = "\n".join(sorted(text(dataset, feature, row.get(feature), missing) for row in rows))
                digest = hashlib.sha256(lines.encode()).hexdigest()[:16]
                if found["features"].setdefault(feature, digest) != digest or found["records"] != len(rows):
                    self.fail(f"{dataset}, {split}, {feature}", "two ways to read it find different values")

    def wanted(self, dataset, row, only, missing):
        row = {feature: values for feature, values in row.items() if only is None or feature in only}
        for feature in FEATURES[dataset]:
            if missing and feature not in row and (only is None or feature in only):
                row[feature] = [missing[kind(dataset, feature)]]
        return canonical(dataset, row)

    def same(self, what, got, want, ordered):
        if collections.Counter(got) != collections.Counter(want):
            lacks = collections.Counter(want) - collections.Counter(got)
            has = collections.Counter(got) - collections.Counter(want)
            one = lambda rows: str(next(iter(rows), None))[:600]
            self.fail(what, f"{len(got)} rows, want {len(want)}; {lacks.total()} are not there:\n  {one(lacks)}\n{has.total()} others are:\n  {one(has)}")
        elif ordered and got != want:
            self.fail(what, "the rows are not in the order of the source")

    def equal(self, what, got, want):
        """Compares two values of any kind."""
        self.values += 1
        if got != want:
            self.fail(what, f"{got!r}, want {want!r}")

    def done(self, version):
        """Says what came of it, in the last line, and ends the process."""
        print(json.dumps({"version": version, "values": self.values, "found": self.found, "failures": self.failures}), flush=True)
        os._exit(0)  # without the farewells of threads, which some consumers never end


def shards(dataset, split):
    """The paths of the shards of a split, by their names alone, as one would list them."""
    return sorted(str(p) for p in pathlib.Path("out", dataset).glob(f"{split}-*-of-*"))


def array_records(dataset, split):
    """The paths of the ArrayRecord files of a split."""
    return sorted(str(p) for p in pathlib.Path("out/random", dataset).glob(f"*-{split}.array_record-*"))


def splits(dataset):
    """The names of the splits, by the names of the shards."""
    return sorted({p.name.split("-")[0] for p in pathlib.Path("out", dataset).glob("*-*-of-*")})
