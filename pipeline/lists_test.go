package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
)

// TestDerivedLists builds lists that expressions compute from JSON and from arrays. The shards equal
// the shards of the values themselves.
func TestDerivedLists(t *testing.T) {
	const head = "name: d\noutput: out\nstatistics: false\norder: source\n"
	dir := testenv.Directory(t, map[string]string{
		"a.jsonl": `{"xs": [1, 2, null], "w": ["a", "b", "c"]}` + "\n" + `{"xs": [], "w": []}` + "\n",
		"b.jsonl": `{"some": [2, 4], "pairs": ["a1", "b2", "c-"], "nested": [[1, 0], [2, 0]], "first": "a"}` + "\n" +
			`{"some": [], "pairs": [], "nested": [], "first": "none"}` + "\n",
		"x.npy":   filetest.NPY("<i2", "(2, 3)", "\x01\x00\x02\x00\x03\x00\xff\xff\xfe\xff\x05\x00"),
		"y.jsonl": `{"big": [2, 3], "sum": 4}` + "\n" + `{"big": [5], "sum": 4}` + "\n",
	})
	const derive = `
derive:
  some: 'xs.filter(x, !missing(x)).map(x, x * 2)'
  pairs: 'zip(w, xs).map(p, p[0] + (missing(p[1]) ? "-" : text(p[1])))'
  nested: 'xs.filter(x, x != null).map(x, [x, 0])'
  first: 'size(w) == 0 ? "none" : w[0]'
`
	for name, tt := range map[string]struct{ derived, plain string }{
		"json": {"source: {jsonl: a.jsonl}" + derive +
			"features: {some: int64, pairs: string, nested: {type: int64, shape: [-1, 2]}, first: string}\n",
			"source: {jsonl: b.jsonl}\nfeatures: {some: {type: int64, shape: [-1]}, pairs: {type: string, shape: " +
				"[-1]}, nested: {type: int64, shape: [-1, 2]}, first: string}\n"},
		"sequence": {"source: {jsonl: a.jsonl}" + derive +
			"record: sequence\nlengths: free\nsequence: {some: int64, pairs: string}\n",
			"source: {jsonl: b.jsonl}\nrecord: sequence\nlengths: free\nsequence: {some: int64, pairs: string}\n"},
		"arrays": {"source: {arrays: {columns: {x: x.npy}}}\nderive: {big: 'x.filter(v, v > 1)', sum: 'x[0] + " +
			"x[2]'}\nfeatures: {big: int64, sum: int64}\n",
			"source: {jsonl: y.jsonl}\nfeatures: {big: {type: int64, shape: [-1]}, sum: int64}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var shards []string
			for _, text := range []string{tt.derived, tt.plain} {
				output := mustBuild(t, load(t, dir, head+text), everyWay(t)[0])
				shard, err := os.ReadFile(filepath.Join(output, "train-00000-of-00001"))
				if err != nil {
					t.Fatal(err)
				}
				shards = append(shards, string(shard))
			}
			if shards[0] != shards[1] {
				t.Errorf("%q, want %q", shards[0], shards[1])
			}
		})
	}
}

// TestCheckEvaluatesLists finds an error of a derived list in the first rows.
func TestCheckEvaluatesLists(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.jsonl": `{"xs": [1]}` + "\n" + `{"xs": [1, "a"]}` + "\n"})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {jsonl: a.jsonl}\nderive: {d: 'xs.map(x, x + 1)'}\nfeatures: "+
		"{d: int64}\n")
	err := Check(t.Context(), cfg, Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")})
	if err == nil || !strings.Contains(err.Error(),
		`a.jsonl:2:12: column "xs": derive.d: found the string "a"; expected a number, at character 11 of the `+
			`expression: x`) {
		t.Errorf("%v", err)
	}
}
