"""rlds: episodes of TFDS with its names of fields, and its transformations of steps."""

import csv
import sys
import types

import yardstick

# rlds imports reverb for one function, which no check calls. reverb has no release for this TensorFlow.
sys.modules["reverb"] = types.SimpleNamespace(
    structured_writer=types.SimpleNamespace(Config=None, Condition=None, Pattern=None, ReferenceStep=None)
)

import rlds
import tensorflow as tf
import tensorflow_datasets as tfds
from rlds import transformations

yardstick.FEATURES["episodes"] = {
    "episode_metadata/name": "bytes 1",
    "steps/action": "float *",
    "steps/discount": "float *",
    "steps/is_first": "int *",
    "steps/is_last": "int *",
    "steps/is_terminal": "int *",
    "steps/language_instruction": "bytes *",
    "steps/observation/image": "bytes *",
    "steps/observation/state": "float *",
    "steps/reward": "float *",
}


def lines():
    """The steps of the table by split and episode, sorted."""
    splits = {"train": {}, "test": {}}
    with open(yardstick.ROOT / "lab/consumers/data/steps.csv", encoding="utf-8", newline="") as f:
        for line in csv.DictReader(f):
            splits[line["part"]].setdefault(line["episode"], []).append(line)
    for episodes in splits.values():
        for steps in episodes.values():
            steps.sort(key=lambda line: int(line["step"]))
    return splits


def photo(line):
    return (yardstick.ROOT / "testdata/photos" / line["frame"]).read_bytes()


def terminal(steps):
    return [line is steps[-1] and float(line["reward"]) > 0 for line in steps]


def record(name, steps):
    numbers = lambda column: [float(line[column]) for line in steps]
    return {
        "episode_metadata/name": [name.encode()],
        "steps/action": [float(line[c]) for line in steps for c in ("dx", "dy", "grip")],
        "steps/discount": [0.0 if end else 0.9 for end in terminal(steps)],
        "steps/is_first": [int(line is steps[0]) for line in steps],
        "steps/is_last": [int(line is steps[-1]) for line in steps],
        "steps/is_terminal": [int(end) for end in terminal(steps)],
        "steps/language_instruction": [line["task"].encode() for line in steps],
        "steps/observation/image": [photo(line) for line in steps],
        "steps/observation/state": numbers("state"),
        "steps/reward": numbers("reward"),
    }


yardstick.SOURCES["episodes"] = lambda: {
    split: [record(*episode) for episode in episodes.items()] for split, episodes in lines().items()
}


def row(episode):
    """The values of an episode by the keys of its record."""
    steps = list(tfds.as_numpy(episode[rlds.STEPS]))
    values = {"episode_metadata/name": [episode["episode_metadata"]["name"].numpy()]}
    for field in (rlds.REWARD, rlds.DISCOUNT, rlds.IS_FIRST, rlds.IS_LAST, rlds.IS_TERMINAL, "language_instruction"):
        values[f"steps/{field}"] = [step[field] for step in steps]
    values[f"steps/{rlds.ACTION}"] = [v for step in steps for v in step[rlds.ACTION]]
    for field in ("image", "state"):
        values[f"steps/{rlds.OBSERVATION}/{field}"] = [step[rlds.OBSERVATION][field] for step in steps]
    return values


check = yardstick.Check()
builder = tfds.builder_from_directory("out/episodes")
encoded = {"steps": {rlds.OBSERVATION: {"image": tfds.decode.SkipDecoding()}}}
check.rows(
    "episodes",
    "steps",
    {split: [row(e) for e in builder.as_dataset(split=split, decoders=encoded)] for split in builder.info.splits},
    ordered=True,
)
check.equal("core fields", rlds.CORE_STEP_FIELDS - set(builder.info.features[rlds.STEPS].keys()), frozenset())

train = builder.as_dataset(split="train")
for episode, (name, steps) in zip(train, lines()["train"].items(), strict=True):
    of = episode[rlds.STEPS]
    check.equal(f"{name}, length", int(transformations.episode_length(of)), len(steps))
    for step, line in zip(of, steps, strict=True):
        image = tf.io.decode_image(photo(line), channels=3)
        check.equal(f"{name}, decoded", bool(tf.reduce_all(step[rlds.OBSERVATION]["image"] == image)), True)
    final = transformations.final_step(of)
    check.equal(f"{name}, final step", bool(final[rlds.IS_LAST]), True)
    rewards = transformations.sum_dataset(of, lambda step: step[rlds.REWARD])
    check.equal(f"{name}, return", float(rewards), sum(float(line["reward"]) for line in steps))
    plain = of.map(lambda step: {**step, rlds.OBSERVATION: step[rlds.OBSERVATION]["state"]})
    pairs = list(transformations.batch(plain, size=2, shift=1, drop_remainder=True))
    states = [tuple(yardstick.float32(float(line["state"])) for line in steps[i : i + 2]) for i in range(len(steps) - 1)]
    check.equal(f"{name}, transitions", [tuple(pair[rlds.OBSERVATION].numpy().tolist()) for pair in pairs], states)
    moved = [float(step[rlds.REWARD]) for step in transformations.shift_keys(plain, [rlds.REWARD], 1)]
    check.equal(f"{name}, rewards by shift_keys", moved, [float(line["reward"]) for line in steps[1:]])

check.done("rlds 0.1.8, tensorflow-datasets " + tfds.__version__)
