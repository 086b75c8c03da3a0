// Tfr-build turns CSV, JSONL, text, folders of images, arrays and TFRecord files
// into a sharded TFRecord or OFRecord dataset, as a YAML config describes it.
//
//	tfr-build -config penguins.yaml
//
// Results go to standard output, everything else to standard error, where a
// line begins with the place that it is about, if it has one, and says whether it is an
// error, a warning or a note:
//
//	data/train.csv:1204:17: error: column "AGE" (feature "age"): "NA" is not an int64 [INT_SYNTAX]
//	help: null_values: [NA]
//	warning: source: 2 hidden files skipped
//
// With -log-format json each line of both is a JSON object with the same as fields.
// The exit code says what happened; see exitCode.
//
//	arguments ▸ choose ▸ parse ▸ perform ▸ conclude ▸ exit code
//	             a        flags    │         │
//	             command           │         ╰▸ messages of the error, on standard error
//	                               ╰▸ package pipeline or dataset; results, progress
package main
