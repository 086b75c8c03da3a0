package pipeline

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
)

// verifyDeep verifies a dataset and returns what was reported.
func verifyDeep(t *testing.T, dir string) (found []string) {
	t.Helper()
	_, err := dataset.Verify(t.Context(), dir, dataset.VerifyOptions{
		Workers: 2, Deep: true, Record: DatasetRecord,
		Report: func(d *dataset.DamageError) { found = append(found, d.Error()) },
		Warn:   func(text string) { t.Errorf("warned: %s", text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestDatasetRecord builds datasets whose features are described in all ways, and checks all
// records.
func TestDatasetRecord(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"t.csv":     rowsCSV(300),
		"t.jsonl":   rowsJSONL(300),
		"names":     "a \t\"quoted\"\n$HOME ${X}\nwörd: -\nnull\r\n007\n",
		"texts.csv": "id,name,list\n1,007,1;2\n2,null,\n3,$HOME ${X},3\n4,strange,4;5;6\n5,\"a \t\"\"quoted\"\"\",\n",
		"boxes.csv": "id,xmin,label\n1,0.5,x\n1,0.25,y\n3,1,x\n",
	})
	for name, text := range map[string]string{
		"auto":       "source: {csv: {files: t.csv}}\n" + tableFeatures,
		"compressed": "source: {csv: {files: t.csv}}\ncompression: gzip\n" + tableFeatures,
		"jsonl":      "sources: [{csv: {files: t.csv}, split: test}, {jsonl: {files: t.jsonl}}]\n" + tableFeatures,
		"a file of classes": `
source: {csv: {files: texts.csv}}
features:
  label: {from: name, classes: {file: names, first: 1, unknown: -1}}
  list: {type: uint8, separator: ";"}
  pair: {from: [id, id], type: int16}
  five: {value: 5}
`,
		"many matches": `
source: {csv: {files: texts.csv}}
join: [{csv: {files: boxes.csv}, on: id, many: true}]
compression: zlib
features:
  xmin: float
  label: {classes: [x, y]}
  maybe: {from: xmin, type: float, missing: empty_list}
  three: {value: 3, repeat: xmin}
`,
	} {
		t.Run(name, func(t *testing.T) {
			out := mustBuild(t, load(t, dir, "name: it\noutput: out\n"+text), way{2, plenty, 0})
			if found := verifyDeep(t, out); found != nil {
				t.Errorf("alarms: %q", found)
			}
			var names []string
			for _, f := range datasetFeatures(t, out) {
				if f.Classes != nil {
					names = append(names, f.Classes.Names...)
				}
			}
			if name != "many matches" && len(names) < 5 {
				t.Errorf("the classes are %q", names)
			}
		})
	}
}

func datasetFeatures(t *testing.T, dir string) []schema.Feature {
	t.Helper()
	record, err := DatasetRecord(read(t, dir, dataset.ConfigName), manifestOf(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	return record.Features
}

// classesOf returns the names of a feature's classes in the manifest of a dataset.
func classesOf(t *testing.T, dir, key string) []string {
	t.Helper()
	list, _ := manifestOf(t, dir).FindClasses(key)
	return list.Names
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestDeepComparesRecordsWithTheConfig puts the records of one dataset, with correct checksums,
// into another.
func TestDeepComparesRecordsWithTheConfig(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "id,name,flag\n1,a,1\n2,b,0\n"})
	csv := "name: it\noutput: out\nsource: {csv: {files: t.csv}}\norder: source\nfeatures:\n"
	out := mustBuild(t, load(t, dir, csv+"  id: {from: flag, type: bool}\n  label: {from: name, classes: auto}\n"),
		way{1, plenty, 0})
	other := mustBuild(t, load(t, dir, csv+"  id: int64\n  label: {from: name, classes: {names: [x, b, a], first: "+
		"1}}\n"),
		way{1, plenty, 0})
	const shard = "train-00000-of-00001"
	testenv.Put(t, filepath.Join(out, shard), string(read(t, other, shard)))
	found := verifyDeep(t, out)
	if len(found) != 3 || !strings.HasPrefix(found[0],
		shard+": its records are complete, but differ from the written ones") ||
		!strings.HasSuffix(found[1], `: feature "label": value 0 is 3; expected the number of a class, 0 to 1`) ||
		!strings.HasSuffix(found[2], `: feature "id": value 0 is 2; expected bool, 0 to 1`) {
		t.Errorf("found\n%s", strings.Join(found, "\n"))
	}
}

func TestDatasetRecordErrors(t *testing.T) {
	problems := new(config.Problems)
	if _, err := DatasetRecord([]byte("name: 7\n"), nil); !errors.As(err, &problems) ||
		problems.File != dataset.ConfigName {
		t.Errorf("a text that is not a config: %v", err)
	}
	cfg := load(t, t.TempDir(),
		"name: it\noutput: out\nsource: {csv: {files: t.csv}}\nfeatures: {a: {classes: auto}, b: {classes: [x]}}\n")
	record, err := DatasetRecord(cfg.Canonical(nil), &dataset.Manifest{})
	if err != nil || record.Features[0].Classes != nil || record.Features[0].Type != schema.Int64 ||
		len(record.Features[1].Classes.Names) != 1 {
		t.Errorf("a manifest without classes: %+v, %v", record, err)
	}
}

func TestCheckSalvage(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"set/_SUCCESS": "", "setting/x": ""})
	if err := os.Symlink(filepath.Join(dir, "set"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]string{
		"saved": "", "setting": "", "set": "inside", "set/saved/deep": "inside", "link/saved": "inside",
		".": "contains",
	} {
		err := CheckSalvage(filepath.Join(dir, to), []string{filepath.Join(dir, "set")})
		place := new(BadPathError)
		if (err == nil) != (want == "") ||
			err != nil && (!errors.As(err, &place) || !strings.Contains(place.Text, want)) {
			t.Errorf("%s: %v, want %q", to, err, want)
		}
	}
}
