package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/excerpt"
	"tfr-build/internal/exit"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/sink"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

func logged(err error, asJSON bool) string {
	var b bytes.Buffer
	l := &log{w: &b, asJSON: asJSON, workingDirs: workingDirs{"/home/me/job"}}
	for _, m := range messages(err) {
		l.write(m)
	}
	return b.String()
}

func TestMessages(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"row of a table": {
			&pipeline.RowsError{Position: input.Position{Path: "data/train.csv", Line: 1204, Col: 17},
				Text: `"NA" is not an int64`, Hint: "null_values: [NA]", Code: "INT_SYNTAX", Column: "AGE",
				Feature: "age"},
			"data/train.csv:1204:17: error: column \"AGE\" (feature \"age\"): \"NA\" is not an int64 " +
				"[INT_SYNTAX]\nhelp: null_values: [NA]\n",
		},
		"row that is a record": {
			&pipeline.RowsError{Position: input.Position{Path: "a.tfrecord", Binary: true, Record: 17, Offset: 12345},
				Text: "the payload's checksum is wrong", Code: "RECORD_DAMAGED", Damage: true},
			"a.tfrecord: record 17 at byte 12345: error: the payload's checksum is wrong [RECORD_DAMAGED]\n",
		},
		"row of an array": {
			&pipeline.RowsError{Position: input.Position{Path: "a.npy", Binary: true, Record: 17, Row: true},
				Text: "0x110000 is not a character", Code: "ENCODING", Column: "x"},
			"a.npy: row 17: error: column \"x\": 0x110000 is not a character [ENCODING]\n",
		},
		"value of a record": {
			&pipeline.RowsError{Position: input.Position{Path: "a.tfrecord", Binary: true},
				Text: "the value is missing", Code: "MISSING", Column: "x", Feature: "y"},
			"a.tfrecord: record 0 at byte 0: error: column \"x\" (feature \"y\"): the value is missing [MISSING]\n",
		},
		"row that is a file": {
			&pipeline.RowsError{Position: input.Position{Path: "/home/me/job/photos/x.jpg"}, Text: "cut off",
				Code: "IMG_TRUNCATED"},
			"photos/x.jpg: error: cut off [IMG_TRUNCATED]\n",
		},
		"data that looks like a path": {
			&pipeline.RowsError{Position: input.Position{Path: "a.csv", Line: 2, Col: 1},
				Text: `"/home/me/job/x" is not an int64`, Code: "INT_SYNTAX", Column: "a"},
			"a.csv:2:1: error: column \"a\": \"/home/me/job/x\" is not an int64 [INT_SYNTAX]\n",
		},
		"faults of a config": {
			&config.Problems{File: "/home/me/job/c.yaml",
				List: []config.Problem{{Path: "seed", Line: 3, Col: 7, Text: "no number"},
					{Line: 4, Text: "no YAML", Hint: "quote the value"}}},
			"c.yaml:3:7: error: seed: no number\nc.yaml:4: error: no YAML\nhelp: quote the value\n",
		},
		"input": {
			&input.Error{Path: "/home/me/job/a.csv", Err: &fs.PathError{Op: "open", Path: "/home/me/job/a.csv",
				Err: fs.ErrNotExist}},
			"a.csv: error: file does not exist [NOT_FOUND]\n",
		},
		"path of Windows": {
			&input.Error{Path: `data\a.csv`, Err: fs.ErrNotExist},
			"data\\a.csv: error: file does not exist [NOT_FOUND]\nhelp: separate directories by /, not by \\\n",
		},
		"directory that is not writable": {
			&sink.OutputError{Op: "making the directory", Path: "ro/.out.tfr", Offset: -1, Err: syscall.EACCES},
			"error: making the directory ro/.out.tfr: permission denied\nhelp: --output names another directory\n",
		},
		"full disk": {
			&sink.OutputError{Op: "writing", Path: "out/a", Offset: 7, Err: syscall.ENOSPC},
			"error: writing out/a at byte 7: no space left on device\nhelp: free some space and run again: finished " +
				"shards stay; --output names another directory\n",
		},
		"standard input": {
			&input.Error{Path: "/home/me/job/-", Err: fs.ErrNotExist},
			"-: error: file does not exist [NOT_FOUND]\nhelp: store standard input in a file first\n",
		},
		"pipe": {
			&input.Error{Path: "/dev/stdin", Err: files.ErrNotRegular},
			"/dev/stdin: error: not a regular file [NOT_REGULAR]\nhelp: store a stream in a file first; DIR/* are " +
				"the files of a directory\n",
		},
		"changed": {
			&input.Error{Path: "a.csv", Err: files.ErrChanged},
			"a.csv: error: the file changed while it was being read [INPUT_CHANGED]\nhelp: run again when no other " +
				"program writes to it\n",
		},
		"variable of a shell": {
			&input.Error{Path: "$DATA_DIR/a.csv", Err: fs.ErrNotExist},
			"$DATA_DIR/a.csv: error: file does not exist [NOT_FOUND]\nhelp: write ${DATA_DIR} for the variable\n",
		},
		"input that its cause names": {
			&input.Error{Err: errors.New("opening /home/me/job/a.csv: no luck")},
			"error: opening a.csv: no luck\n",
		},
		"several": {
			errors.Join(&input.Error{Path: "a", Err: fs.ErrPermission}, &input.Error{Path: "b", Err: fs.ErrPermission}),
			"a: error: permission denied [NOT_READABLE]\nb: error: permission denied [NOT_READABLE]\n",
		},
		"column of a file": {
			&input.MismatchError{Path: "a.csv", Line: 1, Col: 1, Text: `no column "x"`, Code: "SCHEMA_MISSING_COLUMN",
				Feature: "x", Column: "x"},
			"a.csv:1:1: error: feature \"x\": no column \"x\" [SCHEMA_MISSING_COLUMN]\n",
		},
		"column that a config asks for": {
			&input.MismatchError{Path: "/home/me/job/a.csv", Line: 1, Col: 1, Text: `no column "x"`,
				Code: "SCHEMA_MISSING_COLUMN", Feature: "x", Column: "x",
				Config: input.KeyPosition{Path: "/home/me/job/c.yaml", Line: 4, Col: 6,
					Excerpt: excerpt.Excerpt{Before: "  x: ", Marked: "int64"}}},
			"c.yaml:4:6: error: feature \"x\": a.csv has no column \"x\" [SCHEMA_MISSING_COLUMN]\n   4 |   x: " +
				"int64\n     |      ^^^^^\n",
		},
		"column that no row has": {
			&input.MismatchError{Path: "a.jsonl", Text: `no row has the column "x"`, Feature: "x", Column: "x",
				Config: input.KeyPosition{Path: "c.yaml", Line: 4, Col: 6}},
			"c.yaml:4:6: error: feature \"x\": a.jsonl: no row has the column \"x\"\n",
		},
		"control characters": {
			errors.New("a\x1b[31m\n\xff\u0085é"),
			"error: a\\x1b[31m\\n\\xff\\u0085é\n",
		},
		"damage, reported already": {&commandError{exit: exit.Damage}, ""},
	} {
		if got := logged(c.err, false); got != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
		for line := range strings.Lines(logged(c.err, true)) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: no JSON: %s", name, line)
			}
		}
	}
}

func TestDamageMessage(t *testing.T) {
	at := damageMessage("out/x", &dataset.DamageError{File: "train-0", Record: 3, Offset: 405,
		Reason: "the payload's checksum is wrong"})
	feature := damageMessage("out/x", &dataset.DamageError{File: "train-0", Record: 3, Offset: 405, Feature: "label",
		Reason: "the record lacks it"})
	whole := damageMessage("", &dataset.DamageError{File: "train-0", Record: dataset.Unknown, Offset: dataset.Unknown,
		Reason: "it is missing"})
	var b bytes.Buffer
	for _, m := range []message{at, feature, whole} {
		(&log{w: &b}).write(m)
	}
	if want := "out/x/train-0: record 3 at byte 405: error: the payload's checksum is wrong [DAMAGE]\n" +
		"out/x/train-0: record 3 at byte 405: error: feature \"label\": the record lacks it [DAMAGE]\ntrain-0: " +
		"error: it is missing [DAMAGE]\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
}

func TestShorten(t *testing.T) {
	f := workingDirs{"/w", "/private/w"}
	for text, want := range map[string]string{
		"writing /w/out/x: full":       "writing out/x: full",
		"/w/a and /private/w/b":        "a and b",
		`"/w/a" in (/w/b)`:             `"a" in (b)`,
		"/x/w/a":                       "/x/w/a",
		"/w is where all of it stands": "/w is where all of it stands",
		"/ww/a":                        "/ww/a",
	} {
		if got := f.shorten(text); got != want {
			t.Errorf("shorten(%q) = %q, want %q", text, got, want)
		}
	}
	for path, want := range map[string]string{"/w/a b": "a b", "/w": "/w", "a": "a", "/v/a": "/v/a", "/w/": "/w/"} {
		if got := f.path(path); got != want {
			t.Errorf("path(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestQuietSaysErrorsOnly(t *testing.T) {
	var b bytes.Buffer
	l := &log{w: &b, quiet: true}
	l.warn("a warning")
	l.write(message{Level: infoLevel, Text: "news"})
	l.write(message{Text: "an error"})
	if b.String() != "error: an error\n" {
		t.Errorf("said %q", b.String())
	}
}
