package pipeline

import (
	"testing"
)

// TestBalance loses rows and makes some up: neither goes unnoticed.
func TestBalance(t *testing.T) {
	for _, test := range []struct {
		name                   string
		found, split, recorded int64
		want                   string
	}{
		{"all", 3, 3, 3, ""},
		{"one is lost", 3, 3, 2, "internal error: source 1 has 3 rows, but 2 were written and 0 rejected"},
		{"one is written twice", 3, 3, 4, "internal error: source 1 has 3 rows, but 4 were written and 0 rejected"},
		{"one is in no split", 3, 2, 3, "internal error: split train has 2 rows, but 3 were written and 0 rejected"},
	} {
		t.Run(test.name, func(t *testing.T) {
			j := &job{sources: []*source{{}}, tally: tally{sources: []sourceTally{{Found: test.found}}}}
			sh := &shard{account: account{Records: test.recorded, Written: []int64{test.recorded}, Facts: newFacts()}}
			_, err := j.balance([]*splitPlan{{name: "train", rows: int(test.split), files: []*shard{sh}}})
			if got := errorText(err); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
