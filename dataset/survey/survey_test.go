package survey_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/dataset"
	"tfr-build/dataset/survey"
	"tfr-build/message"
	"tfr-build/statistics"
	"tfr-build/tfrecord"
)

// example is an Example of JSON.
func example(t *testing.T, json string) []byte {
	t.Helper()
	var p message.Parser
	payload, kind, err := p.Parse(nil, []byte(json))
	if err != nil || kind == message.None {
		t.Fatalf("%s: %v, %v", json, kind, err)
	}
	return payload
}

// shard is a file of records, from one number to another.
func shard(t *testing.T, from, to int) []byte {
	t.Helper()
	var data []byte
	for i := from; i < to; i++ {
		data = tfrecord.TFRecord.Append(data, example(t, fmt.Sprintf(
			`{"features":{"feature":{"id":{"int64List":{"value":["%d"]}},"k":{"int64List":{"value":["%d"]}},`+
				`"x":{"floatList":{"value":[%d.25,-1]}}}}}`, i, i%3+1, i%7)))
	}
	return data
}

func write(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func documentOf(t *testing.T, records *dataset.Records, err error, workers int) *statistics.Document {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	d, err := survey.Document(t.Context(), records, workers)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The statistics of files do not depend on workers, nor on how the records are cut
// into shards.
func TestDocumentOfFiles(t *testing.T) {
	dir := t.TempDir()
	whole := []string{write(t, filepath.Join(dir, "a/train.tfrecord"), shard(t, 0, 5000))}
	cut := []string{
		write(t, filepath.Join(dir, "b/train-00000-of-00002"), shard(t, 0, 1700)),
		write(t, filepath.Join(dir, "b/train-00001-of-00002"), shard(t, 1700, 5000)),
	}
	var want []byte
	for _, paths := range [][]string{whole, cut} {
		for _, workers := range []int{1, 3} {
			records, err := dataset.OpenFiles(nil, paths)
			d := documentOf(t, records, err, workers)
			got := d.Append(nil)
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%q, %d workers: other statistics\n%s", paths, workers, got)
			}
			if len(d.Splits) != 1 || d.Splits[0].Name != "train" || d.Splits[0].Records != 5000 ||
				len(d.Features) != 3 {
				t.Errorf("%+v", d.Splits)
			}
		}
	}
}

// finish makes a dataset of one split and files next to it.
func finish(t *testing.T, dir string, data []byte, records int64, classes []dataset.ClassList, files ...dataset.File) {
	t.Helper()
	digest, err := dataset.NewDigest("xxh128")
	if err != nil {
		t.Fatal(err)
	}
	digest.Write(data)
	m := dataset.Manifest{
		Format: dataset.ManifestFormat, BytesVersion: 1, Tool: "tfr-build", Name: "t", Version: "1.0.0",
		Compression:     "none",
		DigestAlgorithm: "xxh128",
		Splits: []dataset.Split{{Name: "train", Counts: dataset.Counts{Found: records, Written: records},
			Records: records, Shards: []dataset.Shard{{
				Name: "train-00000-of-00001", Records: records, Bytes: int64(len(data)),
				Digest: hex.EncodeToString(digest.Sum(nil)),
				CRC32C: fmt.Sprintf("%08x", crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))),
			}}}},
		Sources: []dataset.Source{{Kind: "csv", Counts: dataset.Counts{Found: records, Written: records}}},
		Classes: classes,
		Files:   dataset.Entries(files),
	}
	last, err := m.Seal()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, last...) {
		write(t, filepath.Join(dir, f.Name), f.Data)
	}
	write(t, filepath.Join(dir, "train-00000-of-00001"), data)
}

// What a dataset says of itself comes out again: kinds, classes, how many values
// are shown, and whether any are.
func TestDocumentOfDataset(t *testing.T) {
	data := shard(t, 0, 5000)
	fields := []statistics.Feature{
		{Key: "id", List: message.Int64List, Kind: statistics.Number},
		{Key: "k", List: message.Int64List, Kind: statistics.Class, First: 1, Classes: []string{"a", "b", "c"}},
		{Key: "x", List: message.FloatList, Kind: statistics.Number},
	}
	for _, options := range []statistics.Options{{Top: 5, Values: true}, {Values: true}, {}} {
		layout := statistics.NewLayout(message.Example, fields, options)
		var sample [][]byte
		in := tfrecord.NewReader(bytes.NewReader(data), tfrecord.Options{})
		counter := layout.NewCounter()
		for range statistics.SampleRecords {
			payload, err := in.Next()
			if err != nil {
				t.Fatal(err)
			}
			sample = append(sample, bytes.Clone(payload))
		}
		candidates := layout.Candidates(sample)
		summary := layout.NewSummary(candidates)
		counter.Begin(summary)
		in = tfrecord.NewReader(bytes.NewReader(data), tfrecord.Options{})
		for payload, err := in.Next(); err == nil; payload, err = in.Next() {
			counter.Add(payload)
		}
		counter.End()
		want := layout.Document([]statistics.SplitSummary{{Name: "train", Summary: summary}}).Append(nil)
		dir := t.TempDir()
		finish(t, dir, data, 5000, nil, dataset.File{Name: dataset.StatisticsName, Data: want})
		records, err := dataset.OpenDataset(nil, dir)
		if got := documentOf(t, records, err, 2).Append(nil); !bytes.Equal(got, want) {
			t.Errorf("%+v: the dataset has\n%s\nbut its records give\n%s", options, want, got)
		}
	}
}

// TestClassesOfManifest counts the classes of a dataset without statistics.
func TestClassesOfManifest(t *testing.T) {
	dir := t.TempDir()
	finish(t, dir, shard(t, 0, 9), 9, []dataset.ClassList{{Key: "k", First: 1, Names: []string{"a", "b", "c"}}})
	records, err := dataset.OpenDataset(nil, dir)
	d := documentOf(t, records, err, 1)
	if k := d.Features[1]; k.Kind != statistics.Class || len(k.Classes) != 3 || k.First != 1 ||
		k.Splits[0].ByClass[2] != 3 {
		t.Errorf("%+v", k)
	}
}
