package sink_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// operations builds the job with one worker and returns its operations, one per line, without
// reads.
func (j job) operations(t *testing.T, output string) string {
	t.Helper()
	in := vfstest.NewInject(vfs.OS(), nil)
	if _, err := j.build(t.Context(), in, output); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	for _, op := range in.Ops() {
		switch op.Kind {
		case "lstat", "stat", "fstat", "readdir", "resolve", "ismount", "free", "read":
			continue
		}
		if op.Kind == "syncdir" && len(op.Name) < len(filepath.Dir(output)) {
			continue // a directory above that of the test
		}
		if base := filepath.Base(op.Name); base == "lock" || base == ".lock.tmp" {
			op.Size = 0 // as long as the name of the machine
		}
		fmt.Fprintln(&log, strings.ReplaceAll(op.String(), filepath.Dir(output), "."))
	}
	return log.String()
}

// Durability depends on the order of operations: see testdata/sync.golden.
func TestOrderOfOperations(t *testing.T) {
	for _, test := range []struct {
		golden string
		old    bool
	}{
		{"sync", false},
		{"sync_overwrite", true},
	} {
		output := filepath.Join(t.TempDir(), "out")
		if test.old {
			small.with("old").mustBuild(t, output)
		}
		j := small.overwriting()
		j.shards = 1
		got := j.operations(t, output)
		golden := filepath.Join("testdata", test.golden+".golden")
		if *update {
			write(t, golden, got)
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s\ngo test ./sink -update writes it", golden, got, want)
		}
	}
}

// Without Sync, the operations are the same without the syncs.
func TestWithoutSyncNothingIsSynced(t *testing.T) {
	synced := small.operations(t, filepath.Join(t.TempDir(), "out"))
	j := small
	j.opt.Sync = false
	got := j.operations(t, filepath.Join(t.TempDir(), "out"))
	var want strings.Builder
	for line := range strings.Lines(synced) {
		if !strings.HasPrefix(line, "sync") {
			want.WriteString(line)
		}
	}
	if got != want.String() {
		t.Errorf("got\n%s\nwant\n%s", got, want.String())
	}
}

// At each rename, the bytes of the file are durable. Before the dataset is published, every
// name in data/ and the state are durable. At the end, the name of the output is durable.
func TestSyncsPrecedeDependentSteps(t *testing.T) {
	output := filepath.Join(t.TempDir(), "deep", "down", "out")
	in := vfstest.NewInject(vfs.OS(), nil)
	if _, err := small.build(t.Context(), in, output); err != nil {
		t.Fatal(err)
	}
	dirty := map[string]bool{}  // files with bytes that are not safe
	unsafe := map[string]bool{} // directories with names that are not safe
	for i, op := range in.Ops() {
		dir := filepath.Dir(op.Name)
		switch op.Kind {
		case "write", "writeat", "truncate":
			dirty[op.Name] = true
		case "sync":
			delete(dirty, op.Name)
		case "mkdir", "create", "remove", "lock":
			unsafe[dir] = true
		case "syncdir":
			delete(unsafe, op.Name)
		case "rename":
			if dirty[op.Name] {
				t.Errorf("operation %d, %s: the bytes are not safe", i, op)
			}
			if op.To == output {
				for name := range unsafe {
					t.Errorf("operation %d, %s: names in %s are not safe", i, op, name)
				}
			}
			unsafe[dir], unsafe[filepath.Dir(op.To)] = true, true
		}
	}
	for name := range unsafe {
		t.Errorf("at the end names in %s are not safe", name)
	}
}
