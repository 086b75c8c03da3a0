package webdataset_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tfr-build/schema"
	"tfr-build/webdataset"
)

// TestContentsMoveInPlace writes records whose members have another order than their values, in buffers that have room
// and that do not. Each record is what archive/tar and the Reader expect, and those before it do not change.
func TestContentsMoveInPlace(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 52))
		var features []schema.Feature
		var members []webdataset.Named
		for i := range 1 + rnd.IntN(5) {
			f := schema.Feature{Key: fmt.Sprint("f", i), Type: schema.BytesType, Columns: []string{fmt.Sprint("f", i)}}
			if rnd.IntN(2) > 0 {
				f.Shape = []int{-1}
			}
			features = append(features, f)
			members = append(members, webdataset.Named{Name: f.Key, Features: []string{f.Key}})
		}
		members = append(members, webdataset.Named{Name: "json", Features: []string{"n"}, IsList: true})
		features = append(features, schema.Feature{Key: "n", Type: schema.Int64, Shape: []int{-1},
			Columns: []string{"n"}})
		rnd.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		rnd.Shuffle(len(features), func(i, j int) { features[i], features[j] = features[j], features[i] })
		record := schema.Record{Features: features}
		s, problems := webdataset.New(&record, members)
		if problems != nil {
			t.Fatal(problems)
		}
		compiled, err := schema.Compile(record)
		if err != nil {
			t.Fatal(err)
		}
		e, batch := compiled.NewEncoder(), webdataset.NewBatch(s)
		data, want := make([]byte, 0, rnd.IntN(20_000)), [][]byte(nil)
		for i := range 3 {
			data = batch.Begin(data, uint64(i))
			start := len(data)
			if data, err = e.Append(data, valuesOf(rnd, compiled.Columns(), record.Features)); err != nil {
				t.Fatal(err)
			}
			want = append(want, bytes.Clone(data[start:]))
			data = batch.End(data)
		}
		data = append(data, make([]byte, webdataset.TailSize)...)
		listing(t, data)
		r := webdataset.NewReader(bytes.NewReader(data), webdataset.Options{Sample: s})
		for i := range want {
			if got, err := r.Next(); err != nil || !bytes.Equal(got, want[i]) {
				t.Fatalf("seed %d: record %d of %v is %q, want %q, %v", seed, i, members, got, want[i], err)
			}
		}
	}
}

// valuesOf returns random values: many small numbers, whose JSON is shorter or longer than their bytes, and strings.
func valuesOf(rnd *rand.Rand, columns []schema.Column, features []schema.Feature) (vals []schema.Value) {
	text := func() schema.Value {
		content := bytes.Repeat([]byte{byte(rnd.IntN(256))}, rnd.IntN(1+rnd.IntN(3000)))
		for i := range content {
			content[i] += byte(i)
		}
		return schema.Value{Kind: schema.Bytes, Text: content}
	}
	for _, c := range columns {
		v := text()
		k := slices.IndexFunc(features, func(f schema.Feature) bool { return f.Key == c.Name })
		switch {
		case c.Name == "n":
			v = list()
			for range rnd.IntN(400) {
				v.List = append(v.List, number([]string{"-1", "7"}[rnd.IntN(2)]))
			}
		case len(features[k].Shape) > 0:
			v = list()
			for range rnd.IntN(6) {
				v.List = append(v.List, text())
			}
		}
		vals = append(vals, v)
	}
	return vals
}
