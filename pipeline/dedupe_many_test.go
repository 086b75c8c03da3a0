package pipeline

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"tfr-build/internal/testenv"
)

// TestManyDifferentRows compares a million rows that all differ, and two copies, with the least
// memory.
func TestManyDifferentRows(t *testing.T) {
	n := testenv.Times(20_000, 1_000_000, 1_000_000)
	var table bytes.Buffer
	table.WriteString("id,text\n")
	for i := range n {
		fmt.Fprintf(&table, "%d,a text that is longer than a digest of row %d\n", i, i)
	}
	fmt.Fprintf(&table, "%d,a text that is longer than a digest of row %d\n", n, n/2)
	fmt.Fprintf(&table, "%d,a text that is longer than a digest of row %d\n", n+1, n-1)
	dir := t.TempDir()
	testenv.Put(t, filepath.Join(dir, "t.csv"), table.String())
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: t.csv}}\nstatistics: false\ndedupe: {by: [text], "+
		"duplicates: d.jsonl}\nfeatures: {id: int64}\n")
	result, err := Build(t.Context(), cfg, Run{Workers: 2, Memory: MinMemory, Output: filepath.Join(dir, "out")})
	if err != nil {
		t.Fatal(err)
	}
	if m := result.Manifest; m.Splits[0].Written != int64(n) || m.Skipped()["dedupe"] != 2 {
		t.Errorf("%d rows are written, expected %d; skipped: %v", m.Splits[0].Written, n, m.Skipped())
	}
	if list := listOf(t, filepath.Join(dir, "d.jsonl")); len(list) != 2 {
		t.Errorf("the list is %q", list)
	}
}
