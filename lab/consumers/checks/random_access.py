"""ArrayRecord files: their own reader, grain's random access, tfds.data_source, without TensorFlow."""

import yardstick

check = yardstick.Check()
check.block()

import importlib.metadata
import sys

import grain
import tensorflow_datasets as tfds
from array_record.python import array_record_module

for dataset in yardstick.FEATURES:
    builder = tfds.builder_from_directory(f"out/random/{dataset}")
    features = builder.info.features
    skip = {"image": tfds.decode.SkipDecoding()} if dataset == "photos" else {}
    parse = lambda record: features.deserialize_example_np(record, decoders=skip)
    own, random, source = {}, {}, {}
    for split in builder.info.splits:
        paths = yardstick.array_records(dataset, split)
        own[split] = [parse(r) for path in paths for r in array_record_module.ArrayRecordReader(path).read_all()]
        records = grain.sources.ArrayRecordDataSource(paths)
        random[split] = [parse(records[i]) for i in reversed(range(len(records)))][::-1]
        rows = builder.as_data_source(split, decoders=skip)
        source[split] = [rows[i] for i in reversed(range(len(rows)))][::-1]
    check.rows(dataset, "ArrayRecordReader", own, ordered=True)
    check.rows(dataset, "grain, by number", random, ordered=True)
    check.rows(dataset, "as_data_source, by number", source, ordered=True)

check.equal("no TensorFlow", "tensorflow" in sys.modules, False)
check.done("array_record " + importlib.metadata.version("array_record"))
