package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/testenv"
)

// TestInterruptPhases stops the phases that write no rows, by one process and as tasks: publishing the statistics of
// many features, and the merge of many rows whose splits depend on each other. The next run makes the dataset.
func TestInterruptPhases(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("a sample has TestLateCommandIsEnded: " + testenv.ExhaustiveVar + "=1")
	}
	const features, rows = 8_000, 3_000_000
	wide, long := "name: wide\noutput: out/slow\nshards: 2\nsource: {csv: {files: wide.csv}}\nfeatures:\n",
		"name: long\noutput: out/slow\nsource: {csv: {files: long.csv}}\nsplit: {fractions: {train: 0.5, test: "+
			"0.5}, by: by, stratify: class}\nfeatures: {id: int64}\n"
	var columns, cells, table strings.Builder
	for i := range features {
		fmt.Fprintf(&columns, ",c%d", i)
		fmt.Fprintf(&cells, ",%d.5", i%1000)
		wide += fmt.Sprintf("  c%d: float\n", i)
	}
	for i := range rows {
		fmt.Fprintf(&table, "%d,%d,%d\n", i, i/3, i%100)
	}
	files := map[string]string{
		"wide.csv": "i" + columns.String() + "\n" + strings.Repeat("1"+cells.String()+"\n", 20), "wide.yaml": wide,
		"long.csv": "id,by,class\n" + table.String(), "long.yaml": long,
	}
	published := func(dir string) bool { // the phase after it
		shards, err := filepath.Glob(filepath.Join(dir, "out", ".slow.tfr", "data", "train-0000*-of-00002"))
		return err == nil && len(shards) == 2
	}
	for _, c := range []struct {
		name, config string
		before       []string // tasks
		args         []string
		began        func(dir string) bool
	}{
		{"task commit", "wide.yaml", []string{"plan", "scan", "merge", "write"}, []string{"task", "commit"}, nil},
		{"publish", "wide.yaml", nil, []string{"build"}, published},
		{"task merge", "long.yaml", []string{"plan", "scan"}, []string{"task", "merge"}, nil},
		{"merge", "long.yaml", nil, []string{"build", "-memory", "16MB"}, func(dir string) bool {
			_, err := os.Stat(filepath.Join(dir, "out", ".slow.tfr", "spill"))
			return err == nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := testenv.Directory(t, files)
			run := func(args ...string) *exec.Cmd {
				cmd := exec.CommandContext(t.Context(), "tfr-build", append(args, c.config, "-quiet")...)
				cmd.Dir = dir
				return cmd
			}
			for _, phase := range c.before {
				if out, err := run("task", phase).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			var said bytes.Buffer
			cmd := run(c.args...)
			cmd.Stdout, cmd.Stderr = &said, &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			waitFor(t, "the phase", func() bool {
				if c.began != nil {
					return c.began(dir)
				}
				return cpuTime(t, cmd) > 150*time.Millisecond
			})
			sent := time.Now()
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // the exit code is checked
			took, code := time.Since(sent), cmd.ProcessState.ExitCode()
			if took > 5*time.Second || code != 143 && code != 0 { // 0: the phase ended
				t.Errorf("exit code %d after %v: %s", code, took, &said)
			}
			if out, err := run(c.args...).CombinedOutput(); err != nil {
				t.Errorf("the next run: %v, %s", err, out)
			}
		})
	}
}
