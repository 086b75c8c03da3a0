package arrays

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// below returns the env of a config in dir.
func below(dir string) *input.Env {
	return &input.Env{
		Resolve: func(path string) string {
			if filepath.IsAbs(path) {
				return path
			}
			return filepath.Join(dir, path)
		},
		Limits: input.Limits{Record: 1 << 20},
	}
}

// columns returns columns c0, c1 … of these files.
func columns(files ...string) input.ColumnFiles {
	var list input.ColumnFiles
	for i, f := range files {
		list = append(list, input.ColumnFile{Column: fmt.Sprintf("c%d", i), File: f})
	}
	return list
}

// open opens arrays in dir and reads their headers.
func open(dir string, o *Options) (*arraysInput, error) {
	in, err := o.Open(context.Background(), below(dir))
	if err != nil {
		return nil, err
	}
	return in.(*arraysInput), in.ReadHeads(context.Background())
}

func mustOpen(t testing.TB, dir string, files ...string) *arraysInput {
	t.Helper()
	in, err := open(dir, &Options{Columns: columns(files...)})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// newScanner binds all columns.
func (in *arraysInput) newScanner(t testing.TB) (input.Scanner, []schema.Value) {
	t.Helper()
	var bound []input.Bound
	for i := range in.arrays {
		bound = append(bound, input.Bound{Name: in.arrays[i].column, Slot: i})
	}
	layout, err := in.Bind(bound)
	if err != nil {
		t.Fatal(err)
	}
	return layout(input.NewObservations(), false), make([]schema.Value, len(bound))
}

// sequential returns the rows read serially.
func sequential(t testing.TB, in *arraysInput) (list []string, err error) {
	t.Helper()
	rows, err := in.Rows(0)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	s, vals := in.newScanner(t)
	for {
		rec, err := rows.Next()
		if err == io.EOF {
			return list, nil
		}
		if err == nil {
			_, err = s.Scan(0, rec.Offset, rec.Raw, vals)
		}
		if err != nil {
			return list, err
		}
		list = append(list, show(rec.Offset, vals))
	}
}

// mapped returns the rows read in place, from the last to the first.
func mapped(t testing.TB, in *arraysInput) (list []string, err error) {
	t.Helper()
	found, err := in.Find(1)
	if err != nil {
		return nil, err
	}
	defer in.Release()
	s, vals := in.newScanner(t)
	var numbers []int64
	for _, c := range found.Chunks() {
		for i := range c.Starts {
			numbers = append(numbers, c.Offset+int64(c.Start(i)))
		}
	}
	if n := found.Finish(0).Rows; n != len(numbers) {
		t.Errorf("%d rows found, %d in chunks", n, len(numbers))
	}
	list = make([]string, len(numbers))
	for i := len(numbers) - 1; i >= 0; i-- {
		if _, err := s.Scan(0, numbers[i], nil, vals); err != nil {
			return list, err
		}
		list[i] = show(numbers[i], vals)
	}
	return list, nil
}

// show returns a row as text: its number and its columns.
func show(number int64, vals []schema.Value) string {
	text := fmt.Sprint(number)
	for i := range vals {
		text += "|" + showValue(&vals[i])
	}
	return text
}

func showValue(v *schema.Value) string {
	switch v.Kind {
	case schema.Array:
		return hex.EncodeToString(v.Text)
	case schema.List:
		text := ""
		for i := range v.List {
			text += showValue(&v.List[i]) + " "
		}
		return text
	}
	return string(v.Text)
}
