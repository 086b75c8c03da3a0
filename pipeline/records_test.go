package pipeline

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
)

// tried are the payloads of the first rows.
func tried(t *testing.T, cfg *config.Config) (list []string) {
	t.Helper()
	run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")}
	err := Try(t.Context(), cfg, run, 100, func(e Example) error {
		list = append(list, string(e.Payload))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestSplitMap counts the rows that a column's strings assign to splits, and the rows with other
// strings.
func TestSplitMap(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "a,fold\n1,0\n2,01\n3,1\n4,2\n5,2\n"})
	const text = "name: d\noutput: out\nsource: {csv: {files: t.csv}}\nfeatures: {a: int64}\nsplit: {column: fold, " +
		"map: MAP}\n"
	counts := func(mapping, more string) string {
		output := filepath.Join(t.TempDir(), "out")
		result, err := Build(t.Context(), load(t, dir, strings.Replace(text, "MAP", mapping, 1)+more),
			ways[0].run(output))
		if err != nil {
			return err.Error()
		}
		return result.Summary[:strings.Index(result.Summary, " shards")]
	}
	for _, tt := range []struct{ mapping, more, want string }{
		{`{"0": test, "1": train, "01": train, "2": train}`, "", "test=1 train=4"},
		{`{values: {"0": held}, unknown: train}`, "", "held=1 train=4"},
		{`{"0": test, "1": train, "2": empty, "3": none}`, "on_error: skip\nmax_errors: 1\n",
			"test=1 train=1 empty=2 none=0"},
		{`{"0": test, "1": train}`, "", `"01" is not one of the 2 strings of split.map`},
	} {
		if got := counts(tt.mapping, tt.more); got != tt.want && !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %s, want %s", tt.mapping, got, tt.want)
		}
	}
}

// TestClassesOfSteps collects the class names of features of context and of sequence.
func TestClassesOfSteps(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.jsonl": `{"who": "y", "marks": ["b", "d"]}` + "\n" +
		`{"who": "x", "marks": ["a", "b"]}` + "\n" + `{"who": "x"}` + "\n"})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {jsonl: {files: t.jsonl}}\nrecord: sequence\ncontext: {who: "+
		"{classes: auto}}\nsequence: {mark: {from: marks, classes: auto}}\n")
	output := sameEveryWay(t, cfg)
	who, marks := classesOf(t, output, "who"), classesOf(t, output, "mark")
	if !slices.Equal(who, []string{"x", "y"}) || !slices.Equal(marks, []string{"a", "b", "d"}) {
		t.Errorf("got the classes %q and %q", who, marks)
	}
}

// TestArraysFillTheConfig finds the types and shapes of arrays in the config of the dataset, but
// not in the config of the user.
func TestArraysFillTheConfig(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"x.idx": "\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x01abcd",
		"y.idx": "\x00\x00\x0b\x01\x00\x00\x00\x02\x00\x01\xff\xff",
	})
	cfg := load(t, dir, `
name: d
output: out
source: {arrays: {columns: {x: x.idx, y: y.idx}}}
features:
  x: {raw: true}
  y: {classes: auto}
  both: {from: [y, y], tensor: true}
  other: {from: x, type: float, shape: [2]}
`)
	output := mustBuild(t, cfg, ways[0])
	kept, err := os.ReadFile(filepath.Join(output, dataset.ConfigName))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  x:\n    type: uint8\n    from: x\n    shape:\n      - 2\n      - 1\n",
		"  \"y\":\n    type: int64\n    from: \"y\"\n    classes: auto\n    shape: []\n",
		"  both:\n    type: int16\n    from:\n      - \"y\"\n      - \"y\"\n    shape:\n      - 2\n",
		"  other:\n    type: float\n    from: x\n    shape:\n      - 2\n",
	} {
		if !strings.Contains(string(kept), want) {
			t.Errorf("the config of the dataset lacks\n%s\nin\n%s", want, kept)
		}
	}
	if f := cfg.Features[0]; f.Type != "" || f.Shape.Known {
		t.Errorf("the config that was loaded has changed: %+v", f)
	}
	again, err := Build(t.Context(), cfg, Run{Workers: 1, Memory: plenty, Output: output})
	if err != nil || !again.UpToDate {
		t.Errorf("built again: %+v, %v", again, err)
	}
}

// TestPayloadsOfColumns writes strings and bytes of a column as records, unchanged. A long record makes statistics
// count candidates, of which an empty record is one, too.
func TestPayloadsOfColumns(t *testing.T) {
	long := strings.Repeat("z", 300)
	dir := testenv.Directory(t, map[string]string{"in/a": "\xff\x00", "in/b": "", "t.csv": "a\nx\n\"\"\n\" y\"\n",
		"empty.csv": "a\n\"\"\n\"\"\n" + long + "\n"})
	for text, want := range map[string][]string{
		"source: {folder: {dir: in}}\nrecord: {bytes: content}\n":     {"\xff\x00", ""},
		"source: {csv: {files: t.csv}}\nrecord: {text: a}\n":          {"x", "", " y"},
		"source: {csv: {files: empty.csv}}\nrecord: {text: a}\n":      {"", "", long},
		"source: {csv: {files: t.csv}}\nrecord: {bytes: \"@file\"}\n": {"t.csv", "t.csv", "t.csv"},
	} {
		cfg := load(t, dir, "name: d\noutput: out\n"+text)
		if got := tried(t, cfg); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
		want := tree(t, sameEveryWay(t, cfg))
		byTasks := filepath.Join(t.TempDir(), "out")
		runTasks(t, cfg, byTasks)
		if got := tree(t, byTasks); got != want {
			t.Errorf("%s: by tasks, other bytes:\n%s\nwant\n%s", text, got, want)
		}
	}
}

// TestOFRecordNames checks that each split has a directory.
func TestOFRecordNames(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "a,s\n1,train\n2,test\n"})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: t.csv}}\nsplit: {column: s}\nfeatures: {a: "+
		"int64}\nformat: ofrecord\nshards: 2\n")
	output := sameEveryWay(t, cfg)
	for _, name := range []string{"train/part-00000", "train/part-00001", "test/part-00000", "test/part-00001"} {
		if _, err := os.Stat(filepath.Join(output, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestShardsOfOtherNames gives shards the names of other files of the dataset: each is an error.
func TestShardsOfOtherNames(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "a\n1\n"})
	for split, good := range map[string]bool{"train": true, "features": false, "dataset_info": false} {
		cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: t.csv}}\nsplit: "+split+"\nfeatures: {a: "+
			"int64}\nshards: {count: 1, filename: \"{SPLIT}.json\"}\n")
		_, err := buildTo(t, cfg, ways[0])
		var fault *config.Problems
		if errors.As(err, &fault) == good || good && err != nil {
			t.Errorf("%s: got %v", split, err)
		}
	}
}
