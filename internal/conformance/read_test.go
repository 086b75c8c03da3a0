package conformance

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	written "tfr-build/dataset"
	"tfr-build/schema/tfpb"
	"tfr-build/tfrecord"
)

// manifest reads the manifest of a dataset.
func manifest(t testing.TB, dir string) *written.Manifest {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, written.ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := written.ParseManifest(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// payloads reads the records of a dataset, by split, in order.
func payloads(t testing.TB, dir string) map[string][][]byte {
	t.Helper()
	splits := map[string][][]byte{}
	for _, split := range manifest(t, dir).Splits {
		for _, shard := range split.Shards {
			splits[split.Name] = append(splits[split.Name], records(t, filepath.Join(dir, shard.Name))...)
		}
	}
	return splits
}

func records(t testing.TB, file string) [][]byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list [][]byte
	for r := tfrecord.NewReader(f, tfrecord.Options{File: file}); ; {
		payload, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, bytes.Clone(payload))
	}
}

// example decodes a record.
func example(t testing.TB, payload []byte) map[string]*tfpb.Feature {
	t.Helper()
	var e tfpb.Example
	if err := proto.Unmarshal(payload, &e); err != nil {
		t.Fatal(err)
	}
	return e.GetFeatures().GetFeature()
}

func sameOrder(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

// sameRecords reports whether the two hold the same records, in any order.
func sameRecords(a, b [][]byte) bool { return sameOrder(sorted(a), sorted(b)) }

func sorted(records [][]byte) [][]byte {
	records = slices.Clone(records)
	slices.SortFunc(records, bytes.Compare)
	return records
}
