package main

import (
	"fmt"
	"slices"
	"testing"

	"tfr-build/pipeline/work"
)

// TestFailures reads which tasks are left, and why.
func TestFailures(t *testing.T) {
	all := mergedTasks(t)()
	tasks := tasksOf{all, work.Write}
	left, of, err := tasks.unfinished(nil)
	if err != nil || of < 3 || len(left) != of {
		t.Fatalf("%d of %d write tasks are left, %v", len(left), of, err)
	}
	if _, err := all.Do(t.Context(), work.Write, work.Share{Index: 1, Of: of}); err != nil {
		t.Fatal(err)
	}
	if left, _, err = tasks.unfinished(left); err != nil || len(left) != of-1 || slices.Contains(left, 1) {
		t.Errorf("%v are left, %v", left, err)
	}
	for k, final := range map[int]bool{0: false, 2: true} {
		if err := tasks.record(k, &failure{Text: fmt.Sprint("task ", k), Code: 4, Final: final}); err != nil {
			t.Fatal(err)
		}
	}
	if f, err := tasks.first(left); err != nil || f == nil || f.Text != "task 2" {
		t.Errorf("the failure is %+v, %v", f, err)
	}
	if err := tasks.forget(left); err != nil {
		t.Error(err)
	}
	if f, err := tasks.first(left); err != nil || f != nil {
		t.Errorf("the failure is %+v, %v", f, err)
	}
}
