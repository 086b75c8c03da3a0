package config

import (
	"strings"
	"testing"
)

// TestShorthands parses short and long spellings of the same config, which must have the
// same canonical text and so the same digest.
func TestShorthands(t *testing.T) {
	const csvSource = "source: {csv: {files: a.csv}}\n"
	for _, tt := range []struct{ name, short, long string }{
		{"a file for csv", "source: {csv: a.csv}\n", "source: {csv: {files: a.csv}}\n"},
		{"a list for csv", "source: {csv: [a.csv, b.csv]}\n", "source: {csv: {files: [a.csv, b.csv]}}\n"},
		{"a pattern for jsonl", "source: {jsonl: '*.jsonl'}\n", "source: {jsonl: {files: '*.jsonl'}}\n"},
		{"a file for json", "source: {json: a.json}\n", "source: {json: {files: a.json}}\n"},
		{"a file for text", "source: {text: a.txt}\n", "source: {text: {files: a.txt}}\n"},
		{"a file for parquet", "source: {parquet: a.parquet}\n", "source: {parquet: {files: a.parquet}}\n"},
		{"a file for tfrecord", "source: {tfrecord: a.tfrecord}\n", "source: {tfrecord: {files: a.tfrecord}}\n"},
		{"a file for tar", "source: {tar: a.tar}\n", "source: {tar: {files: a.tar}}\n"},
		{"a file for zip", "source: {zip: a.zip}\n", "source: {zip: {files: a.zip}}\n"},
		{"a directory for images", "source: {images: photos}\n", "source: {images: {dir: photos}}\n"},
		{"a directory for folder", "source: {folder: clips}\n", "source: {folder: {dir: clips}}\n"},
		{"files in a list of sources", "sources: [{csv: a.csv}, {csv: b.csv, split: test}]\n",
			"sources: [{csv: {files: a.csv}}, {csv: {files: b.csv}, split: test}]\n"},
		{"shares for a split", csvSource + "split: {train: 80%, test: 20%}\n",
			csvSource + "split: {fractions: {train: 80%, test: 20%}}\n"},
		{"fractions for shares", csvSource + "split: {train: 0.8, test: 0.2}\n",
			csvSource + "split: {fractions: {train: 80%, test: 20%}}\n"},
		{"fractions with a column", csvSource + "split: {fractions: {train: .75, test: 0.25}, by: user}\n",
			csvSource + "split: {fractions: {train: 75%, test: 25%}, by: user}\n"},
		{"one share", csvSource + "split: {train: 1.0}\n", csvSource + "split: {fractions: {train: 100%}}\n"},
		{"a fraction of the rows", csvSource + "sample: 0.125\n", csvSource + "sample: 12.5%\n"},
		{"one join", csvSource + "join: {csv: b.csv, on: id}\n", csvSource + "join: [{csv: {files: b.csv}, on: id}]\n"},
		{"dots before extensions", "source: {folder: {dir: p, extensions: [.png, .JPG]}}\n",
			"source: {folder: {dir: p, extensions: [png, jpg]}}\n"},
		{"a dot before an extension", "source: {folder: {dir: p, extensions: .wav}}\n",
			"source: {folder: {dir: p, extensions: wav}}\n"},
		{"a number for a missing value", csvSource + "features: {x: {type: int64, missing: 0}}\n",
			csvSource + "features: {x: {type: int64, missing: {default: 0}}}\n"},
		{"a negative number for a missing value", csvSource + "features: {x: {type: float, missing: -1.5}}\n",
			csvSource + "features: {x: {type: float, missing: {default: -1.5}}}\n"},
		{"an empty string for a missing value", csvSource + "features: {x: {type: string, missing: \"\"}}\n",
			csvSource + "features: {x: {type: string, missing: {default: \"\"}}}\n"},
		{"a word for a missing value", csvSource + "features: {x: {type: string, missing: unknown}}\n",
			csvSource + "features: {x: {type: string, missing: {default: unknown}}}\n"},
		{"a quoted word of another tool for a missing value",
			csvSource + "features: {x: {type: string, missing: \"none\"}}\n",
			csvSource + "features: {x: {type: string, missing: {default: none}}}\n"},
		{"a class for a missing value", csvSource + "features: {x: {classes: [cat, dog], missing: dog}}\n",
			csvSource + "features: {x: {classes: [cat, dog], missing: {default: dog}}}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parse := func(text string) *Config {
				text = "name: d\noutput: out\n" + text
				if !strings.Contains(text, "features:") {
					text += "features: {x: bytes}\n"
				}
				return mustParse(t, text)
			}
			short, long := parse(tt.short), parse(tt.long)
			if got, want := string(short.Canonical(nil)), string(long.Canonical(nil)); got != want {
				t.Errorf("the canonical texts differ:\n%s\nand\n%s", got, want)
			}
			if short.ConfigDigest(nil) != long.ConfigDigest(nil) {
				t.Error("the digests differ")
			}
			checkCanonical(t, short)
		})
	}
}
