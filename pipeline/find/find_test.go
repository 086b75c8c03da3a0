package find

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/pool"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
)

// openSet opens a table with the column id.
func openSet(t *testing.T, text string) (set *rows.Set, dir string) {
	t.Helper()
	dir = testenv.Directory(t, map[string]string{"t.csv": text, "c.yaml": "name: d\noutput: out\n" +
		"source: {csv: t.csv}\nsplit: train\nfeatures: {id: int64}\n"})
	cfg, err := config.Load(filepath.Join(dir, "c.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if set, err = rows.Open(t.Context(), cfg, rows.Options{Workers: 1}); err == nil {
		err = set.Bind(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.Release)
	return set, dir
}

// A panic while a worker handles a row that was found is a bug that names the row.
func TestPanicsNameTheRow(t *testing.T) {
	set, dir := openSet(t, "id\n1\n2\n3\n")
	compare := func(_ context.Context, _ int64, each func(visit func(worker int, r *rows.Row) error) error) error {
		return each(func(_ int, r *rows.Row) error {
			if r.Offset == 5 {
				panic("a mistake")
			}
			return nil
		})
	}
	f := &Finder{Set: set, Pool: &pool.Pool{Workers: 1}, Log: rejects.NewLog(false), Compare: compare}
	_, err := f.Find(t.Context(), func([]plan.Source) error { return nil })
	want := "internal error: the row of " + filepath.Join(dir, "t.csv") + " at offset 5: a mistake"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestEach visits all rows, each some rows after it was passed to ahead, except for the first ones.
func TestEach(t *testing.T) {
	const all = 100
	set, _ := openSet(t, "id\n"+strings.Repeat("12\n", all))
	f := &Finder{Set: set, Pool: &pool.Pool{Workers: 1}, Log: rejects.NewLog(false)}
	found, err := f.Find(t.Context(), func([]plan.Source) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	var known []int64 // rows that were passed to ahead
	visited := map[int64]bool{}
	err = found.Each(t.Context(), func(_ int, r *rows.Row) { known = append(known, r.Offset) },
		func(_ int, r *rows.Row) error {
			if n := len(visited); n >= rows.Ahead && known[n-rows.Ahead] != r.Offset {
				t.Errorf("row %d is visited, %d is expected", r.Offset, known[n-rows.Ahead])
			}
			visited[r.Offset] = true
			if want := min(len(visited), all-rows.Ahead); len(known) != want {
				t.Errorf("%d rows are known, want %d", len(known), want)
			}
			return nil
		})
	if err != nil || len(visited) != all {
		t.Errorf("%d rows were visited, want %d: %v", len(visited), all, err)
	}
}
