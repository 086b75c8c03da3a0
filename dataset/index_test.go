package dataset

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/arrayrecord"
	"tfr-build/internal/filetest"
	"tfr-build/tfrecord"
)

// indexOf writes a file and returns its index.
func indexOf(t *testing.T, ctx context.Context, file []byte) (index string, records int64, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "train-00000-of-00001")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	records, err = WriteIndex(ctx, newDirectory("", &VerifyOptions{}).fs, path, &out)
	return out.String(), records, err
}

// TestWriteIndex checks one line per record, with its offset and its size.
func TestWriteIndex(t *testing.T) {
	file, _ := framed(t, [][]byte{[]byte("one"), nil, []byte("three")}, formatNamed("tfrecord"))
	if got, records, err := indexOf(t, t.Context(), file); got != "0 19\n19 16\n35 21\n" || records != 3 || err != nil {
		t.Errorf("%q, %d records, %v", got, records, err)
	}
	if got, records, err := indexOf(t, t.Context(), nil); got != "" || records != 0 || err != nil {
		t.Errorf("an empty file: %q, %d records, %v", got, records, err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := indexOf(t, canceled, file); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	damaged := bytes.Clone(file)
	damaged[len(damaged)-5] ^= 1
	_, _, err := indexOf(t, t.Context(), damaged)
	if e, ok := errors.AsType[*tfrecord.CorruptError](err); !ok || e.Record != 2 || e.Offset != 35 {
		t.Errorf("damaged: %v", err)
	}
}

// TestWriteIndexRefuses checks files in which readers cannot seek.
func TestWriteIndexRefuses(t *testing.T) {
	file, _ := framed(t, [][]byte{[]byte("one")}, formatNamed("tfrecord"))
	one, _ := framed(t, ofRecords(0, 1), formatNamed("ofrecord"))
	for want, file := range map[string][]byte{
		"compressed with gzip":    []byte(filetest.Gzip(string(file))),
		"is an OFRecord file":     one,
		"is an ArrayRecord file;": arrayFile(t, [][]byte{[]byte("one")}, arrayrecord.None),
	} {
		if _, _, err := indexOf(t, t.Context(), file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want one with %q", err, want)
		}
	}
	if _, err := WriteIndex(t.Context(), newDirectory("", &VerifyOptions{}).fs, filepath.Join(t.TempDir(), "none"),
		new(bytes.Buffer)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestRecordsOfDataset visits the records of a dataset by its manifest, and reads what is
// next to them.
func TestRecordsOfDataset(t *testing.T) {
	fsys, m := small(t, 2, 5, tfrecord.None)
	dir := t.TempDir()
	put(t, fsys, dir)
	records, err := OpenDataset(nil, dir)
	if err != nil {
		t.Fatal(err)
	}
	seen := make([]int64, len(records.Files))
	if err := records.Each(t.Context(), 1, func(_ int, at RecordPosition, _ []byte) error {
		seen[at.File]++
		return nil
	}); err != nil {
		t.Error(err)
	}
	for i, f := range records.Files {
		if seen[i] != f.Records || f.Records == 0 {
			t.Errorf("%s: %d records were visited; want %d", f.Path, seen[i], f.Records)
		}
	}
	f, err := records.OpenFile(m.Splits[0].Shards[0].Name)
	if err != nil || f.Close() != nil {
		t.Error(err)
	}
	if data, found, err := records.ReadFile(ReaderName); len(data) == 0 || !found || err != nil {
		t.Errorf("%d bytes, %v, %v", len(data), found, err)
	}
	if _, found, err := records.ReadFile("none"); found || err != nil {
		t.Errorf("a file that is not there: %v, %v", found, err)
	}
	if _, err := OpenDataset(nil, t.TempDir()); err == nil {
		t.Error("no dataset was opened")
	}
}
