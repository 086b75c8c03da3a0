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

// A panic while a worker handles a row that was found is a bug that names the row.
func TestPanicsNameTheRow(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "id\n1\n2\n3\n", "c.yaml": "name: d\noutput: out\n" +
		"source: {csv: t.csv}\nsplit: train\nfeatures: {id: int64}\n"})
	cfg, err := config.Load(filepath.Join(dir, "c.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	set, err := rows.Open(t.Context(), cfg, rows.Options{Workers: 1})
	if err == nil {
		err = set.Bind(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	defer set.Release()
	compare := func(_ context.Context, _ int64, each func(visit func(worker int, r *rows.Row) error) error) error {
		return each(func(_ int, r *rows.Row) error {
			if r.Offset == 5 {
				panic("a mistake")
			}
			return nil
		})
	}
	f := &Finder{Set: set, Pool: &pool.Pool{Workers: 1}, Log: rejects.NewLog(false), Compare: compare}
	_, err = f.Find(t.Context(), func([]plan.Source) error { return nil })
	want := "internal error: the row of " + filepath.Join(dir, "t.csv") + " at offset 5: a mistake"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
}
