package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

const digestBase = `name: d
output: out
source:
  csv:
    files: data/*.csv
    null_values: [NA]
split:
  fractions: {train: 80%, test: 20%}
features:
  x: int64
  y: {type: float, missing: omit}
  label: {classes: names.txt}
shards: {hosts: 4}
seed: 7
`

func classesOf(names ...string) func(string) []string {
	return func(string) []string { return names }
}

// TestDigest edits a config and checks whether its digest changes.
func TestDigest(t *testing.T) {
	base := mustParse(t, digestBase).ConfigDigest(classesOf("a", "b"))
	if len(base) != 64 {
		t.Fatalf("the digest %q is not SHA-256 in hex", base)
	}
	for _, tt := range []struct {
		name     string
		from, to string
		changes  bool
	}{
		{"nothing", "", "", false},
		{"another output", "output: out", "output: /elsewhere", false},
		{"a comment", "name: d\n", "# about d\nname: d # d\n\n", false},
		{"the order of keys", "shards: {hosts: 4}\nseed: 7\n", "seed: 7\nshards: {hosts: 4}\n", false},
		{"a list of one source", "source:\n  csv:\n", "sources:\n- csv:\n", false},
		{"flow for block", "  x: int64\n", "  x: {type: int64}\n", false},
		{"a default written out", "seed: 7\n",
			"seed: 7\norder: shuffled\nversion: \"1.0.0\"\ncompression: none\nlimits: {depth: 1000}\n", false},
		{"the default of a feature written out", "  x: int64\n", "  x: {type: int64, from: x, missing: error, shape: " +
			"[]}\n", false},
		{"another name of a type", "type: float,", "type: float32,", false},
		{"another spelling of a size", "seed: 7\n", "seed: 7\nlimits: {record: 67108864B}\n", false},
		{"another spelling of a share", "80%", "80.000%", false},
		{"the split in the source", "split:\n  fractions: {train: 80%, test: 20%}\n",
			"  split:\n    fractions: {train: 80%, test: 20%}\n", false},
		{"a variable", "seed: 7", "seed: ${SEED}", false},
		{"a default of a variable", "data/*.csv", "${NOWHERE:-data}/*.csv", false},
		{"CRLF", "\n", "\r\n", false},
		{"a dot for the directory", "names.txt", "./names.txt", false},

		{"statistics and on_check as they are without", "seed: 7\n", "seed: 7\nstatistics: {top: 20}\non_check: warn\n",
			false},
		{"no statistics", "seed: 7\n", "seed: 7\nstatistics: false\n", true},
		{"the number of values that statistics keep", "seed: 7\n", "seed: 7\nstatistics: {top: 21}\n", true},
		{"a check", "seed: 7\n", "seed: 7\nchecks: {leakage: 0}\n", true},
		{"a card", "seed: 7\n", "seed: 7\ncard: {license: MIT, url: https://example.org, creator: me, " +
			"date_published: 2026-11-21}\n", true},

		{"the name", "name: d", "name: e", true},
		{"a description", "seed: 7\n", "seed: 7\ndescription: x\n", true},
		{"the version", "seed: 7\n", "seed: 7\nversion: \"1.0.1\"\n", true},
		{"the seed", "seed: 7", "seed: 8", true},
		{"the files", "data/*.csv", "data/a*.csv", true},
		{"a list for a pattern", "data/*.csv", "[data/*.csv]", true},
		{"the nulls", "[NA]", "[NA, '-']", true},
		{"a share", "train: 80%, test: 20%", "train: 80.000001%, test: 19.999999%", true},
		{"the order of shares", "train: 80%, test: 20%", "test: 20%, train: 80%", true},
		{"a type", "x: int64", "x: int32", true},
		{"what a missing value does", "omit", "error", true},
		{"the file for a list of other names", "names.txt", "[b, a]", true},
		{"the shards", "hosts: 4", "count: 4", true},
		{"the digest", "seed: 7\n", "seed: 7\ndigest: sha256\n", true},
		{"provenance", "seed: 7\n", "seed: 7\nprovenance: true\n", true},
		{"no provenance", "seed: 7\n", "seed: 7\nprovenance: false\n", false},
		{"a limit", "seed: 7\n", "seed: 7\nlimits: {depth: 999}\n", true},
		{"a date", "x: int64", "x: {date: rfc3339}", true},
		{"a feature", "  x: int64\n", "  x: int64\n  z: int64\n", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.ReplaceAll(digestBase, tt.from, tt.to)
			if tt.from == "" {
				text = digestBase
			} else if text == digestBase {
				t.Fatalf("the base has no %q", tt.from)
			}
			c := mustParse(t, text)
			if got := c.ConfigDigest(classesOf("a", "b")); (got != base) != tt.changes {
				t.Errorf("changes is %v, want %v\n%s", got != base, tt.changes, c.Canonical(nil))
			}
		})
	}
}

func TestDigestOfClassFiles(t *testing.T) {
	file := mustParse(t, digestBase)
	list := mustParse(t, strings.Replace(digestBase, "names.txt", "[a, b]", 1))
	if file.ConfigDigest(classesOf("a", "b")) != list.ConfigDigest(nil) {
		t.Error("a file and a list of the same names differ")
	}
	if file.ConfigDigest(classesOf("a", "b")) == file.ConfigDigest(classesOf("a", "c")) {
		t.Error("other names in the file leave the digest")
	}
	images := mustParse(t, "name: d\noutput: out\nsource: {images: {dir: p, class_per_file: labels.txt}}\n")
	one, two := classesOf("cat", "dog"), classesOf("dog", "cat")
	if images.ConfigDigest(one) == images.ConfigDigest(two) {
		t.Error("other classes of files leave the digest")
	}
	if !bytes.Equal(images.Canonical(one), images.Canonical(two)) {
		t.Error("the classes of files are in the canonical text, which has no place for them")
	}
}

// TestDigestWithoutAbsolutePaths moves the data to another directory.
func TestDigestWithoutAbsolutePaths(t *testing.T) {
	const text = `name: d
output: AT/out
sources:
- csv: {files: "AT/in/**/*.csv"}
- csv: {files: [AT/in/a.csv, AT/in/b/c.csv], root: AT/in}
- csv: {files: AT/in/x.csv}
  name: x
- jsonl: {files: "AT/in/*.jsonl"}
  join: [{csv: {files: AT/in/j.csv}, on: id}]
  load: {photo: {path: "{id}.jpg", dir: AT/photos}}
- images: {dir: AT/train, class_per_file: AT/labels.txt}
- folder: {dir: /}
features:
  label: {classes: AT/names.txt}
`
	here := mustParse(t, strings.ReplaceAll(text, "AT", "/here"))
	there := mustParse(t, strings.ReplaceAll(text, "AT", "/mnt/over/there"))
	if got := string(here.Canonical(nil)); strings.Contains(got, "/here") || strings.Contains(got, ": /") ||
		strings.Contains(got, "- /") {
		t.Errorf("an absolute path is in\n%s", got)
	}
	if here.ConfigDigest(nil) != there.ConfigDigest(nil) {
		t.Errorf("the directory changes the digest:\n%s\nand\n%s", here.Canonical(nil), there.Canonical(nil))
	}
	for _, want := range []string{`files: "**/*.csv"`, "- in/a.csv", "- in/b/c.csv", "root: in", "files: x.csv",
		`files: "*.jsonl"`, "dir: train", "class_per_file: labels.txt", "files: j.csv", "dir: photos", `dir: "."`} {
		if !bytes.Contains(here.Canonical(nil), []byte(want)) {
			t.Errorf("%s is missing in\n%s", want, here.Canonical(nil))
		}
	}
}

// TestDigestWithRejects checks which keys of rejected rows change the digest, and where rejects go.
func TestDigestWithRejects(t *testing.T) {
	parseAll := func(more string) *Config {
		c, err := Parse("c.yaml", []byte(digestBase+more), testEnv)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	quarantine := parseAll("on_error: quarantine\n")
	for more, same := range map[string]bool{
		"on_error: quarantine\nrejects: other.jsonl\n":   true,
		"on_error: quarantine\nmax_errors: 1.000000%\n":  true,
		"on_error: quarantine\nmax_errors: 2%\n":         false,
		"on_error: quarantine\nmax_errors: 1\n":          false,
		"on_error: skip\n":                               false,
		"on_error: fail\nmax_errors: 5\n":                false,
		"on_error: quarantine\nrejects: /abs/other.json": true,
	} {
		if got := parseAll(more).ConfigDigest(nil) == quarantine.ConfigDigest(nil); got != same {
			t.Errorf("%q: same is %v, want %v", more, got, same)
		}
	}
	if parseAll("max_errors: 5\n").ConfigDigest(nil) != mustParse(t, digestBase).ConfigDigest(nil) {
		t.Error("max_errors has an effect with on_error: fail")
	}
	if got := parseAll("rejects: r/x.jsonl\n").RejectsFile("out"); got != "r/x.jsonl" {
		t.Errorf("rejects go to %s", got)
	}
}

// TestDigestOfZones checks that the release of the time zones counts only if a date has a zone.
func TestDigestOfZones(t *testing.T) {
	for feature, counts := range map[string]bool{
		"x: int64": false, "x: {date: rfc3339}": false, "x: {date: rfc3339, unit: ms, zone: UTC}": false,
		"x: {date: \"%Y\", zone: Europe/Paris}": true,
	} {
		c := mustParse(t, strings.Replace(digestBase, "x: int64", feature, 1))
		sum := sha256.Sum256(c.Canonical(nil))
		if got := c.ConfigDigest(nil) != hex.EncodeToString(sum[:]); got != counts {
			t.Errorf("%s: the release counts is %v, want %v", feature, got, counts)
		}
	}
}
