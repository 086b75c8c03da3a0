package sources

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tfr-build/sources/input"
)

// changes are modifications of a file after it was listed.
var changes = map[string]func(path string) error{
	"grown": func(path string) error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString("x\n")
		return errors.Join(err, f.Close())
	},
	"cut":     func(path string) error { return os.Truncate(path, 2) },
	"emptied": func(path string) error { return os.Truncate(path, 0) },
	"overwritten": func(path string) error {
		text, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(path, bytes.ToUpper(text), 0o666))
	},
	"replaced": func(path string) error {
		info, err := os.Stat(path)
		text, err2 := os.ReadFile(path)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		return errors.Join(os.WriteFile(path+"~", text, 0o666), os.Chtimes(path+"~", time.Time{}, info.ModTime()),
			os.Rename(path+"~", path))
	},
	"touched":         func(path string) error { return os.Chtimes(path, time.Time{}, time.Now()) },
	"gone":            os.Remove,
	"now a pipe":      func(path string) error { return errors.Join(os.Remove(path), unix.Mkfifo(path, 0o666)) },
	"now a directory": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o777)) },
}

// checkChanged changes the first file at each stage of reading.
func (s *sample) checkChanged(t *testing.T) {
	for name, change := range changes {
		for stage := range 4 {
			for _, streamed := range []bool{false, true} {
				k := newKit(t, s)
				path := filepath.Join(k.dir, k.first)
				if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
					t.Fatal(err)
				}
				err := k.walk(streamed, func(at int) {
					if at == stage {
						if err := change(path); err != nil {
							t.Fatal(err)
						}
					}
				})
				var fault *input.Error
				if !errors.As(err, &fault) || !strings.Contains(err.Error(), k.first) {
					t.Errorf("%s at stage %d, streamed %t: %v", name, stage, streamed, err)
				}
			}
		}
	}
}

// walk reads the input and calls change at each stage. The input must report the change, and must
// not return a row that differs.
func (k *kit) walk(streamed bool, change func(stage int)) error {
	known, _, err := k.sequential(k.mustOpen())
	if err != nil {
		k.Fatal(err)
	}
	in, err := k.options.Open(k.Context(), k.env)
	if err != nil {
		k.Fatal(err)
	}
	change(0)
	if err := in.ReadHeads(context.Background()); err != nil {
		return err
	}
	change(1)
	var rows []row
	if streamed || in.Footprint().Streamed {
		change(2)
		rows, _, err = k.sequential(in)
	} else {
		rows, err = k.walkFound(in, change)
	}
	for _, r := range rows {
		if !slices.ContainsFunc(known, func(w row) bool { return sameRow(r, w) || r.what == "" }) {
			k.Errorf("a row that is not of the input: %+v", r)
		}
	}
	if err != nil {
		return err
	}
	if in.Listing().Sized { // rows were compared with the listing as they were read
		in, err = k.open(in.Listing())
		if change(3); err == nil {
			_, _, err = k.sequential(in)
		}
		return err
	}
	change(3)
	return in.Recheck()
}

func (k *kit) walkFound(in input.Input, change func(stage int)) ([]row, error) {
	search, err := in.Find(5)
	if err != nil {
		return nil, err
	}
	defer in.Release()
	if !in.Listing().Sized { // a mapping must not be read any more once its file is cut
		change(2)
		return nil, nil
	}
	change(2)
	var rows []row
	for _, c := range search.Chunks() {
		for i := range c.Starts {
			rows = append(rows, row{file: c.File + int(c.Start(i))})
		}
	}
	return rows, k.atRandom(in, rows)
}
