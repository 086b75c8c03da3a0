"""tf.data: reader.dataset record by record, and parse_example of batches of what TFRecordDataset reads."""

import importlib.util

import yardstick

check = yardstick.Check()
check.block()

import tensorflow as tf


def reader_of(dataset):
    """The module _tfr/reader.py, under the name of its dataset: several are used here."""
    spec = importlib.util.spec_from_file_location(dataset, f"out/{dataset}/_tfr/reader.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def batches(reader, split):
    """The rows of the split, parsed as batches, in one dict of features each."""
    records = tf.data.TFRecordDataset(reader.files(split)).batch(7)
    for batch in records.map(lambda b: tf.io.parse_example(b, reader.FEATURES)):
        for i in range(len(batch[next(iter(batch))])):
            yield {feature: values[i].numpy() for feature, values in batch.items()}


for dataset in yardstick.FEATURES:
    reader = reader_of(dataset)
    one = {s: [{k: v.numpy() for k, v in row.items()} for row in reader.dataset(s)] for s in yardstick.splits(dataset)}
    check.rows(dataset, "reader.dataset", one, missing=yardstick.MISSING, ordered=True)
    many = {s: list(batches(reader, s)) for s in yardstick.splits(dataset)}
    check.rows(dataset, "parse_example", many, missing=yardstick.MISSING, ordered=True)

check.done("tensorflow " + tf.__version__)
