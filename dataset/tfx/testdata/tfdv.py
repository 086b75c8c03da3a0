"""Holds datasets against TFX itself: TensorFlow Data Validation, TensorFlow
Transform and tfx_bsl, of lab/requirements-tfx.txt.

    python tfdv.py DATASET…

Of each dataset that has _tfr/schema.pbtxt: no split is an anomaly to the schema, what
schema_as_feature_spec makes of it is what reader.py reads, and records are read with
that. Where there is _tfr/statistics.pbtxt, too, it says what TFDV says of the shards,
and is no anomaly either.
"""

import glob
import importlib.util
import json
import logging
import math
import os
import sys
import tempfile
import warnings

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
warnings.simplefilter("ignore")

import apache_beam as beam
import numpy as np
import tensorflow as tf
import tensorflow_data_validation as tfdv
from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2, statistics_pb2
from tensorflow_transform.tf_metadata import schema_utils
from tfx_bsl.public import tfxio
from tfx_bsl.tfxio import tensor_representation_util

logging.disable(logging.WARNING)

faults = 0


def check(ok, *what):
    global faults
    if not ok:
        faults += 1
        print("FAULT:", *what)


def read(directory, name, message):
    path = os.path.join(directory, "_tfr", name)
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as f:
        return text_format.Parse(f.read(), message)


def reader_of(directory):
    spec = importlib.util.spec_from_file_location("reader", os.path.join(directory, "_tfr", "reader.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def plain(spec, key):
    """Returns a spec as a tuple that can be compared."""
    if isinstance(spec, tf.io.FixedLenFeature):
        default = spec.default_value
        if default is not None:
            default = np.asarray(default, object).ravel().tolist()
            default *= int(np.prod(spec.shape, initial=1)) // len(default)
            default = [v.encode() if isinstance(v, str) else "nan" if v != v else v for v in default]
        return ("fixed", list(spec.shape), spec.dtype, default)
    if isinstance(spec, tf.io.RaggedFeature):
        return ("ragged", spec.dtype, spec.value_key or key, [repr(p) for p in spec.partitions], spec.row_splits_dtype)
    return ("other", repr(spec))


def compare_specs(where, got, want):
    check(sorted(got) == sorted(want), where, "keys", sorted(got), "reader.py has", sorted(want))
    for key in want.keys() & got.keys():
        g, w = plain(got[key], key), plain(want[key], key)
        check(g == w, where, repr(key), "is", g, "reader.py has", w)


def check_example(directory, schema, reader, shards):
    compare_specs(directory, schema_utils.schema_as_feature_spec(schema).feature_spec, reader.FEATURES)
    spec = schema_utils.schema_as_feature_spec(schema).feature_spec
    for record in tf.data.TFRecordDataset(shards, reader.COMPRESSION).take(10):
        got, want = tf.io.parse_single_example(record, spec), tf.io.parse_single_example(record, reader.FEATURES)
        for key in want:
            check(str(got[key]) == str(want[key]), directory, repr(key), got[key], "reader.py", want[key])


def check_sequence(directory, schema, reader, shards):
    """Feature lists are ragged to TFX, also where reader.py reads a fixed shape."""
    context, steps = tensor_representation_util.CreateTfSequenceExampleParserConfig(schema)
    compare_specs(directory, context, reader.CONTEXT)
    ragged = {k: v for k, v in reader.SEQUENCE.items() if isinstance(v, tf.io.RaggedFeature)}
    check(sorted(steps) == sorted(reader.SEQUENCE), directory, "feature lists", sorted(steps))
    compare_specs(directory, {k: v for k, v in steps.items() if k in ragged}, ragged)
    for key in steps.keys() - ragged.keys():
        check(steps[key].dtype == reader.SEQUENCE[key].dtype, directory, repr(key), steps[key])
    for record in tf.data.TFRecordDataset(shards, reader.COMPRESSION).take(10):
        _, got = tf.io.parse_single_sequence_example(record, context, steps)
        _, want = tf.io.parse_single_sequence_example(record, reader.CONTEXT, reader.SEQUENCE)
        for key in want:
            flat = lambda t: (t.flat_values if isinstance(t, tf.RaggedTensor) else t).numpy().ravel()
            check(np.array_equal(flat(got[key]), flat(want[key])), directory, repr(key), got[key], "reader.py", want[key])


def anomalies(stats, schema):
    found = tfdv.validate_statistics(stats, schema)
    return {k: v.short_description + ": " + v.description for k, v in found.anomaly_info.items()}


def values_of(feature):
    """Returns the statistics of a feature, and what is common to all kinds."""
    stats = getattr(feature, feature.WhichOneof("stats"))
    return stats, stats.common_stats


def near(a, b, share=1e-5):
    return a == b or math.isclose(a, b, rel_tol=share, abs_tol=1e-12) or a != a and b != b


def compare_stats(where, ours, theirs):
    """Holds our statistics of a split against TFDV's."""
    check(ours.num_examples == theirs.num_examples, where, "records", ours.num_examples, theirs.num_examples)
    mine = {tuple(f.path.step): f for f in ours.features}
    for other in theirs.features:
        key = tuple(other.path.step)
        if other.type == statistics_pb2.FeatureNameStatistics.STRUCT:
            continue  # of feature lists we count these alone
        if key not in mine:
            check(False, where, key, "has no statistics")
            continue
        compare_feature((where, key), mine[key], other)


def compare_feature(where, ours, theirs):
    (a, common), (b, wanted) = values_of(ours), values_of(theirs)
    if wanted.num_non_missing == 0:
        return
    for name in ("num_non_missing", "num_missing", "min_num_values", "max_num_values", "tot_num_values"):
        got, want = getattr(common, name), getattr(wanted, name)
        check(got == want, *where, name, got, "TFDV", want)
    if ours.WhichOneof("stats") != theirs.WhichOneof("stats"):
        return
    exact = {"num_stats": ("num_zeros", "min", "max"), "string_stats": ("invalid_utf8_count",)}
    close = {"num_stats": ("mean", "std_dev"), "string_stats": ("avg_length",), "bytes_stats": ("avg_num_bytes", "min_num_bytes", "max_num_bytes")}
    if ours.WhichOneof("stats") == "string_stats" and ours.type == statistics_pb2.FeatureNameStatistics.INT and not a.avg_length:
        close["string_stats"] = ()  # numbers of no class
    for name in exact.get(ours.WhichOneof("stats"), ()):
        check(getattr(a, name) == getattr(b, name), *where, name, getattr(a, name), "TFDV", getattr(b, name))
    for name in close[ours.WhichOneof("stats")]:
        if hasattr(b, name) and math.isfinite(getattr(b, name)) and math.isfinite(getattr(b, "mean", 0)):  # ours are of finite numbers
            check(near(getattr(a, name), getattr(b, name)), *where, name, getattr(a, name), "TFDV", getattr(b, name))
    if ours.WhichOneof("stats") == "num_stats" and len({x.low_value for h in b.histograms for x in h.buckets if h.type == h.QUANTILES}) > 5 and common.tot_num_values >= 1000:
        # Of few values, each takes another one near the middle.
        check(near(a.median, b.median, 0.02), *where, "median", a.median, "TFDV", b.median)
    if ours.WhichOneof("stats") == "string_stats":
        check(near(a.unique, b.unique, 0.04), *where, "unique", a.unique, "TFDV", b.unique)
    if ours.WhichOneof("stats") == "string_stats" and a.top_values:
        got, want = a.top_values[0].frequency, b.top_values[0].frequency
        check(got == want, *where, "most frequent", got, "TFDV", want)


def main(directory):
    schema = read(directory, "schema.pbtxt", schema_pb2.Schema())
    if schema is None:
        print(directory, "has no schema")
        return
    reader = reader_of(directory)
    ours = read(directory, "statistics.pbtxt", statistics_pb2.DatasetFeatureStatisticsList())
    with open(os.path.join(directory, "_tfr", "manifest.json"), encoding="utf-8") as f:
        splits = json.load(f)["splits"]
    first = reader.files(splits[0]["name"], directory)
    if hasattr(reader, "SEQUENCE"):
        check_sequence(directory, schema, reader, first)
    else:
        check_example(directory, schema, reader, first)
    if ours is not None:
        for split in ours.datasets:
            one = statistics_pb2.DatasetFeatureStatisticsList(datasets=[split])
            found = anomalies(one, schema) if split.num_examples else {}
            check(not found, directory, split.name, "by our statistics", found)
    for split in splits:
        if not split["records"]:
            continue
        options = tfdv.StatsOptions(schema=schema, num_top_values=20)
        shards = [os.path.join(directory, s["name"]) for s in split["shards"]]
        where = (directory, split["name"])
        statistics_of = sequence_statistics if hasattr(reader, "SEQUENCE") else example_statistics
        theirs = statistics_of(shards, tfdv.StatsOptions())
        check(not anomalies(theirs, schema), *where, anomalies(theirs, schema))
        with_schema = statistics_of(shards, options)
        check(not anomalies(with_schema, schema), *where, "with the schema in the options", anomalies(with_schema, schema))
        if ours is not None:
            mine = next(d for d in ours.datasets if d.name == split["name"])
            compare_stats(where, mine, with_schema.datasets[0])
    print(directory, len(schema.feature), "features,", len(splits), "splits: compared")


def pattern_of(shards):
    """Returns a pattern of some shards, whatever their names."""
    pattern = shards[0] if len(shards) == 1 else os.path.commonprefix(shards) + "*"
    check(sorted(glob.glob(pattern)) == sorted(shards), pattern, "are other files")
    return pattern


def example_statistics(shards, options):
    return tfdv.generate_statistics_from_tfrecord(pattern_of(shards), stats_options=options)


def sequence_statistics(shards, options):
    """Returns what TFDV counts of SequenceExamples, which it has no function for."""
    source = tfxio.TFSequenceExampleRecord(file_pattern=pattern_of(shards), telemetry_descriptors=["tfr-build"])
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "statistics")
        with beam.Pipeline() as p:
            _ = p | source.BeamSource() | tfdv.GenerateStatistics(options) | tfdv.WriteStatisticsToTFRecord(path)
        return tfdv.load_statistics(path)


for path in sys.argv[1:]:
    main(path)
if faults:
    sys.exit(f"{faults} faults")
