package work

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/sumline"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/spill"
	"tfr-build/sink"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// TestDamagedPlan reads plans with any byte changed, truncated or extended plans, and plans with
// other keys: all are errors.
func TestDamagedPlan(t *testing.T) {
	f := opened(t, store.OS(), t.TempDir())
	p := &Plan{Output: "/out", Scans: [][]spill.InputRange{{{File: 0}}},
		Listings: []*input.Listing{{Files: []files.File{{Name: "a.csv", Size: 3}}}}}
	text, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parsePlan(text); err != nil {
		t.Fatal(err)
	}
	refused := func(what string, text []byte) {
		t.Helper()
		if _, err := parsePlan(text); err == nil {
			t.Errorf("%s: it is taken", what)
		}
	}
	for i := range text {
		if i < 8 { // a digit of a checksum may be a small or a capital letter
			continue
		}
		flipped := slices.Clone(text)
		flipped[i] ^= 1
		refused(fmt.Sprint("flipped at ", i), flipped)
		refused(fmt.Sprint("cut at ", i), text[:i])
	}
	refused("longer", append(slices.Clone(text), 0))
	refused("empty", nil)
	line, listing, _ := bytes.Cut(text, []byte("\n"))
	other := bytes.Replace(line[9:], []byte(`"output"`), []byte(`"outpuT_"`), 1)
	refused("another key", append(sumline.Append(nil, other), listing...))
	if err := errors.Join(f.Make(), PutPlan(f, text[:20])); err != nil {
		t.Fatal(err)
	}
	var broken *BrokenError
	if _, err := ReadPlan(f); !errors.As(err, &broken) || broken.Path != f.at(planName) {
		t.Error(err)
	}
}

// TestDirectoriesInPlaceOfFiles reads a plan, a note, and a spill file that are directories. Tasks make only the spill
// file again, under another name.
func TestDirectoriesInPlaceOfFiles(t *testing.T) {
	f := opened(t, store.OS(), t.TempDir())
	if err := f.Make(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{planName, doneName + "/scan-1", runsName + "/scan-1-x"} {
		if err := os.MkdirAll(f.at(name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	var broken *BrokenError
	if _, err := ReadPlan(f); !errors.As(err, &broken) || broken.Path != f.at(planName) {
		t.Errorf("the plan: %v", err)
	}
	if _, err := f.Get(doneName + "/scan-1"); !errors.As(err, &broken) || broken.Path != f.at(doneName+"/scan-1") {
		t.Errorf("a note: %v", err)
	}
	var damaged *DamagedError
	if _, err := f.SpillFile(Scan, 1, runsName+"/scan-1-x").ReadAt(make([]byte, 1), 0); !errors.As(err, &damaged) ||
		damaged.Task != 1 {
		t.Errorf("a spill file: %v", err)
	}
}

// TestPlanCoversItsInputs reads plans whose scans do not read every byte once, with correct
// checksums: all are errors.
func TestPlanCoversItsInputs(t *testing.T) {
	type pieces = []spill.InputRange
	for _, c := range []struct {
		scans []pieces
		want  string // of the error; empty for none
	}{
		{nil, ""}, // of trees
		{[]pieces{{{File: 0}, {File: 1}}}, ""},
		{[]pieces{{{File: 0}}, {{File: 1}}}, ""},
		{[]pieces{{{File: 0, To: 10}}, {{File: 0, From: 10, To: 20}}, {{File: 0, From: 20}, {File: 1}}}, ""},
		{[]pieces{{{File: 0}, {File: 0}}}, "scan 0: found file 0 from byte 0, expected file 1 from byte 0"},
		{[]pieces{{{File: 1}}, {{File: 0}}}, "scan 0: found file 1 from byte 0, expected file 0 from byte 0"},
		{[]pieces{{{File: 0}}}, "no scan reads file 1 from byte 0"},
		{[]pieces{{{File: 0, To: 10}}}, "no scan reads file 0 from byte 10"},
		{[]pieces{{{File: 0}, {File: 1}, {File: 2}}}, "scan 0 reads file 2, of 2 files"},
		{[]pieces{{{File: 0, To: 10}}, {{File: 0, From: 11}, {File: 1}}},
			"scan 1: found file 0 from byte 11, expected file 0 from byte 10"},
		{[]pieces{{{File: 0, To: 10}}, {{File: 0, From: 9}, {File: 1}}},
			"scan 1: found file 0 from byte 9, expected file 0 from byte 10"},
		{[]pieces{{{File: 0, To: 100}, {File: 1}}}, "scan 0: file 0 has 100 bytes; found a range from 0 to 100"},
		{[]pieces{{{File: 0, To: -5}, {File: 1}}}, "scan 0: file 0 has 100 bytes; found a range from 0 to -5"},
		{[]pieces{{{File: -1}}}, "scan 0: found file -1 from byte 0, expected file 0 from byte 0"},
	} {
		p := &Plan{Scans: c.scans, Listings: []*input.Listing{{Files: []files.File{{Name: "a", Size: 100}}},
			{Files: []files.File{{Name: "b", Size: 1}}}}}
		text, err := p.Encode()
		if err == nil {
			_, err = parsePlan(text)
		}
		if got := fmt.Sprint(err); got != c.want && (c.want != "" || err != nil) {
			t.Errorf("%v: %s; want %s", c.scans, got, c.want)
		}
	}
}

// TestResultsOfOtherTasks reads notes under the names of other tasks, and notes with impossible
// results: none may count.
func TestResultsOfOtherTasks(t *testing.T) {
	f := opened(t, store.OS(), t.TempDir())
	p := &Plan{digest: "d", Scans: make([][]spill.InputRange, 1), Buckets: 1, In: f}
	if err := f.Make(); err != nil {
		t.Fatal(err)
	}
	found := func(ph Phase, k int, n *Note) bool {
		t.Helper()
		if err := p.Done(ph, k, n); err != nil {
			t.Fatal(err)
		}
		got, err := p.Note(ph, k)
		if err != nil {
			t.Fatal(err)
		}
		return got != nil
	}
	scanned := func() *Note {
		return &Note{File: "runs/0-x", Scanned: &spill.Run{Buckets: make([]spill.Bucket, 1)}}
	}
	if !found(Scan, 0, scanned()) {
		t.Error("a note is not taken")
	}
	text, err := f.Get(Scan.name(0))
	if err == nil {
		err = f.Put(Scan.name(1), text)
	}
	if n, failed := p.Note(Scan, 1); n != nil || err != nil || failed != nil {
		t.Errorf("the note of another task is taken: %v, %v, %v", n, err, failed)
	}
	for what, change := range map[string]func(*Note){
		"no run":        func(n *Note) { n.Scanned = nil },
		"no file":       func(n *Note) { n.File = "" },
		"more buckets":  func(n *Note) { n.Scanned.Buckets = make([]spill.Bucket, 2) },
		"a file beyond": func(n *Note) { n.File = "../plan/plan" },
	} {
		n := scanned()
		if change(n); found(Scan, 0, n) {
			t.Errorf("a scan of %s is taken", what)
		}
	}
	merged := func() *Note {
		return &Note{Merged: &Merged{
			Plan: &plan.Plan{Format: plan.Format, Splits: []plan.Split{{Name: "a", Rows: 3, Shards: 3},
				{Name: "b", Rows: 1, Shards: 1}}},
			Tasks: []Shards{{0, 0, 2}, {0, 2, 3}, {1, 0, 1}}, Files: []string{"runs/0-x"},
			Spill: &spill.Merged{
				Runs:    []spill.Part{{Splits: []uint8{1, 0}}},
				Buckets: []spill.Bucket{{Rows: []int{3, 1}}},
				Splits:  []plan.Counted{{Name: "a", Rows: 3}, {Name: "b", Rows: 1}},
			},
		}}
	}
	if !found(Merge, 0, merged()) {
		t.Error("a note of a merge is not taken")
	}
	kept := merged() // splits without a task: before, between, and behind the others
	of, none := kept.Merged.Plan.Splits, plan.Split{Name: "k", Kept: &plan.Kept{Shards: 1}}
	kept.Merged.Plan.Splits = []plan.Split{none, of[0], none, none, of[1], none}
	kept.Merged.Tasks = []Shards{{1, 0, 2}, {1, 2, 3}, {4, 0, 1}}
	counted := kept.Merged.Spill.Splits
	kept.Merged.Spill.Splits = []plan.Counted{{}, counted[0], {}, {}, counted[1], {}}
	kept.Merged.Spill.Buckets[0].Rows, kept.Merged.Spill.Runs[0].Splits = []int{0, 3, 0, 0, 1, 0}, []uint8{4, 1}
	if !found(Merge, 0, kept) {
		t.Error("a note of a merge with splits that only keep shards is not taken")
	}
	kept.Merged.Tasks = append(kept.Merged.Tasks, Shards{5, 0, 1})
	if found(Merge, 0, kept) {
		t.Error("a task of a split that only keeps shards is taken")
	}
	for what, change := range map[string]func(*Merged){
		"no plan":              func(m *Merged) { m.Plan = nil },
		"no shards":            func(m *Merged) { m.Plan.Splits[1].Shards = 0 },
		"a shard twice":        func(m *Merged) { m.Tasks[1].From = 1 },
		"a shard less":         func(m *Merged) { m.Tasks = m.Tasks[:2] },
		"a shard more":         func(m *Merged) { m.Tasks[2].To = 2 },
		"an empty task":        func(m *Merged) { m.Tasks[1].To = 2 },
		"a task more":          func(m *Merged) { m.Tasks = append(m.Tasks, Shards{2, 0, 1}) },
		"a run less":           func(m *Merged) { m.Files = nil },
		"no runs":              func(m *Merged) { m.Spill = nil },
		"another number":       func(m *Merged) { m.Spill.Runs = nil },
		"rows in no bucket":    func(m *Merged) { m.Spill.Splits[0].Rows = 4 },
		"rows without a split": func(m *Merged) { m.Spill.Splits = m.Spill.Splits[:1] },
		"a split beyond":       func(m *Merged) { m.Spill.Runs[0].Splits[0] = 2 },
	} {
		n := merged()
		if change(n.Merged); found(Merge, 0, n) {
			t.Errorf("a merge of %s is taken", what)
		}
	}
	made := []sink.FinishedShard{{Sum: sink.Sum{Name: "-0"}}, {Sum: sink.Sum{Name: "-1"}}}
	m := merged().Merged
	m.Plan.Template = "-{INDEX}"
	if !m.IsMade(0, made) || m.IsMade(1, made) || m.IsMade(0, made[:1]) || m.IsMade(1, made[:1]) {
		t.Error("the shards of a write task do not differ from the shards of another")
	}
}
