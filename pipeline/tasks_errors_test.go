package pipeline

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/work"
)

// tasksOfConfig plans the tasks of a config in dir and opens them.
func tasksOfConfig(t *testing.T, dir, text string, least int) *Tasks {
	t.Helper()
	testenv.Put(t, filepath.Join(dir, "c.yaml"), text)
	cfg, err := config.Load(filepath.Join(dir, "c.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	run := Run{Workers: 1, Memory: MinMemory, Tasks: least}
	p, err := PlanTasks(t.Context(), cfg, run, "")
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := OpenTasks(t.Context(), run, p.Work)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tasks.Close)
	return tasks
}

const fortyShards = `
name: forty
version: "1.0.0"
output: out
source: {csv: {files: a.csv}}
features: {x: int64}
shards: 40
`

// TestTasksPerShard requests many tasks, and gets them if there are as many shards.
func TestTasksPerShard(t *testing.T) {
	dir := t.TempDir()
	testenv.Put(t, filepath.Join(dir, "a.csv"), "x\n"+strings.Repeat("1\n", 500))
	tasks := tasksOfConfig(t, dir, fortyShards, 40)
	if _, err := tasks.Count(work.Write); !isNotYet(err) {
		t.Errorf("write tasks are known before the merge: %v", err)
	}
	doAll(t, tasks, work.Scan, work.Merge)
	if n, err := tasks.Count(work.Write); err != nil || n != 40 {
		t.Errorf("%d write tasks, %v", n, err)
	}
	doAll(t, tasks, work.Write, work.Commit)
}

func isNotYet(err error) bool {
	_, ok := errors.AsType[*NotYetError](err)
	return ok
}

func doAll(t *testing.T, tasks *Tasks, phases ...work.Phase) {
	t.Helper()
	for _, phase := range phases {
		if _, err := tasks.Do(context.Background(), phase, work.Share{Of: 1}); err != nil {
			t.Fatalf("%s: %v", phase, err)
		}
	}
}
