package conformance

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// numberTypes are the types of numbers that a tensor and raw bytes hold, with the
// columns that their values are of, and the ends of their range.
var numberTypes = []struct{ name, columns, ends string }{
	{"int8", "i", "[-128, 127]"}, {"int16", "i", "[-32768, 32767]"}, {"int32", "i", "[-2147483648, 2147483647]"},
	{"int64", "i", "[-9223372036854775808, 9223372036854775807]"},
	{"uint8", "i", "[0, 255]"}, {"uint16", "i", "[0, 65535]"}, {"uint32", "i", "[0, 4294967295]"},
	{"uint64", "i", "[0, 18446744073709551615]"}, {"bool", "b", "[false, true]"},
	{"float16", "f", "[65504, 5.960464477539063e-8, 2.98e-8, 65519.99999999999999999999, 1.00048828125, " +
		"1.000488281250000000000000001, -6.1035e-5]"},
	{"bfloat16", "f", "[3.38e38, 1.00390625, 1.003906250000000000000000001, 1.01171875, 9.2e-41, -0.1]"},
	{"float32", "f", "[3.4028234663852886e38, 1e-45, 1.00000005960464477539, 1.000000059604644775390625000000001, " +
		"0.1]"},
	{"float64", "f", "[1.7976931348623157e308, 4.9e-324, 0.1, " +
		"1.00000000000000011102230246251565404236316680908203125]"},
}

// numberShapes are the shapes of the columns 0, 1 … of a kind of number.
var numberShapes = []string{"[]", "[-1]", "[2, 3]", "[-1, 2]", "[1, 2, 1, 2]"}

// numberFeatures are all types in all shapes, as `tensor` or as `raw`.
func numberFeatures(as string) string {
	var b strings.Builder
	for _, t := range numberTypes {
		for i, shape := range numberShapes {
			fmt.Fprintf(&b, "  %s/%s/%d: {from: %s%d, type: %s, shape: %s, %s: true}\n", as, t.name, i,
				t.columns, i, t.name, shape, as)
		}
		fmt.Fprintf(&b, "  %s/%s/ends: {type: %s, shape: [-1], %s: true, from: ends.%s}\n", as, t.name,
			t.name, as, t.name)
	}
	return b.String()
}

const plainFeatures = `
  id: int64
  small: {from: i0, type: uint8}
  double: {from: f0, type: float64}
  flags: {from: b1, type: bool, shape: [-1]}
  text: {type: string, tfds: Text}
  blob: {type: bytes, encoding: base64}
  words: {type: bytes, shape: [-1], tfds: Text}
  poly: {type: float, shape: [-1, -1]}
  deep: {type: int16, shape: [-1, -1, -1]}
  boxes: {type: float, shape: [-1, 4], tfds: BBox}
  yes: {from: answer, type: int64, map: {"yes": 1, "no": 0}}
  label: {classes: {names: [ant, bee, cat], numbers: true}}
  tip: {type: float, missing: omit}
`

const textFeatures = `
  tensor/text/0: {from: text, type: string, tensor: true}
  tensor/text/1: {from: words, type: string, shape: [-1], tensor: true}
  tensor/text/2: {from: pair, type: bytes, shape: [1, 2], tensor: true}
`

const sequenceFeatures = `
context:
  id: int64
  tip: {type: float, missing: omit}
  frame: {from: i2, type: uint8, shape: [2, 3], raw: true}
sequence:
  value: {from: series, type: float}
  at: {from: at, type: int32}
  place: {from: places, type: float, shape: [2]}
  packed: {from: places, type: float16, shape: [2], raw: true}
  tensor: {from: places, type: float64, shape: [2], tensor: true}
  word: {from: marks, type: string}
`

// messageConfigs are datasets of the same rows, one for each kind of record.
func messageConfigs() map[string]string {
	tensors := numberFeatures("tensor") + textFeatures
	raws := numberFeatures("raw")
	return map[string]string{
		"example":      "features:" + plainFeatures + tensors + raws,
		"json_example": "record: json_example\nfeatures:" + plainFeatures + tensors + raws,
		"json":         "record: json\nfeatures:" + plainFeatures + tensors + raws,
		"sequence":     "record: sequence\n" + sequenceFeatures,
		"free": "record: sequence\nlengths: free\nsequence:\n  words: bytes\n  value: {from: series, type: " +
			"float}\n  many: {from: poly, type: float, shape: [-1]}\n",
		"text":     "record: {text: text}\n",
		"bytes":    "record: {bytes: text}\n",
		"ofrecord": "format: ofrecord\nfeatures:" + plainFeatures + raws,
	}
}

// messageRows are n rows as JSON lines. Their numbers have more digits than any
// type holds.
func messageRows(n int) string {
	r := rand.New(rand.NewPCG(10, 10))
	number := map[string]func() string{
		"i": func() string { return strconv.Itoa(r.IntN(100)) },
		"b": func() string { return strconv.FormatBool(r.IntN(2) == 0) },
		"f": func() string { return strconv.FormatFloat(r.NormFloat64()*10, 'f', 30, 64) },
	}
	list := func(n int, item func() string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = item()
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	words := []string{"", "goat", "日本", `a"\`, "line\nline"}
	word := func() string { text, _ := json.Marshal(words[r.IntN(len(words))]); return string(text) }
	var b strings.Builder
	for i := range n {
		any := r.IntN(4) * min(i, 1) // nothing in the first row
		fmt.Fprintf(&b, `{"id":%d`, i)
		for _, kind := range []string{"i", "b", "f"} {
			x := number[kind]
			two := func() string { return list(2, x) }
			fmt.Fprintf(&b, `,"%s0":%s,"%s1":%s,"%s2":%s,"%s3":%s,"%s4":[%s]`, kind, x(), kind, list(any, x), kind,
				list(2, func() string { return list(3, x) }), kind, list(any, two), kind,
				list(2, func() string { return "[" + two() + "]" }))
		}
		b.WriteString(`,"ends":{`)
		for k, t := range numberTypes {
			fmt.Fprintf(&b, `%s"%s":%s`, []string{",", ""}[min(1, max(0, 1-k))], t.name, t.ends)
		}
		f := number["f"]
		row := func() string { return list(r.IntN(3), f) }
		fmt.Fprintf(&b, `},"text":%s,"blob":"AP/+","words":%s,"pair":[[%s,%s]],"poly":%s,"boxes":%s`,
			word(), list(any, word), word(), word(), list(any, row), list(any, func() string { return list(4, f) }))
		fmt.Fprintf(&b, `,"deep":%s,"answer":"%s","label":%d`, list(any, func() string {
			return list(r.IntN(3), func() string { return list(r.IntN(3), number["i"]) })
		}), []string{"yes", "no"}[i%2], i%3)
		if i%3 > 0 {
			fmt.Fprintf(&b, `,"tip":%s`, f())
		}
		fmt.Fprintf(&b, `,"series":%s,"at":%s,"places":%s,"marks":%s}`+"\n", list(any, f), list(any, number["i"]),
			list(any, func() string { return list(2, f) }), list(any, word))
	}
	return b.String()
}

// buildMessages builds a dataset of each kind of record below dir, and verifies it.
func buildMessages(t *testing.T, dir string, rows int) {
	t.Helper()
	write(t, dir, "rows.jsonl", []byte(messageRows(rows)))
	for name, config := range messageConfigs() {
		file := name + ".yaml"
		write(t, dir, file, []byte("name: "+name+"\noutput: out\nsource: {jsonl: {files: rows.jsonl}}\norder: "+
			"source\nshards: 2\n"+config))
		out := filepath.Join(dir, name, "1.0.0")
		build(t, filepath.Join(dir, file), out, pipeline.Run{})
		if said := program(t, "verify", "-deep", out); !strings.HasPrefix(said, "ok ") {
			t.Errorf("%s: %s", name, said)
		}
	}
}

func TestRecordsOfEachKind(t *testing.T) {
	buildMessages(t, t.TempDir(), 7)
}

// TestTensorFlowReadsEachKind has TensorFlow, TFDS and protobuf read a dataset of
// each kind of record; the script holds them against the rows.
func TestTensorFlowReadsEachKind(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	buildMessages(t, dir, 16)
	tftest.Run(t, filepath.Join("testdata", "messages.py"), dir)
}

// TestOneFlowReads has generated code of OneFlow's messages read OFRecords: those of
// all types, and three records of images and labels with a program like that of
// OneFlow's documentation.
func TestOneFlowReads(t *testing.T) {
	python := tftest.Python(t)
	if out, err := exec.Command(python, "-c", "import grpc_tools").CombinedOutput(); err != nil {
		if os.Getenv(tftest.RequireVar) == "1" {
			t.Fatalf("generating code for protobuf takes grpcio-tools, see scripts/venv: %v\n%s", err, out)
		}
		t.Skipf("%s has no grpcio-tools to generate code for protobuf with", python)
	}
	dir := t.TempDir()
	buildMessages(t, dir, 40)
	names, pixels := make([]string, 784), make([]string, 784)
	for i := range pixels {
		names[i], pixels[i] = "p"+strconv.Itoa(i), strconv.FormatFloat(float64(i)/784, 'f', 6, 64)
	}
	table := strings.Join(names, ",") + ",labels\n"
	for label := range 3 {
		table += strings.Join(pixels, ",") + "," + strconv.Itoa(label+4) + "\n"
	}
	write(t, dir, "digits.csv", []byte(table))
	write(t, dir, "digits.yaml", []byte(`name: digits
output: out
source: {csv: {files: digits.csv}}
order: source
format: ofrecord
features:
  images: {from: "p{0..783}", type: float}
  labels: int32
`))
	build(t, filepath.Join(dir, "digits.yaml"), filepath.Join(dir, "digits"), pipeline.Run{})
	tftest.Run(t, filepath.Join("testdata", "oneflow", "read.py"), filepath.Join("testdata", "oneflow"), dir)
}
