package main

import (
	"fmt"
	"slices"
)

// A consumer is a program that opens datasets: an oracle that is asked what they hold.
type consumer struct {
	name        string   // in the table, in the headings of docs/how-to/read/readers.md, and for -only
	environment string   // its Python: environment.go
	check       string   // its file in checks, without .py; a directory of that name has its code in another language
	datasets    []string // what it opens: names in datasets
	reads       []string // patterns of the files that it reads in a dataset, besides the shards
	opens       string   // what it opens, for the table; empty if it is not in the table
	takes       string   // what it needs for that, for the table
}

// The datasets of consumers, by their form. Energon reads the same WebDataset shards as tfr-build.
var (
	plain    = datasets[:3]
	random   = datasets[3:6]
	folders  = slices.Concat(plain, datasets[6:9])
	shards   = datasets[9:10]
	episodes = datasets[10:11]
	samples  = datasets[11:]
)

// The files of datasets that consumers read besides shards.
var (
	nothing     []string
	reader      = []string{"_tfr/reader.py"}
	torchReader = []string{"_tfr/torch_reader.py"}
	tfdsFiles   = []string{"*.json", "*.labels.txt"}
	indexes     = []string{"_tfr/index/*"}
	prepared    = []string{".nv-meta/*", ".nv-meta/.info.json", "*.idx"}
	tfxSchema   = []string{"_tfr/schema.pbtxt"}
)

// consumers are all of them, in the order of the table.
var consumers = []consumer{
	{"tf.data", "tensorflow", "tfdata", plain, reader, "records, batches, shuffled", "`_tfr/reader.py` in the dataset"},
	{"Keras", "tensorflow", "keras_model", plain, reader, "`fit`, `predict`", "`keras()` of `_tfr/reader.py`"},
	{"TFDS", "tensorflow", "tfds", plain, tfdsFiles, "a directory, NAME:VERSION, slices", "–"},
	{"grain with JAX", "jax", "grain_jax", plain, tfdsFiles, "shards in sequence", "–; no TensorFlow"},
	{"ArrayRecord", "jax", "random_access", random, tfdsFiles,
		"any record by its number: grain, `tfds.data_source`, array_record", "`format: array_record`; no TensorFlow"},
	{"PyTorch", "torch", "torch_loader", plain, torchReader, "records, batches, workers, ranks",
		"`_tfr/torch_reader.py`; no TensorFlow"},
	{"vahidk/tfrecord", "beam", "vahidk", plain, indexes, "shards, with and without index",
		"–; no TensorFlow, no torch"},
	{"NVIDIA DALI", "tensorflow", "dali", plain, indexes, "`fn.readers.tfrecord` on the CPU",
		"`index: true`; reads absent numbers and lists of strings wrong"},
	{"Apache Beam", "beam", "beam", plain, nothing, "patterns of shards",
		"`apache-beam[tfrecord]`, and `tfrecord` for its messages"},
	{"Spark 3.5", "spark35", "spark", folders, nothing, "patterns, a directory with its splits as a column",
		"`spark-tfrecord` and a schema; a directory `metadata: hidden` or `pathGlobFilter`"},
	{"Spark 4", "spark4", "spark", folders, nothing, "patterns, a directory with its splits as a column",
		"`spark-tfrecord` and a schema; a directory `metadata: hidden` or `pathGlobFilter`"},
	{"TFX", "tfx", "tfx", plain, tfxSchema, "TFDV, Transform, tfx_bsl in Beam", "`_tfr/schema.pbtxt`"},
	{"Ray Data", "ray", "ray_data", plain, tfxSchema, "lists of shards", "`_tfr/schema.pbtxt` as `tf_schema`"},
	{"Hugging Face datasets", "torch", "huggingface", plain, nothing, "`from_generator` over vahidk's reader",
		"it has no loader of its own"},
	{"Rust", "debian", "rust", plain, nothing, "shards, with checksums", "the crate `tfrecord`"},
	{"Node.js", "debian", "npm", plain, nothing, "shards, with checksums", "the package `tfrecord`"},
	{"Megatron Energon", "torch", "energon", shards, nothing, "", ""},
	{"Megatron Energon, prepared", "torch", "energon_tar", samples, prepared, "", ""},
	{"WebDataset", "torch", "webdataset_tar", samples, nothing, "", ""},
	{"Hugging Face datasets, WebDataset", "torch", "huggingface_tar", samples, nothing, "", ""},
	{"Ray Data, WebDataset", "ray", "ray_tar", samples, nothing, "", ""},
	{"RLDS", "rlds", "episodes", episodes, tfdsFiles, "", ""},
}

// choose returns all consumers, or the one of a name.
func choose(only string) ([]consumer, error) {
	if only == "" {
		return consumers, nil
	}
	for _, c := range consumers {
		if c.name == only {
			return []consumer{c}, nil
		}
	}
	return nil, fmt.Errorf("-only %s: no consumer has that name", only)
}
