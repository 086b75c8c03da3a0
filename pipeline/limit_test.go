package pipeline

import (
	"slices"
	"strings"
	"testing"
)

// TestLimitOfEachValue compares datasets with the complete one: of each value of a column the first
// rows in output order stay.
func TestLimitOfEachValue(t *testing.T) {
	dir := shapedInput(t)
	for name, source := range shapedSources {
		t.Run(name, func(t *testing.T) {
			for _, w := range everyWay(t) {
				built := func(shape, column string) map[string][]string {
					return payloadsOf(t, mustBuild(t, load(t, dir, "name: d\noutput: out\nrecord: {text: "+column+"}\n"+source+shape), w))
				}
				ids, users, parts := built("sample: 90%\n", "id"), built("sample: 90%\n", "user"), built("sample: 90%\n", "part")
				limited := built("sample: 90%\nlimit: {train: {rows: 9, per: user}, test: {rows: 5, per: part}, dev: 3}\n", "id")
				for split, rows := range ids {
					var want []string
					counts := map[string]int{}
					for i, id := range rows {
						of := map[string]string{"train": users[split][i], "test": parts[split][i], "dev": ""}[split]
						if counts[of]++; counts[of] <= map[string]int{"train": 9, "test": 5, "dev": 3}[split] {
							want = append(want, id)
						}
					}
					if !slices.Equal(limited[split], want) {
						t.Errorf("%+v: %s has the rows %s, expected %s", w, split, strings.Join(limited[split], " "), strings.Join(want, " "))
					}
				}
			}
		})
	}
}
