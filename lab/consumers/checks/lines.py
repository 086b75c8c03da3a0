"""Readers in other languages: a program that prints the rows of the shards it is given, as lines of JSON."""

import json
import os
import pathlib
import shutil
import struct
import subprocess

import yardstick


def lay(name):
    """Copies the program's folder to where it may be built, and returns that."""
    folder = pathlib.Path(os.environ["TFR_CONSUMERS"], name)
    shutil.copytree(yardstick.ROOT / "lab/consumers" / name, folder, dirs_exist_ok=True)
    return folder


def run(*args, **options):
    """What a command prints."""
    return subprocess.run(args, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def compare(check, what, *command):
    """Compares what the command prints of the shards of each dataset."""
    for dataset in yardstick.FEATURES:
        rows = {}
        for split in yardstick.splits(dataset):
            lines = run(*command, *yardstick.shards(dataset, split)).splitlines()
            rows[split] = [read(dataset, json.loads(line)) for line in lines]
        check.rows(dataset, what, rows, ordered=True)


def read(dataset, row):
    """A row of numbers, of the bits of floats, and of the hexadecimal digits of bytes."""
    of = {"int": int, "float": lambda v: struct.unpack("<f", struct.pack("<I", v))[0], "bytes": bytes.fromhex}
    return {key: [of[yardstick.kind(dataset, key)](v) for v in values] for key, values in row.items()}
