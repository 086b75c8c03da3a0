"""Converts photos with TensorFlow as convert_images.py does, and writes them as Examples into
a TFRecord file, unshuffled.

usage: job_by_tensorflow.py DIR OUT
"""
import glob
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)


def convert(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3, dct_method="INTEGER_ACCURATE")
    shape = tf.cast(tf.shape(image)[:2], tf.float32)
    size = tf.cast(tf.round(shape * (256 / tf.reduce_min(shape))), tf.int32)
    image = tf.image.resize([image], size, method="area")[0]
    image = tf.image.resize_with_crop_or_pad(image, 224, 224)
    return path, tf.io.encode_jpeg(tf.cast(tf.round(image), tf.uint8), quality=95)


def bytes_of(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


paths = tf.data.Dataset.from_tensor_slices(sorted(glob.glob(sys.argv[1] + "/*/*")))
with tf.io.TFRecordWriter(sys.argv[2]) as out:
    for path, image in paths.map(convert).as_numpy_iterator():
        example = tf.train.Example(features=tf.train.Features(feature={"image": bytes_of(image), "filename": bytes_of(path)}))
        out.write(example.SerializeToString())
