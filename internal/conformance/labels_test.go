package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	written "tfr-build/dataset"
	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// oddClasses are directories whose names no line of text holds, and one that it does.
var oddClasses = []string{" Rex", "two\nlines", "plain", "caf\xe9"}

// oddLines is how a label file has them, in the order of their numbers.
const oddLines = `" Rex"` + "\n" + `"caf\xe9"` + "\nplain\n" + `"two\nlines"` + "\n"

// TestOddClasses builds a dataset of such classes, and of keys that make the same
// name of a label file: what a file cannot hold is said, all else is there.
func TestOddClasses(t *testing.T) {
	for _, compression := range []string{"none", "gzip", "zlib"} {
		t.Run(compression, func(t *testing.T) {
			dir := t.TempDir()
			for _, class := range oddClasses {
				if err := os.MkdirAll(filepath.Join(dir, "in", class), 0o777); err != nil {
					t.Skipf("this file system has no such name: %v", err)
				}
				write(t, filepath.Join(dir, "in", class), "a.txt", []byte("x"))
			}
			write(t, dir, "d.yaml", []byte("name: odd\noutput: odd/1.0.0\nsource: {folder: {dir: "+
				"in}}\ncompression: "+compression+`
features:
  label: {from: class, classes: auto}
  a.b: {from: filename, classes: [a.txt]}
  a/b: {from: filename, classes: [b.txt, a.txt]}
  class: bytes
`))
			said := program(t, filepath.Join(dir, "d.yaml"))
			for _, want := range []string{
				`warning: feature "label": label.labels.txt has the class " Rex" and 2 others in quotes, which no ` +
					`line can hold as it is`,
				`warning: feature "a/b": it has no label file, and TFDS takes it for a number, for the feature ` +
					`"a.b" has the file a.b.labels.txt; its classes are named in _tfr/reader.py`,
			} {
				if !strings.Contains(said, want+"\n") {
					t.Errorf("it does not say %s, but\n%s", want, said)
				}
			}
			out := filepath.Join(dir, "odd", "1.0.0")
			for name, want := range map[string]string{"label.labels.txt": oddLines, "a.b.labels.txt": "a.txt\n"} {
				if got, err := os.ReadFile(filepath.Join(out, name)); err != nil || string(got) != want {
					t.Errorf("%s: %q (%v), want %q", name, got, err, want)
				}
			}
			reader, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(written.ReaderName)))
			if err != nil || !strings.Contains(string(reader), "\n            b\"caf\\xe9\",\n") {
				t.Errorf("%s does not have the name as bytes (%v):\n%s", written.ReaderName, err, reader)
			}
			program(t, "verify", "-deep", out)
			if os.Getenv(tftest.PythonVar) != "" {
				tftest.Run(t, filepath.Join("testdata", "labels.py"), dir)
			}
		})
	}
}

// labelMapForms read a label map, and write one.
var labelMapForms = []form{{
	"jsonl, label maps",
	"source: {jsonl: {files: 'in/*.jsonl'}}\nshards: 2\nfeatures: {id: int64, vendor: {classes: map.pbtxt, " +
		"label_map: label_map.pbtxt}}\n",
	func(t testing.TB, dir string, rows int) {
		jsonFiles(t, dir, rows)
		write(t, dir, "map.pbtxt",
			[]byte("# taxis\nitem { id: 3 name: 'VTS' }\nitem { id: 1 name: 'CMT' display_name: 'Taxi' } item { id: "+
				"2 name: \"DDS\" }"))
	},
}}

// TestLabelMap checks that ids of a label map are the numbers, and that the label map of the dataset has them.
func TestLabelMap(t *testing.T) {
	dir := t.TempDir()
	f := labelMapForms[0]
	build(t, f.lay(t, dir, 60), filepath.Join(dir, "mapped"), pipeline.Run{})
	f.config = strings.Replace(f.config, "map.pbtxt", "{names: [CMT, DDS, VTS], first: 1}", 1)
	build(t, f.configure(t, dir, "listed.yaml", ""), filepath.Join(dir, "listed"), pipeline.Run{})
	if mapped, listed := payloads(t, filepath.Join(dir, "mapped")), payloads(t,
		filepath.Join(dir, "listed")); !reflect.DeepEqual(mapped, listed) {
		t.Errorf("a label map and a list of its names make different records")
	}
	const want = "item {\n  id: 1\n  name: \"CMT\"\n}\nitem {\n  id: 2\n  name: \"DDS\"\n}\nitem {\n  id: 3\n  name: " +
		"\"VTS\"\n}\n"
	if got, err := os.ReadFile(filepath.Join(dir, "mapped", "label_map.pbtxt")); err != nil || string(got) != want {
		t.Errorf("the label map is %q, %v; expected %q", got, err, want)
	}
}

// TestPythonReadsLabelMaps builds datasets with label maps as people and programs write them. A script, which
// reads them with protobuf for Python, finds the same names and ids in them, in the datasets' maps, and in the records.
func TestPythonReadsLabelMaps(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	var args []string
	for name, m := range map[string]struct {
		text  string
		names []string
	}{
		"plain": {"item {\n  id: 1\n  name: 'Cat'\n}\n\n\nitem {\n  id: 2\n  name: 'Dog'\n}\n", []string{"Cat", "Dog"}},
		"made": {"# by hand\nitem: { name: \"d og\"; id: 2, } item < id: 0x1 name: 'c' \"at\" # joined\n>",
			[]string{"cat", "d og"}},
		"list": {"item: [{ id: 3 name: 'a\\'b\\\"c\\\\d\\te' }, { id: 1 name: '\\303\\251\\u00e9🐱 #' }, { id: 2 " +
			"name: ' ' }]", []string{"éé🐱 #", " ", "a'b\"c\\d\te"}},
		"shown": {"item { display_name: 'Cat' name: '/m/01yrx' id: 1 } item { id: 2 name: 'x' }",
			[]string{"/m/01yrx", "x"}},
		"far": {"item { id: 7 name: '\u2028' }", []string{"\u2028"}},
	} {
		first := 1
		if name == "far" {
			first = 7
		}
		var rows strings.Builder
		for _, n := range m.names {
			row, err := json.Marshal(map[string]string{"name": n})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&rows, "%s\n", row)
		}
		write(t, dir, name+".jsonl", []byte(rows.String()))
		write(t, dir, name+".pbtxt", []byte(m.text))
		write(t, dir, name+".yaml", []byte(fmt.Sprintf("name: d\noutput: out\nsource: {jsonl: %[1]s.jsonl}\n"+
			"features: {name: string, label: {from: name, classes: {file: %[1]s.pbtxt, first: %d}, label_map: "+
			"label_map.pbtxt}}\n", name, first)))
		build(t, filepath.Join(dir, name+".yaml"), filepath.Join(dir, name), pipeline.Run{})
		args = append(args, filepath.Join(dir, name+".pbtxt"), filepath.Join(dir, name))
	}
	tftest.Run(t, "testdata/label_map.py", args...)
}

// program runs tfr-build, which has to succeed, and returns what it said.
func program(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(testenv.Program(t), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("tfr-build %q: %v\n%s", args, err, out)
	}
	return string(out)
}
