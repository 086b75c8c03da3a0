package describe

import (
	"testing"

	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
)

// TestCheck loses rows and invents some: Check finds both.
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name                   string
		found, split, recorded int64
		unwanted, above        int64
		want                   string
	}{
		{"all", 3, 3, 3, 0, 0, ""},
		{"all, some of them skipped", 9, 3, 3, 4, 2, ""},
		{"one is skipped and written", 9, 3, 4, 4, 2,
			"internal error: split train has 5 rows, but 4 were written, 0 rejected and 2 skipped"},
		{"one is skipped twice", 9, 3, 3, 5, 2,
			"internal error: 1 rows of the sources are beyond the limits, and 2 of the splits"},
		{"more are skipped than exist", 2, 3, 3, 4, 2,
			"internal error: source 1 has 2 rows, but 3 were written, 0 rejected and -1 skipped"},
		{"one is lost", 3, 3, 2, 0, 0, "internal error: source 1 has 3 rows, but 2 were written and 0 rejected"},
		{"one is written twice", 3, 3, 4, 0, 0,
			"internal error: source 1 has 3 rows, but 4 were written and 0 rejected"},
		{"one is in no split", 3, 2, 3, 0, 0, "internal error: split train has 2 rows, but 3 were written and 0 " +
			"rejected"},
	} {
		t.Run(test.name, func(t *testing.T) {
			set := &rows.Set{Input: rows.Input{Sources: []*rows.Source{{}}}}
			p := &plan.Plan{Sources: []plan.Source{{Found: test.found,
				Skipped: map[string]int64{"where": test.unwanted}}},
				Splits: []plan.Split{{Name: "train", Rows: int(test.split), OverLimit: int(test.above)}}}
			sh := &task.Shard{Report: task.Report{Records: test.recorded, Written: []int64{test.recorded},
				Observations: rows.NewObservations()}}
			got := ""
			if err := NewAccounting(set, p, [][]*task.Shard{{sh}}, rejects.NewList()).Check(); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
