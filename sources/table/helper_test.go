package table_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/csv"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
)

func patterns(list []string) input.Files {
	return input.Files{Patterns: list, IsList: len(list) > 1}
}

func csvOf(files ...string) *csv.Options {
	return &csv.Options{Files: patterns(files), Delimiter: ",", Header: true, Quotes: "rfc4180", Encoding: "utf-8"}
}

func jsonlOf(files ...string) *jsonl.Options {
	return &jsonl.Options{Files: patterns(files)}
}

// list lists the files of a table, whose patterns are relative to dir.
func list(dir string, o input.Options) (input.Input, error) {
	return o.Open(context.Background(), &input.Env{
		Resolve: func(path string) string { return filepath.Join(dir, path) },
		Limits:  input.Limits{Record: 1 << 20, Columns: 1000, Depth: 100},
		Workers: 1,
	})
}

// open lists the files of a table and reads their heads.
func open(dir string, o input.Options) (input.Input, error) {
	in, err := list(dir, o)
	if err != nil {
		return nil, err
	}
	return in, in.ReadHeads(context.Background())
}

func mustOpen(t *testing.T, dir string, o input.Options) input.Input {
	t.Helper()
	in, err := open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// tableOf reads all rows as text, such as `a|b`, in source order. An invalid row is its error code.
func tableOf(t *testing.T, in input.Input, columns ...string) (rows []string) {
	t.Helper()
	var expected []input.Bound
	for i, c := range columns {
		expected = append(expected, input.Bound{Name: c, Slot: i})
	}
	layout, err := in.Bind(expected)
	if err != nil {
		t.Fatal(err)
	}
	scanner, vals := layout(input.NewObservations(), false), make([]schema.Value, len(columns))
	for file := range in.Listing().Files {
		err := input.EachRow(t.Context(), in, file, func(rec *input.Record) error {
			if rec.Bad != nil {
				rows = append(rows, rec.Bad.Code)
				return nil
			}
			_, err := scanner.Scan(file, rec.Offset, rec.Raw, vals)
			if bad, ok := err.(*schema.RowError); ok {
				rows = append(rows, bad.Code)
				return nil
			}
			var cells []string
			for _, v := range vals {
				cells = append(cells, string(v.Text))
			}
			rows = append(rows, strings.Join(cells, "|"))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

// found lists where the rows of a file begin, with their first bytes.
func found(t *testing.T, in input.Input, file int) (rows []string) {
	t.Helper()
	err := input.EachRow(t.Context(), in, file, func(rec *input.Record) error {
		rows = append(rows, fmt.Sprintf("%d:%d:%.4q", rec.Offset, rec.Line, rec.Raw))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func wantRows(t *testing.T, got []string, want ...string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("rows\n got %q\nwant %q", got, want)
	}
}

func wantError(t *testing.T, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("error %v; want one with %q", err, part)
	}
}
