package main

import (
	"fmt"
	"slices"
)

// A consumer is a program that opens datasets.
type consumer struct {
	name        string // in the table, in the headings of docs/how-to/read/readers.md, and for -only
	set         string // ci or more
	environment string // its Python: environment.go
	check       string // its file in checks, without .py
	opens       string // what it opens, for the table
	takes       string // what it wants for that, for the table
}

// consumers are all of them, in the order of the table.
var consumers = []consumer{
	{"tf.data", "ci", "tensorflow", "tfdata", "records, batches, shuffled", "`_tfr/reader.py` in the dataset"},
	{"Keras", "ci", "tensorflow", "keras_model", "`fit`, `predict`", "`keras()` of `_tfr/reader.py`"},
	{"TFDS", "ci", "tensorflow", "tfds", "a directory, NAME:VERSION, slices", "–"},
	{"grain with JAX", "ci", "jax", "grain_jax", "shards in sequence", "–; no TensorFlow"},
	{"ArrayRecord", "ci", "jax", "random_access", "any record by its number: grain, `tfds.data_source`, array_record", "`format: array_record`; no TensorFlow"},
	{"PyTorch", "ci", "torch", "torch_loader", "records, batches, workers, ranks", "`_tfr/torch_reader.py`; no TensorFlow"},
	{"vahidk/tfrecord", "ci", "beam", "vahidk", "shards, with and without index", "–; no TensorFlow, no torch"},
	{"NVIDIA DALI", "ci", "tensorflow", "dali", "`fn.readers.tfrecord` on the CPU", "`index: true`; reads absent numbers and lists of texts wrong"},
	{"Apache Beam", "ci", "beam", "beam", "patterns of shards", "`apache-beam[tfrecord]`, and `tfrecord` for its messages"},
	{"Spark 3.5", "more", "spark35", "spark", "patterns, a directory with its splits as a column", "`spark-tfrecord` and a schema; a directory `metadata: hidden` or `pathGlobFilter`"},
	{"Spark 4", "more", "spark4", "spark", "patterns, a directory with its splits as a column", "`spark-tfrecord` and a schema; a directory `metadata: hidden` or `pathGlobFilter`"},
	{"TFX", "more", "tfx", "tfx", "TFDV, Transform, tfx_bsl in Beam", "`_tfr/schema.pbtxt`"},
	{"Ray Data", "more", "ray", "ray_data", "lists of shards", "`_tfr/schema.pbtxt` as `tf_schema`"},
	{"Hugging Face datasets", "more", "hf", "huggingface", "`from_generator` over vahidk's reader", "it has no loader of its own"},
	{"Rust", "more", "debian", "rust", "shards, with checksums", "the crate `tfrecord`"},
	{"Node.js", "more", "debian", "npm", "shards, with checksums", "the package `tfrecord`"},
}

// choose returns the consumers of a set, or the one of a name.
func choose(set, only string) ([]consumer, error) {
	if set != "ci" && set != "more" && set != "all" {
		return nil, fmt.Errorf("-set %s: want ci, more or all", set)
	}
	chosen := slices.DeleteFunc(slices.Clone(consumers), func(c consumer) bool {
		if only != "" {
			return c.name != only
		}
		return set != "all" && c.set != set
	})
	if len(chosen) == 0 {
		return nil, fmt.Errorf("-only %s: there is no consumer of that name", only)
	}
	return chosen, nil
}
