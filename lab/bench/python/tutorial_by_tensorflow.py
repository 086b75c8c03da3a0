"""The loop of TensorFlow's tutorial on TFRecord files: observations of four features, in
memory, are written one after the other. Prints what that took without imports.

usage: tutorial_by_tensorflow.py OUT COUNT
"""
import os
import sys
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

out, count = sys.argv[1], int(sys.argv[2])
chance = np.random.default_rng(1)
flags, numbers, values = chance.choice([False, True], count), chance.integers(0, 5, count), chance.standard_normal(count)
words = np.array([b"cat", b"dog", b"chicken", b"horse", b"goat"])[numbers]


def integer(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[int(value)]))


cpu, wall = time.process_time(), time.perf_counter()
with tf.io.TFRecordWriter(out) as file:
    for flag, number, word, value in zip(flags, numbers, words, values):
        file.write(tf.train.Example(features=tf.train.Features(feature={
            "feature0": integer(flag),
            "feature1": integer(number),
            "feature2": tf.train.Feature(bytes_list=tf.train.BytesList(value=[word])),
            "feature3": tf.train.Feature(float_list=tf.train.FloatList(value=[value])),
        })).SerializeToString())
print(f"CPU {time.process_time() - cpu:.6f} wall {time.perf_counter() - wall:.6f}")
