"""grain with JAX, without TensorFlow: TFRecordIterDataset, parsed by TFDS's own NumPy parser, in batches of jax arrays."""

import yardstick

check = yardstick.Check()
check.block()

import sys

import grain
import jax
import jax.numpy as jnp
import tensorflow_datasets as tfds

for dataset in yardstick.FEATURES:
    features = tfds.builder_from_directory(f"out/{dataset}").info.features
    skip = {"image": tfds.decode.SkipDecoding()} if dataset == "photos" else {}
    parse = lambda record: features.deserialize_example_np(record, decoders=skip)
    rows = {}
    for split in yardstick.splits(dataset):
        rows[split] = []
        for shard in yardstick.shards(dataset, split):
            rows[split] += grain.experimental.TFRecordIterDataset(shard).map(parse)
    check.rows(dataset, "TFRecordIterDataset", rows, ordered=True)

# jax has 32 bits for numbers, unless it is told otherwise.
jax.config.update("jax_enable_x64", True)
fixed = [f for f in yardstick.FEATURES["notes"] if yardstick.number("notes", f) in "14"]
features = tfds.builder_from_directory("out/notes").info.features
rows = {}
for split in yardstick.splits("notes"):
    rows[split] = []
    for shard in yardstick.shards("notes", split):
        records = grain.experimental.TFRecordIterDataset(shard).map(features.deserialize_example_np)
        for batch in records.map(lambda row: {f: row[f] for f in fixed}).batch(4):
            batch = jax.tree.map(jnp.asarray, batch)
            rows[split] += [{f: batch[f][i] for f in fixed} for i in range(len(batch["id"]))]
check.rows("notes", "batches of jax arrays", rows, only=fixed, ordered=True)
check.equal("no TensorFlow", "tensorflow" in sys.modules, False)

check.done(f"grain {grain.__version__}, jax {jax.__version__}")
