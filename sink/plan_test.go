package sink_test

import (
	"errors"
	"strings"
	"testing"

	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// A plan is stored for the next run, is not written again if it exists, and is removed by the
// commit.
func TestWritePlan(t *testing.T) {
	disk := vfstest.NewMem("/disk")
	full.halt(t, disk, out)
	in := vfstest.NewLog(disk)
	s := full.resumed(t, in)
	plan, listing := full.plan(false)
	for _, then := range []int{0, 1, 2} {
		before := len(in.Ops())
		if then == 1 {
			listing = []byte("another")
		}
		if err := s.WritePlan(plan, listing); err != nil {
			t.Fatal(err)
		}
		if wrote := len(in.Ops()) > before; wrote != (then == 1) {
			t.Errorf("call %d writes: %v", then, wrote)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = full.resumed(t, disk)
	p, l, ok, err := s.Leftovers().Plan()
	if err != nil || !ok || string(p) != string(plan) || string(l) != "another" {
		t.Errorf("%q of %q, %v, %v", p, l, ok, err)
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
	if err := errors.Join(s.Begin(nil), s.WritePlan([]byte("plan"), nil), s.Close()); err != nil {
		t.Fatal(err)
	}
	if got := keys(treeIn(t, disk, staging(out))); got != "lock" {
		t.Errorf("there is %s", got)
	}
}

// A plan and its listing are both returned unchanged, or neither.
func TestChangedPlans(t *testing.T) {
	none := func([]byte) []byte { return nil }
	for _, file := range []string{"/plan.json", "/listing"} {
		for name, change := range map[string]func([]byte) []byte{"flipped": flip, "cut": cut, "longer": longer,
			"empty": none, "missing": nil} {
			disk := vfstest.NewMem("/disk")
			full.halt(t, disk, out)
			if edit(t, disk, staging(out)+file, func(b []byte) []byte { return b }); change != nil {
				edit(t, disk, staging(out)+file, change)
			} else if err := disk.Remove(staging(out) + file); err != nil {
				t.Fatal(err)
			}
			var warned []string
			j := full
			j.opt.Warn = func(m string) { warned = append(warned, m) }
			s, err := sink.Open(over(disk), out, j.opt)
			if err != nil {
				t.Fatal(err)
			}
			for _, when := range []string{"before", "after"} {
				if p, l, ok, err := s.Leftovers().Plan(); ok || p != nil || l != nil || err != nil {
					t.Errorf("%s %s, %s: %q of %q, %v, %v", file, name, when, p, l, ok, err)
				}
				if when == "after" {
					break
				}
				if _, err := s.Resume(t.Context(), sink.XXH128); err != nil {
					t.Fatal(err)
				}
			}
			if len(warned) != 1 || !strings.Contains(warned[0], "the plan of the stopped run is made again: ") {
				t.Errorf("%s %s: warnings %q", file, name, warned)
			}
			if got := keys(treeIn(t, disk, staging(out))); strings.Contains(got, "plan.json") ||
				strings.Contains(got, "listing") {
				t.Errorf("%s %s: there is %s", file, name, got)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			r := &attempt{job: full}
			if err := r.build(t.Context(), disk, out); err != nil || r.found || len(r.made) > 0 {
				t.Errorf("%s %s: %v, made %v", file, name, err, r.made)
			}
		}
	}
}
