package parquet

import (
	"fmt"
	"io"
	"testing"

	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
	"tfr-build/sources/input"
)

// benchFile lays a file of numbers and of strings, some of which are missing.
func benchFile(b *testing.B) *parquetInput {
	const rows = 100_000
	ids, texts, missing := make([]int64, rows), make([]string, rows), make([]bool, rows)
	for i := range ids {
		ids[i], texts[i], missing[i] = int64(i), fmt.Sprint("text ", i), i%7 == 0
	}
	dir := b.TempDir()
	testenv.Put(b, dir+"/a.parquet", string(parquettest.File(rows/2,
		parquettest.Column{Name: "id", Values: ids}, parquettest.Column{Name: "text", Values: texts},
		parquettest.Column{Name: "some", Values: ids, Missing: missing})))
	in, err := open(b, dir, &Options{Files: input.Files{Patterns: []string{"a.parquet"}}})
	if err != nil {
		b.Fatal(err)
	}
	return in
}

// BenchmarkFind decodes a file, and scans its rows.
func BenchmarkFind(b *testing.B) {
	in := benchFile(b)
	s, vals, err := in.bind(b, []string{"id", "text", "some"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		found, err := in.Find(1)
		if err != nil {
			b.Fatal(err)
		}
		for i := range found.Steps() {
			found.Step(i)
		}
		for row := range in.files[0].rows {
			if _, err := s.Scan(0, row, nil, vals); err != nil {
				b.Fatal(err)
			}
		}
		in.Release()
	}
}

// BenchmarkRows reads the rows of a file one after another.
func BenchmarkRows(b *testing.B) {
	in := benchFile(b)
	for b.Loop() {
		rows, err := in.Rows(0)
		for err == nil {
			_, err = rows.Next()
		}
		if err != io.EOF {
			b.Fatal(err)
		}
		_ = rows.Close()
	}
}
