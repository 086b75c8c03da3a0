"""tf.data: reader.dataset record by record, in batches and shuffled, and parse_example of what TFRecordDataset reads."""

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


def rows_of(batches):
    """The rows of batches, which are dicts of tensors."""
    for batch in batches:
        for i in range(len(batch[next(iter(batch))])):
            yield {feature: values[i].numpy() for feature, values in batch.items()}


for dataset in yardstick.FEATURES:
    reader = reader_of(dataset)
    one = {s: [{k: v.numpy() for k, v in row.items()} for row in reader.dataset(s)] for s in yardstick.splits(dataset)}
    check.rows(dataset, "reader.dataset", one, missing=yardstick.MISSING, ordered=True)
    by_hand, batches, shuffled = {}, {}, {}
    for split in yardstick.splits(dataset):
        records = tf.data.TFRecordDataset(reader.files(split)).batch(7)
        by_hand[split] = list(rows_of(records.map(lambda batch: tf.io.parse_example(batch, reader.FEATURES))))
        batches[split] = list(rows_of(reader.dataset(split, batch_size=7)))
        shuffled[split] = list(rows_of(reader.dataset(split, batch_size=7, shuffle=True)))
    check.rows(dataset, "parse_example", by_hand, missing=yardstick.MISSING, ordered=True)
    check.rows(dataset, "batches", batches, missing=yardstick.MISSING, ordered=True)
    check.rows(dataset, "shuffled batches", shuffled, missing=yardstick.MISSING)

check.done("tensorflow " + tf.__version__)
