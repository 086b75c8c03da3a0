package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// stepConfig is a config whose features read the position of a row in its record.
const stepConfig = "name: d\noutput: out\nsource: {csv: '*.csv'}\norder: source\nderive:\n" +
	"  is_first: '@step == 0'\n  is_last: '@step == @steps - 1'\n  reward: '@step == @steps - 1 ? int(score) : 0'\n" +
	"features:\n  x: {type: int64, pad: -1}\n  i: {from: '@step', type: int64, pad: -1}\n  n: {from: '@steps', type: " +
	"int64}\n" +
	"  end: {from: '@step', type: int64, take: last}\n  is_first: {type: bool, pad: false}\n  is_last: {type: bool, " +
	"pad: false}\n"

// TestSteps checks @step and @steps: they count sorted rows of several files, and the rows of a window without padding.
func TestSteps(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"a.csv": "g,t,x,score\nk,3,30,9\nk,1,10,\nm,1,70,5\nk,10,40,\n", "b.csv": "g,t,x,score\nk,2,20,8\nk,11,50,7\n",
	})
	for text, want := range map[string][]string{
		"group: {by: g, sort: {column: t, type: int64}}\n": {
			"end=4 i=0,1,2,3,4 is_first=1,0,0,0,0 is_last=0,0,0,0,1 n=5 x=10,20,30,40,50",
			"end=0 i=0 is_first=1 is_last=1 n=1 x=70",
		},
		"group: {by: g}\n": { // source order
			"end=4 i=0,1,2,3,4 is_first=1,0,0,0,0 is_last=0,0,0,0,1 n=5 x=30,10,40,20,50",
			"end=0 i=0 is_first=1 is_last=1 n=1 x=70",
		},
		"group: {by: g, sort: {column: t, type: int64}, windows: {length: 3, stride: 2, last: pad}}\n": {
			"end=2 i=0,1,2 is_first=1,0,0 is_last=0,0,1 n=3 x=10,20,30",
			"end=2 i=0,1,2 is_first=1,0,0 is_last=0,0,1 n=3 x=30,40,50",
			"end=0 i=0,-1,-1 is_first=1,0,0 is_last=1,0,0 n=1 x=70,-1,-1",
		},
	} {
		out := sameEveryWay(t, load(t, dir, stepConfig+text))
		if got := examplesOf(t, out); !slices.Equal(got, want) {
			t.Errorf("%s\nrecords\n%s\nexpected\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if got, want := tree(t, droppedByTasks(t, load(t, dir, stepConfig+text))), tree(t, out); got != want {
			t.Errorf("%sby tasks:\n%s\nwant\n%s", text, got, want)
		}
	}
}

// TestRowsInvalidAtAStep checks a row that is valid in one of its two records. The build fails, or skips the other
// record and counts the row as written.
func TestRowsInvalidAtAStep(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "g,t,score\nk,1,1\nk,2,2\nk,3,\nk,4,4\n"})
	for _, c := range []struct {
		step     string
		records  []string
		written  int64
		rejected int64
	}{
		{"1", []string{"reward=0,2 t=1,2", "reward=0,4 t=3,4"}, 4, 0},
		{"0", []string{"reward=1,0 t=1,2", "reward=2,0 t=2,3"}, 3, 1}, // the last row is in no other record
	} {
		text := "name: d\noutput: out\nsource: {csv: t.csv}\norder: source\nderive: {reward: '@step == " + c.step +
			" ? int(score) : 0'}\n" +
			"group: {by: g, sort: t, windows: {length: 2, stride: 1}}\nfeatures: {t: int64, reward: int64}\n"
		for _, w := range everyWay(t) {
			_, err := buildTo(t, load(t, dir, text), w)
			if got := fmt.Sprint(err); !strings.Contains(got, "/t.csv:4:") || !strings.Contains(got, "EXPR_MISSING") {
				t.Errorf("step %s: %+v: %v", c.step, w, err)
			}
		}
		out := sameEveryWay(t, load(t, dir, text+"on_error: quarantine\nmax_errors: 1\n"))
		if got := examplesOf(t, out); !slices.Equal(got, c.records) {
			t.Errorf("step %s: records %q, expected %q", c.step, got, c.records)
		}
		m := manifestOf(t, out)
		if m.Sources[0].Written != c.written || m.Sources[0].Rejected["GROUP_ROW"] != c.rejected ||
			m.Splits[0].Rejected["EXPR_MISSING"] != 1 {
			t.Errorf("step %s: counts %+v %+v", c.step, m.Sources[0].Counts, m.Splits[0].Counts)
		}
	}
}

// TestNestedDataset checks that features.json has the same nested dataset from every way to build it, and that the
// records are those without it.
func TestNestedDataset(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "g,t,x,kind\nk,2,2,b\nm,1,3,a\nk,1,1,a\n"})
	text := "name: d\noutput: out\nsource: {csv: t.csv}\norder: source\ngroup: {by: g, sort: t}\n" +
		"features: {steps/x: {from: x, type: int64}, steps/kind: {from: kind, classes: auto}, meta/g: {from: g, " +
		"type: string}}\n"
	flat := sameEveryWay(t, load(t, dir, text))
	text = strings.Replace(text, "sort: t}", "sort: t, dataset: steps}", 1)
	out := sameEveryWay(t, load(t, dir, text))
	if got, want := tree(t, droppedByTasks(t, load(t, dir, text))), tree(t, out); got != want {
		t.Errorf("by tasks:\n%s\nwant\n%s", got, want)
	}
	if got, want := examplesOf(t, out), examplesOf(t, flat); !slices.Equal(got, want) {
		t.Errorf("records\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	features, err := os.ReadFile(filepath.Join(out, "features.json"))
	if err != nil || !strings.Contains(string(features), "dataset_feature.Dataset") {
		t.Errorf("%v: features.json has no Dataset:\n%s", err, features)
	}
	if _, err := os.Stat(filepath.Join(out, "steps-kind.labels.txt")); err != nil {
		t.Error(err)
	}
}
