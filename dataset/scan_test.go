package dataset_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"tfr-build/dataset"
	"tfr-build/tfrecord"
)

// recordFile writes a file of so many records, each of which has its place in it.
func recordFile(t *testing.T, path string, records int) string {
	t.Helper()
	var data []byte
	for i := range records {
		data = tfrecord.TFRecord.Append(data, fmt.Appendf(nil, "%s %d", filepath.Base(path), i))
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Each record is visited once, with the place it has, however many work.
func TestEachRecord(t *testing.T) {
	dir := t.TempDir()
	sizes := []int{10_000, 0, 3, 1}
	var paths []string
	for i, n := range sizes {
		paths = append(paths, recordFile(t, filepath.Join(dir, fmt.Sprintf("train-%05d-of-00004", i)), n))
	}
	for _, workers := range []int{0, 1, 3} {
		records, err := dataset.OpenFiles(nil, paths)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		seen := make([]int, len(sizes))
		err = records.Each(t.Context(), workers, func(worker int, at dataset.RecordPosition, payload []byte) error {
			file, record := at.File, at.Record
			mu.Lock()
			defer mu.Unlock()
			seen[file]++
			if want := fmt.Sprintf("%s %d", filepath.Base(paths[file]), record); string(payload) != want ||
				worker >= max(1, workers) {
				t.Errorf("worker %d of %d: %q, want %q", worker, workers, payload, want)
			}
			return nil
		})
		if err != nil || !slices.Equal(seen, sizes) {
			t.Errorf("%d workers: %v, %v", workers, seen, err)
		}
		if err := records.Count(t.Context()); err != nil || records.Files[0].Records != 10_000 ||
			records.Files[1].Records != 0 {
			t.Errorf("%v, %v", records.Files, err)
		}
		first, err := records.First(t.Context(), 0, 10_002)
		if err != nil || len(first) != 10_002 || string(first[10_001]) != filepath.Base(paths[2])+" 1" {
			t.Errorf("%d are first, %v", len(first), err)
		}
	}
}

// Errors end the reading, and no goroutine is left waiting.
func TestEachRecordFails(t *testing.T) {
	dir := t.TempDir()
	good := recordFile(t, filepath.Join(dir, "good"), 20_000)
	bad := recordFile(t, filepath.Join(dir, "bad"), 20_000)
	data, err := os.ReadFile(bad)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(bad, data, 0o644); err != nil {
		t.Fatal(err)
	}
	records, err := dataset.OpenFiles(nil, []string{good, bad})
	if err != nil {
		t.Fatal(err)
	}
	nothing := func(int, dataset.RecordPosition, []byte) error { return nil }
	if err := records.Each(t.Context(), 2, nothing); !errors.As(err, new(*tfrecord.CorruptError)) {
		t.Errorf("damage: %v", err)
	}
	whole, err := dataset.OpenFiles(nil, []string{good, good}) // in which nothing else ends the reading
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	if err := whole.Each(t.Context(), 2, func(int, dataset.RecordPosition, []byte) error {
		return stop
	}); !errors.Is(err,
		stop) {
		t.Errorf("an error of visit: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := records.Each(ctx, 2, nothing); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if _, err := dataset.OpenFiles(nil, []string{filepath.Join(dir, "none")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// Shards of one name are one split.
func TestSplitsOfFiles(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{
		"train-00000-of-00002", "train-00001-of-00002", "mnist-test.tfrecord-00000-of-00001",
		"val-00000-of-00001.tfrecord.gz",
		"a.tfrecord", "b.b.tfrecord.gz", "plain", "x/part-00001",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, recordFile(t, path, 0))
	}
	records, err := dataset.OpenFiles(nil, paths)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range records.Files {
		got = append(got, records.Splits[f.Split])
	}
	want := []string{"train", "train", "mnist-test", "val", "a", "b.b", "plain", "x"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
