package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// refused runs tfr-build in dir, expects an exit code, and returns standard error.
func refused(t *testing.T, dir string, code int, args ...string) (stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "tfr-build", args...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stderr = &said
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != code {
		t.Errorf("tfr-build %q: %v, want code %d\n%s", args, err, code, said.String())
	}
	return said.String()
}

// change changes the content of a file.
func change(t *testing.T, path string, by func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, by(bytes.Clone(data)), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestDamagedShard flips a bit of a shard, or its index, after its task has ended: the
// commit ends with 75 and names it, and its task makes it again. A sample has a shard
// with an index.
func TestDamagedShard(t *testing.T) {
	for _, format := range []string{"ofrecord", "tfrecord", "tfrecord, index"} {
		if !testenv.Exhaustive() && format != "tfrecord, index" {
			continue
		}
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			c := tasksCase{files: tables, config: "source: {csv: {files: a.csv}}\nformat: " +
				strings.TrimSuffix(format, ", index") + "\nfeatures: {id: int64}\nshards: 3\n"}
			if strings.HasSuffix(format, ", index") {
				c.config += "index: true\n"
			}
			dir := c.lay(t)
			phases(t, dir, func(phase string) {
				if phase != "write" {
					return
				}
				shards, err := filepath.Glob(filepath.Join(dir, ".out.tfr", "data", "*1*"))
				if part, failed := filepath.Glob(filepath.Join(dir, ".out.tfr", "data", "*", "*1*")); len(shards) == 0 {
					shards, err = part, failed
				}
				if err != nil || len(shards) == 0 {
					t.Fatalf("%q, %v", shards, err)
				}
				change(t, shards[len(shards)-1], func(data []byte) []byte {
					data[len(data)-1] ^= 1
					return data
				})
				said := refused(t, dir, 75, "task", "commit", "-sync=false", "-work", workOf)
				name := strings.TrimSuffix(filepath.Base(shards[0]), ".index")
				if !strings.Contains(said, "1 write task to be done again: not there as they were made: ") ||
					!strings.Contains(said, name) {
					t.Errorf("commit says %s, and not %s", said, name)
				}
				if got := program(t, dir, []int{0}, "task", "write", "-sync=false", "-work",
					workOf); got != "write: 1 task done, 2 before, of 3\n" {
					t.Errorf("write says %s", got)
				}
			})
			sameDatasets(t, dir, "local", "out")
		})
	}
}
