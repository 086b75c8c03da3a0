package sources

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/csv"
	"tfr-build/sources/folder"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
)

// below returns the environment of a config in dir.
func below(dir string) *input.Env {
	return &input.Env{
		Resolve: func(path string) string {
			if filepath.IsAbs(path) {
				return path
			}
			return filepath.Join(dir, path)
		},
		Limits:  input.Limits{Record: 1 << 20, Columns: 1000, Depth: 100, Pixels: 1 << 30},
		Workers: 2,
	}
}

func patterns(list []string) input.Files {
	return input.Files{Patterns: list, IsList: len(list) > 1}
}

func csvOptions(files ...string) *csv.Options {
	return &csv.Options{Files: patterns(files), Delimiter: ",", Header: true, Quotes: "rfc4180", Encoding: "utf-8"}
}

func csvSpec(files ...string) *Spec {
	return &Spec{Kind: Chosen{"csv", csvOptions(files...)}}
}

func jsonlOptions(files ...string) *jsonl.Options {
	return &jsonl.Options{Files: patterns(files)}
}

func jsonlSpec(files ...string) *Spec {
	return &Spec{Kind: Chosen{"jsonl", jsonlOptions(files...)}}
}

func imagesOptions() *images.Options {
	extensions := input.Extensions{List: []string{"jpg", "jpeg", "png"}}
	return &images.Options{Below: input.Below{Dir: "."}, Extensions: extensions, Checked: "structure",
		FormatMismatch: "accept"}
}

func imagesSpec() *Spec {
	return &Spec{Kind: Chosen{"images", imagesOptions()}}
}

func directoryOptions() *folder.Options {
	return &folder.Options{Below: input.Below{Dir: "."}, Extensions: input.Extensions{Any: true}}
}

// mustBind opens a source, reads its headers, and binds columns.
func mustBind(t *testing.T, env *input.Env, spec *Spec, columns ...string) (*Source, *Layout) {
	t.Helper()
	s, l, err := bind(env, spec, columns...)
	if err != nil {
		t.Fatal(err)
	}
	return s, l
}

func bind(env *input.Env, spec *Spec, columns ...string) (*Source, *Layout, error) {
	s, err := Open(context.Background(), spec, env)
	if err != nil {
		return nil, nil, err
	}
	if err := s.ReadHeads(context.Background(), columns); err != nil {
		return nil, nil, err
	}
	l, err := s.Bind(asTheyAre(columns))
	if err != nil {
		return nil, nil, err
	}
	return s, l, s.LoadJoins(context.Background())
}

// table reads all rows as text, `a|b` per row, in source order. An invalid row is its code.
func table(t *testing.T, s *Source, l *Layout, columns int) []string {
	t.Helper()
	var rows []string
	r := l.NewReader()
	defer r.Close()
	for file := range s.Listing().Files {
		err := input.EachRow(t.Context(), s, file, func(rec *input.Record) error {
			if rec.Bad != nil {
				rows = append(rows, rec.Bad.Code)
				return nil
			}
			vals, err := r.Read(file, rec.Offset, rec.Raw)
			if bad, ok := err.(*schema.RowError); ok {
				rows = append(rows, bad.Code)
				return nil
			}
			if err == nil {
				rows = append(rows, showRow(vals[:columns]))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

// showRow formats a row as text.
func showRow(vals []schema.Value) string {
	var cells []string
	for _, v := range vals {
		cells = append(cells, show(v))
	}
	return strings.Join(cells, "|")
}

func show(v schema.Value) string {
	switch v.Kind {
	case schema.Missing:
		return "-"
	case schema.Array:
		return showArray(v)
	case schema.List:
		var elems []string
		for _, e := range v.List {
			elems = append(elems, show(e))
		}
		return "[" + strings.Join(elems, " ") + "]"
	}
	return string(v.Text)
}

// showArray formats numbers as text.
func showArray(v schema.Value) string {
	var list []string
	for rest := v.Text; len(rest) > 0; {
		switch v.Elem {
		case schema.Int64:
			list, rest = append(list, fmt.Sprint(int64(binary.LittleEndian.Uint64(rest)))), rest[8:]
		case schema.Float64:
			list, rest = append(list, fmt.Sprint(math.Float64frombits(binary.LittleEndian.Uint64(rest)))), rest[8:]
		case schema.Uint16:
			list, rest = append(list, fmt.Sprint(binary.LittleEndian.Uint16(rest))), rest[2:]
		case schema.Float:
			list, rest = append(list, fmt.Sprint(math.Float32frombits(binary.LittleEndian.Uint32(rest)))), rest[4:]
		default:
			return fmt.Sprintf("%v %x", v.Elem, v.Text)
		}
	}
	return "[" + strings.Join(list, " ") + "]"
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

// asTheyAre returns columns without conversion.
func asTheyAre(names []string) []schema.Column {
	list := make([]schema.Column, len(names))
	for i, name := range names {
		list[i].Name = name
	}
	return list
}
