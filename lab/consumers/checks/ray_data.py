"""Ray Data: read_tfrecords of the shards, with the schema that the dataset has for TFX."""

import logging
import os
import warnings

os.environ["RAY_TRAIN_V2_ENABLED"] = "0"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
os.environ["RAY_worker_niceness"] = "0"  # or workers wait for everything else on a busy machine
warnings.simplefilter("ignore")

import ray

import yardstick

check = yardstick.Check()
ray.init(num_cpus=2, logging_level=logging.ERROR, log_to_driver=False, include_dashboard=False, object_store_memory=300 << 20)
ray.data.DataContext.get_current().enable_progress_bars = False
check.block()

from google.protobuf import text_format
from tensorflow_metadata.proto.v0 import schema_pb2

for dataset in yardstick.FEATURES:
    with open(f"out/{dataset}/_tfr/schema.pbtxt") as f:
        schema = text_format.Parse(f.read(), schema_pb2.Schema())
    rows = {}
    for split in yardstick.splits(dataset):
        read = ray.data.read_tfrecords(yardstick.shards(dataset, split), tf_schema=schema)
        rows[split] = list(read.iter_rows())
    check.rows(dataset, "read_tfrecords", rows)

ray.shutdown()
check.done("ray " + ray.__version__)
