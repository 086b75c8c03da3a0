package sink_test

import (
	"errors"
	"testing"

	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// A plan is stored for the next run, and is removed by the commit.
func TestWritePlan(t *testing.T) {
	disk := vfstest.NewMem("/disk")
	full.halt(t, disk, out)
	s := full.resumed(t, disk)
	if err := errors.Join(s.WritePlan([]byte("another")), s.Close()); err != nil {
		t.Fatal(err)
	}
	s = full.resumed(t, disk)
	if p, err := s.Leftovers().Plan(); err != nil || string(p) != "another" {
		t.Errorf("%q, %v", p, err)
	}
	if err := errors.Join(s.WritePlan(full.plan(false)), s.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := full.build(t.Context(), disk, out); err != nil {
		t.Fatal(err)
	}
	if got := keys(treeIn(t, disk, staging(out))); got != "lock state.json" {
		t.Errorf("there is %s", got)
	}
}

// A plan alone is not kept, because nothing of the dataset is finished.
func TestPlanAloneIsRemoved(t *testing.T) {
	disk := vfstest.NewMem("/disk")
	s, err := sink.Open(over(disk), out, sink.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Begin(nil), s.WritePlan([]byte("plan")), s.Close()); err != nil {
		t.Fatal(err)
	}
	if got := keys(treeIn(t, disk, staging(out))); got != "lock" {
		t.Errorf("there is %s", got)
	}
}
