package infer

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/arrayrecord"
	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/tfrecord"
)

// nested returns a field of a protobuf message, with a string, bytes, or a message as its content.
func nested(number byte, content string) string {
	return string([]byte{number<<3 | 2, byte(len(content))}) + content
}

// framed returns a file of one record, an Example or OFRecord with the feature a, an int64_list with
// the value 1. The list is field 3 of a feature of an Example, and field 5 of one of an OFRecord.
func framed(f tfrecord.Framing) string {
	list := byte(3)
	if f == tfrecord.OFRecord {
		list = 5
	}
	feature := nested(1, nested(1, "a")+nested(2, nested(list, nested(1, "\x01"))))
	if f == tfrecord.TFRecord {
		feature = nested(1, feature)
	}
	return string(f.Append(nil, []byte(feature)))
}

// TestRecognize checks the source type that init chooses for a file.
func TestRecognize(t *testing.T) {
	sentences := strings.Repeat("One, two and three, it says.\nAnd no more\n", 5)
	for _, tt := range []struct{ name, content, want string }{
		{"a.csv", "a,b\n1,2\n", "csv"},
		{"a.csv", "a\n1\n", "csv"},
		{"a.dat", "a;b\n1;2\n3;4\n5;6\n7;8\n9;0\n", "csv"},
		{"a.txt", "a|b\n1|2\n3|4\n5|6\n7|8\n9|0\n", "csv"},
		{"a.tsv", "a\tb, c, d\n1\tx, y, z\n", "csv"},
		{"a.csv.gz", filetest.Gzip("a,b\n1,2\n3,4\n"), "csv"},
		{"a.txt", sentences, "text"},
		{"a", `{"a": 1}` + "\n", "jsonl"},
		{"a.ndjson", "{}\n", "jsonl"},
		{"a.txt", "{braces} are not JSON\n", "text"},
		{"train-images-idx3-ubyte", filetest.IDX(8, "ab", 2), "arrays"},
		{"a.bin", "\x93NUMPY\x01\x00", "arrays"},
		{"a", framed(tfrecord.TFRecord), "tfrecord"},
		{"a", filetest.Zlib(framed(tfrecord.TFRecord)), "tfrecord"},
		{"part-0", framed(tfrecord.OFRecord), "tfrecord, ofrecord"},
		{"a", arrayFile(t), "tfrecord, array_record"},
		{"a.csv", "PAR1", "parquet"},
		{"a.txt", "\x7fELF\x00\x01", "not read: binary data of a kind that is not read"},
		{"a.csv", "", "not read: empty"},
		{"a.csv", "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00", "csv"},
		{"a.csv", "a,b\nK\xf6ln,1\n", "csv"},
		{"a.csv", "\xef\xbb\xbfa,b\n1,2\n", "csv"},
		{"a", "\xff\xd8\xff\xe0", "images"},
		{"a.csv", "PK\x03\x04xl/workbook", "not read: an Excel workbook (xlsx)"},
		{"a.json", "<!DOCTYPE html>", "not read: HTML"},
		{"a.txt", "\xff\xfea\x00\n\x00",
			"not read: text in UTF-16LE without columns; lines of text are read in UTF-8: iconv -f UTF-16LE -t " +
				"UTF-8 OLD > NEW converts it"},
		{"a.txt", "K\xf6ln\n", "not read: text in LATIN1 without columns; lines of text are read in UTF-8: iconv -f " +
			"LATIN1 -t UTF-8 OLD > NEW converts it"},
		{"a.csv", " \r\n\t", "not read: empty"},
		{"a.csv", `{"a": 1}` + "\n", "jsonl"},
		{"a.json", `{"a": 1}`, "json"},
		{"a.json", `{"a": 1}` + "\n" + `{"a": 2}` + "\n", "jsonl"},
		{"a.geojson", "{\n\"a\": 1}", "json"},
		{"a.jsonl", "[1]", "jsonl"},
		{"a.npz", "PK\x03\x04", "arrays"},
		{"a.zip", "PK\x03\x04", "zip"},
		{"a.zip", "PK\x03\x04 x.npy", "arrays"},
		{"a.bin", "PK\x03\x04", "not read: a zip archive"},
		{"a.png", "GIF89a", "images"},
		{"a.json", "\x89PNG\r\n\x1a\n", "images"},
	} {
		dir := testenv.Directory(t, map[string]string{tt.name: tt.content})
		r, err := describeTypes().recognize(nil, filepath.Join(dir, tt.name), false)
		got := "not read: " + r.what
		switch {
		case err != nil:
			got = err.Error()
		case r.typ != nil:
			got = strings.TrimSuffix(r.typ.name+", "+r.match.Variant, ", ")
		}
		if got != tt.want {
			t.Errorf("%s %.20q: %s, want %s", tt.name, tt.content, got, tt.want)
		}
	}
}

// TestRecordsOfOneFlow inspects the features of OFRecords.
func TestRecordsOfOneFlow(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"part-0": framed(tfrecord.OFRecord)})
	c, err := Inspect(t.Context(), []string{filepath.Join(dir, "part-0")}, Options{Dir: dir})
	if err != nil || !strings.Contains(string(c.Text), "format: ofrecord") ||
		!strings.Contains(string(c.Text), "\n  a: int64 ") {
		t.Errorf("%v\n%s", err, c.Text)
	}
}

// arrayFile returns an ArrayRecord file with the record of framed(tfrecord.TFRecord).
func arrayFile(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	w, err := arrayrecord.NewWriter(&b, arrayrecord.None)
	if err == nil {
		file := framed(tfrecord.TFRecord)
		err = w.Write([]byte(file[12 : len(file)-4]))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestArrayRecords inspects the features of the records of an ArrayRecord file.
func TestArrayRecords(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"train.array_record-00000-of-00001": arrayFile(t)})
	c, err := Inspect(t.Context(), []string{filepath.Join(dir, "train.array_record-00000-of-00001")}, Options{Dir: dir})
	if err != nil || !strings.Contains(string(c.Text), "format: array_record") ||
		!strings.Contains(string(c.Text), "\n  a: int64 ") {
		t.Errorf("%v\n%s", err, c.Text)
	}
}

// TestSplitOf checks the split that a path names.
func TestSplitOf(t *testing.T) {
	for path, want := range map[string]string{
		"train.csv": "train", "imdb_test.jsonl": "test", "data/valid/a.csv": "valid", "val-00000-of-00002": "val",
		"t10k-images-idx3-ubyte": "test",
		"training_set.csv":       "train", "a.csv": "", "train_and_test.csv": "", "latest.csv": "", "contest/a.csv": "",
		"train/test.csv": "test", "dev.tsv": "dev",
	} {
		if got := splitOf(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestGroup checks which columns init proposes for split.by.
func TestGroup(t *testing.T) {
	for _, tt := range []struct {
		name  string
		of    func(row int) string
		group bool
	}{
		{"user_id", func(row int) string { return fmt.Sprint("u", row/4) }, true},
		{"userID", func(row int) string { return fmt.Sprint(row / 2) }, true},
		{"Patient", func(row int) string { return fmt.Sprint("p", row%15) }, true},
		{"id", func(row int) string { return fmt.Sprint(row) }, false},                   // all different
		{"id", func(row int) string { return fmt.Sprint(max(row, 5)) }, false},           // few repeat
		{"user", func(row int) string { return fmt.Sprint("u", row%3) }, false},          // few values: classes
		{"user", func(row int) string { return []string{"", "a"}[row%2] }, false},        // some are missing
		{"valid", func(row int) string { return fmt.Sprint("u", row/4) }, false},         // not a name of groups
		{"user", func(row int) string { return fmt.Sprint("a name of ", row/4) }, false}, // sentences
	} {
		var csv strings.Builder
		fmt.Fprintf(&csv, "%s,x\n", tt.name)
		for row := range 60 {
			fmt.Fprintf(&csv, "%s,%d\n", tt.of(row), row)
		}
		dir := testenv.Directory(t, map[string]string{"t.csv": csv.String()})
		c, err := Inspect(t.Context(), []string{filepath.Join(dir, "t.csv")}, Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(c.Text), "  by: "+tt.name+" "); got != tt.group {
			t.Errorf("%s of %s, %s …: %v, want %v\n%s", tt.name, tt.of(0), tt.of(1), got, tt.group, c.Text)
		}
	}
}
