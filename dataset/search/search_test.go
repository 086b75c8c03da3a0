package search_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/dataset"
	"tfr-build/dataset/search"
	"tfr-build/tfrecord"
)

// example is an Example of one feature, x, whose list is as it is in protobuf.
func example(list ...byte) []byte {
	wrap := func(tag byte, content []byte) []byte { return append([]byte{tag, byte(len(content))}, content...) }
	feature := wrap(0x12, list)
	entry := append(wrap(0x0a, []byte("x")), feature...)
	return wrap(0x0a, wrap(0x0a, entry))
}

// TestRun finds records by each kind of value, in several files, at the place where they
// begin.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	payloads := [][]byte{
		example(0x0a, 7, 0x0a, 5, 'a', '/', 'b', '.', 'c'), // bytes: a/b.c
		example(0x0a, 5, 0x0a, 3, 'b', '.', 'c'),           // bytes: b.c
		example(0x1a, 4, 0x0a, 2, 1, 7),                    // ints: 1, 7
		example(0x12, 6, 0x0a, 4, 0xcd, 0xcc, 0xcc, 0x3d),  // floats: 0.1
		example(0x12, 6, 0x0a, 4, 0, 0, 0xc0, 0x7f),        // floats: NaN
		[]byte("no message"),
	}
	var paths []string
	for n := range 2 {
		var file []byte
		for _, p := range payloads[n:] {
			file = tfrecord.TFRecord.Append(file, p)
		}
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("train-%05d-of-00002", n)))
		if err := os.WriteFile(paths[n], file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	seven := int64(7)
	for _, c := range []struct {
		query *search.Query
		want  string // file.record of each
	}{
		{search.Value("x", "7", nil), "0.2 1.1 "},
		{search.Value("x", "a class", &seven), "0.2 1.1 "},
		{search.Value("x", "true", nil), "0.2 1.1 "},
		{search.Value("x", "0.1", nil), "0.3 1.2 "},
		{search.Value("x", "nan", nil), "0.4 1.3 "},
		{search.Value("x", "b.c", nil), "0.1 1.0 "},
		{search.Value("y", "7", nil), ""},
		{search.Value("x", "c", nil), ""},
		{search.File("data/a/b.c"), "0.0 "},
		{search.File("./other/b.c"), "0.1 1.0 "},
		{search.File("b.c"), "0.0 0.1 1.0 "},
		{search.File("c"), ""},
	} {
		records, err := dataset.OpenFiles(nil, paths)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{0, 3} {
			hits, err := search.Run(t.Context(), records, workers, c.query)
			got := ""
			for _, h := range hits {
				got += fmt.Sprintf("%d.%d ", h.File, h.Record)
				begins := int64(0)
				for _, p := range payloads[h.File:][:h.Record] {
					begins += int64(len(p)) + 16
				}
				if h.Offset != begins {
					t.Errorf("%+v: %d.%d begins at %d; want %d", c.query, h.File, h.Record, h.Offset, begins)
				}
			}
			if err != nil || got != c.want {
				t.Errorf("%+v, %d workers: %q, %v; want %q", c.query, workers, got, err, c.want)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	records, err := dataset.OpenFiles(nil, paths)
	if err == nil {
		_, err = search.Run(ctx, records, 2, search.File("b.c"))
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
