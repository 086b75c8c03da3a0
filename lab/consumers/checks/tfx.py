"""TFX: tfx_bsl's records in a Beam pipeline, TensorFlow Transform's parsing, and TFDV's validation by the dataset's schema."""

import ast
import logging
import pathlib
import warnings

warnings.simplefilter("ignore")

import yardstick

check = yardstick.Check()
check.block()

import apache_beam as beam
import tensorflow as tf
import tensorflow_data_validation as tfdv
import tensorflow_transform as tft
from tensorflow_transform.tf_metadata import schema_utils
from tfx_bsl.public import tfxio

logging.disable(logging.WARNING)


def arrow(dataset, split, schema):
    """The rows that tfx_bsl gives a pipeline: lists of values, None where there are none."""
    records = tfxio.TFExampleRecord([f"out/{dataset}/{split}-*"], telemetry_descriptors=["check"], schema=schema)
    rows = pathlib.Path("tfx", dataset + split)
    with beam.Pipeline("DirectRunner") as pipeline:
        lines = pipeline | records.BeamSource() | beam.FlatMap(lambda batch: [repr(row) for row in batch.to_pylist()])
        lines | beam.io.WriteToText(str(rows), num_shards=1)
    for path in rows.parent.glob(rows.name + "-?????-of-*"):
        for line in path.read_text().splitlines():
            yield ast.literal_eval(line)


for dataset in yardstick.FEATURES:
    schema = tfdv.load_schema_text(f"out/{dataset}/_tfr/schema.pbtxt")
    spec = schema_utils.schema_as_feature_spec(schema).feature_spec
    parsed, batches = {}, {}
    for split in yardstick.splits(dataset):
        pattern = f"out/{dataset}/{split}-*"
        anomalies = tfdv.validate_statistics(tfdv.generate_statistics_from_tfrecord(pattern), schema).anomaly_info
        check.equal(f"{dataset}, anomalies of {split}", dict(anomalies), {})
        parsed[split] = []
        for batch in tf.data.TFRecordDataset(yardstick.shards(dataset, split)).batch(8).map(lambda b: tf.io.parse_example(b, spec)):
            columns = {f: v.to_list() if isinstance(v, tf.RaggedTensor) else v.numpy().tolist() for f, v in batch.items()}
            parsed[split] += [dict(zip(columns, row)) for row in zip(*columns.values())]
        batches[split] = list(arrow(dataset, split, schema))
    check.rows(dataset, "tfx_bsl", batches)
    check.rows(dataset, "schema_as_feature_spec", parsed, missing=yardstick.MISSING, ordered=True)

check.done(f"tfdv {tfdv.__version__}, tft {tft.__version__}")
