package schema_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"tfr-build/schema"
)

func text(s string) schema.Value { return schema.Value{Kind: schema.Text, Text: []byte(s)} }

// cells returns a CSV row as a scanner does: slices of one line.
func cells(cells ...string) []schema.Value {
	var line []byte
	for _, c := range cells {
		line = append(append(line, c...), ',')
	}
	vals := make([]schema.Value, len(cells))
	at := 0
	for i, c := range cells {
		vals[i] = schema.Value{Kind: schema.Text, Text: line[at : at+len(c)], At: uint32(at)}
		at += len(c) + 1
	}
	return vals
}

func scalar(key string, t schema.Type) schema.Feature {
	return schema.Feature{Key: key, Type: t, Columns: []string{key}}
}

func tutorial(t testing.TB) *schema.Schema {
	return compile(t,
		scalar("feature0", schema.BoolType),
		scalar("feature1", schema.Int64),
		scalar("feature2", schema.BytesType),
		scalar("feature3", schema.Float))
}

func trips(t testing.TB) *schema.Schema {
	return compile(t,
		scalar("id", schema.Int64), scalar("vendor", schema.BytesType),
		scalar("distance", schema.Float), scalar("fare", schema.Float), scalar("tip", schema.Float),
		scalar("passengers", schema.Int64), scalar("paid", schema.BoolType),
		scalar("zone", schema.BytesType), scalar("note", schema.BytesType))
}

func compile(t testing.TB, features ...schema.Feature) *schema.Schema {
	t.Helper()
	s, err := schema.Compile(schema.Record{Features: features})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var tripCells = cells("482913", "CMT", "3.41", "27.83", "7.2914", "4", "true", "zone-117",
	"brown fox jumps over a lazy dog while many")

// tripRows are rows of different lengths, so that the processor cannot learn the branches of a
// benchmark.
func tripRows() [][]schema.Value {
	r := rand.New(rand.NewPCG(7, 7))
	rows := make([][]schema.Value, 1024)
	for i := range rows {
		rows[i] = cells(
			strconv.Itoa(r.IntN(1000000)), []string{"CMT", "VTS", "DDS"}[r.IntN(3)],
			strconv.FormatFloat(math.Round(r.ExpFloat64()*333)/100, 'g', -1, 64),
			strconv.FormatFloat(math.Round(250+r.Float64()*7750)/100, 'g', -1, 64),
			strconv.FormatFloat(math.Round(r.Float64()*150000)/10000, 'g', -1, 64),
			strconv.Itoa(1+r.IntN(6)), strconv.FormatBool(r.IntN(2) == 0), "zone-"+strconv.Itoa(1+r.IntN(265)),
			strings.Repeat("word ", 2+r.IntN(12)))
	}
	return rows
}

// image returns f for 784 columns, or for the columns of f.
func image(f schema.Feature) schema.Feature {
	f.Key = "image_raw"
	if f.Type == 0 {
		f.Type = schema.Uint8
	}
	if f.Columns == nil {
		f.Shape = []int{784}
		for i := range 784 {
			f.Columns = append(f.Columns, "p"+strconv.Itoa(i))
		}
	}
	return f
}

// pixelRow returns an image of MNIST's size as cells, and as an Array.
func pixelRow() (row, array []schema.Value) {
	r := rand.New(rand.NewPCG(3, 3))
	texts, numbers := make([]string, 784), make([]byte, 784)
	for i := range texts {
		if r.IntN(5) == 0 {
			numbers[i] = byte(r.IntN(256))
		}
		texts[i] = strconv.Itoa(int(numbers[i]))
	}
	return cells(texts...), []schema.Value{{Kind: schema.Array, Elem: schema.Uint8, Text: numbers}}
}

func BenchmarkAppend(b *testing.B) {
	lists, listRow := withLists(b)
	bench := func(name string, s *schema.Schema, rows ...[]schema.Value) {
		b.Run(name, func(b *testing.B) {
			e := s.NewEncoder()
			buf := make([]byte, 0, 1<<16)
			size, i := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if buf, err = e.Append(buf[:0], rows[i&(len(rows)-1)]); err != nil {
					b.Fatal(err)
				}
				size += len(buf)
				i++
			}
			b.SetBytes(int64(size / i))
		})
	}
	pixels, array := pixelRow()
	bench("pixels/list", compile(b, image(schema.Feature{})), pixels)
	bench("pixels/tensor", compile(b, image(schema.Feature{Tensor: true})), pixels)
	bench("pixels/raw", compile(b, image(schema.Feature{Raw: true})), pixels)
	bench("pixels/map", compile(b, image(schema.Feature{Map: &schema.Map{Strings: []string{"0", "1"},
		Values: cells("0", "1"), Unknown: ptr(text("2"))}})), pixels)
	for _, f := range []schema.Feature{{}, {Tensor: true}, {Raw: true}, {Raw: true, Type: schema.Float},
		{Type: schema.Float}, {Raw: true, Type: schema.Float16}} {
		name := "array/list"
		if f.Tensor {
			name = "array/tensor"
		} else if f.Raw {
			name = "array/raw"
		}
		if f.Type != 0 {
			name += "/" + f.Type.String()
		}
		f.Shape = []int{28, 28}
		f.Columns = []string{"image"}
		bench(name, compile(b, image(f)), array)
	}
	floats := scalar("floats", schema.Float)
	floats.Shape, floats.Raw = []int{-1}, true
	bench("array/floats", compile(b, floats), []schema.Value{{Kind: schema.Array, Elem: schema.Float,
		Text: make([]byte, 4*784)}})
	bench("tutorial", tutorial(b), cells("false", "4", "goat", "0.9876"))
	bench("trip", trips(b), tripCells)
	bench("trips", trips(b), tripRows()...)
	bench("lists", lists, listRow)
}
