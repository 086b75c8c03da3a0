// Package conformance tests complete builds: the configs that come with the
// project, the promise that a dataset's bytes depend on its config and input
// alone, and what TensorFlow and TFDS read in the datasets.
//
//	config ─pipeline.Build─► dataset ─┬─► its bytes, compared with another build's
//	                                  └─► a Python script: tf.data, TFDS
//
// The tests of TensorFlow run where the environment variable TFR_PYTHON names a
// Python that has it; see package tftest. Everything else needs only Go.
package conformance
