"""Ray Data: read_webdataset of the archives."""

import logging
import os
import warnings

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
os.environ["RAY_worker_niceness"] = "0"  # or workers wait for everything else on a busy machine
warnings.simplefilter("ignore")

import ray

import samples
import yardstick

check = yardstick.Check()
ray.init(num_cpus=2, logging_level=logging.ERROR, log_to_driver=False, include_dashboard=False, object_store_memory=300 << 20)
ray.data.DataContext.get_current().enable_progress_bars = False

for dataset in yardstick.FEATURES:
    rows = {}
    for split in samples.splits(dataset):
        read = ray.data.read_webdataset(samples.shards(dataset, split), decoder=None)
        rows[split] = [samples.row(sample) for sample in read.iter_rows()]
    check.rows(dataset, "read_webdataset", rows)

ray.shutdown()
check.done("ray " + ray.__version__)
