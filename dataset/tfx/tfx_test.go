package tfx

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/tftest"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/statistics"
)

var update = flag.Bool("update", false, "write the golden files in testdata")

// golden compares got with a file below testdata. With -update it writes the file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is now\n%s\ngo test ./dataset/tfx -update writes it", path, got)
	}
}

const odd = "<b>\"it's\" \\ ü\x00\n\u202e"

// features is every form that a feature of an Example has.
func features() []schema.Feature {
	const omit = schema.MissingOmit
	none := int64(-1)
	names := []string{"Adelie", "Chinstrap", "Gentoo"}
	return []schema.Feature{
		{Key: "int64", Type: schema.Int64},
		{Key: "uint8", Type: schema.Uint8},
		{Key: "uint64", Type: schema.Uint64},
		{Key: "bool", Type: schema.BoolType},
		{Key: "float", Type: schema.Float},
		{Key: "anyfloat", Type: schema.Float, AllowNonfinite: true},
		{Key: "bytes", Type: schema.BytesType},
		{Key: "string", Type: schema.StringType},
		{Key: "island", Type: schema.StringType},
		{Key: "fixed", Type: schema.Float, Shape: []int{2, 3}},
		{Key: "list", Type: schema.Int16, Shape: []int{-1}},
		{Key: "boxes", Type: schema.Float, Shape: []int{-1, 4}},
		{Key: "rows", Type: schema.Int32, Shape: []int{-1, -1, 2}},
		{Key: "maybe/int", Type: schema.Int8, OnMissing: omit},
		{Key: "maybe/float", Type: schema.Float, OnMissing: omit},
		{Key: "maybe/text", Type: schema.StringType, OnMissing: omit},
		{Key: "maybe/fixed", Type: schema.Float, Shape: []int{2}, OnMissing: omit},
		{Key: "maybe/list", Type: schema.Int64, Shape: []int{-1}, OnMissing: omit},
		{Key: "maybe/rows", Type: schema.StringType, Shape: []int{-1, -1, -1}, OnMissing: omit},
		{Key: "default", Type: schema.Int64, OnMissing: schema.MissingDefault},
		{Key: "empty", Type: schema.Float, Shape: []int{-1}, OnMissing: schema.MissingEmptyList},
		{Key: "label", Type: schema.Int64, Classes: &schema.Classes{Names: names}},
		{Key: "label/first", Type: schema.Int64, Classes: &schema.Classes{Names: names, First: 1, Unknown: &none}},
		{Key: "label/none", Type: schema.Int64, Classes: &schema.Classes{}},
		{Key: "label/unknown", Type: schema.Int64, Classes: &schema.Classes{Unknown: &none}},
		{Key: "tensor", Type: schema.Float16, Shape: []int{-1, 4}, Tensor: true},
		{Key: "raw", Type: schema.Uint32, Shape: []int{4}, Raw: true, OnMissing: omit},
		{Key: "image", Type: schema.BytesType, Image: true},
		{Key: "image/asked", Type: schema.BytesType, TFDS: "Image"},
		{Key: odd, Type: schema.StringType},
	}
}

func exampleInfo() *dataset.Info {
	return &dataset.Info{Name: "forms", Version: "1.0.0", Record: schema.Record{Features: features()}}
}

func sequenceInfo() *dataset.Info {
	return &dataset.Info{Name: "steps", Version: "1.0.0", Record: schema.Record{
		Message: schema.SequenceMessage,
		Features: []schema.Feature{{Key: "id", Type: schema.Int64},
			{Key: "note", Type: schema.StringType, OnMissing: schema.MissingOmit}},
		Sequence: []schema.Feature{
			{Key: "tokens", Type: schema.Int32},
			{Key: "boxes", Type: schema.Float, Shape: []int{4}},
			{Key: "words", Type: schema.StringType, Shape: []int{-1}},
			{Key: "pairs", Type: schema.Int64, Shape: []int{-1, 2}, OnMissing: schema.MissingOmit},
			{Key: "frames", Type: schema.Uint8, Shape: []int{8, 8}, Raw: true},
		},
	}}
}

// document has a feature of each kind, in a split, in one where nothing is there,
// and in one without records.
func document() *statistics.Document {
	doc := &statistics.Document{
		Format: statistics.DocumentFormat, Record: "example",
		Splits: []statistics.Split{{Name: "train", Records: 100}, {Name: odd, Records: 10}, {Name: "empty"}},
	}
	add := func(f statistics.Feature, v statistics.Values) {
		f.Splits = []statistics.Values{v, {Missing: 10}, {}}
		doc.Features = append(doc.Features, f)
	}
	top := func(values ...string) (all []statistics.Top) {
		for i, value := range values {
			all = append(all, statistics.Top{Value: value, Count: int64(50 - i)})
		}
		return all
	}
	finite := &statistics.Numbers{
		Finite: 97, Zeros: 3, NaN: 1, PosInf: 1, NegInf: 1, Min: "-1.5", Max: "1e+30", Mean: 0.1, Deviation: 2.5,
		Quantiles: []float64{-1, 0, 1, 2, 3, 4, 5, 6, 7},
		Histogram: []statistics.Bin{{Low: -1.5, High: 2, Count: 50}, {Low: 2, High: 1e30, Count: 47}},
	}
	sizes := &statistics.Numbers{Finite: 100, Min: "0", Max: "12", Mean: 6.25}
	all := statistics.Values{Present: 100, Count: 100, Least: 1, Most: 1}
	with := func(change func(v *statistics.Values)) statistics.Values {
		v := all
		change(&v)
		return v
	}
	add(statistics.Feature{Key: "float", List: message.FloatList, Kind: statistics.Number},
		with(func(v *statistics.Values) { v.Distinct, v.Numbers = 97, finite }))
	add(statistics.Feature{Key: "int", List: message.Int64List, Kind: statistics.Number},
		statistics.Values{Present: 90, Missing: 10, Count: 180, Most: 5,
			Numbers: &statistics.Numbers{Finite: 180, Min: "-9223372036854775808", Max: "9223372036854775807"}})
	add(statistics.Feature{Key: "island", List: message.BytesList, Kind: statistics.Text},
		with(func(v *statistics.Values) { v.Distinct, v.Top, v.Sizes = 3, top("Torgersen", odd, ""), sizes }))
	add(statistics.Feature{Key: "label", List: message.Int64List, Kind: statistics.Class, First: 1,
		Classes: []string{"a", "b", "c", "d"}},
		with(func(v *statistics.Values) { v.Distinct, v.ByClass, v.Unknown = 3, []int64{20, 0, 50, 20}, 10 }))
	add(statistics.Feature{Key: "bytes", List: message.BytesList, Kind: statistics.Bytes},
		with(func(v *statistics.Values) { v.Distinct, v.Estimated, v.Sizes, v.NotUTF8 = 99, true, sizes, 7 }))
	add(statistics.Feature{Key: "image", List: message.BytesList, Kind: statistics.Image},
		with(func(v *statistics.Values) { v.Distinct, v.Sizes = 100, sizes }))
	add(statistics.Feature{Key: "string", List: message.BytesList, Kind: statistics.Text},
		with(func(v *statistics.Values) {
			v.Distinct, v.Estimated, v.Top, v.Other, v.NotUTF8 = 5000, true, top(`a\xff`), 50, 1
		}))
	add(statistics.Feature{Key: odd + "\xff", List: message.Int64List, Kind: statistics.Number, Steps: true},
		statistics.Values{Missing: 100})
	return doc
}

func TestSchema(t *testing.T) {
	golden(t, "schema.pbtxt", Schema(exampleInfo(), document()))
	golden(t, "sequence.pbtxt", Schema(sequenceInfo(), nil))
}

func TestStatistics(t *testing.T) {
	golden(t, "statistics.pbtxt", Statistics(document()))
}

func TestReason(t *testing.T) {
	for m, readable := range map[schema.Message]bool{
		schema.ExampleMessage: true, schema.SequenceMessage: true, schema.OFRecordMessage: false,
		schema.JSONExampleMessage: false,
		schema.JSONMessage:        false, schema.TextMessage: false, schema.BytesMessage: false,
	} {
		info := &dataset.Info{Record: schema.Record{Message: m}}
		if (Reason(info) == "") != readable || (Schema(info, nil) != nil) != readable {
			t.Errorf("%s: %q, %q", m, Reason(info), Schema(info, nil))
		}
	}
}

func TestVocabulary(t *testing.T) {
	two := []statistics.Top{{Value: "b", Count: 50}, {Value: "a", Count: 50}}
	known := statistics.Values{Present: 100, Count: 100, Distinct: 2, Top: two}
	many := statistics.Values{Count: 1000, Distinct: maxVocabulary + 1}
	for i := range maxVocabulary + 1 {
		many.Top = append(many.Top, statistics.Top{Value: fmt.Sprint(i), Count: 1})
	}
	with := func(change func(v *statistics.Values)) []statistics.Values {
		v := known
		v.Top = append([]statistics.Top{}, two...)
		change(&v)
		return []statistics.Values{v}
	}
	for _, test := range []struct {
		name   string
		kind   statistics.Kind
		splits []statistics.Values
		want   string
	}{
		{"all known", statistics.Text, []statistics.Values{known}, "a b"},
		{"bytes", statistics.Bytes, []statistics.Values{known}, "a b"},
		{"of two splits", statistics.Text, []statistics.Values{known,
			{Count: 9, Distinct: 1, Top: []statistics.Top{{Value: "", Count: 9}}}, {}}, " a b"},
		{"an image", statistics.Image, []statistics.Values{known}, ""},
		{"estimated", statistics.Text, with(func(v *statistics.Values) { v.Estimated = true }), ""},
		{"others", statistics.Text, with(func(v *statistics.Values) { v.Other = 1 }), ""},
		{"kept out", statistics.Text, with(func(v *statistics.Values) { v.Top = nil }), ""},
		{"not UTF-8", statistics.Text, with(func(v *statistics.Values) { v.NotUTF8 = 1 }), ""},
		{"cut", statistics.Text, with(func(v *statistics.Values) { v.Top[0].Cut = true }), ""},
		{"rarely twice", statistics.Text, with(func(v *statistics.Values) { v.Count = 3 }), ""},
		{"many", statistics.Text, []statistics.Values{many}, ""},
		{"nothing", statistics.Text, []statistics.Values{{}}, ""},
	} {
		got := vocabulary(&statistics.Feature{Kind: test.kind, Splits: test.splits})
		if strings.Join(got, " ") != test.want || (got == nil) != (test.want == "") {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	hidden := document()
	for i := range hidden.Features {
		for k := range hidden.Features[i].Splits {
			hidden.Features[i].Splits[k].Top = nil
		}
	}
	if text := Schema(exampleInfo(), hidden); bytes.Contains(text, []byte("Torgersen")) ||
		bytes.Contains(text, []byte("string_domain")) {
		t.Error("values that are kept out are in the schema")
	}
}

// large has as many features as one may have, and a feature of as many classes.
func large() (*dataset.Info, *statistics.Document) {
	const splits = 2
	info, doc := &dataset.Info{}, &statistics.Document{Splits: []statistics.Split{{Name: "train", Records: 1},
		{Name: "test", Records: 1}}}
	for i := range 10_000 {
		key := fmt.Sprintf("f%05d", i)
		info.Record.Features = append(info.Record.Features, schema.Feature{Key: key, Type: schema.Float})
		doc.Features = append(doc.Features, statistics.Feature{Key: key, List: message.FloatList,
			Kind: statistics.Number, Splits: make([]statistics.Values, splits)})
	}
	counts := make([]int64, 1_000_000)
	for i := range counts {
		counts[i] = int64(i % 7)
	}
	doc.Features = append(doc.Features, statistics.Feature{Key: "label", List: message.Int64List,
		Kind: statistics.Class, Splits: []statistics.Values{{ByClass: counts}, {}}})
	return info, doc
}

func TestNothingGrowsWithClasses(t *testing.T) {
	info, doc := large()
	text := Statistics(&statistics.Document{Splits: doc.Splits, Features: doc.Features[10_000:]})
	if n := bytes.Count(text, []byte("label:")); n != maxRanks || len(text) > 200_000 {
		t.Errorf("%d ranks, %d bytes", n, len(text))
	}
	// the first line has no newline before it
	if n := bytes.Count(Schema(info, doc), []byte("\nfeature {")); n != 9_999 {
		t.Errorf("%d features", n)
	}
}

// expected is the message that protobuf must read from the written bytes.
type expected struct {
	Features []string `json:"features"`
	Tensors  int      `json:"tensors"`
	Splits   []string `json:"splits"`
	Top      string   `json:"top"`
}

// TestMetadataReads has tensorflow_metadata read both files.
func TestMetadataReads(t *testing.T) {
	tftest.Python(t)
	var args []string
	write := func(name string, schemaText, statisticsText []byte, want expected) {
		dir := filepath.Join(t.TempDir(), name)
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for file, data := range map[string][]byte{"schema.pbtxt": schemaText, "statistics.pbtxt": statisticsText,
			"expected.json": data} {
			if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		args = append(args, dir)
	}
	keys := func(record *schema.Record) (all []string) {
		for _, e := range record.Entries() {
			if !e.Steps {
				all = append(all, e.Key)
			}
		}
		return all
	}
	splits := []string{"train", odd, "empty"}
	info := exampleInfo()
	write("example", Schema(info, document()), Statistics(document()),
		expected{keys(&info.Record), len(info.Record.Features), splits, odd})
	steps := sequenceInfo()
	write("sequence", Schema(steps, nil), Statistics(document()),
		expected{append(keys(&steps.Record), sequenceKey), 7, splits, odd})
	big, doc := large()
	write("large", Schema(big, doc), Statistics(doc), expected{keys(&big.Record), 10_000, []string{"train", "test"},
		""})
	tftest.Run(t, filepath.Join("testdata", "metadata.py"), args...)
}

func TestLimits(t *testing.T) {
	low := int64(math.MinInt64)
	for _, test := range []struct {
		classes schema.Classes
		want    string
	}{
		{schema.Classes{Names: []string{"a", "b"}}, "0 1"},
		{schema.Classes{Names: []string{"a", "b"}, First: 5}, "5 6"},
		{schema.Classes{Names: []string{"a", "b"}, Unknown: &low}, "-9223372036854775808 1"},
		{schema.Classes{Unknown: &low}, "-9223372036854775808 -9223372036854775808"},
		{schema.Classes{}, "0 -1"},
	} {
		f := schema.Feature{Type: schema.Int64, Classes: &test.classes}
		if got := fmt.Sprintln(limits(f.Stored(schema.ExampleMessage, false))); strings.TrimSpace(got) != test.want {
			t.Errorf("%v: %s, want %s", test.classes, got, test.want)
		}
	}
}
