package report_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/imagetest"
	"tfr-build/internal/reporttest"
	"tfr-build/report"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// TestFirstRecords reads the first records of each split: no more than a page has, and none
// from a record on that is too long.
func TestFirstRecords(t *testing.T) {
	dir := t.TempDir()
	record := &schema.Record{Message: schema.TextMessage, Column: "text"}
	open := func(name string) (report.ShardFile, error) { return os.Open(filepath.Join(dir, name)) }
	for name, c := range map[string]struct {
		compression tfrecord.Compression
		payloads    []string
		want        int
	}{
		"few":        {tfrecord.None, []string{"a", "b", "c"}, 3},
		"many":       {tfrecord.None, strings.Split(strings.Repeat("x,", 30)+"x", ","), 10},
		"compressed": {tfrecord.Gzip, []string{"a", "b"}, 2},
		"long":       {tfrecord.None, []string{"a", strings.Repeat("x", 2<<20), "b"}, 1},
		"large":      {tfrecord.None, []string{strings.Repeat("x", 900_000), strings.Repeat("y", 900_000), "b"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var file bytes.Buffer
			w := tfrecord.NewWriter(&file, tfrecord.TFRecord, c.compression)
			for _, payload := range c.payloads {
				if err := w.Write([]byte(payload)); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(w.Close(), os.WriteFile(filepath.Join(dir, name), file.Bytes(), 0o644)); err != nil {
				t.Fatal(err)
			}
			m := &dataset.Manifest{Record: "text", Compression: c.compression.String(), Splits: []dataset.Split{
				{Name: "empty", Shards: []dataset.Shard{{Name: "gone"}}},
				{Name: "train", Shards: []dataset.Shard{{Name: name, Records: int64(len(c.payloads)),
					Bytes: int64(file.Len())}}},
			}}
			got, err := report.FirstRecords(open, m, record)
			if err != nil || len(got) != 1 || got[0].Split != "train" || len(got[0].Rows) != c.want {
				t.Errorf("%v, %v; want %d records of train", got, err, c.want)
			}
		})
	}
	m := &dataset.Manifest{Compression: "none", Splits: []dataset.Split{{Name: "train",
		Shards: []dataset.Shard{{Name: "gone", Records: 1, Bytes: 20}}}}}
	if _, err := report.FirstRecords(open, m, record); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a shard that is gone: %v", err)
	}
	failing := func(string) (report.ShardFile, error) { return failingFile{}, nil }
	if _, err := report.FirstRecords(failing, m, record); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a disk that fails: %v", err)
	}
}

type failingFile struct{}

func (failingFile) ReadAt([]byte, int64) (int, error) { return 0, io.ErrNoProgress }
func (failingFile) Close() error                      { return nil }

// TestRecordsAreBounded shows a part of many features, and no value where values are kept
// out.
func TestRecordsAreBounded(t *testing.T) {
	p := reporttest.Typical(200, nil, nil)
	page := render(t, p)
	for _, want := range []string{"First records", "and 188 more features", "DIR/_tfr", "License: CC0-1.0",
		"torch_reader"} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page lacks %q", want)
		}
	}
	// numbers are at the right
	for _, want := range []string{`<th scope="col" class="n"><bdi>feature_003</bdi>`, `<td class="n"><bdi>3.0</bdi>`} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page lacks %q", want)
		}
	}
	p.Values = false
	if page := render(t, p); bytes.Contains(page, []byte("First records")) {
		t.Error("a page without values has records")
	}
}

// TestFirstRecordsHaveImages has images of the first image of each record, and no more
// records than images.
func TestFirstRecordsHaveImages(t *testing.T) {
	dir := t.TempDir()
	var file bytes.Buffer
	w := tfrecord.NewWriter(&file, tfrecord.TFRecord, tfrecord.None)
	photos := imagetest.Photos(t)
	for i := range 20 {
		payload := photos[i%len(photos)].Data
		if i == 1 {
			payload = []byte("\x00no image")
		}
		if err := w.Write(payload); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), os.WriteFile(filepath.Join(dir, "shard"), file.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	shards := []dataset.Shard{{Name: "shard", Records: 20, Bytes: int64(file.Len())}}
	m := &dataset.Manifest{Record: "bytes", Compression: "none",
		Splits: []dataset.Split{{Name: "train", Shards: shards}, {Name: "test", Shards: shards}}}
	open := func(name string) (report.ShardFile, error) { return os.Open(filepath.Join(dir, name)) }
	got, err := report.FirstRecords(open, m, &schema.Record{Message: schema.BytesMessage})
	if err != nil || len(got) != 2 || len(got[0].Rows) == 0 || len(got[0].Rows) > 6 {
		t.Fatalf("%d splits, %v; want two with at most 6 records", len(got), err)
	}
	for i, row := range got[0].Rows {
		if p := &row.Thumb; (len(p.JPEG) > 0) == (i == 1) || len(p.JPEG) > 4000 {
			t.Errorf("record %d: an image of %d × %d in %d bytes", i, p.Width, p.Height, len(p.JPEG))
		}
	}
	page := render(t, &report.Page{Manifest: m, Records: got, Shown: report.Shown{Values: true}})
	if pictures, want := bytes.Count(page,
		[]byte("data:image/jpeg")), len(got[0].Rows)+len(got[1].Rows)-2; pictures != want {
		t.Errorf("the page has %d images, want %d", pictures, want)
	}
}
