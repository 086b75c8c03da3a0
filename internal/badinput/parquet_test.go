package badinput

import (
	"strings"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/internal/parquettest"
)

// parquetFaults are Parquet files that lie, or are not what the config says.
func parquetFaults() []fault {
	const features = "features: {x: {}}\n"
	const source = "source: {parquet: {files: x.parquet}}\n"
	numbers := parquettest.Column{Name: "x", Values: []int64{1, 2, 3}}
	one := func(v verdict, name string, file []byte) fault {
		return input(v, name, source+features, map[string]string{"x.parquet": string(file)})
	}
	page := func(change func(*format.PageHeader)) []byte {
		return parquettest.Changed(parquettest.Change{Page: change}, 2, numbers)
	}
	footer := func(change func(*format.FileMetaData)) []byte {
		return parquettest.Changed(parquettest.Change{Footer: change}, 2, numbers)
	}
	whole := parquettest.File(2, numbers)
	texts := parquettest.File(2, parquettest.Column{Name: "x", Values: []string{"a", "\xff", "c"}})
	files := map[string]string{
		"x.parquet": string(parquettest.File(2, numbers, parquettest.Column{Name: "s.a", Values: []int64{1, 2, 3}},
			parquettest.Column{Name: "s.b", Values: []string{"", "", ""}})),
		"y.parquet": string(parquettest.File(2, parquettest.Column{Name: "y", Values: []int64{1}})),
		"z.parquet": string(parquettest.File(2, parquettest.Column{Name: "x", Values: []string{"a"}})),
	}
	long := parquettest.File(2, parquettest.Column{Name: "x", Values: []string{"a", strings.Repeat("b", 3000), "c"}})
	run := func(level byte, count int) parquettest.Run { return parquettest.Run{Level: level, Count: count} }
	nulls := parquettest.File(3, parquettest.Column{Name: "x", Pages: []parquettest.Page{{Type: format.Int64,
		Repeats: []parquettest.Run{run(0, 2), run(1, 9_999_999), run(0, 1)},
		Levels:  []parquettest.Run{run(2, 10_000_002)}}}})
	const limited = source + "limits: {record: 2000B}\n"
	return []fault{
		one(accepted, "a Parquet file", whole),
		input(badRow, "a long value in Parquet", limited+features, map[string]string{"x.parquet": string(long)}),
		input(badRow, "a list of ten million nulls in Parquet",
			limited+"features: {x: {shape: [-1], missing: {default: 0}}}\n",
			map[string]string{"x.parquet": string(nulls)}),
		one(refused, "a table for a Parquet file", []byte("x\n1\n")),
		one(refused, "an empty Parquet file", nil),
		one(refused, "a Parquet file that is cut", whole[:len(whole)-20]),
		one(refused, "a footer that claims more than the file",
			append(whole[:len(whole)-8:len(whole)-8], "\xff\xff\xff\x7fPAR1"...)),
		one(refused, "a footer that is nothing", append(whole[:len(whole)-12:len(whole)-12],
			"\xff\xff\xff\xff\x04\x00\x00\x00PAR1"...)),
		one(refused, "an encrypted Parquet file", append([]byte("PARE"), whole[4:]...)),
		one(refused, "an encrypted column", footer(func(m *format.FileMetaData) {
			m.RowGroups[0].Columns[0].CryptoMetadata.Value = &format.EncryptionWithFooterKey{}
		})),
		one(refused, "rows that no row group has", footer(func(m *format.FileMetaData) { m.NumRows = 4 })),
		one(refused, "a row group of more rows than it has", footer(func(m *format.FileMetaData) {
			m.NumRows, m.RowGroups[0].NumRows, m.RowGroups[0].Columns[0].MetaData.NumValues = 4, 3, 3
		})),
		one(refused, "a column at a place beyond the file",
			footer(func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.DataPageOffset = 1 << 40 })),
		one(refused, "a page of more values than it has",
			page(func(h *format.PageHeader) { h.DataPageHeader.V.NumValues = 1 << 30 })),
		one(refused, "a page that claims gigabytes", page(func(h *format.PageHeader) {
			h.UncompressedPageSize = 1 << 30
		})),
		one(refused, "a page with another checksum", page(func(h *format.PageHeader) { h.CRC = 1 })),
		one(refused, "a codec that is not read",
			footer(func(m *format.FileMetaData) { m.RowGroups[0].Columns[0].MetaData.Codec = format.LZO })),
		one(badRow, "a text in Parquet that is none", texts),
		input(badRow, "texts in Parquet that are none, skipped", source+"on_error: skip\nmax_errors: 0\n"+features,
			map[string]string{"x.parquet": string(texts)}),
		input(refused, "a struct for a column", source+"features: {s: {}}\n", files),
		input(refused, "no column of Parquet", source+"features: {X: {}}\n", files),
		input(refused, "a column that one file lacks", "source: {parquet: {files: [x.parquet, y.parquet]}}\n"+features,
			files),
		input(refused, "a column of two types", "source: {parquet: {files: [x.parquet, z.parquet]}}\n"+features, files),
		input(refused, "no images", "source: {parquet: {files: x.parquet, image: x}}\nfeatures: {image: {}}\n", files),
		input(refused, "no root", "source: {parquet: {files: x.parquet, roots: .}}\n"+features, files),
	}
}
