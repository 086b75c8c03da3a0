package pipeline

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestGroupsBeyondTheMemory groups rows of one bucket that is many times larger than the memory: they are
// loaded in several passes, one of them with a group that is larger itself.
func TestGroupsBeyondTheMemory(t *testing.T) {
	var b strings.Builder
	b.WriteString("k,t,v\n")
	for i := range 1_200 {
		k := i % 67
		if i%3 == 0 {
			k = 5
		}
		fmt.Fprintf(&b, "k%d,%d,%d.5\n", k, 10_000-i, i)
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": b.String()})
	for _, order := range []string{"", "order: source\n"} {
		cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\nrecord: sequence\ngroup: {by: [k], sort: "+
			"t}\n"+order+"context: {k: string}\nsequence: {t: int64, v: float}\n")
		want := tree(t, mustBuild(t, cfg, ways[0]))
		for _, workers := range []int{1, 2} {
			run := Run{Workers: workers, Output: filepath.Join(t.TempDir(), "out"), runLimit: 8_000}
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatal(err)
			}
			if got := tree(t, run.Output); got != want {
				t.Errorf("%s%d workers: other bytes:\n%s\nwant\n%s", order, workers, got, want)
			}
		}
	}
}
