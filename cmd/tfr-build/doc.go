// Tfr-build converts CSV, JSONL, text, directories of images, arrays, and TFRecord files to a
// sharded TFRecord or OFRecord dataset. A YAML config describes the dataset.
//
//	tfr-build -config penguins.yaml
//
// Results go to standard output, everything else to standard error. A line there begins with the
// position that it is about, if it has one. Then it says whether it is an error, a warning, or a
// note:
//
//	data/train.csv:1204:17: error: column "AGE" (feature "age"): "NA" is not an int64 [INT_SYNTAX]
//	help: null_values: [NA]
//	warning: source: 2 hidden files skipped
//
// With -log-format json each line of both is a JSON object with the same content as fields. For the
// exit codes see exitCode.
//
//	arguments ▸ scan ▸ choose ▸ parse ▸ perform ▸ conclude ▸ exit code
//	            words  command  options   │          │
//	                                      │          ╰▸ messages of the error, on standard error
//	                                      ╰▸ package pipeline or dataset; results, progress
//
// The tables of commands and of flags also drive help, completion, the man page, and errors.
package main
