package report_test

import (
	"strings"
	"testing"

	"tfr-build/dataset"
)

// TestSkippedRows says which rules left rows out.
func TestSkippedRows(t *testing.T) {
	p := small()
	p.Manifest.Sources[0].Found += 22
	p.Manifest.Sources[0].Skipped = map[string]int64{dataset.SkippedByWhere: 15, dataset.SkippedByDedupe: 2, dataset.SkippedBySample: 4, dataset.SkippedByLimit: 1}
	p.Manifest.Splits[0].Found++
	p.Manifest.Splits[0].Skipped = map[string]int64{dataset.SkippedByLimit: 1}
	page := string(render(t, p))
	for _, want := range []string{"of 35 that were found", "Rows: 15 skipped by where, 2 by dedupe, 4 by sample and 1 by limit."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
