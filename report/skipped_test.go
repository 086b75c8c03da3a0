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
	p.Manifest.Sources[0].Skipped = map[string]int64{dataset.SkippedByWhere: 15, dataset.SkippedByDedupe: 2,
		dataset.SkippedBySample: 4, dataset.SkippedByLimit: 1}
	p.Manifest.Splits[0].Found++
	p.Manifest.Splits[0].Skipped = map[string]int64{dataset.SkippedByLimit: 1}
	page := string(render(t, p))
	for _, want := range []string{"of 35 that were found",
		"Rows: 15 skipped by where, 2 by dedupe, 4 by sample and 1 by limit."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// TestJoins shows the rows without a match, of both sides.
func TestJoins(t *testing.T) {
	p := small()
	p.Manifest.Joins = []dataset.Join{
		{At: "source.join[0]", Table: "b.json", Rows: 12, Unmatched: 3, UnmatchedExample: `id "<7>"`, TableRows: 40,
			Unused: 2, UnusedExample: `image "9"`},
		{Join: 1, At: "source.join[1]", Table: "k.csv", Elements: true, Rows: 38, TableRows: 4},
		{Join: 2, At: "source.join[2]", Table: "l.csv", NotJoined: 1, Rows: 11, TableRows: 4, Unused: 1},
	}
	page := string(render(t, p))
	for _, want := range []string{
		`source.join[0] (b.json): 3 of 12 rows without a match, such as id &#34;&lt;7&gt;&#34;<`,
		"source.join[1] (k.csv): no row without a match<",
		"source.join[2] (l.csv): no row without a match; 1 row not looked up<",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
