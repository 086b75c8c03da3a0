package pipeline

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
)

// TestDamagedShardIsRebuilt changes a byte of each finished shard of a stopped build. The next
// build says so and writes the shards again.
func TestDamagedShardIsRebuilt(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(3000)})
	cfg := load(t, dir, "name: d\noutput: out\nshards: 8\nsource: {csv: {files: a.csv}}\nfeatures: {id: int64, text: "+
		"{type: bytes, missing: omit}}\n")
	var said []string
	run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "out"), Sync: true,
		Warn: func(text string) { said = append(said, text) }}
	stopLate(t, cfg, run, 2)
	shards, err := filepath.Glob(filepath.Join(dir, ".out.tfr", "data", "train-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range shards { // the run was stopped before it could finish some of them
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	said = nil
	if _, err := Build(t.Context(), cfg, run); err != nil {
		t.Fatal(err)
	}
	again := 0
	for _, text := range said {
		if strings.Contains(text, " of the stopped run is made again: ") {
			again++
		}
	}
	if again < 2 {
		t.Errorf("said %q, want that the two finished shards are made again", said)
	}
	if tree(t, run.Output) != tree(t, mustBuild(t, cfg, ways[0])) {
		t.Error("the dataset is not that of a run that was not stopped")
	}
}

// TestDamagedSpillFileIsRebuilt changes a byte of the spill file of a stopped build, or truncates
// it. The next build says so and writes it again.
func TestDamagedSpillFileIsRebuilt(t *testing.T) {
	for name, damage := range map[string]func(data []byte) []byte{
		"changed": func(data []byte) []byte { // also what the shards need that are not finished
			for at := 0; at < len(data); at += 1000 {
				data[at] ^= 1
			}
			return data
		},
		"cut":       func(data []byte) []byte { return data[:len(data)-1] },
		"as it was": func(data []byte) []byte { return data },
	} {
		t.Run(name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(3000)})
			cfg := load(t, dir, "name: d\noutput: out\nshards: 8\nsource: {csv: {files: a.csv}}\nfeatures: {id: "+
				"int64, text: {type: bytes, missing: omit}}\n")
			var said []string
			run := Run{Workers: 1, runLimit: 30_000, Output: filepath.Join(dir, "out"), Sync: true,
				Warn: func(text string) { said = append(said, text) }}
			stopLate(t, cfg, run, 2)
			file := spillFileOf(t, dir, "scan")
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, damage(data), 0o666); err != nil {
				t.Fatal(err)
			}
			said = nil
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatal(err)
			}
			again := strings.Contains(strings.Join(said, "\n"), "the spill files are written again: ")
			if again != (name != "as it was") {
				t.Errorf("said %q", said)
			}
			if tree(t, run.Output) != tree(t, mustBuild(t, cfg, ways[0])) {
				t.Error("the dataset is not that of a run that was not stopped")
			}
		})
	}
}

// spillFileOf returns the spill file of a phase, of a stopped build of dir/out.
func spillFileOf(t *testing.T, dir, phase string) string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, ".out.tfr", "spill", "runs", phase+"-*"))
	if err != nil || len(list) != 1 {
		t.Fatalf("found %v, %v", list, err)
	}
	return list[0]
}

// TestNotesOfAnotherVersionDoNotCount has a note of spill files that another version wrote, or a damaged one.
func TestNotesOfAnotherVersionDoNotCount(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(3000)})
	cfg := load(t, dir, "name: d\noutput: out\nshards: 8\nsource: {csv: {files: a.csv}}\nfeatures: {id: int64, text: "+
		"{type: bytes, missing: omit}}\n")
	for what, change := range map[string]func(text string) string{
		"as it was":       func(text string) string { return text },
		"another version": func(text string) string { return strings.Replace(text, `"plan":"`, `"plan":"0`, 1) },
		"cut":             func(text string) string { return text[:len(text)/2] },
	} {
		parent := t.TempDir()
		run := Run{Workers: 1, runLimit: 30_000, Output: filepath.Join(parent, "out"), Sync: true}
		stopLate(t, cfg, run, 2)
		old := spillFileOf(t, parent, "scan")
		name := filepath.Join(parent, ".out.tfr", "spill", "done", "scan-0")
		text, err := os.ReadFile(name)
		if err == nil {
			rest := change(strings.TrimSpace(string(text[9:])))
			sum := crc32.Checksum([]byte(rest), crc32.MakeTable(crc32.Castagnoli))
			err = os.WriteFile(name, fmt.Appendf(nil, "%08x %s\n", sum, rest), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		read := false
		run.Storage = store.Over(vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
			read = read || op.Kind == "open" && op.Name == old
			return nil
		}))
		if _, err := Build(t.Context(), cfg, run); err != nil {
			t.Fatal(err)
		}
		if read != (what == "as it was") {
			t.Errorf("%s: the spill file was used: %t", what, read)
		}
		if tree(t, run.Output) != tree(t, mustBuild(t, cfg, ways[0])) {
			t.Errorf("%s: the dataset is not that of a run that was not stopped", what)
		}
	}
}

// TestDamagedSpillFileAndTheBudget changes the spill file of a build that was stopped before its
// rejects exceeded the budget. Rejects of its finished shards must count, although the next build
// finds and plans all rows again.
func TestDamagedSpillFileAndTheBudget(t *testing.T) {
	const rows = 3000
	csv := "id,n\n" + lines(rows, "\n", func(i int) string {
		if i%100 == 0 {
			return fmt.Sprintf("%d,none", i)
		}
		return fmt.Sprintf("%d,%d", i, i)
	}) + "\n"
	dir := testenv.Directory(t, map[string]string{"a.csv": csv})
	for _, tt := range []struct {
		most    int
		tooMany bool
	}{{rows / 100, false}, {rows/100 - 1, true}} {
		cfg := load(t, dir, fmt.Sprintf("name: d\noutput: out\nshards: 8\nsource: {csv: {files: a.csv}}\nfeatures: "+
			"{id: int64, n: int64}\non_error: skip\nmax_errors: %d\n", tt.most))
		run := Run{Workers: 1, runLimit: 30_000, Output: filepath.Join(t.TempDir(), "out"), Sync: true}
		stopLate(t, cfg, run, 2)
		file := spillFileOf(t, filepath.Dir(run.Output), "scan")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data[:len(data)-1], 0o666); err != nil {
			t.Fatal(err)
		}
		var many *TooManyError
		if _, err := Build(t.Context(), cfg, run); errors.As(err, &many) != tt.tooMany || !tt.tooMany && err != nil {
			t.Errorf("max_errors %d: %v", tt.most, err)
		}
	}
}
