package pipeline

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestPlanOfGroupsInPasses plans groups with memory for all rows, and with memory for few: then the rows are
// read again for each range of hashes. Values of all lengths group rows, and some groups are too large.
func TestPlanOfGroupsInPasses(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"a.csv", "b.csv"} {
		var b strings.Builder
		b.WriteString("g,t,s,v\n")
		for range 6000 {
			g := r.IntN(300)
			fmt.Fprintf(&b, "%s%d,%d,s%d,%d\n", strings.Repeat("x", g%70), g, r.IntN(1000), g%3, r.IntN(9))
		}
		b.WriteString(strings.Repeat("large,1,s1,1\n", 200) + ",2,s1,5\n")
		testenv.Put(t, filepath.Join(dir, name), b.String())
	}
	const text = "name: d\noutput: out\non_error: skip\nmax_errors: 100%\nlimits: {group: 100}\nrecord: " +
		"sequence\ncontext: {g: string}\nsequence: {v: int64}\n" +
		"sources:\n- {csv: {files: a.csv}SPLIT}\n- {csv: {files: b.csv}SPLIT}\n"
	for name, of := range map[string][2]string{
		"groups":  {"", "group: {by: g, sort: t}\n"},
		"windows": {"", "group: {by: [g], sort: t, windows: {length: 4, stride: 5, last: drop}}\n"},
		"strata":  {", split: {fractions: {train: 70%, test: 30%}, stratify: s}", "group: {by: g}\n"},
		"limits": {", split: {fractions: {train: 70%, test: 30%}, by: g}",
			"group: {by: g, windows: {length: 3}}\nlimit: {train: {rows: 20, per: s}}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := load(t, dir, strings.ReplaceAll(text, "SPLIT", of[0])+of[1])
			plan := func(limit int64) *Plan {
				p, err := MakePlan(t.Context(), cfg, Run{Workers: 1, Memory: plenty, runLimit: limit})
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			want := plan(0)
			if got := plan(300_000); !reflect.DeepEqual(got, want) {
				t.Errorf("in passes: %+v\nat once: %+v", got, want)
			}
			said := func(note string) bool { return strings.HasPrefix(note, "limit skips ") }
			if slices.ContainsFunc(want.Notes, said) != (name == "limits") {
				t.Errorf("notes: %q", want.Notes)
			}
		})
	}
}
