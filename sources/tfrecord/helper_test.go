package tfrecord_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/framing"
	"tfr-build/schema"
	"tfr-build/sources/input"
	records "tfr-build/sources/tfrecord"
)

const limit = 1000

// open opens a file whose content it writes.
func open(t testing.TB, name, format, content string) input.Input {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return reopen(t, path, format)
}

func reopen(t testing.TB, path, format string) input.Input {
	t.Helper()
	o := &records.Options{Files: input.Files{Patterns: []string{path}}, Format: framing.Name(format)}
	env := &input.Env{Resolve: func(p string) string { return p }, Limits: input.Limits{Record: limit}, Workers: 1}
	in, err := o.Open(t.Context(), env)
	if err == nil {
		err = in.ReadHeads(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// A row is the offset of a row, and its payload or the code of its error.
type row struct {
	offset int64
	what   string
	good   bool
}

// A reader reads payloads.
type reader struct {
	input.Scanner
	vals []schema.Value
}

func newReader(t testing.TB, in input.Input) *reader {
	t.Helper()
	l, err := in.Bind([]input.Bound{{Name: "record", Slot: 0}})
	if err != nil {
		t.Fatal(err)
	}
	return &reader{l(input.NewObservations(), false), make([]schema.Value, 1)}
}

func (r *reader) read(t testing.TB, offset int64, data []byte) row {
	t.Helper()
	bad := new(schema.RowError)
	switch _, err := r.Scan(0, offset, data, r.vals); {
	case err == nil:
		return row{offset, string(r.vals[0].Text), true}
	case !errors.As(err, &bad):
		t.Fatal(err)
	}
	return row{offset, bad.Code, false}
}

// sequential reads the rows one after another.
func sequential(t testing.TB, in input.Input) (rows []row) {
	t.Helper()
	r := newReader(t, in)
	number := int64(0)
	err := input.EachRow(t.Context(), in, 0, func(rec *input.Record) error {
		switch {
		case rec.Bad != nil:
			rows = append(rows, row{rec.Offset, rec.Bad.Code, false})
		default:
			rows = append(rows, r.read(t, rec.Offset, rec.Raw))
		}
		if rec.Number != number || !rec.Binary || len(rows) > 1 && rec.Offset <= rows[len(rows)-2].offset {
			return fmt.Errorf("record %d at %d after %v", rec.Number, rec.Offset, rows)
		}
		number++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// found finds the rows in steps of some size, in any order, and reads them in place.
func found(t testing.TB, in input.Input, step int) (rows []row) {
	t.Helper()
	s, err := in.Find(step)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(s.Steps()) {
		s.Step(i)
	}
	n := s.Finish(0).Rows
	r := newReader(t, in)
	for _, c := range s.Chunks() {
		for i := range c.Starts {
			at := c.Offset + int64(c.Start(i))
			rows = append(rows, r.read(t, at, in.(input.Texter).Contents()[0][at:]))
		}
	}
	if n != len(rows) {
		t.Errorf("%d rows, counted as %d", len(rows), n)
	}
	return rows
}
