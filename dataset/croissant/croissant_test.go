package croissant

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/framing"
	"tfr-build/internal/tftest"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

var card = Card{
	License: "CC0-1.0", URL: "https://example.org/penguins", Creator: "Palmer Station", DatePublished: "2026-11-21",
	Citation: "@misc{penguins}", Keywords: []string{"birds", "Antarctica <ice>"},
}

// split returns a split whose shards have such names.
func split(name string, shards ...string) dataset.Split {
	s := dataset.Split{Name: name}
	for i, shard := range shards {
		s.Shards = append(s.Shards, dataset.Shard{Name: shard, Records: int64(10 + i)})
		s.Records += int64(10 + i)
	}
	return s
}

const template = "{SPLIT}-{SHARD_X_OF_Y}"

// penguins have a feature of each form.
func penguins() *dataset.Info {
	classes := &schema.Classes{Names: []string{"Adelie", "d\xff\"", "日本"}, First: 1}
	return &dataset.Info{
		Name: "penguins", Version: "1.0.0", FilenameTemplate: template,
		Record: schema.Record{Features: []schema.Feature{
			{Key: "species", Type: schema.Int64, Classes: classes},
			{Key: "species/number", Type: schema.Int64, Classes: classes},
			{Key: "mass", Type: schema.Float, OnMissing: schema.MissingOmit},
			{Key: "alive", Type: schema.BoolType},
			{Key: "boxes", Type: schema.Float, Shape: []int{-1, 4}, OnMissing: schema.MissingOmit},
			{Key: "rows", Type: schema.Int16, Shape: []int{-1, -1, 2}},
			{Key: "tensor", Type: schema.Bfloat16, Shape: []int{2, 3}, Tensor: true},
			{Key: "raw", Type: schema.Uint64, Shape: []int{2}, Raw: true},
			{Key: "text", Type: schema.StringType},
			{Key: "blob", Type: schema.BytesType},
			{Key: "image/encoded", Type: schema.BytesType, Image: true},
			{Key: "..", Type: schema.Int64},
			{Key: "<b>\"it's\" %41 a:b ü\x01#?", Type: schema.Int64},
		}},
		Splits: []dataset.Split{
			split("train", "train-00000-of-00002", "train-00001-of-00002"),
			split("test", "test-00000-of-00001"),
			split("dev"),
		},
	}
}

func describe(t *testing.T, info *dataset.Info) []byte {
	t.Helper()
	data, err := Describe(info, &card)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var update = flag.Bool("update", false, "write testdata/penguins.json")

func TestGolden(t *testing.T) {
	path := filepath.Join("testdata", "penguins.json")
	got := describe(t, penguins())
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
		t.Errorf("%s is now\n%s\ngo test ./dataset/croissant -update writes it", path, got)
	}
}

// parsed is a description, read again.
func parsed(t *testing.T, info *dataset.Info) (root map[string]any) {
	t.Helper()
	if err := json.Unmarshal(describe(t, info), &root); err != nil {
		t.Fatal(err)
	}
	return root
}

// TestRequired compares a description with the properties that the specification
// requires; mlcroissant takes it without some of them, too.
func TestRequired(t *testing.T) {
	root := parsed(t, penguins())
	for _, key := range []string{"@context", "@type", "conformsTo", "description", "license", "name", "url", "creator",
		"datePublished", "distribution"} {
		if root[key] == nil || root[key] == "" {
			t.Errorf("it has no %s", key)
		}
	}
	visit(root, func(n map[string]any) {
		required := map[any][]string{
			"cr:FileSet": {"@id", "name", "encodingFormat", "includes"}, "cr:RecordSet": {"@id", "name", "field"},
			"cr:Field": {"@id", "name", "dataType"}, "sc:Organization": {"name"},
		}[n["@type"]]
		for _, key := range required {
			if n[key] == nil || n[key] == "" {
				t.Errorf("a %s has no %s: %v", n["@type"], key, n)
			}
		}
	})
}

// visit calls see with each object within v.
func visit(v any, see func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		see(v)
		for _, of := range v {
			visit(of, see)
		}
	case []any:
		for _, of := range v {
			visit(of, see)
		}
	}
}

// TestIDs makes sure that no two objects have one id, and that each reference has
// an object.
func TestIDs(t *testing.T) {
	ids, references := map[string]int{}, []string{}
	root := parsed(t, penguins())
	delete(root, "@context")
	visit(root, func(n map[string]any) {
		of, ok := n["@id"].(string)
		switch {
		case ok && n["@type"] != nil:
			ids[of]++
		case ok:
			references = append(references, of)
		}
	})
	for of, n := range ids {
		if n > 1 {
			t.Errorf("%d objects are %s", n, of)
		}
		if strings.ContainsAny(of, " :.\"<>#?\\\x01") {
			t.Errorf("%q is not a part of an IRI", of)
		}
	}
	for _, of := range references {
		if ids[of] == 0 {
			t.Errorf("no object is %s", of)
		}
	}
}

func TestMissing(t *testing.T) {
	_, err := Describe(penguins(), &Card{URL: "https://example.org"})
	if err == nil || err.Error() != "card: Croissant requires license, creator, date_published" {
		t.Error(err)
	}
	if missing := card.missing(); missing != nil {
		t.Error(missing)
	}
}

func TestLicense(t *testing.T) {
	for of, want := range map[string]string{
		"CC0-1.0":                 "https://spdx.org/licenses/CC0-1.0.html",
		"MIT":                     "https://spdx.org/licenses/MIT.html",
		"https://example.org/all": "https://example.org/all",
		"proprietary":             "map[@type:sc:CreativeWork name:proprietary]",
		"ask Mary":                "map[@type:sc:CreativeWork name:ask Mary]",
	} {
		if got := fmt.Sprint(license(of)); got != want {
			t.Errorf("%s: %s, want %s", of, got, want)
		}
	}
}

func TestPatterns(t *testing.T) {
	for _, test := range []struct {
		splits []dataset.Split
		want   string
	}{
		{[]dataset.Split{split("a", "a-0-of-2", "a-1-of-2"), split("b", "b-0-of-1")}, "a-*-of-2 b-0-of-1"},
		{[]dataset.Split{split("a", "a-0", "a-1"), split("ab", "a-b-0")}, "a-0 a-1 a-b-0"}, // a-* is both
		{[]dataset.Split{split("a", "a/part-00000", "a/part-00001")}, "a/part-*"},
		{[]dataset.Split{split("[a]", "[a]*0?", "[a]*1?"), split("*", "*")}, "[[]a][*]*[?] [*]"},
		{[]dataset.Split{split("a")}, ""},
	} {
		var got []string
		for i := range test.splits {
			got = append(got, patterns(test.splits, i)...)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%v: %s, want %s", test.splits, got, test.want)
		}
	}
}

// infos are datasets of every kind.
func infos() map[string]*dataset.Info {
	all := map[string]*dataset.Info{"penguins": penguins()}
	odd := func(name string, change func(*dataset.Info)) {
		info := penguins()
		change(info)
		all[name] = info
	}
	odd("empty", func(info *dataset.Info) { info.Splits = nil })
	odd("splitfeature", func(info *dataset.Info) { info.Record.Features[0].Key = splitName })
	odd("text", func(info *dataset.Info) {
		info.Record = schema.Record{Message: schema.TextMessage, Column: "text"}
		info.Compression = tfrecord.Gzip
	})
	odd("sequence", func(info *dataset.Info) {
		info.Record.Message = schema.SequenceMessage
		info.Record.Sequence = []schema.Feature{{Key: "tokens", Type: schema.Int64, Shape: []int{2}}}
	})
	odd("ofrecord", func(info *dataset.Info) {
		info.Record.Message, info.Framing, info.FilenameTemplate = schema.OFRecordMessage, framing.Name(
			"ofrecord").Format(), "{SPLIT}/part-{INDEX}"
		info.Splits = []dataset.Split{split("a+b", "a+b/part-0", "a+b/part-1"), split("a", "a/part-0")}
	})
	odd("many", func(info *dataset.Info) {
		info.Record.Features[0].Classes = &schema.Classes{Names: make([]string, maxNames+1)}
		for i := range 500 {
			info.Record.Features = append(info.Record.Features,
				schema.Feature{Key: fmt.Sprintf("f%d", i), Type: schema.Float})
		}
	})
	return all
}

// expected is the result that mlcroissant must return for a description.
type expected struct {
	Fields []string          `json:"fields"`
	Among  []string          `json:"among"`  // files, of which these are shards, with their splits
	Splits map[string]string `json:"splits"` // none where the names do not tell
	Files  []string          `json:"files"`
}

func expect(info *dataset.Info) expected {
	e := expected{Fields: []string{}, Files: []string{}, Splits: map[string]string{},
		Among: []string{"dataset_info.json", "features.json", "_SUCCESS", "train.labels.txt", "_tfr/reader.py"}}
	if !hasShards(info) {
		return e
	}
	if recordHasSplit(info) {
		e.Fields = append(e.Fields, splitName)
	}
	for _, f := range info.Record.Stored() {
		e.Fields = append(e.Fields, f.Key)
	}
	if info.Record.Column != "" {
		e.Fields = append(e.Fields, info.Record.Column)
	}
	for _, s := range info.Splits {
		e.Files = append(e.Files, names(s)...)
		for _, name := range names(s) {
			e.Splits[name] = s.Name
		}
	}
	e.Among = append(e.Among, e.Files...)
	return e
}

// TestMlcroissant has the real validator read descriptions of every kind.
func TestMlcroissant(t *testing.T) {
	tftest.Python(t)
	dir, args := t.TempDir(), []string{}
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, info := range infos() {
		write(name+".json", describe(t, info))
		data, err := json.Marshal(expect(info))
		if err != nil {
			t.Fatal(err)
		}
		write(name+".json.expected", data)
		args = append(args, filepath.Join(dir, name+".json"))
	}
	tftest.Run(t, filepath.Join("testdata", "validate.py"), args...)
}
