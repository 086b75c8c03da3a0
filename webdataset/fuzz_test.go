package webdataset_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"tfr-build/tfrecord"
	"tfr-build/webdataset"
)

// FuzzReader reads damaged archives with the members of a damaged manifest. Each record is read, or its error names it.
func FuzzReader(f *testing.F) {
	record, payloads := examples(f)
	for _, members := range samples {
		s, _ := webdataset.New(record, members)
		text, err := json.Marshal(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, archive(s, payloads), false)
		f.Add([]byte("null"), archive(s, payloads[:1]), true)
		// Text has no width, by which the size of an array is divided.
		f.Add([]byte(`[{"name":"npy","as":"npy","features":[{"key":"text","type":"string"}]}]`), archive(s, payloads),
			false)
	}
	f.Fuzz(func(t *testing.T, members, data []byte, isGzip bool) {
		var s webdataset.Sample
		if json.Unmarshal(members, &s) != nil || s.Check() != nil {
			return
		}
		r := webdataset.NewReader(bytes.NewReader(data), webdataset.Options{Sample: s, IsGzip: isGzip,
			MaxSize: 1 << 20})
		for {
			_, err := r.Next()
			corrupt := new(tfrecord.CorruptError)
			if err == io.EOF || errors.As(err, &corrupt) && !corrupt.Skippable {
				return
			}
			if err != nil && !errors.As(err, &corrupt) {
				t.Fatal(err)
			}
		}
	})
}

// TestCheck has members of a damaged manifest: records cannot be stored like this.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		as   webdataset.Form
		kind string
		list []int
	}{
		{webdataset.Array, "string", nil}, {webdataset.Array, "bfloat16", []int{-1}}, {webdataset.Number, "float", nil},
		{webdataset.Number, "int64", []int{-1}}, {webdataset.Bytes, "int64", nil}, {webdataset.Key, "bool", nil},
		{"zip", "string", nil}, {webdataset.Bytes, "text", nil}, {webdataset.Array, "int64", []int{0}},
	} {
		s := webdataset.Sample{{Name: "m", As: c.as,
			Features: []webdataset.Feature{{Key: "f", Type: c.kind, Shape: c.list}}}}
		if s.Check() == nil {
			t.Errorf("%s of %s with the shape %v was accepted", c.as, c.kind, c.list)
		}
	}
}
