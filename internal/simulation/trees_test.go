package simulation

import (
	"fmt"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/work"
)

// TestTrees plans and merges a dataset whose rows are files. A sample of it is written and
// committed, too: there the files are what they seem.
func TestTrees(t *testing.T) {
	s := scale{2000, 40, 100}
	if testenv.Exhaustive() {
		s = scale{1_000_000, mostTasks, 1_000_000_000}
	}
	d := &dataset{t, t.TempDir()}
	d.inputs(fmt.Sprintf("name: d\noutput: out\nsource: {folder: {dir: in}}\nfeatures: {path: bytes, content: "+
		"bytes}\nshards: %d\n", s.shards), "x", ".bin", s.files, s.size)
	plan, merge := d.task("plan"), d.task("merge")
	if plan.memory > mostMemory || merge.memory > mostMemory {
		t.Errorf("the plan took %d bytes, the merge %d", plan.memory, merge.memory)
	}
	if n := d.size("w/plan/plan"); n > int64(s.files)*fileInPlan+fewOperations {
		t.Errorf("the plan has %d bytes", n)
	}
	p, err := work.ReadPlan(d.directory())
	if err != nil {
		t.Fatal(err)
	}
	n, err := p.Note(work.Merge, 0)
	if err != nil || n == nil {
		t.Fatalf("the merge has no note: %v", err)
	}
	if testenv.Exhaustive() {
		if len(n.Merged.Tasks) != mostTasks {
			t.Errorf("%d write tasks; want %d", len(n.Merged.Tasks), mostTasks)
		}
		return
	}
	d.task("write")
	d.task("commit")
}
