package simulation

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// mostNames is how many names one file gets: file systems bound them.
const mostNames = 30_000

// named makes files under so many names: they hold what begin says and, up to their size,
// nothing that takes room.
func named(t *testing.T, from string, begin []byte, size int64, names int, name func(i int) string) {
	t.Helper()
	of := ""
	for i := range names {
		if i%mostNames == 0 {
			of = fmt.Sprintf("%s-%d", from, i)
			err := os.WriteFile(of, begin, 0o666)
			if err == nil {
				err = os.Truncate(of, max(size, int64(len(begin))))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Link(of, name(i)); err != nil {
			t.Fatal(err)
		}
	}
}

// inputs lays out a config and its files, a thousand of them in a directory.
func (d *dataset) inputs(text, begin, suffix string, files int, size int64) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.dir, "c.yaml"), []byte(text), 0o666); err != nil {
		d.t.Fatal(err)
	}
	for i := range (files + 999) / 1000 {
		if err := os.MkdirAll(filepath.Join(d.dir, "in", fmt.Sprintf("%04d", i)), 0o777); err != nil {
			d.t.Fatal(err)
		}
	}
	named(d.t, filepath.Join(d.dir, "file"), []byte(begin), size, files, func(i int) string {
		return filepath.Join(d.dir, "in", fmt.Sprintf("%04d", i/1000), fmt.Sprintf("part-%07d%s", i, suffix))
	})
}
