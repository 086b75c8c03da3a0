package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
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

// TestTasksUnfinishedAndFailed requests many tasks, gets them if there are as many shards, and reads
// which are left and why.
func TestTasksUnfinishedAndFailed(t *testing.T) {
	dir := t.TempDir()
	testenv.Put(t, filepath.Join(dir, "a.csv"), "x\n"+strings.Repeat("1\n", 500))
	tasks := tasksOfConfig(t, dir, fortyShards, 40)
	if _, _, err := tasks.Unfinished(work.Write, nil); !isNotYet(err) {
		t.Errorf("write tasks are known before the merge: %v", err)
	}
	doAll(t, tasks, work.Scan, work.Merge)
	left, of, err := tasks.Unfinished(work.Write, nil)
	if err != nil || of != 40 || len(left) != 40 {
		t.Fatalf("%d of %d write tasks are left, %v", len(left), of, err)
	}
	if _, err := tasks.Do(t.Context(), work.Write, work.Share{Index: 7, Of: of}); err != nil {
		t.Fatal(err)
	}
	if left, _, err = tasks.Unfinished(work.Write, left); err != nil || len(left) != 39 || slices.Contains(left, 7) {
		t.Errorf("%v are left, %v", left, err)
	}
	for k, final := range map[int]bool{3: false, 5: true} {
		if err := tasks.Errors(work.Write).Record(k,
			&Failure{Text: fmt.Sprint("task ", k), Code: 4, Final: final}); err != nil {
			t.Fatal(err)
		}
	}
	if f, err := tasks.Errors(work.Write).First(left); err != nil || f == nil || f.Text != "task 5" {
		t.Errorf("the fault is %+v, %v", f, err)
	}
	if err := tasks.Errors(work.Write).Forget(left); err != nil {
		t.Error(err)
	}
	if f, err := tasks.Errors(work.Write).First(left); err != nil || f != nil {
		t.Errorf("the fault is %+v, %v", f, err)
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
