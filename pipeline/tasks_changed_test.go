package pipeline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/work"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// inputKinds are inputs of all kinds, each of one file that tasks read.
var inputKinds = []struct {
	name, file, source, features string // without features records stay as they are
	content                      func(t *testing.T) string
}{
	{"csv", "a.csv", "{csv: {files: a.csv}}", "{id: int64}", func(*testing.T) string {
		return "id\n" + numbers("%d\n")
	}},
	{"csv, cut", "a.csv", "{csv: {files: a.csv, quotes: none}}", "{id: int64}",
		func(*testing.T) string { return "id\n" + numbers("%d\n") }},
	{"csv, compressed", "a.csv.gz", "{csv: {files: a.csv.gz}}", "{id: int64}",
		func(t *testing.T) string { return filetest.Gzip("id\n" + numbers("%d\n")) }},
	{"jsonl", "a.jsonl", "{jsonl: {files: a.jsonl}}", "{id: int64}",
		func(*testing.T) string { return numbers("{\"id\": %d}\n") }},
	{"json", "a.json", "{json: {files: a.json}}", "{id: int64}",
		func(*testing.T) string { return "[" + strings.TrimSuffix(numbers("{\"id\": %d},"), ",") + "]" }},
	{"text", "a.txt", "{text: {files: a.txt}}", "{text: bytes}", func(*testing.T) string { return numbers("%d\n") }},
	{"tfrecord", "a.rec", "{tfrecord: {files: a.rec}}", "", func(*testing.T) string {
		var all []byte
		for i := range 100 {
			all = tfrecord.TFRecord.Append(all, fmt.Append(nil, i))
		}
		return string(all)
	}},
	{"parquet", "a.parquet", "{parquet: {files: a.parquet}}", "{VendorID: int64}", func(t *testing.T) string {
		data, err := os.ReadFile("../testdata/taxi/yellow_tripdata.parquet")
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}},
	{"arrays", "x.idx", "{arrays: {columns: {x: x.idx}}}", "{x: int64}", func(*testing.T) string {
		return "\x00\x00\x08\x01\x00\x00\x01\x00" + strings.Repeat("x", 256)
	}},
	{"tar", "a.tar", "{tar: {files: a.tar}}", "{txt: bytes}", func(t *testing.T) string {
		w := filetest.NewTar(t)
		for i := range 20 {
			w.Add(fmt.Sprintf("%d.txt", i), fmt.Sprint("text ", i))
		}
		return w.Finish()
	}},
	{"zip", "a.zip", "{zip: {files: a.zip}}", "{content: bytes}", func(t *testing.T) string {
		w := filetest.NewZip(t)
		for i := range 20 {
			w.Add(fmt.Sprintf("%d.txt", i), fmt.Sprint("text ", i))
		}
		return w.Finish()
	}},
	{"xml", "in/a.xml", "{xml: {dir: in}}", "{n: {from: a.n.*, type: int64}}",
		func(*testing.T) string { return "<a>" + numbers("<n>%d</n>") + "</a>" }},
	{"folder", "in/a.txt", "{folder: {dir: in}}", "{content: bytes}", func(*testing.T) string { return "text" }},
	{"images", "in/a.gif", "{images: {dir: in}}", "{image: bytes}", func(*testing.T) string {
		return "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02" +
			"D\x01\x00;"
	}},
}

func numbers(format string) string {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestTasksNameTheInputThatChanged changes an input of every kind before each phase. A task fails
// with its path and INPUT_CHANGED, and nothing is published.
func TestTasksNameTheInputThatChanged(t *testing.T) {
	for _, kind := range inputKinds {
		for how, change := range map[string]func(path, content string) error{
			"longer":  func(path, content string) error { return os.WriteFile(path, []byte(content+"\n5\n"), 0o666) },
			"shorter": func(path, content string) error { return os.Truncate(path, int64(len(content)/2)) },
			"replaced": func(path, content string) error {
				return errors.Join(os.WriteFile(path+".new", []byte(content), 0o666), os.Rename(path+".new", path))
			},
		} {
			for _, before := range Phases() {
				if !testenv.Exhaustive() && (how != "longer" || before != work.Scan) {
					continue
				}
				if strings.HasPrefix(kind.file, "in/") && before == work.Commit {
					continue // a file that is a row was compared when it was read
				}
				t.Run(fmt.Sprintf("%s %s before %s", kind.name, how, before), func(t *testing.T) {
					content := kind.content(t)
					dir := testenv.Directory(t, map[string]string{kind.file: content})
					path := filepath.Join(dir, kind.file)
					made := "features: " + kind.features
					if kind.features == "" {
						made = "record: {bytes: record}"
					}
					cfg := load(t, dir, "name: d\noutput: out\nsource: "+kind.source+"\n"+made+"\n")
					published, err := tasksOfChanged(t, cfg, before, func() error { return change(path, content) })
					failed, ok := errors.AsType[*input.Error](err)
					if !ok || !strings.HasPrefix(failed.Error(), path+": ") || failed.Code() != "INPUT_CHANGED" ||
						!errors.Is(err, files.ErrChanged) {
						t.Errorf("it ends with %T: %v", err, err)
					}
					if published {
						t.Error("a dataset was published")
					}
				})
			}
		}
	}
}

// TestTasksNameTheExtraInputThatChanged changes, before each phase, a file that is not in the
// listing of a source. A task fails with its path, or with the directory of files that rows name.
func TestTasksNameTheExtraInputThatChanged(t *testing.T) {
	for name, aside := range map[string]struct{ file, path, config string }{
		"lookup table": {"side.csv", "side.csv",
			"join: [{csv: {files: [first.csv, side.csv]}, on: {id: id}}]\nfeatures: {v: string}\n"},
		"names of classes": {"side.csv", "side.csv", "features: {id: {classes: {file: side.csv}}}\n"},
		"loaded files": {"docs/2.txt", "docs",
			"load: {doc: {path: '{id}.txt', dir: docs, as: bytes}}\nfeatures: {doc: bytes}\n"},
	} {
		for _, before := range []work.Phase{work.Scan, work.Write, work.Commit} {
			t.Run(fmt.Sprintf("%s before %s", name, before), func(t *testing.T) {
				dir := testenv.Directory(t, map[string]string{
					"a.csv": "id\n1\n2\n", "first.csv": "id,v\n1,x\n", "side.csv": "id,v\n2,y\n", "docs/1.txt": "1",
					"docs/2.txt": "2",
				})
				if name == "names of classes" {
					testenv.Put(t, filepath.Join(dir, aside.file), "1\n2\n")
				}
				cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\n"+aside.config)
				published, err := tasksOfChanged(t, cfg, before, func() error {
					f, err := os.OpenFile(filepath.Join(dir, aside.file), os.O_APPEND|os.O_WRONLY, 0)
					if err == nil {
						_, err = f.WriteString("3\n")
						err = errors.Join(err, f.Close())
					}
					return err
				})
				failed, ok := errors.AsType[*input.Error](err)
				if !ok || failed.Path != filepath.Join(dir, aside.path) || failed.Code() != "INPUT_CHANGED" ||
					!errors.Is(err, files.ErrChanged) {
					t.Errorf("it ends with %T: %v", err, err)
				}
				if published {
					t.Error("a dataset was published")
				}
			})
		}
	}
}

// tasksOfChanged does all tasks, and calls change before those of a phase.
func tasksOfChanged(t *testing.T, cfg *config.Config, before work.Phase, change func() error) (published bool,
	err error) {
	run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")}
	w := filepath.Join(t.TempDir(), "w")
	if _, err := PlanTasks(t.Context(), cfg, run, w); err != nil {
		t.Fatal(err)
	}
	for _, phase := range Phases() {
		if phase == before {
			if err := change(); err != nil {
				t.Fatal(err)
			}
		}
		if err == nil {
			err = oneTask(t, w, phase)
		}
	}
	_, missing := os.Stat(run.Output)
	return missing == nil, err
}
