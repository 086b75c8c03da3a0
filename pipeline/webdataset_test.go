package pipeline

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/buckettest"
	"tfr-build/internal/testenv"
	"tfr-build/webdataset"
)

const membersText = `
format: webdataset
webdataset:
  key: "{id}"
  members: {bin: text, cls: user, json: [x, id]}
features:
  id: int64
  x: {type: float}
  text: {type: bytes, missing: omit}
  user: {classes: auto}
`

// TestWebDatasetEveryWay builds archives with several workers, with spill files, by tasks, and after a stop: the bytes
// are the same, also in a bucket, and the index and what a resumed build knows of keys, too.
func TestWebDatasetEveryWay(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(testenv.Times(300, 3000, 3000))})
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	buckettest.Env(t, g.URL)
	for name, more := range map[string]string{"index": "index: true\n",
		"gzip": "compression: gzip\nstatistics: false\n"} {
		t.Run(name, func(t *testing.T) {
			text := "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nsplit: {fractions: {train: 80%, test: " +
				"20%}}\nshards: 3\n" + more + membersText
			out := sameEveryWay(t, load(t, dir, text))
			want := tree(t, out)
			if name == "gzip" {
				isOneMember(t, filepath.Join(out, "d-train-000000.tar.gz"))
			}

			run := Run{Workers: 1, Memory: plenty, Sync: true, Output: filepath.Join(t.TempDir(), "out")}
			w := filepath.Join(t.TempDir(), "w")
			if _, err := PlanTasks(t.Context(), load(t, dir, text), run, w); err != nil {
				t.Fatal(err)
			}
			for _, phase := range Phases() {
				if err := oneTask(t, w, phase); err != nil {
					t.Fatalf("%s: %v", phase, err)
				}
			}
			if got := tree(t, run.Output); got != want {
				t.Errorf("tasks: other bytes:\n%s\nwant\n%s", got, want)
			}

			run.Output, run.Scratch = "s3://data/"+name+"/out", t.TempDir()
			if _, err := Build(t.Context(), load(t, dir, text), run); err != nil {
				t.Fatal(err)
			}
			if got := tree(t, filepath.Join(g.Dir, strings.TrimPrefix(run.Output, "s3://"))); got != want {
				t.Errorf("in a bucket: other bytes:\n%s\nwant\n%s", got, want)
			}

			run.Output = filepath.Join(t.TempDir(), "out")
			stopLate(t, load(t, dir, text), run, 2)
			var said []string
			run.Inform = func(text string) { said = append(said, text) }
			if _, err := Build(t.Context(), load(t, dir, text), run); err != nil {
				t.Fatal(err)
			}
			if got := tree(t, run.Output); got != want || !strings.Contains(fmt.Sprint(said), "resumes") {
				t.Errorf("resumed, %q: other bytes:\n%s\nwant\n%s", said, got, want)
			}
		})
	}
}

// isOneMember checks that a file is one member of gzip, which ends with the end of an archive.
func isOneMember(t *testing.T, name string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	in := bytes.NewReader(data)
	z, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	z.Multistream(false)
	text, err := io.ReadAll(z)
	if err != nil || in.Len() > 0 || len(text) < 10_000 || !bytes.HasSuffix(text, make([]byte, webdataset.TailSize)) {
		t.Errorf("the first member has %d bytes, %v, and %d of %d bytes follow", len(text), err, in.Len(), len(data))
	}
}

// TestKeysOfRecords has keys that no member can have, and keys that occur twice: in one split, in shards of a stopped
// run, and in two splits.
func TestKeysOfRecords(t *testing.T) {
	const head = "name: d\noutput: out\nsource: {csv: {files: a.csv, delimiter: ';'}}\nfeatures: {x: int64}\nformat: " +
		"webdataset\nwebdataset: {key: '{id}'}\norder: source\n"
	build := func(rows, more string, run Run) error {
		dir := testenv.Directory(t, map[string]string{"a.csv": "id;x;part\n" + rows})
		run.Workers, run.Memory, run.Output = 2, plenty, filepath.Join(t.TempDir(), "out")
		_, err := Build(t.Context(), load(t, dir, head+more), run)
		return err
	}
	for key, want := range map[string]string{
		"a.b": "has a dot", "..": "has a dot", "a/b": "has a slash", `a\b`: "has a backslash", "": "MISSING",
		"a\tb": "has a control character", "a\xffb": "is not UTF-8",
	} {
		if err := build("ok;1;a\n"+key+";2;a\n", "", Run{}); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "a.csv:3") {
			t.Errorf("%q: %v", key, err)
		}
	}
	if err := build("é k;1;a\n"+strings.Repeat("long", 100)+";2;a\n", "", Run{}); err != nil {
		t.Error(err)
	}
	const twice = "a;1;x\nb;2;x\nc;3;y\nb;4;y\na;5;y\n"
	err := build(twice, "shards: 2\n", Run{})
	if err == nil || !strings.Contains(err.Error(), "a.csv:5:1: ") ||
		!strings.Contains(err.Error(), `in the split "train"; its row is `) ||
		!strings.Contains(err.Error(), "a.csv:3:1") || !strings.Contains(err.Error(), "MEMBER_TWICE") {
		t.Errorf("twice: %v", err)
	}
	if again := build(twice, "shards: 1\nstatistics: false\n", Run{}); again == nil ||
		!strings.Contains(again.Error(), "MEMBER_TWICE") {
		t.Errorf("without statistics: %v", again)
	}
	if err := build("a;1;x\nb;2;x\na;3;y\n", "split: {column: part}\n", Run{}); err != nil {
		t.Errorf("in two splits: %v", err)
	}
}

// TestKeysOfWindows builds archives of windows, which are samples with keys of their own, every way.
func TestKeysOfWindows(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "s,t,v\nn,3,12\nn,1,10\nm,2,21\nn,2,11\nm,1,20\n"})
	build := func(windows, key string) (keys map[string]int, err error) {
		cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\nformat: webdataset\n"+key+
			"group: {by: s, sort: {column: t, type: int64}"+windows+"}\nfeatures: {s: string, v: int64}\n")
		if key != "" {
			_, err := Build(t.Context(), cfg,
				Run{Workers: 2, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")})
			return nil, err
		}
		f, err := os.Open(filepath.Join(sameEveryWay(t, cfg), "d-train-000000.tar"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		keys = map[string]int{}
		for r := tar.NewReader(f); ; {
			h, err := r.Next()
			if err != nil {
				return keys, nil
			}
			keys[h.Name]++
		}
	}
	for windows, want := range map[string]int{"": 2, ", windows: {length: 1}": 5,
		", windows: {length: 2, stride: 1}": 3} {
		if keys, _ := build(windows, ""); len(keys) != want {
			t.Errorf("%s: %v are not %d keys", windows, keys, want)
		}
	}
	_, err := build(", windows: {length: 1}", "webdataset: {key: '{s}'}\n")
	if err == nil || !strings.Contains(err.Error(), "MEMBER_TWICE") || strings.Contains(err.Error(), "dedupe") {
		t.Errorf("the key of a group: %v", err)
	}
}

// TestTwoKeysInAStoppedRun finds a key in a shard that a stopped run finished, and in one of the run that resumes.
func TestTwoKeysInAStoppedRun(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("id,x\n")
	for i := range 400 {
		fmt.Fprintf(&rows, "%d,1\n", i%399)
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": rows.String()})
	const text = "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {x: int64}\nformat: " +
		"webdataset\nwebdataset: {key: '{id}'}\norder: source\nshards: 4\n"
	run := Run{Workers: 1, Memory: plenty, Sync: true, Output: filepath.Join(t.TempDir(), "out")}
	stopLate(t, load(t, dir, text), run, 2)
	_, err := Build(t.Context(), load(t, dir, text), run)
	if err == nil || !strings.Contains(err.Error(), "a.csv:401:1: ") || !strings.Contains(err.Error(), "a.csv:2:1") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(run.Output); err == nil {
		t.Error("the dataset was published")
	}
}
