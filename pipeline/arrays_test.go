package pipeline

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
)

// wideTexts are texts as those of U, four bytes a character.
func wideTexts(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		b.Write([]byte{c, 0, 0, 0})
	}
	return b.String()
}

// TestStringsOfArrays converts values of the types S and U like cells of a table: as classes, keys
// of a map, splits, numbers, and JSON.
func TestStringsOfArrays(t *testing.T) {
	const names, folds, cells = "cat\x00\x00\x00dog", "01\x00" + "1\x00\x00" + "01\x00", "[1][2][3]"
	dir := testenv.Directory(t, map[string]string{
		"names-S.npy": filetest.NPY("|S3", "(3,)", names), "folds-S.npy": filetest.NPY("|S3", "(3,)", folds),
		"cells-S.npy": filetest.NPY("|S3", "(3,)", cells),
		"names-U.npy": filetest.NPY("<U3", "(3,)", wideTexts(names)),
		"folds-U.npy": filetest.NPY("<U3", "(3,)", wideTexts(folds)),
		"cells-U.npy": filetest.NPY("<U3", "(3,)", wideTexts(cells)),
	})
	want := []string{
		`{"cell":[1],"class":0,"fold":1,"mapped":7,"other":"none","text":"cat"}`,
		`{"cell":[2],"class":1,"fold":1,"mapped":8,"other":"","text":""}`,
		`{"cell":[3],"class":1,"fold":1,"mapped":9,"other":"dog","text":"dog"}`,
	}
	for _, letter := range []string{"S", "U"} {
		cfg := load(t, dir, strings.ReplaceAll(`
name: d
output: out
source: {arrays: {columns: {name: names-X.npy, fold: folds-X.npy, cell: cells-X.npy}}}
order: source
record: json
features:
  class: {from: name, classes: [cat, dog], missing: {default: dog}}
  mapped: {from: name, type: int64, map: {cat: 7, "": 8, dog: 9}}
  fold: int64
  cell: {type: int64, shape: [1], encoding: json}
  text: {from: name, type: string}
  other: {from: name, type: string, null_values: cat, missing: {default: none}}
split: {column: fold, map: {"01": train, "1": test}}
`, "X", letter))
		if got := tried(t, cfg); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", letter, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		result, err := Build(t.Context(), cfg, ways[0].run(filepath.Join(t.TempDir(), "out")))
		if err != nil || !strings.Contains(result.Summary, "train=2 test=1") {
			t.Errorf("%s: built %+v, %v", letter, result, err)
		}
	}
}
