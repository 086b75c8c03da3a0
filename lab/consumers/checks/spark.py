"""Apache Spark with spark-tfrecord: patterns, filters, folders of splits, with a schema that is given."""

import os
import sys

import spark_jar
import yardstick

check = yardstick.Check()
jars = list(map(str, spark_jar.jars()))
os.environ["PYSPARK_SUBMIT_ARGS"] = (
    f"--jars {','.join(jars)} --driver-class-path {':'.join(jars)} --driver-memory 1g"
    " --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=2 --master local[2] pyspark-shell"
)
os.environ["PYSPARK_PYTHON"] = sys.executable
check.block()

import pyspark
from pyspark.sql import SparkSession, types

spark = SparkSession.builder.getOrCreate()
spark.sparkContext.setLogLevel("ERROR")

TYPES = {"int": types.LongType(), "float": types.FloatType(), "bytes": types.BinaryType()}


def schema(dataset):
    columns = types.StructType()
    for feature in yardstick.FEATURES[dataset]:
        of = TYPES[yardstick.kind(dataset, feature)]
        single = yardstick.number(dataset, feature) in "1?"
        columns.add(feature, of if single else types.ArrayType(of, False))
    return columns


def read(dataset, path, **options):
    """The rows of a path, where null is no value."""
    frame = spark.read.format("tfrecord").schema(schema(dataset)).options(**options).load(path)
    return [{k: v for k, v in row.asDict().items() if v is not None} for row in frame.collect()]


for dataset in yardstick.FEATURES:
    rows = {split: read(dataset, f"out/{dataset}/{split}-*") for split in yardstick.splits(dataset)}
    check.rows(dataset, "a pattern of shards", rows)
    rows = read(dataset, f"out/folders/{dataset}")
    parts = {row["split"]: [] for row in rows}
    for row in rows:
        parts[row.pop("split")].append(row)
    check.rows(dataset, "the directory, with a column of splits", parts)
directory = read("penguins", "out/penguins", pathGlobFilter="*-of-*")
check.rows("penguins", "the directory, with pathGlobFilter", {"all": directory})

spark.stop()
check.done(f"pyspark {pyspark.__version__}, spark-tfrecord 0.7.0")
