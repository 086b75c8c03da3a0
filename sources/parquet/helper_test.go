package parquet

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/input"
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
		Limits: input.Limits{Record: 1 << 20, Pixels: 1 << 20},
	}
}

// open opens files in dir and reads their footers.
func open(t testing.TB, dir string, o *Options) (*parquetInput, error) {
	t.Helper()
	in, err := o.Open(t.Context(), below(dir))
	if err != nil {
		return nil, err
	}
	return in.(*parquetInput), in.ReadHeads(t.Context())
}

func mustOpen(t testing.TB, dir, pattern string) *parquetInput {
	t.Helper()
	in, err := open(t, dir, &Options{Files: input.Files{Patterns: []string{pattern}}})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// bind binds columns to slots in order.
func (in *parquetInput) bind(t testing.TB, names []string) (input.Scanner, []schema.Value, error) {
	t.Helper()
	var bound []input.Bound
	for i, name := range names {
		bound = append(bound, input.Bound{Name: name, Slot: i})
	}
	layout, err := in.Bind(bound)
	if err != nil {
		return nil, nil, err
	}
	return layout(input.NewObservations(), false), make([]schema.Value, len(bound)), nil
}

// sequential reads the rows of all files in order. An invalid row is represented by its code
// alone.
func sequential(t testing.TB, in *parquetInput, names ...string) (list [][]any, err error) {
	t.Helper()
	s, vals, err := in.bind(t, names)
	if err != nil {
		return nil, err
	}
	for file := range in.files {
		rows, err := in.Rows(file)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		for n := int64(0); ; n++ {
			rec, err := rows.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				return list, err
			}
			if rec.Offset != n || rec.Number != n || !rec.Row || !rec.Binary {
				t.Errorf("row %d is %+v", n, rec)
			}
			if rec.Bad != nil {
				list = append(list, []any{rec.Bad.Code})
				continue
			}
			got, err := in.row(s, file, rec.Offset, rec.Raw, vals, names)
			if err != nil {
				return list, err
			}
			list = append(list, got)
		}
	}
	return list, nil
}

// row returns a row in the form that tests compare.
func (in *parquetInput) row(s input.Scanner, file int, offset int64, raw []byte, vals []schema.Value,
	names []string) ([]any, error) {
	_, err := s.Scan(file, offset, raw, vals)
	if bad, ok := err.(*schema.RowError); ok {
		return []any{bad.Code}, nil
	}
	if err != nil {
		return nil, err
	}
	var got []any
	for i := range vals {
		got = append(got, show(&vals[i]))
	}
	return got, nil
}

// randomAccess decodes all files, and reads their rows from the last to the first.
func randomAccess(t testing.TB, in *parquetInput, names ...string) (list [][]any, err error) {
	t.Helper()
	s, vals, err := in.bind(t, names)
	if err != nil {
		return nil, err
	}
	found, err := in.Find(1)
	if err != nil {
		return nil, err
	}
	defer in.Release()
	for i := range found.Steps() {
		found.Step(i)
	}
	type position struct {
		file   int
		offset int64
	}
	var positions []position
	for _, c := range found.Chunks() {
		for i := range c.Starts {
			positions = append(positions, position{c.File, c.Offset + int64(c.Start(i))})
		}
	}
	for _, p := range slices.Backward(positions) {
		got, err := in.row(s, p.file, p.offset, nil, vals, names)
		if err != nil {
			return list, err
		}
		list = append(list, got)
	}
	slices.Reverse(list)
	return list, nil
}

// show returns a value as testdata/make.py shows it.
func show(v *schema.Value) any {
	switch v.Kind {
	case schema.Missing:
		return nil
	case schema.Array:
		size := v.Elem.Size()
		list := []any{}
		for at := 0; at < len(v.Text); at += size {
			list = append(list, showNumber(v.Elem, v.Text[at:at+size]))
		}
		if v.List == nil && len(list) == 1 {
			return list[0]
		}
		return list
	case schema.List:
		list := []any{}
		for i := range v.List {
			list = append(list, show(&v.List[i]))
		}
		return list
	case schema.String:
		return "s:" + string(v.Text)
	case schema.Number:
		return "n:" + string(v.Text)
	case schema.Bytes:
		return "b:" + hex.EncodeToString(v.Text)
	}
	return string(v.Text)
}

// showNumber returns a number of an array.
func showNumber(t schema.Type, b []byte) any {
	var wide [8]byte
	copy(wide[:], b)
	switch {
	case t.IsFloat():
		bits := binary.LittleEndian.AppendUint64(nil, math.Float64bits(t.FloatOf(b)))
		return hex.EncodeToString(bits)
	case t == schema.BoolType:
		return strconv.FormatBool(b[0] != 0)
	case t == schema.Uint32 || t == schema.Uint64:
		return fmt.Sprint(binary.LittleEndian.Uint64(wide[:]))
	case len(b) == 4:
		return fmt.Sprint(int32(binary.LittleEndian.Uint32(b)))
	}
	return fmt.Sprint(int64(binary.LittleEndian.Uint64(b)))
}

// asJSON formats a value for a message.
func asJSON(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}
