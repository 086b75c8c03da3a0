package conformance

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"tfr-build/internal/filetest"
	"tfr-build/schema/tfpb"
	"tfr-build/tfrecord"
)

// recordForms are the kinds of records and the forms of values, each of a tenth of
// the rows.
var recordForms = []form{
	{"sequence", "source: {jsonl: {files: 'in/*.jsonl'}}\nrecord: sequence\nshards: 2\n" + sensorFeatures, sensorFiles},
	{"ofrecord", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\nformat: ofrecord\nshards: {count: {train: " +
		"3, test: 1}}\n" + foldSplit + ofrecordFeatures, digitFiles},
	{"json_example", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\nrecord: json_example\ncompression: " +
		"gzip\nshards: 2\n" + tripFeatures, aTenthOf(csvFiles)},
	{"json", "source: {jsonl: {files: 'in/*.jsonl'}}\nrecord: json\nsplit: {column: zone}\nshards: 2\n" + jsonFeatures,
		aTenthOf(jsonFiles)},
	{"text of a column", "source: {csv: {files: 'in/*', null_values: [NA]}}\nrecord: {text: note}\nshards: 2\n",
		aTenthOf(gzipFiles)},
	{"bytes of a column", "source: {folder: {dir: in}}\nrecord: {bytes: content}\nshards: 2\n", sensorFiles},
	{"tensors", "source: {csv: {files: 'in/*.csv', null_values: [NA]}}\nshards: {count: {train: 1, test: 1}, " +
		"filename: '{SPLIT}.tfrecords'}\n" + foldSplit + tensorFeatures, digitFiles},
	{"arrays", "source: {arrays: {columns: {pixels: in/pixels.npy, label: in/labels.idx}}}\nshards: 3\n" +
		arrayFeatures, arrayFiles},
	{"tfrecord", "source: {tfrecord: {files: 'in/*'}}\nrecord: {bytes: record}\nsplit: {fractions: {train: 90%, " +
		"test: 10%}}\nshards: 2\n", recordFiles},
	{"features of tfrecord", "source: {tfrecord: {files: 'in/*'}}\nformat: ofrecord\nshards: 2\nfeatures: {id: " +
		"int64, row: {type: double, from: x, shape: [-1]}}\n", recordFiles},
	{"tfrecord, compressed input", "source: {tfrecord: {files: 'in/*'}}\nsplit: {column: zone}\norder_key: id\n" +
		tripRecords, packedRecords},
}

const foldSplit = "split: {column: fold, map: {values: {\"0\": train, \"1\": train}, unknown: test}}\n"

const sensorFeatures = `
context:
  station: {classes: auto}
  started: int64
sequence:
  t: {from: samples.*.t, type: float}
  xyz: {from: samples.*.xyz, type: float64, shape: [3], raw: true}
  mark: {from: marks, classes: [calm, gust], missing: empty_list}
lengths: free
`

const ofrecordFeatures = `
features:
  id: int32
  exact: double
  images: {from: "p{00..15}", type: float}
  label: {type: uint8, from: label}
  outline: {type: float, shape: [-1, -1, 2], encoding: json, missing: omit}
  name: string
`

const tensorFeatures = `
features:
  id: {type: uint64, raw: true}
  image: {from: "p{00..15}", type: uint8, shape: [4, 4, 1], tensor: true}
  half: {from: ["p{00..03}", exact], type: bfloat16, raw: true}
  exact: {type: double, tensor: true}
  name: {type: string, tensor: true}
  digit: {from: label, classes: {names: [zero, one, two, three, four, five, six, seven, eight, nine], numbers: true}}
  outline: {type: int64, shape: [-1, -1, 2], encoding: json, missing: empty_list}
  box: {type: float, shape: [4], encoding: json, tfds: BBox}
  smoker: {type: int64, map: {"yes": 1, "no": 0}}
  size: {type: float16, raw: true, map: {values: {small: 0.5, large: 2}, unknown: 1}}
`

const arrayFeatures = `
features:
  pixels: {raw: true}
  again: {from: pixels, tensor: true}
  values: {from: pixels, type: float, shape: [-1]}
  label: {classes: auto}
`

func aTenthOf(files func(testing.TB, string, int)) func(testing.TB, string, int) {
	return func(t testing.TB, dir string, rows int) { files(t, dir, rows/10) }
}

// sensorFiles are series of measurements: lists of one length each, and others of
// their own.
func sensorFiles(t testing.TB, dir string, rows int) {
	r := rand.New(rand.NewPCG(11, 3))
	var b bytes.Buffer
	for i := range rows / 10 {
		var samples []any
		for range r.IntN(8) {
			samples = append(samples, map[string]any{"t": r.Float32() * 30,
				"xyz": []float64{r.NormFloat64(), r.NormFloat64(), 9.81}})
		}
		row := map[string]any{"station": zones[r.IntN(len(zones))], "started": i * 60,
			"samples": append([]any{}, samples...)}
		if r.IntN(3) > 0 {
			row["marks"] = []string{"calm", "gust"}[:r.IntN(3)]
		}
		if err := json.NewEncoder(&b).Encode(row); err != nil {
			t.Fatal(err)
		}
		if i%(rows/20) == rows/20-1 {
			write(t, dir, fmt.Sprintf("in/%d.jsonl", i), b.Bytes())
			b.Reset()
		}
	}
}

// digitFiles are tables with a column for each of 16 pixels, and with cells of JSON.
func digitFiles(t testing.TB, dir string, rows int) {
	r := rand.New(rand.NewPCG(12, 3))
	var b strings.Builder
	b.WriteString("id,fold,label,exact,name,smoker,size,box,outline")
	for i := range 16 {
		fmt.Fprintf(&b, ",p%02d", i)
	}
	b.WriteByte('\n')
	for i := range rows / 10 {
		outline := []string{`"[[[1, 2], [3, 4]], []]"`, "NA", "", "[]", `"[[[-5,` + "\n" + ` 6]]]"`}[r.IntN(5)]
		if r.IntN(2) == 0 {
			outline = "[]"
		}
		fmt.Fprintf(&b, "%d,%d,%d,%v,%s,%s,%s,\"[0, 0.5, %.3f, 1e0]\",%s", i, r.IntN(4), r.IntN(10), r.NormFloat64(),
			zones[r.IntN(4)], []string{"yes", "no"}[r.IntN(2)], []string{"small", "large", "odd"}[r.IntN(3)],
			r.Float64(), outline)
		for range 16 {
			fmt.Fprintf(&b, ",%d", r.IntN(256))
		}
		b.WriteByte('\n')
	}
	write(t, dir, "in/a.csv", []byte(b.String()))
}

// arrayFiles are an array of NumPy and one of IDX.
func arrayFiles(t testing.TB, dir string, rows int) {
	n := rows / 10
	r := rand.New(rand.NewPCG(13, 3))
	var pixels, labels []byte
	for range n {
		for range 15 {
			pixels = binary.LittleEndian.AppendUint16(pixels, uint16(r.IntN(1<<16)))
		}
		labels = append(labels, byte(r.IntN(10)))
	}
	write(t, dir, "in/pixels.npy", npy("<i2", false, pixels, n, 3, 5))
	write(t, dir, "in/labels.idx", []byte(filetest.IDX(8, string(labels), n)))
}

// recordFiles are files of Examples, plain and compressed.
func recordFiles(t testing.TB, dir string, rows int) {
	for i, compression := range []tfrecord.Compression{tfrecord.None, tfrecord.Gzip, tfrecord.Zlib} {
		var b bytes.Buffer
		w := tfrecord.NewWriter(&b, tfrecord.TFRecord, compression)
		for n := range rows / 30 {
			if err := w.Write(exampleOf(t, i*rows+n, n%5)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		write(t, dir, fmt.Sprintf("in/%d.tfrecord", i), b.Bytes())
	}
}

// exampleOf is an Example of a number, and of so many floats.
func exampleOf(t testing.TB, id, floats int) []byte {
	t.Helper()
	x := &tfpb.FloatList{}
	for i := range floats {
		x.Value = append(x.Value, float32(id)/float32(i+1))
	}
	e := &tfpb.Example{Features: &tfpb.Features{Feature: map[string]*tfpb.Feature{
		"id": {Kind: &tfpb.Feature_Int64List{Int64List: &tfpb.Int64List{Value: []int64{int64(id)}}}},
		"x":  {Kind: &tfpb.Feature_FloatList{FloatList: x}},
	}}}
	payload, err := proto.MarshalOptions{Deterministic: true}.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}
