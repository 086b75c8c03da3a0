"""Reads a table with pandas, and writes a SequenceExample of TensorFlow for each station, its rows by time.

usage: series_by_pandas.py TABLE OUT SENSORS
"""
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import pandas as pd
import tensorflow as tf

table, out, sensors = sys.argv[1:]
rows = pd.read_csv(table).sort_values("time", kind="stable")


def steps(values):
    return tf.train.FeatureList(feature=[tf.train.Feature(float_list=tf.train.FloatList(value=[v])) for v in values])


with tf.io.TFRecordWriter(out) as file:
    for station, of in rows.groupby("station", sort=False):
        context = {"station": tf.train.Feature(int64_list=tf.train.Int64List(value=[station]))}
        lists = {name: steps(of[name].tolist()) for name in sensors.split(",")}
        file.write(tf.train.SequenceExample(
            context=tf.train.Features(feature=context),
            feature_lists=tf.train.FeatureLists(feature_list=lists),
        ).SerializeToString())
