package dataset

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// A field is one feature of the conformance dataset.
type field struct {
	feature   schema.Feature
	connector string   // what TFDS should take it for
	dtype     string   // what TFDS and reader.py should give
	names     []string // of the classes, where TFDS knows them
	records   []values // of each record
}

func jpegOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func colors(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for x := range w {
		for y := range h {
			img.Set(x, y, color.RGBA{uint8(40 * x), uint8(30 * y), 77, 255})
		}
	}
	return img
}

func grays(w, h int) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * 5)
	}
	return img
}

// bmpOf returns img as a simple BMP file with 24 bits per pixel.
func bmpOf(img *image.RGBA) []byte {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	row := (3*w + 3) &^ 3
	b := append([]byte("BM"), make([]byte, 52)...)
	for at, v := range map[int]int{2: 54 + row*h, 10: 54, 14: 40, 18: w, 22: h, 26: 1 | 24<<16} {
		binary.LittleEndian.PutUint32(b[at:], uint32(v))
	}
	for y := h - 1; y >= 0; y-- {
		line := make([]byte, row)
		for x := range w {
			c := img.RGBAAt(x, y)
			line[3*x], line[3*x+1], line[3*x+2] = c.B, c.G, c.R
		}
		b = append(b, line...)
	}
	return b
}

// conformanceFields returns features of every form, in four records.
func conformanceFields(t *testing.T) []field {
	ints := func(v ...int64) values { return v }
	floats := func(v ...float32) values { return v }
	texts := func(v ...string) values {
		list := [][]byte{}
		for _, s := range v {
			list = append(list, []byte(s))
		}
		return list
	}
	blob := func(b []byte) values { return [][]byte{b} }
	names := []string{"Adelie", "Chinstrap", "Größe & <b>", "007"}
	none, two := int64(-1), int64(2)
	const omit = schema.MissingOmit
	return []field{
		{schema.Feature{Key: "id", Type: schema.Int64}, "Tensor", "int64", nil,
			[]values{ints(0), ints(1), ints(2), ints(3)}},
		{schema.Feature{Key: "int64", Type: schema.Int64}, "Tensor", "int64", nil,
			[]values{ints(math.MinInt64), ints(math.MaxInt64), ints(-1), ints(1 << 53)}},
		{schema.Feature{Key: "int8", Type: schema.Int8}, "Tensor", "int8", nil,
			[]values{ints(-128), ints(127), ints(0), ints(1)}},
		{schema.Feature{Key: "int16", Type: schema.Int16}, "Tensor", "int16", nil,
			[]values{ints(-32768), ints(32767), ints(0), ints(1)}},
		{schema.Feature{Key: "int32", Type: schema.Int32}, "Tensor", "int32", nil,
			[]values{ints(math.MinInt32), ints(math.MaxInt32), ints(0), ints(1)}},
		{schema.Feature{Key: "uint8", Type: schema.Uint8}, "Tensor", "uint8", nil,
			[]values{ints(0), ints(255), ints(128), ints(1)}},
		{schema.Feature{Key: "uint16", Type: schema.Uint16}, "Tensor", "uint16", nil,
			[]values{ints(0), ints(65535), ints(128), ints(1)}},
		{schema.Feature{Key: "uint32", Type: schema.Uint32}, "Tensor", "uint32", nil,
			[]values{ints(0), ints(math.MaxUint32), ints(128), ints(1)}},
		{schema.Feature{Key: "uint64", Type: schema.Uint64}, "Tensor", "uint64", nil,
			[]values{ints(0), ints(math.MaxInt64), ints(128), ints(1)}},
		{schema.Feature{Key: "bool", Type: schema.BoolType}, "Tensor", "bool", nil,
			[]values{ints(0), ints(1), ints(1), ints(0)}},
		{schema.Feature{Key: "float", Type: schema.Float}, "Tensor", "float32", nil,
			[]values{floats(0.1), floats(float32(math.Inf(-1))), floats(math.MaxFloat32), floats(1e-45)}},
		{schema.Feature{Key: "bytes", Type: schema.BytesType}, "Tensor", "string", nil,
			[]values{texts("\x00\xff"), texts(""), texts("goat"), texts("a\nb")}},
		{schema.Feature{Key: "string", Type: schema.StringType}, "Text", "string", nil,
			[]values{texts("日本"), texts(""), texts("x"), texts("a\"b")}},

		{schema.Feature{Key: "fixed", Type: schema.Int64, Shape: []int{3}}, "Tensor", "int64", nil,
			[]values{ints(1, 2, 3), ints(4, 5, 6), ints(0, 0, 0), ints(-1, -2, -3)}},
		{schema.Feature{Key: "matrix", Type: schema.Float, Shape: []int{2, 3}}, "Tensor", "float32", nil,
			[]values{floats(1, 2, 3, 4, 5, 6), floats(0, 0, 0, 0, 0, 1), floats(6, 5, 4, 3, 2, 1),
				floats(1, 1, 1, 1, 1, 1)}},
		{schema.Feature{Key: "fixed/bytes", Type: schema.BytesType, Shape: []int{2}}, "Tensor", "string", nil,
			[]values{texts("a", "b"), texts("", ""), texts("c", ""), texts("d", "e")}},
		{schema.Feature{Key: "fixed/string", Type: schema.StringType, Shape: []int{2}}, "Tensor", "string", nil,
			[]values{texts("a", "b"), texts("", ""), texts("c", ""), texts("d", "e")}},
		{schema.Feature{Key: "any", Type: schema.Int64, Shape: []int{-1}}, "Tensor", "int64", nil,
			[]values{ints(1, 2, 3), ints(), ints(7), ints(8, 9)}},
		{schema.Feature{Key: "any/uint8", Type: schema.Uint8, Shape: []int{-1}}, "Tensor", "uint8", nil,
			[]values{ints(1, 255, 3), ints(), ints(7), ints(8, 9)}},
		{schema.Feature{Key: "any/bool", Type: schema.BoolType, Shape: []int{-1}}, "Tensor", "bool", nil,
			[]values{ints(1, 0), ints(), ints(1), ints(0)}},
		{schema.Feature{Key: "any/string", Type: schema.StringType, Shape: []int{-1}}, "Tensor", "string", nil,
			[]values{texts("a", "", "ü"), texts(), texts("b"), texts("c", "d")}},
		{schema.Feature{Key: "boxes", Type: schema.Float, Shape: []int{-1, 4}}, "Tensor", "float32", nil,
			[]values{floats(0, 0, 1, 1, .1, .2, .3, .4), floats(), floats(1, 2, 3, 4), floats(5, 6, 7, 8)}},
		{schema.Feature{Key: "cubes", Type: schema.Int64, Shape: []int{-1, 2, 3}}, "Tensor", "int64", nil,
			[]values{ints(1, 2, 3, 4, 5, 6), ints(), ints(1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2), ints(6, 5, 4, 3, 2, 1)}},

		{schema.Feature{Key: "maybe/int", Type: schema.Int64, OnMissing: omit}, "Tensor", "int64", nil,
			[]values{ints(5), nil, ints(0), nil}},
		{schema.Feature{Key: "maybe/uint8", Type: schema.Uint8, OnMissing: omit}, "Tensor", "int64", nil,
			[]values{ints(5), nil, ints(0), nil}},
		{schema.Feature{Key: "maybe/bool", Type: schema.BoolType, OnMissing: omit}, "Tensor", "int64", nil,
			[]values{ints(1), nil, ints(0), nil}},
		{schema.Feature{Key: "maybe/float", Type: schema.Float, OnMissing: omit}, "Tensor", "float32", nil,
			[]values{floats(.5), nil, floats(0), nil}},
		{schema.Feature{Key: "maybe/bytes", Type: schema.BytesType, OnMissing: omit}, "Tensor", "string", nil,
			[]values{texts("a"), nil, texts(""), nil}},
		{schema.Feature{Key: "maybe/string", Type: schema.StringType, OnMissing: omit}, "Tensor", "string", nil,
			[]values{texts("a"), nil, texts("b"), nil}},
		{schema.Feature{Key: "maybe/fixed", Type: schema.Float, Shape: []int{2, 2}, OnMissing: omit},
			"Tensor", "float32", nil, []values{floats(1, 2, 3, 4), nil, floats(0, 0, 0, 0), nil}},
		{schema.Feature{Key: "maybe/names", Type: schema.BytesType, Shape: []int{2}, OnMissing: omit},
			"Tensor", "string", nil, []values{texts("a", "b"), nil, texts("", ""), nil}},
		{schema.Feature{Key: "maybe/ints", Type: schema.Int16, Shape: []int{2}, OnMissing: omit}, "Tensor",
			"int64", nil, []values{ints(1, 2), nil, ints(3, 4), nil}},
		{schema.Feature{Key: "maybe/any", Type: schema.Int16, Shape: []int{-1}, OnMissing: omit}, "Tensor",
			"int16", nil, []values{ints(1, 2), nil, ints(), nil}},
		{schema.Feature{Key: "maybe/label", Type: schema.Int64, Classes: &schema.Classes{Names: names},
			OnMissing: omit}, "Tensor", "int64", nil, []values{ints(1), nil, ints(0), nil}},

		{schema.Feature{Key: "label", Type: schema.Int64, Classes: &schema.Classes{Names: names}},
			"ClassLabel", "int64", names, []values{ints(0), ints(1), ints(2), ints(3)}},
		{schema.Feature{Key: "image/class/label", Type: schema.Int64, Classes: &schema.Classes{Names: names}},
			"ClassLabel", "int64", names, []values{ints(3), ints(2), ints(1), ints(0)}},
		{schema.Feature{Key: "label/none", Type: schema.Int64, Classes: &schema.Classes{Names: names, Unknown: &none}},
			"ClassLabel", "int64", names, []values{ints(-1), ints(1), ints(2), ints(3)}},
		{schema.Feature{Key: "label/two", Type: schema.Int64, Classes: &schema.Classes{Names: names, Unknown: &two}},
			"ClassLabel", "int64", names, []values{ints(2), ints(1), ints(2), ints(3)}},
		{schema.Feature{Key: "label/any", Type: schema.Int64, Shape: []int{-1}, Classes: &schema.Classes{Names: names}},
			"Sequence", "int64", names, []values{ints(0, 1, 2), ints(), ints(2), ints(3)}},
		{schema.Feature{Key: "label/fixed", Type: schema.Int64, Shape: []int{2},
			Classes: &schema.Classes{Names: names}},
			"Sequence", "int64", names, []values{ints(0, 1), ints(3, 3), ints(2, 0), ints(3, 1)}},
		{schema.Feature{Key: "label/maybe", Type: schema.Int64, Shape: []int{-1},
			Classes:   &schema.Classes{Names: names},
			OnMissing: omit}, "Sequence", "int64", names, []values{ints(0, 1), nil, ints(2, 0), ints()}},
		{schema.Feature{Key: "label/first", Type: schema.Int64, Classes: &schema.Classes{Names: names, First: 1}},
			"Tensor", "int64", nil, []values{ints(1), ints(2), ints(3), ints(4)}},
		{schema.Feature{Key: "label/lines", Type: schema.Int64,
			Classes: &schema.Classes{Names: []string{"a\nb", " c", "", "d\xff\""}}}, "ClassLabel", "int64",
			[]string{`"a\nb"`, `" c"`, `""`, `"d\xff\""`}, []values{ints(0), ints(1), ints(2), ints(3)}},
		{schema.Feature{Key: "same.key", Type: schema.Int64, Classes: &schema.Classes{Names: names}},
			"ClassLabel", "int64", names, []values{ints(0), ints(1), ints(2), ints(3)}},
		{schema.Feature{Key: "same/key", Type: schema.Int64, Classes: &schema.Classes{Names: []string{"x", "y"}}},
			"Tensor", "int64", nil, []values{ints(0), ints(1), ints(1), ints(0)}},
		{schema.Feature{Key: "equal.key", Type: schema.Int64, Classes: &schema.Classes{Names: names}},
			"ClassLabel", "int64", names, []values{ints(0), ints(1), ints(2), ints(3)}},
		{schema.Feature{Key: "equal/key", Type: schema.Int64, Classes: &schema.Classes{Names: names}},
			"ClassLabel", "int64", names, []values{ints(3), ints(2), ints(1), ints(0)}},
		{schema.Feature{Key: "Equal/Key", Type: schema.Int64, Classes: &schema.Classes{Names: names}},
			"ClassLabel", "int64", names, []values{ints(3), ints(2), ints(1), ints(0)}},
		{schema.Feature{Key: "label/" + strings.Repeat("long", 60), Type: schema.Int64,
			Classes: &schema.Classes{Names: names}}, "ClassLabel", "int64", []string{"0", "1", "2", "3"},
			[]values{ints(0), ints(1), ints(2), ints(3)}},

		{schema.Feature{Key: "it's \"odd\" \\ ü😀\t", Type: schema.Int64}, "Tensor", "int64", nil,
			[]values{ints(0), ints(1), ints(2), ints(3)}},
		{schema.Feature{Key: "image", Type: schema.BytesType, Image: true}, "Image", "uint8", nil,
			[]values{blob(jpegOf(t, colors(5, 4))), blob(jpegOf(t, colors(3, 7))), blob(jpegOf(t, grays(8, 8))),
				blob(jpegOf(t, colors(1, 1)))}},
		{schema.Feature{Key: "image/gray", Type: schema.BytesType, Image: true}, "Image", "uint8", nil,
			[]values{blob(pngOf(t, grays(5, 4))), blob(pngOf(t, grays(3, 7))), blob(pngOf(t, grays(8, 8))),
				blob(pngOf(t, grays(1, 1)))}},
		{schema.Feature{Key: "image/mixed", Type: schema.BytesType, Image: true}, "Image", "uint8", nil,
			[]values{blob(pngOf(t, colors(5, 4))), blob(jpegOf(t, colors(3, 7))), blob(pngOf(t, grays(8, 8))),
				blob(jpegOf(t, grays(1, 1)))}},
		{schema.Feature{Key: "image/bmp", Type: schema.BytesType, Image: true}, "Image", "uint8", nil,
			[]values{blob(bmpOf(colors(5, 4))), blob(jpegOf(t, colors(3, 7))), blob(bmpOf(colors(8, 8))),
				blob(bmpOf(colors(1, 1)))}},
		{schema.Feature{Key: "image/asked", Type: schema.BytesType, TFDS: "Image"}, "Image", "uint8", nil,
			[]values{blob(pngOf(t, grays(5, 4))), blob(jpegOf(t, colors(3, 7))), blob(pngOf(t, colors(8, 8))),
				blob(jpegOf(t, grays(1, 1)))}},
		{schema.Feature{Key: "image/gif", Type: schema.BytesType, Image: true}, "Tensor", "string", nil,
			[]values{texts("GIF89a, say"), texts("b"), texts("c"), texts("d")}},
		{schema.Feature{Key: "image/maybe", Type: schema.BytesType, Image: true, OnMissing: omit}, "Tensor",
			"string", nil, []values{blob(pngOf(t, colors(2, 2))), nil, nil, nil}},
	}
}

var conformanceImages = map[string]ImageMetadata{
	"image":       {Formats: []string{"JPEG"}, Colorspaces: []string{"GRAY", "RGB"}, Channels: []int{1, 3}},
	"image/gray":  {Formats: []string{"PNG"}, Colorspaces: []string{"GRAY"}, Channels: []int{1}},
	"image/mixed": {Formats: []string{"JPEG", "PNG"}, Colorspaces: []string{"GRAY", "RGB"}, Channels: []int{1, 3}},
	"image/bmp":   {Formats: []string{"BMP", "JPEG"}, Colorspaces: []string{"RGB"}, Channels: []int{3}},
	"image/gif":   {Formats: []string{"GIF", "PNG"}, Colorspaces: []string{"RGB"}, Channels: []int{3}},
	"image/maybe": {Formats: []string{"PNG"}, Colorspaces: []string{"RGB"}, Channels: []int{3}},
}

// expectation is the description of the dataset for the script.
type expectation struct {
	Compression string                      `json:"compression"`
	SourceOrder bool                        `json:"source_order"`
	Features    map[string]map[string]any   `json:"features"`
	Splits      map[string][]map[string]any `json:"splits"`
}

func expect(info *Info, fields []field, splits map[string][]int) expectation {
	e := expectation{Compression: pythonCompression(info.Compression), SourceOrder: info.SourceOrder,
		Features: map[string]map[string]any{}, Splits: map[string][]map[string]any{}}
	for _, f := range fields {
		shape := append([]int{}, f.feature.Shape...)
		e.Features[f.feature.Key] = map[string]any{"connector": f.connector, "dtype": f.dtype, "names": f.names,
			"shape": shape}
	}
	for name, records := range splits {
		e.Splits[name] = []map[string]any{}
		for _, i := range records {
			record := map[string]any{}
			for _, f := range fields {
				record[f.feature.Key] = expectedValues(f.records[i])
			}
			e.Splits[name] = append(e.Splits[name], record)
		}
	}
	return e
}

// floatJSON returns v as a JSON number, or as protobuf's word for a number that JSON does not have.
func floatJSON(v float32) any {
	switch x := float64(v); {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	return v
}

// expectedValues returns numbers as strings, which JSON does not round.
func expectedValues(v values) any {
	list := []any{}
	switch v := v.(type) {
	case nil:
		return nil
	case []int64:
		for _, n := range v {
			list = append(list, int64s(n))
		}
	case []float32:
		for _, x := range v {
			list = append(list, floatJSON(x))
		}
	case [][]byte:
		for _, b := range v {
			list = append(list, b)
		}
	}
	return list
}

func TestTensorFlowReadsDatasets(t *testing.T) {
	python := tftest.Python(t)
	fields := conformanceFields(t)
	payloads := make([][]byte, 4)
	for i := range payloads {
		record := map[string]values{}
		for _, f := range fields {
			record[f.feature.Key] = f.records[i]
		}
		payloads[i] = example(t, record)
	}
	splits := []testSplit{
		{"train", [][][]byte{{payloads[2], payloads[0]}, {}, {payloads[1]}}},
		{"validation", [][][]byte{{payloads[3]}}},
		{"test", [][][]byte{{}}},
	}
	order := map[string][]int{"train": {2, 0, 1}, "validation": {3}, "test": {}}
	args := []string{}
	for _, d := range []struct {
		compression tfrecord.Compression
		sourceOrder bool
	}{{tfrecord.None, false}, {tfrecord.None, true}, {tfrecord.Gzip, false}, {tfrecord.Zlib, true}} {
		info := Info{
			Name: "forms", Version: "1.2.3", Description: "Every form of a feature.",
			Compression: d.compression, SourceOrder: d.sourceOrder, Images: conformanceImages,
		}
		for _, f := range fields {
			info.Record.Features = append(info.Record.Features, f.feature)
		}
		data := t.TempDir()
		dir := filepath.Join(data, "forms", "1.2.3")
		put(t, finish(t, &info, &Manifest{}, splits), dir)
		writeExpectation(t, data, expect(&info, fields, order))
		writeInspected(t, data, filepath.Join(dir, "train-00000-of-00003"))
		args = append(args, data)
	}
	t.Logf("with %s", python)
	tftest.Run(t, filepath.Join("testdata", "conformance.py"), args...)
}

func writeExpectation(t *testing.T, dir string, e expectation) {
	t.Helper()
	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "expected.json"), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// writeInspected writes the JSON lines of a shard, for TensorFlow to read back.
func writeInspected(t *testing.T, dir, shard string) {
	t.Helper()
	f, err := os.Open(shard)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b bytes.Buffer
	if err := Inspect(&b, f, shard, InspectOptions{Form: ProtoForm}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "inspected.jsonl"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
