package pipeline

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestInvalidRowsOfTables builds in all ways, and by tasks, with invalid lines in the label files of some images. The
// same images are rejected, and no other rows.
func TestInvalidRowsOfTables(t *testing.T) {
	files := map[string]string{"kinds.csv": "kind,weight\n0,1\n1,x\n2,3\n"}
	rows, labels := "stem\n", []string{"0\n2\n", "0\nzero\n", "2\n1\n", ""}
	want := []string{}
	for i := range 60 {
		rows += fmt.Sprintf("i%02d\n", i)
		files[fmt.Sprintf("labels/i%02d.txt", i)] = labels[i%len(labels)]
		switch i % len(labels) {
		case 1:
			want = append(want, fmt.Sprintf(`"raw":"i%02d"}`, i))
		case 2:
			want = append(want, fmt.Sprintf(`see kinds.csv:3:3","raw":"i%02d"}`, i))
		}
	}
	files["rows.csv"] = rows
	dir := testenv.Directory(t, files)
	cfg := load(t, dir, `name: d
output: out
shards: 3
on_error: quarantine
max_errors: 50
split: {fractions: {train: 0.5, val: 0.5}}
source:
  csv: {files: rows.csv}
  join:
    - {text: {files: "labels/*.txt"}, from_path: "{stem}.txt", derive: {kind: int(text)}, on: stem,
       many: true, prefix: l.}
    - {csv: {files: kinds.csv}, derive: {w: float(weight)}, on: {l.kind: kind}, prefix: k.}
features:
  stem: string
  kind: {from: l.kind, type: int64, shape: [-1]}
  weight: {from: k.w, type: float, shape: [-1]}
`)
	output := sameEveryWay(t, cfg)
	data, err := os.ReadFile(output + ".rejects.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if !slices.EqualFunc(lines, want, strings.HasSuffix) {
		t.Errorf("got\n%s\nwant\n%s", data, strings.Join(want, "\n"))
	}
	if tree(t, droppedByTasks(t, cfg)) != tree(t, output) {
		t.Error("by tasks: other bytes")
	}
}
