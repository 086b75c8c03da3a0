package pipeline

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs/vfstest"
)

// TestSerialOperations counts the operations on the output that only one goroutine does, before and after the
// blocks are written and read back by all workers. For tables, neither their number nor (except
// for digits) their bytes may grow with the rows.
func TestSerialOperations(t *testing.T) {
	const few, many = 3000, 48_000 // several blocks a shard
	steps, bytes := aloneOf(t, few)
	more, larger := aloneOf(t, many)
	for kind := range more {
		if steps[kind] != more[kind] {
			t.Errorf("%s: %d times for %d rows, %d times for %d", kind, steps[kind], few, more[kind], many)
		}
	}
	if larger > bytes+bytes/4 {
		t.Errorf("%d bytes besides the shards for %d rows, %d for %d", bytes, few, larger, many)
	}
}

// aloneOf builds a table of so many rows. It counts operations by kind, and the bytes written to
// files other than shards.
func aloneOf(t *testing.T, rows int) (steps map[string]int, bytes int) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "x,s\n" +
		lines(rows, "\n", func(i int) string { return fmt.Sprintf("%d,s%d", i%1000, i%7) }) + "\n"})
	cfg := load(t, dir, "name: d\noutput: out\nshards: 3\nsource: {csv: {files: a.csv}}\nfeatures: {x: int64, s: "+
		"bytes}\n")
	fsys := vfstest.NewInject(vfstest.NewMem("/disk"), nil)
	if _, err := Build(t.Context(), cfg, Run{Workers: 3, Memory: plenty, Output: "/disk/out", Storage: store.Over(fsys),
		Sync: true}); err != nil {
		t.Fatal(err)
	}
	steps = map[string]int{}
	blocks := 0
	for _, op := range fsys.Ops() {
		of := filepath.Base(op.Name)
		switch {
		case op.Kind != "writeat" && op.Kind != "readat":
			steps[op.Kind]++
		case strings.Contains(of, "train-") && strings.Contains(op.Name, "/data/"):
			blocks++
		case op.Kind == "writeat":
			steps[op.Kind]++
			bytes += int(op.Size)
		}
	}
	if blocks < rows/4096 || bytes == 0 {
		t.Fatalf("%d steps for blocks of %d rows, %d bytes besides them: the names changed", blocks, rows, bytes)
	}
	return steps, bytes
}
