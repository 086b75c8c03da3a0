package main

import (
	"io"
	"runtime"
	"testing"
	"time"

	"tfr-build/pipeline"
)

// runOf is how the pipeline runs for the flags of a build.
func runOf(t *testing.T, args ...string) pipeline.Run {
	t.Helper()
	c := &call{stdout: &results{w: io.Discard}, log: &log{w: io.Discard}}
	if err := c.parse(buildCommand, newFlags(&c.options).scan(args)); err != nil {
		t.Fatal(err)
	}
	run := c.pipelineRun()
	run.Warn = nil
	return run
}

func TestRunFlags(t *testing.T) {
	defaults := pipeline.Run{Workers: runtime.GOMAXPROCS(0), Memory: max(availableMemory()/2, pipeline.MinMemory),
		Sync: true}
	for _, c := range []struct {
		args   []string
		change func(*pipeline.Run)
	}{
		{nil, func(*pipeline.Run) {}},
		{[]string{"-workers", "7"}, func(r *pipeline.Run) { r.Workers = 7 }},
		{[]string{"-retry", "20m"}, func(r *pipeline.Run) { r.Retry = 20 * time.Minute }},
		{[]string{"-retry", "0"}, func(r *pipeline.Run) { r.Retry = -1 }},
		{[]string{"-memory", "32MB"}, func(r *pipeline.Run) { r.Memory = 32_000_000 }},
		{[]string{"-memory=1GiB"}, func(r *pipeline.Run) { r.Memory = 1 << 30 }},
		{[]string{"-scratch", "tmp"}, func(r *pipeline.Run) { r.Scratch = "tmp" }},
		{[]string{"-output", "x"}, func(r *pipeline.Run) { r.Output = "x" }},
		{[]string{"-overwrite"}, func(r *pipeline.Run) { r.Overwrite = true }},
		{[]string{"-sync=false"}, func(r *pipeline.Run) { r.Sync = false }},
		{[]string{"-no-sync"}, func(r *pipeline.Run) { r.Sync = false }},
		{[]string{"--no-sync=false"}, func(*pipeline.Run) {}},
		{[]string{"-j", "7", "-o", "x"}, func(r *pipeline.Run) { r.Workers, r.Output = 7, "x" }},
	} {
		want := defaults
		c.change(&want)
		if got := runOf(t, c.args...); !equalRuns(got, want) {
			t.Errorf("%q: %+v, want %+v", c.args, got, want)
		}
	}
}

func equalRuns(a, b pipeline.Run) bool {
	return a.Workers == b.Workers && a.Memory == b.Memory && a.Scratch == b.Scratch && a.Output == b.Output &&
		a.Overwrite == b.Overwrite && a.Sync == b.Sync && a.Retry == b.Retry
}

func TestDefaultMemory(t *testing.T) {
	if n := availableMemory(); n <= 0 || n > machineMemory() {
		t.Errorf("%d bytes are available, of %d", n, machineMemory())
	}
}
