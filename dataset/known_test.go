package dataset

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
)

// knownSchema has a feature for each thing that a dataset says of one.
func knownSchema() schema.Record {
	classes := &schema.Classes{Names: []string{"Biscoe", "Dream", "a\x1b[31m", strings.Repeat("é", 100), "",
		"two words"}}
	from7 := &schema.Classes{Names: []string{"seven", "eight"}, First: 7}
	list := []int{-1}
	return schema.Record{
		Features: []schema.Feature{
			{Key: "class", Type: schema.Int64, Classes: classes},
			{Key: "from7", Type: schema.Int64, Classes: from7, Shape: list},
			{Key: "many", Type: schema.Int64, Classes: classes, Shape: list},
			{Key: "ragged", Type: schema.Int64, Classes: classes, Shape: []int{-1, -1}},
			{Key: "number", Type: schema.Int64},
			{Key: "tensor", Type: schema.Int64, Shape: list, Tensor: true},
			{Key: "raw", Type: schema.StringType, Raw: true},
			{Key: "text", Type: schema.StringType},
			{Key: "texts", Type: schema.StringType, Shape: []int{1}},
			{Key: "bytes", Type: schema.BytesType},
		},
		Sequence: []schema.Feature{
			{Key: "class", Type: schema.Int64, Classes: from7},
			{Key: "steps", Type: schema.Int64, Shape: list},
		},
	}
}

// TestPrintKnownRecord shows values as the dataset's schema has them.
func TestPrintKnownRecord(t *testing.T) {
	text := func(s string) [][]byte { return [][]byte{[]byte(s)} }
	for _, c := range []struct {
		key         string
		values      values
		text, plain string
	}{
		{"class", []int64{1}, "1 (Dream)", "1"},
		{"class", []int64{5}, "5 (two words)", "5"},
		{"class", []int64{4}, `4 ("")`, "4"},
		{"class", []int64{2}, `2 ("a\x1b[31m")`, "2"},
		{"class", []int64{3}, "3 (" + strings.Repeat("é", 30) + "…)", "3"},
		{"class", []int64{-1}, "-1", "-1"},
		{"class", []int64{6}, "6", "6"},
		{"class", []int64{-1 << 63}, "-9223372036854775808", "-9223372036854775808"},
		{"class", []int64{1, 0}, "[1 (Dream), 0 (Biscoe)]", "[1,0]"},
		{"class", []int64{}, "[]", "[]"},
		{"class", []float32{1}, "float 1", "1"},
		{"from7", []int64{8}, "8 (eight)", "[8]"},
		{"from7", []int64{6, 7, 1<<63 - 1}, "[6, 7 (seven), 9223372036854775807]", "[6,7,9223372036854775807]"},
		{"many", slices.Repeat([]int64{1}, 25), "[" + strings.Repeat("1 (Dream), ", 20) + "… 25 values]",
			"[1" + strings.Repeat(",1", 24) + "]"},
		{"ragged/ragged_flat_values", []int64{1}, "1 (Dream)", "[1]"},
		{"ragged/ragged_row_lengths_0", []int64{1}, "int64 1", "[1]"},
		{"ragged", []int64{1}, "int64 1", "1"},
		{"number", []int64{1}, "int64 1", "1"},
		{"tensor", text("\b\t"), `bytes "\b\t"`, `{"base64":"CAk="}`},
		{"raw", text("raw"), `bytes "raw"`, `{"base64":"cmF3"}`},
		{"text", text("t\x01"), `bytes "t\x01"`, `"t\u0001"`},
		{"text", text("\xff"), `bytes "\xff"`, `{"base64":"/w=="}`},
		{"texts", text("t"), `bytes "t"`, `["t"]`},
		{"bytes", text("text"), `bytes "text"`, `{"base64":"dGV4dA=="}`},
		{"unknown", text("text"), `bytes "text"`, `"text"`},
	} {
		record := knownSchema()
		payload := example(t, map[string]values{c.key: c.values})
		for form, want := range map[Form]string{TextForm: "  " + c.key + ": " + c.text,
			PlainForm: `{"` + c.key + `":` + c.plain + "}"} {
			var b bytes.Buffer
			if err := PrintRecord(&b, &record, payload, form); err != nil || b.String() != want+"\n" {
				t.Errorf("%s %v is\n%swant\n%s\n%v", c.key, c.values, &b, want, err)
			}
		}
	}
}

// TestPrintKnownSequence tells a feature list from the feature of the context that
// has its key.
func TestPrintKnownSequence(t *testing.T) {
	record := knownSchema()
	record.Message = schema.SequenceMessage
	ints := func(n ...byte) []byte { return bytesField(2, bytesField(3, bytesField(1, n))) } // the value of an entry
	entry := func(key string, value []byte) []byte { return append(bytesField(1, []byte(key)), value...) }
	steps := func(n byte) []byte { return bytesField(2, bytesField(1, bytesField(3, bytesField(1, []byte{n})))) }
	payload := bytesField(1, bytesField(1, entry("class", ints(1))))
	payload = append(payload, bytesField(2, append(bytesField(1, entry("class", steps(8))),
		bytesField(1, entry("steps", steps(8)))...))...)
	for form, want := range map[Form]string{
		TextForm:  "  class: 1 (Dream)\n  class: 1 step\n    8 (eight)\n  steps: 1 step\n    int64 8\n",
		PlainForm: `{"context":{"class":1},"feature_lists":{"class":[8],"steps":[[8]]}}` + "\n",
	} {
		var b bytes.Buffer
		if err := PrintRecord(&b, &record, payload, form); err != nil || b.String() != want {
			t.Errorf("got\n%swant\n%s%v", &b, want, err)
		}
	}
}

// bytesField is a field of bytes, fewer than 128.
func bytesField(number byte, content []byte) []byte {
	return append([]byte{number<<3 | 2, byte(len(content))}, content...)
}

// TestInspectKnownDataset asks for the schema of a dataset, and prints the records
// without it where its files do not tell.
func TestInspectKnownDataset(t *testing.T) {
	info := &Info{Name: "known", Version: "1.0.0", Record: knownSchema()}
	fsys := finish(t, info, &Manifest{}, []testSplit{{"train",
		[][][]byte{{example(t, map[string]values{"from7": []int64{7}})}}}})
	const known, unknown = `{"from7":[7]}` + "\n", `{"from7":7}` + "\n"
	tell := func([]byte, *Manifest) (schema.Record, error) { return knownSchema(), nil }
	for _, c := range []struct {
		name          string
		without       string // a file
		record        func([]byte, *Manifest) (schema.Record, error)
		want, warning string
	}{
		{"known", "", tell, known, ""},
		{"without a config", ConfigName, tell, unknown, ConfigName + ": it is missing; records"},
		{"without a reader", ReaderName, tell, known, ""},
		{"not understood", "", func([]byte, *Manifest) (schema.Record, error) {
			return schema.Record{}, errors.New("bad")
		},
			unknown, "bad; records"},
		{"not requested", ConfigName, nil, unknown, ""},
	} {
		dir, warnings := t.TempDir(), ""
		put(t, fsys, dir)
		for _, name := range []string{ConfigName, ReaderName} {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if name == c.without {
				if err := os.Remove(filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
		}
		var b bytes.Buffer
		opt := InspectOptions{Form: PlainForm, Record: c.record, Warn: func(text string) { warnings += text }}
		err := InspectDataset(&b, dir, opt, func(string) {})
		if err != nil || b.String() != c.want || !strings.HasPrefix(warnings, c.warning) ||
			(warnings == "") != (c.warning == "") {
			t.Errorf("%s: %s, warned %q, %v", c.name, &b, warnings, err)
		}
	}
}

// TestInspectSplit prints the records of one split, of which skip and limit count.
func TestInspectSplit(t *testing.T) {
	number := func(n int64) []byte { return example(t, map[string]values{"i": []int64{n}}) }
	splits := []testSplit{
		{"train", [][][]byte{{number(0), number(1)}, {number(2)}}},
		{"test", [][][]byte{{number(3)}, {number(4), number(5)}}},
		{"empty", nil},
	}
	dir := t.TempDir()
	put(t, finish(t, &Info{Name: "splits", Version: "1.0.0"}, &Manifest{}, splits), dir)
	for _, c := range []struct {
		split       string
		skip, limit int64
		want        string
	}{
		{"", 0, 0, "012345"}, {"train", 0, 0, "012"}, {"test", 0, 0, "345"}, {"test", 1, 1, "4"}, {"test", 3, 0, ""},
		{"empty", 0, 0, ""},
	} {
		var b bytes.Buffer
		opt := InspectOptions{Form: PlainForm, Split: c.split, Skip: c.skip, Limit: c.limit}
		err := InspectDataset(&b, dir, opt, func(string) {})
		got := strings.NewReplacer(`{"i":`, "", "}\n", "").Replace(b.String())
		if err != nil || got != c.want {
			t.Errorf("%q, skip %d, limit %d: %s, %v; want %s", c.split, c.skip, c.limit, got, err, c.want)
		}
	}
	err := InspectDataset(&bytes.Buffer{}, dir, InspectOptions{Split: "tset"}, func(string) {})
	if e := new(SplitError); !errors.As(err, &e) || e.Error() != `no split "tset"` ||
		!slices.Equal(e.Splits, []string{"train", "test", "empty"}) {
		t.Errorf("%v", err)
	}
}
