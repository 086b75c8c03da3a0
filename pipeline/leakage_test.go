package pipeline

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
)

// TestLeakageOfImages has one image in two splits, in records of different sizes, before or after
// other values: it is found by its content alone.
func TestLeakageOfImages(t *testing.T) {
	picture := func(gray uint8) string {
		m := image.NewGray(image.Rect(0, 0, 8, 8))
		m.Set(1, 1, color.Gray{gray})
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	dir := testenv.Directory(t, map[string]string{
		"a.csv": "name,file,split\nshort,a.png,train\nother,b.png,train\n" + strings.Repeat("long", 50) +
			",a.png,test\n",
		"a.png": picture(1), "b.png": picture(2),
	})
	for _, features := range []string{"{image: {from: image}, name: bytes}", "{zimage: {from: image}, name: bytes}"} {
		cfg := load(t, dir, `
name: d
output: out
source:
  csv: {files: a.csv}
  load: {image: {path: "{file}", dir: .}}
  split: {column: split}
features: `+features+`
checks: {leakage: 1}
on_check: fail
`)
		_, err := buildTo(t, cfg, ways[0])
		found := new(ChecksError)
		if !errors.As(err, &found) || len(found.Findings) != 1 || found.Findings[0].Found != "2 rows" {
			t.Errorf("%s: %v, %+v", features, err, found)
		}
	}
}

// news are texts in directories of two splits: one is in both, under another path.
func news(t *testing.T) string {
	return testenv.Directory(t, map[string]string{
		"train/tech/001.txt": "phones are small", "train/sport/002.txt": "a goal",
		"test/tech/007.txt":  "phones are small",
		"test/sport/009.txt": "a match",
		"train.tar":          filetest.Tar(t, "tech/001.txt", "phones are small", "sport/002.txt", "a goal"),
		"test.tar":           filetest.Tar(t, "tech/007.txt", "phones are small", "sport/009.txt", "a match"),
		"a.csv":              "path,text,part\na,phones are small,train\nb,phones are small,test\n",
	})
}

// TestLeakageOfStrings finds a text in two splits, in records of each message, whatever else the
// records have.
func TestLeakageOfStrings(t *testing.T) {
	dir := news(t)
	const places = "  path: string\n  filename: string\n  stem: string\n  f: {from: \"@file\", type: string}\n  s: " +
		"{from: \"@split\", type: string}\n"
	const directories = "sources:\n- {split: train, folder: {dir: train}}\n- {split: test, folder: {dir: test}}\n"
	const derived = "sources:\n- {split: train, folder: {dir: train}, rename: {path: p}, derive: {id: 'lower(p) + " +
		"stem', both: 'text(p) + text(class)'}}\n" +
		"- {split: test, folder: {dir: test}, rename: {path: p}, derive: {id: 'lower(p) + stem', both: 'text(p) + " +
		"text(class)'}}\n"
	const archives = "sources:\n- {split: train, tar: {files: train.tar}}\n- {split: test, tar: {files: test.tar}}\n"
	const table = "source: {csv: {files: a.csv}, split: {column: part}}\n"
	const text = "  text: {from: content, type: string}\n  class: {classes: auto}\n"
	for name, test := range testenv.Some(0, 5, map[string]struct {
		sources, features, leakage, found string
	}{
		"no place":            {directories, text, "0", "2 rows"},
		"places":              {directories, text + places, "0", "2 rows"},
		"as many are let":     {directories, text + places, "2", ""},
		"renamed and derived": {derived, text + "  p: string\n  id: string\n", "0", "2 rows"},
		"derived of more":     {derived, text + "  both: string\n", "0", ""},
		"a tar's key": {archives, "  text: {from: txt, type: string}\n  key: string\n  stem: string\n", "0",
			"2 rows"},
		"a column that is named": {directories, text + places, "{of: [text, path]}", ""},
		"the text alone": {directories, text + "  class2: {from: path, type: string}\n", "{of: [text]}",
			"2 rows"},
		"a class alone":            {directories, text + places, "{rows: 1, of: [class]}", "4 rows"},
		"a table's column":         {table, "  path: string\n  text: string\n", "0", ""},
		"a table's column, of":     {table, "  path: string\n  text: string\n", "{rows: 1, of: [text]}", "2 rows"},
		"nothing but places":       {directories, "  path: string\n", "0", ""},
		"a place of two is a text": {directories, "  t: {from: [path, content], type: string, shape: [2]}\n", "0", ""},
	}) {
		records := []string{"record: example\n", "record: json\n", "record: json_example\n", "format: ofrecord\n"}
		if name != "places" && name != "a column that is named" {
			records = records[:1]
		}
		for _, record := range records {
			cfg := load(t, dir, "name: d\noutput: out\n"+record+test.sources+
				"features:\n"+test.features+"checks: {leakage: "+test.leakage+"}\n")
			checkLeakage(t, name+", "+record, cfg, test.found)
		}
	}
	for leakage, found := range map[string]string{"0": "2 rows", "{of: [words]}": "2 rows",
		"{of: [place, words]}": ""} {
		cfg := load(t, dir, "name: d\noutput: out\n"+table+"record: sequence\ncontext: {place: {from: \"@split\", "+
			"type: string}}\n"+
			"sequence: {words: {from: text, type: string, separator: \" \"}}\nchecks: {leakage: "+leakage+"}\n")
		checkLeakage(t, "sequence, "+leakage, cfg, found)
	}
}

func checkLeakage(t *testing.T, name string, cfg *config.Config, want string) {
	t.Helper()
	for _, statistics := range []bool{true, false} {
		cfg.Statistics.On = statistics
		found := ""
		for _, f := range manifestOf(t, mustBuild(t, cfg, ways[1])).Findings {
			found += f.Found
		}
		if found != want {
			t.Errorf("%s, statistics %t: found %q, want %q", name, statistics, found, want)
		}
	}
}
