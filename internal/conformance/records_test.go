package conformance

import (
	"bytes"
	"strconv"
	"testing"

	"google.golang.org/protobuf/proto"

	"tfr-build/schema/tfpb"
	"tfr-build/tfrecord"
)

const tripRecords = `
features:
  id: int64
  vendor: {classes: auto}
  distance: float
  tip: {type: float, missing: omit}
  paid: bool
  tags: {type: string, shape: [-1]}
  note: string
  all: {type: bytes, from: record}
`

// packedRecords are two files of Examples, compressed in the two ways there are.
func packedRecords(t testing.TB, dir string, rows int) {
	write(t, dir, "in/a.tfrecord.gz", gzipped(examplesOf(t, trips(rows/3, 1))))
	var b bytes.Buffer
	w := tfrecord.NewWriter(&b, tfrecord.TFRecord, tfrecord.Zlib)
	in := tfrecord.NewReader(bytes.NewReader(examplesOf(t, trips(rows*2/3, 2))), tfrecord.Options{})
	for {
		payload, err := in.Next()
		if err != nil {
			break
		}
		if err := w.Write(payload); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "in/b.tfrecord", b.Bytes())
}

func examplesOf(t testing.TB, rows []trip) (file []byte) {
	t.Helper()
	for i := range rows {
		payload, err := proto.MarshalOptions{Deterministic: true}.Marshal(rows[i].example(t))
		if err != nil {
			t.Fatal(err)
		}
		file = tfrecord.TFRecord.Append(file, payload)
	}
	return file
}

func (r *trip) example(t testing.TB) *tfpb.Example {
	t.Helper()
	ints := func(x int64) *tfpb.Feature {
		return &tfpb.Feature{Kind: &tfpb.Feature_Int64List{Int64List: &tfpb.Int64List{Value: []int64{x}}}}
	}
	float := func(text string) *tfpb.Feature {
		x, err := strconv.ParseFloat(text, 32)
		if err != nil {
			t.Fatal(err)
		}
		return &tfpb.Feature{Kind: &tfpb.Feature_FloatList{FloatList: &tfpb.FloatList{Value: []float32{float32(x)}}}}
	}
	texts := func(list ...string) *tfpb.Feature {
		all := &tfpb.BytesList{}
		for _, text := range list {
			all.Value = append(all.Value, []byte(text))
		}
		return &tfpb.Feature{Kind: &tfpb.Feature_BytesList{BytesList: all}}
	}
	f := map[string]*tfpb.Feature{
		"id": ints(int64(r.id)), "vendor": texts(r.vendor), "distance": float(r.distance), "paid": ints(0),
		"tags": texts(r.tags...), "note": texts(r.note), "zone": texts(r.zone),
	}
	if r.paid {
		f["paid"] = ints(1)
	}
	if r.tip != "" {
		f["tip"] = float(r.tip)
	}
	return &tfpb.Example{Features: &tfpb.Features{Feature: f}}
}
