package dataset

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/tfrecord"
)

// TestRoundTripOfTensorFlowRecords prints and writes files of TensorFlow and of protobuf with
// everything that JSON has no form of its own for.
func TestRoundTripOfTensorFlowRecords(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	script := filepath.Join("testdata", "odd.py")
	tftest.Run(t, script, "make", dir)
	for _, c := range []struct {
		name        string
		compression tfrecord.Compression
	}{
		{"examples", tfrecord.None}, {"examplesgz", tfrecord.Gzip}, {"exampleszlib", tfrecord.Zlib},
		{"sequences", tfrecord.None}, {"sequencesgz", tfrecord.Gzip}, {"sequenceszlib", tfrecord.Zlib},
		{"ofrecords", tfrecord.None},
	} {
		path := filepath.Join(dir, c.name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := inspectString(t, data, InspectOptions{Form: ProtoForm})
		save(t, path+".jsonl", []byte(lines))
		writeLines(t, path+".copy", lines, WriteOptions{Compression: c.compression})
	}
	for _, name := range []string{"examples", "sequences", "ofrecords"} {
		lines, err := os.ReadFile(filepath.Join(dir, name+".protobuf.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		writeLines(t, filepath.Join(dir, name+".protobuf"), string(lines), WriteOptions{})
	}
	tftest.Run(t, script, "check", dir)
}

// writeLines writes the file at path of lines.
func writeLines(t *testing.T, path, lines string, opt WriteOptions) {
	t.Helper()
	var b bytes.Buffer
	if _, err := Write(t.Context(), &b, strings.NewReader(lines), filepath.Base(path), opt); err != nil {
		t.Fatal(err)
	}
	save(t, path, b.Bytes())
}

func save(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
