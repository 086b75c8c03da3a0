"""Reads episodes with TFDS, and compares each step with the lines that it was made from.

    episodes.py DIRECTORY

DIRECTORY has steps.jsonl, frames, and the datasets WINDOWS/1.0.0 and WINDOWS_array_record/1.0.0.
"""

import json
import os
import sys

import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds

directory = sys.argv[1]
LENGTH, STRIDE = 4, 3
ARMS = ["none", "left", "right"]
PADDING = {"at": -1, "action": [0.0, 0.0], "reward": -1.0, "arm": "none", "arms": ["none", "none"], "box": [0.0] * 4, "text": "-"}

with open(os.path.join(directory, "steps.jsonl"), encoding="utf-8") as f:
    lines = [json.loads(line) for line in f]


def decoded(name):
    with open(os.path.join(directory, "frames", name), "rb") as f:
        return tf.io.decode_image(f.read(), channels=3).numpy()


def step(line, i, n):
    """Returns a step of the dataset: the line at position i of n."""
    return {
        "observation": {"image": decoded(line["frame"]), "at": np.int64(line["at"])},
        "action": np.float32(line["action"]),
        "reward": np.float32(line["reward"]),
        "is_first": np.bool_(i == 0),
        "is_last": np.bool_(i == n - 1),
        "arm": np.int64(ARMS.index(line["arm"])),
        "arms": np.int64([ARMS.index(arm) for arm in line["arms"]]),
        "box": np.float32(line["box"]),
        "text": line["text"].encode(),
    }


def windows(rows, how):
    if how == "whole":
        return [rows]
    full = [rows[i : i + LENGTH] for i in range(0, len(rows) - LENGTH + 1, STRIDE)]
    end = (len(full) - 1) * STRIDE + LENGTH if full else 0
    if end < len(rows) and len(full) * STRIDE < len(rows):
        full.append(rows[len(full) * STRIDE :])
    return full


def expected(how):
    """Returns the episodes, in the order of their first line."""
    groups = {}
    for line in lines:
        groups.setdefault(line["episode"], []).append(line)
    for name, rows in groups.items():
        for window in windows(sorted(rows, key=lambda line: line["at"]), how):
            yield {
                "episode_metadata": {"name": name.encode(), "kind": np.int64(name.startswith("b"))},
                "length": np.int64(len(window)),
                "steps": [step(line, i, len(window)) for i, line in enumerate(window)],
            }


def same(what, got, want):
    """Compares values: dictionaries, arrays with their types, and strings."""
    if isinstance(want, dict):
        assert sorted(got) == sorted(want), (what, sorted(got), sorted(want))
        return sum(same(f"{what}/{key}", got[key], want[key]) for key in want)
    if isinstance(want, list):
        assert len(got) == len(want), (what, len(got), len(want))
        return sum(same(f"{what}[{i}]", a, b) for i, (a, b) in enumerate(zip(got, want)))
    got = np.asarray(got)
    if not isinstance(want, bytes):
        assert got.dtype == want.dtype and got.shape == want.shape, (what, got.dtype, got.shape, want.dtype, want.shape)
    if "as_data_source" in what and what.endswith("/image"):  # without TensorFlow, TFDS has another JPEG decoder
        got = np.where(np.abs(got.astype(int) - want) <= 16, want, got)
    assert np.array_equal(got, np.asarray(want, got.dtype)), (what, got, want)
    return 1


def compare(what, how, episodes):
    want, number = list(expected(how)), 0
    for i, episode in enumerate(episodes):
        number += same(f"{what}, episode {i}", {**episode, "steps": list(episode["steps"])}, want[i])
    assert i + 1 == len(want), (what, i + 1, len(want))
    print(what, len(want), "episodes,", number, "values")


def transposed(steps):
    """Returns steps of a dictionary of lists, as TFDS has them without decoding."""
    images = steps["observation"].pop("image")
    steps["observation"]["image"] = [tf.io.decode_image(image, channels=3) for image in images]
    flat = lambda i, value: {k: flat(i, v) for k, v in value.items()} if isinstance(value, dict) else value[i]
    return [flat(i, steps) for i in range(len(steps["reward"]))]


for how in ("whole", "keep"):
    builder = tfds.builder_from_directory(os.path.join(directory, how, "1.0.0"))
    steps = builder.info.features["steps"]
    assert isinstance(steps, tfds.features.Dataset) and isinstance(steps["observation"]["image"], tfds.features.Image), builder.info.features
    assert steps["arm"].names == ARMS and builder.info.features["episode_metadata"]["kind"].names == ["a", "b"], builder.info.features
    numpy = lambda ds: tfds.as_numpy(ds)
    compare(f"{how}, as_dataset", how, numpy(builder.as_dataset(split="train")))
    skip = numpy(builder.as_dataset(split="train", decoders={"steps": tfds.decode.SkipDecoding()}))
    compare(f"{how}, SkipDecoding", how, ({**e, "steps": transposed(e["steps"])} for e in skip))
    builder = tfds.builder_from_directory(os.path.join(directory, how + "_array_record", "1.0.0"))
    compare(f"{how}, as_data_source", how, builder.as_data_source(split="train"))

# Padding is steps like others. length is without it.
padded = tfds.builder_from_directory(os.path.join(directory, "pad", "1.0.0"))
for episode, want in zip(padded.as_dataset(split="train"), expected("keep"), strict=True):
    steps = list(tfds.as_numpy(episode["steps"]))
    assert len(steps) == LENGTH and episode["length"] == len(want["steps"]), (len(steps), episode["length"])
    assert [s["reward"] for s in steps] == [s["reward"] for s in want["steps"]] + [-1] * (LENGTH - len(want["steps"]))
