package rows

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/pipeline/plan"
	"tfr-build/sources/input"
)

// trips are the rows of a table, and a chooser of those that a condition takes.
func trips(t testing.TB, rows int, where string) (*Chooser, []Row) {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("id,vendor,distance,fare,tip,passengers,paid,zone,note\n")
	r := rand.New(rand.NewPCG(1, 2))
	for i := range rows {
		fmt.Fprintf(&b, "%d,%s,%.2f,%.2f,%.4f,%d,true,zone-%d,\"the quick, brown fox\"\n", i,
			[]string{"CMT", "DDS", "VTS"}[r.IntN(3)], 20*r.Float64(), 60*r.Float64(), 9*r.Float64(),
			r.IntN(5), r.IntN(99))
	}
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	set := openSet(t, dir, "source: {csv: {files: a.csv}}\nfeatures: {id: int64}\nwhere: '"+where+"'\n")
	var list []Row
	err := input.EachRow(t.Context(), set.Sources[0], 0, func(rec *input.Record) error {
		row := Of(0, rec)
		row.Data = []byte(string(row.Data))
		list = append(list, row)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c := set.NewChooser()
	t.Cleanup(c.Close)
	return c, list
}

const threeColumns = `fare > 10 && distance < 15.5 && vendor in ["CMT", "VTS"]`

// TestWhereIsCounted checks that a chooser counts the rows it skips, and allocates nothing per
// row.
func TestWhereIsCounted(t *testing.T) {
	c, list := trips(t, 1000, threeColumns)
	kept := 0
	choose := func() {
		kept = 0
		for i := range list {
			of, err := c.Choose(&list[i])
			if err != nil {
				t.Fatal(err)
			}
			if of.Split != Skipped {
				kept++
			}
		}
	}
	choose()
	left := make([]plan.Source, 1)
	c.AddSkipped(left)
	if kept < 300 || int(left[0].Skipped["where"]) != 1000-kept {
		t.Errorf("%d rows are kept, and %d skipped", kept, left[0].Skipped["where"])
	}
	if n := testing.AllocsPerRun(3, choose); n > 0 {
		t.Errorf("%v allocations for 1000 rows", n)
	}
}

// BenchmarkWhere measures a condition of three columns per row, with and without
// reading them.
func BenchmarkWhere(b *testing.B) {
	for _, only := range []bool{true, false} {
		name := "read and asked"
		if only {
			name = "read"
		}
		b.Run(name, func(b *testing.B) {
			c, list := trips(b, 4096, threeColumns)
			b.ResetTimer()
			for i := 0; b.Loop(); i++ {
				row := &list[i%len(list)]
				var err error
				if only {
					_, err = c.sources[0].read(c.set, row)
				} else {
					_, err = c.Choose(row)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
