"""Writes the first rows of a table, or the first images of a tree, as a dataset, in one of
the ways that people know, and prints what that took without imports.

usage: write_dataset.py tensorflow|tfrecord|mds|tfds|webdataset TABLE|DIR OUT COUNT
"""
import csv
import glob
import itertools
import os
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
TEXTS, FLOATS, INTS = ("company", "district", "remark"), ("miles", "price", "tips"), ("trip", "riders", "card")


def typed(row):
    """A row with the types of its columns, whatever the table says of them."""
    row["card"] = row["card"] in (True, "true")
    return {name: row[name].encode() for name in TEXTS} | {name: float(row[name]) for name in FLOATS} | {
        name: int(row[name]) for name in INTS}


def rows_of(table):
    if table.endswith(".csv"):
        return map(typed, csv.DictReader(open(table, newline="")))
    if table.endswith(".jsonl"):
        import orjson

        return map(typed, map(orjson.loads, open(table, "rb")))
    import pyarrow.parquet

    batches = pyarrow.parquet.ParquetFile(table).iter_batches(10_000)
    return map(typed, itertools.chain.from_iterable(batch.to_pylist() for batch in batches))


def images_of(tree):
    classes = sorted(os.listdir(tree))
    number = {name: i for i, name in enumerate(classes)}
    for path in sorted(glob.glob(tree + "/*/*")):
        folder, name = path.split("/")[-2:]
        with open(path, "rb") as file:
            yield {"image": file.read(), "filename": name.encode(), "label": number[folder]}


def by_tensorflow(rows, out, example):
    import tensorflow as tf

    def feature(value):
        if isinstance(value, bytes):
            return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))
        if isinstance(value, float):
            return tf.train.Feature(float_list=tf.train.FloatList(value=[value]))
        return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))

    yield
    with tf.io.TFRecordWriter(out) as file:
        for row in rows:
            features = tf.train.Features(feature={name: feature(value) for name, value in row.items()})
            file.write(tf.train.Example(features=features).SerializeToString())


def by_tfrecord(rows, out, example):
    import tfrecord

    kinds = {name: {bytes: "byte", float: "float", int: "int"}[type(value)] for name, value in example.items()}
    yield
    file = tfrecord.TFRecordWriter(out)
    for row in rows:
        file.write({name: (value, kinds[name]) for name, value in row.items()})
    file.close()


def by_mds(rows, out, example):
    from streaming import MDSWriter

    kinds = {name: {bytes: "bytes", float: "float64", int: "int"}[type(value)] for name, value in example.items()}
    yield
    with MDSWriter(out=out, columns=kinds) as file:
        for row in rows:
            file.write(row)


def by_tfds(rows, out, example):
    import tensorflow as tf
    import tensorflow_datasets as tfds

    tfds.disable_progress_bar()
    kinds = {name: {bytes: tfds.features.Text(), float: tf.float32, int: tf.int64}[type(value)] for name, value in example.items()}
    if "image" in kinds:
        kinds["image"] = tfds.features.Image()

    class Peer(tfds.core.GeneratorBasedBuilder):
        VERSION = tfds.core.Version("1.0.0")

        def _info(self):
            return tfds.core.DatasetInfo(builder=self, features=tfds.features.FeaturesDict(kinds))

        def _split_generators(self, manager):
            return {"train": self._generate_examples()}

        def _generate_examples(self):
            return enumerate(rows)

    yield
    Peer(data_dir=out).download_and_prepare()


def by_webdataset(rows, out, example):
    import webdataset

    os.mkdir(out)
    yield
    with webdataset.ShardWriter(out + "/%06d.tar", maxcount=1000, verbose=0) as file:
        for i, row in enumerate(rows):
            values = {name: value.decode() if isinstance(value, bytes) else value for name, value in row.items() if name != "image"}
            file.write({"__key__": f"{i:016x}", "jpg": row["image"], "json": values})


peer, source, out, count = sys.argv[1:]
open_rows = images_of if os.path.isdir(source) else rows_of
example = next(iter(open_rows(source)))
job = globals()["by_" + peer](itertools.islice(open_rows(source), int(count)), out, example)
next(job)  # imports
cpu, wall = time.process_time(), time.perf_counter()
next(job, None)
print(f"\nCPU {time.process_time() - cpu:.6f} wall {time.perf_counter() - wall:.6f}")
