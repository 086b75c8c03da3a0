package config

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"tfr-build/sources/csv"
	"tfr-build/sources/folder"
	"tfr-build/sources/images"
)

// validFile has valid configs, NAME.yaml, and behind each its canonical text, NAME.canonical.
const validFile = "testdata/good.txtar"

// validConfig returns the text of a config in validFile.
func validConfig(t testing.TB, name string) []byte {
	t.Helper()
	archive, err := txtar.ParseFile(validFile)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == name+".yaml" })
	if i < 0 {
		t.Fatalf("%s has no %s.yaml", validFile, name)
	}
	return archive.Files[i].Data
}

// TestValidConfigs loads the configs in validFile and compares their canonical texts with the ones behind
// them. A canonical text is a config itself, and has the same digest.
func TestValidConfigs(t *testing.T) {
	archive, err := txtar.ParseFile(validFile)
	if err != nil || len(archive.Files) < 2*25 {
		t.Fatalf("%v; want the canonical texts of at least 25 configs", err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		in, want := archive.Files[i], &archive.Files[i+1]
		if want.Name != strings.TrimSuffix(in.Name, ".yaml")+".canonical" {
			t.Fatalf("%s has no canonical text, but %s", in.Name, want.Name)
		}
		t.Run(in.Name, func(t *testing.T) {
			c, err := Parse(in.Name, in.Data, testEnv)
			if err != nil {
				t.Fatal(err)
			}
			got := c.Canonical(nil)
			if *update {
				want.Data = got
			}
			compareLines(t, want.Name, got, want.Data)
			checkCanonical(t, c)
		})
	}
	if *update {
		if err := os.WriteFile(validFile, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkCanonical parses the canonical text of c again.
func checkCanonical(t *testing.T, c *Config) {
	t.Helper()
	text := c.Canonical(nil)
	again, err := Parse("canonical.yaml", append([]byte("output: out\n"), text...), testEnv)
	if err != nil {
		t.Fatalf("the canonical text is refused: %v\n%s", err, text)
	}
	if got, want := again.ConfigDigest(nil), c.ConfigDigest(nil); got != want {
		t.Fatalf("the canonical text of the canonical text differs:\n%s\nwas\n%s", again.Canonical(nil), text)
	}
	short := ShortText(c, nil)
	if again, err = Parse("short.yaml", append([]byte("output: out\n"), short...), testEnv); err != nil {
		t.Fatalf("the short text is refused: %v\n%s", err, short)
	}
	if got := again.Canonical(nil); string(got) != string(text) || len(short) >= len(text) {
		t.Fatalf("the canonical text of the short text differs:\n%s\nshort\n%s\nwas\n%s", got, short, text)
	}
}

func TestDefaults(t *testing.T) {
	c := mustParse(t, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\n")
	s := c.Sources[0]
	switch {
	case c.Version != "1.0.0" || c.Order != "shuffled" || c.Seed != 0 || c.Format != "tfrecord" ||
		c.Compression != "none" || c.Digest != "xxh128" || c.OnError != "fail":
		t.Errorf("got %+v", c)
	case c.MaxErrors.Count != 0 || *c.MaxErrors.Share != 1_000_000:
		t.Errorf("max_errors: got %+v", c.MaxErrors)
	case c.Limits != Limits{Record: 64 << 20, Group: 1_000_000, Columns: 100000, Depth: 1000, Pixels: 178956970}:
		t.Errorf("limits: got %+v", c.Limits)
	case c.Shards.Hosts != 1 || c.Shards.Filename != "{SPLIT}-{SHARD_X_OF_Y}" || c.Shards.Count.Every != 0 ||
		c.Shards.Size != 0:
		t.Errorf("shards: got %+v", c.Shards)
	case len(c.Features) != 0:
		t.Errorf("features: got %+v", c.Features)
	case s.Split.Name != "train" || s.Kind.Options.(*csv.Options).Delimiter != "," ||
		!s.Kind.Options.(*csv.Options).Header || s.Kind.Options.(*csv.Options).Quotes != "rfc4180" ||
		s.Kind.Options.(*csv.Options).Encoding != "utf-8":
		t.Errorf("source: got %+v, %+v", s, s.Kind.Options.(*csv.Options))
	case c.RejectsFile("x/d/") != "x/d.rejects.jsonl":
		t.Errorf("rejects: got %s", c.RejectsFile("x/d/"))
	}
	photos := mustParse(t, "name: d\noutput: out\nsource: {images: {dir: p}}\nshards: 7\n")
	if got := photos.Sources[0].Kind.Options.(*images.Options).Extensions; got.Any ||
		!slices.Equal(got.List, []string{"jpg", "jpeg", "png", "gif", "bmp", "webp"}) {
		t.Errorf("extensions: got %+v", got)
	}
	if photos.Shards.Count.Every != 7 || photos.Shards.Hosts != 0 || photos.Shards.Filename == "" {
		t.Errorf("a bare number of shards: got %+v", photos.Shards)
	}
	files := mustParse(t, "name: d\noutput: out\nsource: {folder: {dir: p}}\n")
	if !files.Sources[0].Kind.Options.(*folder.Options).Extensions.Any {
		t.Error("a directory takes any file unless the config says more")
	}
}

func TestSourcesInheritTopLevelSteps(t *testing.T) {
	c := mustParse(t, `
name: d
output: out
sources:
  - csv: {files: a.csv}
  - csv: {files: b.csv}
    split: test
    rename: {}
    set: {b: y}
    join: []
    load: {}
split: {fractions: {train: 90%, test: 10%}, by: user}
rename: {u: user}
set: {a: x}
join: [{csv: {files: j.csv}, on: user}]
load: {photo: {path: "{user}.jpg", dir: p}}
`)
	a, b := c.Sources[0], c.Sources[1]
	if len(a.Split.Fractions) != 2 || a.Split.By != "user" || a.Split.At != "split" {
		t.Errorf("split of the first source: %+v", a.Split)
	}
	if len(a.Rename) != 1 || len(a.Set) != 1 || len(a.Join) != 1 || a.Join[0].At != "join[0]" || len(a.Load) != 1 ||
		a.Load[0].At != "load.photo" {
		t.Errorf("steps of the first source: %+v", a.Steps)
	}
	if b.Split.Name != "test" || b.Split.At != "sources[1].split" || len(b.Rename)+len(b.Join)+len(b.Load) != 0 ||
		b.Set[0].Key != "b" {
		t.Errorf("steps of the second source: %+v", b.Steps)
	}
	if names, known := c.Splits(); !known || !slices.Equal(names, []string{"train", "test"}) {
		t.Errorf("splits: %v, %v", names, known)
	}
}

func TestPositionsOfKeys(t *testing.T) {
	c := mustParse(t, "name: d\noutput: out\nsource:\n  csv:\n    files: a.csv\nfeatures:\n  a.b: int64\n  c: {type: "+
		"bytes, missing: {default: x}}\n")
	for path, want := range map[string]position{
		"name":                        {1, 7},
		"source.csv.files":            {5, 12},
		"source.csv.files[3].x":       {5, 12},
		"source.csv.delimiter":        {5, 5},
		`features["a.b"]`:             {7, 8},
		"features.c.missing.default":  {8, 39},
		"features.c.missing.nothing":  {8, 29},
		"nowhere":                     {1, 1},
		c.Features[0].At + ".classes": {7, 8},
	} {
		if line, col := c.At(path); (position{line, col}) != want {
			t.Errorf("%s: got %d:%d, want %d:%d", path, line, col, want.line, want.col)
		}
	}
	got := c.Problem(c.Sources[0].At+".csv.files", "no file %q", "a.csv").Error()
	if want := `c.yaml:5:12: source.csv.files: no file "a.csv"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestInputKey finds the keys that name inputs of each form.
func TestInputKey(t *testing.T) {
	c, err := Parse("conf/d.yaml", []byte(`name: d
output: out
sources:
  - csv: a.csv
    join: [{csv: {files: side.csv}, on: id}]
    load: {photo: {path: "{id}", dir: loaded}}
  - jsonl: {files: [b.jsonl, "c/*.jsonl"]}
  - images: photos
  - xml: {dir: annotations}
  - arrays: {columns: {x: x.npy}}
features: {x: {classes: {file: names.txt}}, y: {classes: more.txt}}
`), testEnv)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]position{
		"conf/a.csv": {4, 10}, "conf/side.csv": {5, 26}, "conf/loaded": {6, 39}, "conf/b.jsonl": {7, 20},
		"conf/c/*.jsonl": {7, 20},
		"conf/photos":    {8, 13}, "conf/annotations": {9, 16}, "conf/x.npy": {10, 13}, "conf/names.txt": {11, 32},
		"conf/more.txt":  {11, 58},
		"conf/c/d.jsonl": {7, 20}, "conf/c": {7, 20}, "conf/c/d/e.jsonl": {}, "a.csv": {}, "conf": {},
		"conf/photos/x.jpg": {},
	} {
		at, ok := c.InputKey(path)
		if got := (position{at.Line, at.Col}); got != want || ok != (want != position{}) {
			t.Errorf("%s: %v, %t, want %v", path, got, ok, want)
		}
	}
}

func TestPathsAreRelativeToTheConfig(t *testing.T) {
	c, err := Parse("conf/d.yaml", []byte("name: d\noutput: out\nsource: {csv: {files: a.csv}}\n"), testEnv)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"a.csv": "conf/a.csv", "../a/*.csv": "a/*.csv", "/x/../a": "/a"} {
		if got := c.Resolve(path); got != want {
			t.Errorf("Resolve(%q) is %q, want %q", path, got, want)
		}
	}
}

func TestLoadReadsTheFileAndTheEnvironment(t *testing.T) {
	file := filepath.Join(t.TempDir(), "d.yaml")
	t.Setenv("TFR_SEED", "7")
	text := "\ufeffname: d\r\noutput: out\r\nseed: ${TFR_SEED}\r\nsource: {csv: {files: a.csv}}\r\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := Load(file)
	if err != nil || c.Seed != 7 || c.Dir != filepath.Dir(file) || c.File != file {
		t.Fatalf("got %+v, %v", c, err)
	}
	if _, err := Load(file + "x"); !os.IsNotExist(err) {
		t.Errorf("of no file: %v", err)
	}
}

// TestLargeConfigs refuses files that are too large for a config, such as data, before they cost memory.
func TestLargeConfigs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "d.csv")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 1<<30); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Load(file)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "found more than 16 MiB; expected a config") {
		t.Errorf("%v", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
		t.Errorf("took %d bytes of memory", took)
	}
	_, err = Parse("d.yaml", []byte("features: ["+strings.Repeat("a,", 1_000_001)+"]"), os.LookupEnv)
	if err == nil || !strings.Contains(err.Error(), "found more than 1000000 nodes of YAML") {
		t.Errorf("%v", err)
	}
}
