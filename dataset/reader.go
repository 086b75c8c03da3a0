package dataset

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// readerScript returns ReaderName: Python that reads the dataset with tf.data.
// It finds the shards through the manifest beside it, and so works wherever
// the dataset is put.
func readerScript(info *Info) []byte {
	features := slices.Clone(info.Record.Features)
	slices.SortFunc(features, func(a, b schema.Feature) int { return strings.Compare(a.Key, b.Key) })
	var b bytes.Buffer
	fmt.Fprintf(&b, scriptHead, info.Name, info.Version, pythonCompression(info.Compression))
	b.WriteString("FEATURES = {\n")
	for i := range features {
		fmt.Fprintf(&b, "    %s: %s,\n", pythonString(features[i].Key), pythonFeature(&features[i]))
	}
	b.WriteString("}\n\n# What is not read as it is stored.\nCASTS = {")
	writeCasts(&b, features)
	b.WriteString("}\n")
	b.WriteString(scriptFunctions)
	writeClasses(&b, features)
	return b.Bytes()
}

const scriptHead = `"""Reads the dataset %s, version %s, with tf.data.

    import sys
    sys.path.append("DATASET/_tfr")
    import reader

    for example in reader.dataset("train"):
        ...

tfr-build wrote this file together with the dataset. It is found to be changed
by tfr-build verify: copy it to change it, and pass the directory.
"""

import json
import os

import numpy as np
import tensorflow as tf

DIRECTORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMPRESSION = %q

# What is read where a record has no value.
MISSING = {tf.int64: np.int64(-(2**63)), tf.float32: np.float32("nan"), tf.string: b""}


def _optional(shape, dtype):
    return tf.io.FixedLenFeature(shape, dtype, default_value=np.full(shape, MISSING[dtype]))


def _variable(shape, dtype):
    inner = [tf.io.RaggedFeature.UniformRowLength(n) for n in shape]
    return tf.io.RaggedFeature(dtype, partitions=inner)


# As tf.io.parse_example takes it, for a batch of records.
`

const scriptFunctions = `

def parse(record):
    """Returns the features of one serialized Example, by key."""
    example = tf.io.parse_single_example(record, FEATURES)
    for key, dtype in CASTS.items():
        example[key] = tf.cast(example[key], dtype)
    return example


def files(split, directory=DIRECTORY):
    """Returns the paths of the split's shards, in order."""
    with tf.io.gfile.GFile(os.path.join(directory, "_tfr", "manifest.json")) as f:
        splits = {s["name"]: s["shards"] for s in json.load(f)["splits"]}
    return [os.path.join(directory, shard["name"]) for shard in splits[split]]


def dataset(split, directory=DIRECTORY):
    """Returns the parsed records of the split as a tf.data.Dataset, in order."""
    records = tf.data.TFRecordDataset(files(split, directory), compression_type=COMPRESSION)
    return records.map(parse, num_parallel_calls=tf.data.AUTOTUNE)


# The names of classes: the first has the number "first".`

func pythonCompression(c tfrecord.Compression) string {
	if c == tfrecord.None {
		return ""
	}
	return strings.ToUpper(c.String())
}

// pythonString returns s as a Python string. Go's escapes are Python's.
func pythonString(s string) string { return strconv.Quote(s) }

func pythonFeature(f *schema.Feature) string {
	dtype := map[message.List]string{
		message.BytesList: "tf.string", message.FloatList: "tf.float32", message.Int64List: "tf.int64",
	}[f.StoredAs(schema.ExampleMessage)]
	switch {
	case isVariable(f.Shape):
		return fmt.Sprintf("_variable(%s, %s)", pythonShape(f.Shape[1:]), dtype)
	case f.OnMissing == schema.MissingOmit:
		return fmt.Sprintf("_optional(%s, %s)", pythonShape(f.Shape), dtype)
	}
	return fmt.Sprintf("tf.io.FixedLenFeature(%s, %s)", pythonShape(f.Shape), dtype)
}

func pythonShape(shape []int) string {
	return strings.ReplaceAll(fmt.Sprint(shape), " ", ", ")
}

// writeCasts lists the narrower integers and bools. Where a value may be
// missing there is no cast, which would make MISSING another number.
func writeCasts(b *bytes.Buffer, features []schema.Feature) {
	n := 0
	for i := range features {
		f := &features[i]
		if f.StoredAs(schema.ExampleMessage) != message.Int64List || f.Type == schema.Int64 || f.OnMissing == schema.MissingOmit && !isVariable(f.Shape) {
			continue
		}
		if n == 0 {
			b.WriteString("\n")
		}
		n++
		fmt.Fprintf(b, "    %s: tf.%s,\n", pythonString(f.Key), f.Type)
	}
}
