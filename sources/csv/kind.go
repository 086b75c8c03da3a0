package csv

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// Options are the config keys of the source type `csv`, for a source or a lookup table.
type Options struct {
	input.Files `yaml:"files" required:"yes" doc:"File, pattern, or list of patterns." example:"'data/*.csv'"`
	input.Rooted
	Delimiter  string   `yaml:"delimiter" default:"," is:"delimiter" doc:"String between cells, tab, or whitespace for runs of blanks. Default: a comma." example:"tab"`
	Header     bool     `yaml:"header" default:"true" doc:"Says that the first row has the column names. Default: true."`
	Columns    []string `yaml:"columns" ranges:"ok" doc:"Column names in order, in place of the names in the header." example:"[id, name]"`
	Rest       string   `yaml:"rest" is:"column" doc:"Last column, which takes the rest of the line, delimiters included." example:"text"`
	Quotes     string   `yaml:"quotes" default:"rfc4180" enum:"rfc4180 none" doc:"Meaning of quotes: rfc4180 syntax, or none. Default: rfc4180."`
	Encoding   string   `yaml:"encoding" default:"utf-8" enum:"utf-8 utf-16le utf-16be latin-1" doc:"Encoding of the files. Text is stored as UTF-8. Default: utf-8."`
	NullValues []string `yaml:"null_values" empty:"ok" one:"ok" doc:"Strings that mean a missing value, besides the empty cell." example:"[NA, '?']"`
	Trim       bool     `yaml:"trim" default:"false" doc:"Removes spaces and tabs around unquoted cells. Default: false."`
	SkipLines  int      `yaml:"skip_lines" default:"0" range:"0 1000000000" doc:"Number of lines before the header. Default: 0."`
	Comment    string   `yaml:"comment" is:"character" doc:"Character at the start of lines that are skipped." example:"'#'"`
	input.MayBeEmpty
}

// Trims reports whether spaces around unquoted cells are removed.
func (o *Options) Trims() bool { return o.Trim }

// Known returns the columns that the config names. The set is open if the names come from the
// headers.
func (o *Options) Known() *column.Set {
	like := column.Column{From: "csv.columns", Nulls: slices.Sorted(slices.Values(o.NullValues))}
	set := column.NewSet(like, o.Columns...).AddPositions(like, newHeader(o.Columns).positionNames()...)
	set.Open = o.Columns == nil
	return set
}

// Check reports conflicts between keys by calling report. The function fine reports whether the
// values of some keys are valid on their own.
func (o *Options) Check(fine func(keys ...string) bool, report func(key, hint, text string)) {
	if fine("header", "columns") && !o.Header && o.Columns == nil {
		report("header", "columns: [id, text]", "header: false needs columns, the names in order")
	}
	switch {
	case !fine("delimiter", "comment", "quotes"):
	case o.Quotes == "rfc4180" && strings.Contains(o.Delimiter, `"`):
		report("delimiter", "", "a quote as the delimiter needs quotes: none")
	case o.Comment != "" && o.Comment == o.Delimiter:
		report("comment", "", fmt.Sprintf("comment and delimiter are both %q", o.Comment))
	case o.Comment != "" && o.delimits(o.Comment):
		report("comment", "", fmt.Sprintf("delimiter %q begins with the comment %q", o.Delimiter, o.Comment))
	case o.Quotes == "rfc4180" && o.Comment == `"`:
		report("comment", "", "a quote as the comment needs quotes: none")
	}
	if fine("rest", "columns") && o.Rest != "" && len(o.Columns) > 0 {
		if text, hint := o.lastIsRest(o.Columns); text != "" {
			report("rest", hint, text)
		}
	}
}

// delimits reports whether a delimiter may begin with s.
func (o *Options) delimits(s string) bool {
	if o.Delimiter == Whitespace {
		return isBlank(s[0])
	}
	return strings.HasPrefix(o.Delimiter, s)
}

// lastIsRest returns an error and a hint unless the last of the names is the column for the rest.
func (o *Options) lastIsRest(names []string) (text, hint string) {
	last := names[len(names)-1]
	if o.Rest == "" || o.Rest == last {
		return "", ""
	}
	return fmt.Sprintf("rest is %s, but the last column is %s", schema.Quote(o.Rest), schema.Quote(last)),
		"rest: " + last
}

// Format returns how the files are written, according to the options and limits.
func (o *Options) Format(limits input.Limits) Format {
	encoding, _ := charset.Parse(o.Encoding) // the config accepts only valid encodings
	quotes, rest := o.Quotes != "none", o.Rest != ""
	return Format{
		Delimiter: o.Delimiter, Quotes: quotes && !rest, Rest: rest, Unquoted: quotes && rest,
		Comment: o.Comment, Trim: o.Trim, SkipLines: o.SkipLines, Header: o.Header, Encoding: encoding,
		MaxRecord: limits.Record, MaxColumns: limits.Columns,
	}
}

// Open lists the files and returns them as an input.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	in := &csvInput{options: o, format: o.Format(env.Limits)}
	in.Encoding = in.format.Encoding
	return in, in.List(ctx, o, env, in)
}

// A csvInput reads CSV files. It is also their table.Format.
type csvInput struct {
	table.Files
	options *Options
	format  Format
	columns *column.Set
}

// Head parses the header.
func (in *csvInput) Head(text []byte, atEOF bool) (table.Head, bool, error) {
	if bad := Mismatch(text); bad != nil {
		bad.At = 0
		return table.Head{}, false, bad
	}
	h, bad, more := in.format.Start(text, atEOF)
	switch {
	case bad != nil && bad.Code == "CSV_EMPTY":
		return table.Head{First: len(text), Empty: true}, false, nil
	case bad != nil:
		bad.At = h.First + max(bad.At, 0)
		return table.Head{}, false, bad
	case more && !atEOF:
		return table.Head{}, true, nil
	}
	if c := in.options.Columns; c != nil {
		if h.Names != nil && len(h.Names) != len(c) {
			text := fmt.Sprintf("the header has %s, but `columns` names %d", plural.Of(len(h.Names), "column"), len(c))
			return table.Head{}, false, &input.MismatchError{Line: max(1, h.Lines), Col: 1, Code: "CSV_RAGGED",
				Text: text}
		}
		h.Names = c
	}
	if len(h.Names) > 0 {
		if text, hint := in.options.lastIsRest(h.Names); text != "" {
			return table.Head{}, false, &input.MismatchError{
				Line: max(1, h.Lines), Col: 1, Code: input.MissingColumn, Text: text, Hint: hint}
		}
	}
	return h, false, nil
}

// NewCutter returns a Cutter for the rows of a stream.
func (in *csvInput) NewCutter(h *table.Head) table.Cutter {
	return in.format.NewCutter(len(h.Names) == 1)
}

// NewChunks returns chunks that find the records of a mapped file.
func (in *csvInput) NewChunks(data []byte, h *table.Head, n, _ int) table.Chunks {
	return &chunks{in.format, data, h, make([]Chunk, n)}
}

type chunks struct {
	format Format
	data   []byte
	head   *table.Head
	list   []Chunk
}

func (c *chunks) Find(i, lo, hi int, s *table.Scratch) {
	chunk := &c.list[i]
	chunk.starts = *s
	c.format.Scan(c.data, lo, hi, chunk)
	*s = chunk.starts
	for k, list := range chunk.starts {
		chunk.starts[k] = slices.Concat(list)
	}
}

func (c *chunks) Starts(i int) []uint32 { return c.list[i].Starts() }

func (c *chunks) Finish() (rows, blank int, check uint8) {
	rows, blank, found := c.format.Stitch(c.data, min(c.head.First, len(c.data)), len(c.head.Names) == 1, c.list)
	return rows, blank, uint8(found)
}

// NewCandidates returns a finder of records in ranges of a file. It is nil for a format with
// comments or one column. There a range does not show whether a line is a comment, or a blank line
// a record.
func (in *csvInput) NewCandidates(h *table.Head) (c table.Candidates, lines bool) {
	if in.format.Comment != "" || len(h.Names) == 1 {
		return nil, false
	}
	return &candidates{format: in.format}, !in.format.Quotes
}

// candidates are the records of a range, under both assumptions about quotes.
type candidates struct {
	format Format
	chunk  Chunk
	text   []byte
}

func (c *candidates) Find(text []byte, lo, hi int) {
	c.text = text
	c.format.Scan(text, lo, hi, &c.chunk)
}

func (c *candidates) From(from int) (starts []uint32, blank int, ok bool) {
	return c.chunk.startsFrom(&c.format, c.text, uint32(from))
}

func (c *candidates) Check() uint8 { return uint8(c.chunk.check) }

// ReadHeads reads the headers of all files and collects their columns.
func (in *csvInput) ReadHeads(ctx context.Context) error {
	if err := in.Files.ReadHeads(ctx); err != nil {
		return err
	}
	like := column.Column{From: "the csv itself", Nulls: slices.Sorted(slices.Values(in.options.NullValues))}
	in.columns = column.NewSet(like)
	in.columns.Advise = in.advise
	in.columns.NoRows = true
	var last []string
	for i := range in.Listing().Files {
		h := in.Files.Head(i)
		in.columns.NoRows = in.columns.NoRows && h.Empty
		if !slices.Equal(h.Names, last) { // nearly all files have the same names
			in.columns.Add(like, h.Names...).AddPositions(like, newHeader(h.Names).positionNames()...)
			last = h.Names
		}
	}
	return nil
}

// Columns returns the columns of all headers.
func (in *csvInput) Columns() *column.Set { return in.columns }

// advise returns a reason why a column may be missing, and a hint.
func (in *csvInput) advise(name string) (text, hint string) {
	if len(in.Listing().Files) > 0 && in.Files.Head(0).LikelyDelimiter != "" {
		return Separated(in.Files.Head(0).LikelyDelimiter)
	}
	if slices.ContainsFunc(in.columns.Names(), func(n string) bool {
		return n != name && strings.TrimSpace(n) == name
	}) {
		return "", "trim: true"
	}
	return "", ""
}

// Bind maps each bound column to its cell in each file.
func (in *csvInput) Bind(columns []input.Bound) (input.Layout, error) {
	var fits input.Mismatches
	cells := make([][]int32, len(in.Listing().Files))
	var names []string // of the previous file; nearly all files have the same names
	var of []int32
	for i := range cells {
		h := in.Files.Head(i)
		if h.Empty {
			continue
		}
		if of == nil || !slices.Equal(h.Names, names) {
			of = in.mapCells(i, columns, &fits)
			names = h.Names
		}
		cells[i] = of
	}
	if fits.Any() {
		return nil, fits.Err()
	}
	return func(*input.Observations, bool) input.Scanner {
		return &rowScanner{in: in, scanner: in.format.NewScanner(), all: cells, file: -1}
	}, nil
}

// mapCells returns the slot of each cell of a file, or -1 for cells that are not used. Columns that
// the file does not have, or has twice, are added to fits.
func (in *csvInput) mapCells(file int, columns []input.Bound, fits *input.Mismatches) []int32 {
	h := in.Files.Head(file)
	head := newHeader(h.Names)
	slots := make([]int32, len(h.Names))
	for c := range slots {
		slots[c] = -1
	}
	found := "; found: " + input.NameList(head.listNames()) // only in the first error of a file
	for _, w := range columns {
		at, mismatch := head.findCell(w.Name)
		if mismatch == nil {
			slots[at] = int32(w.Slot)
			continue
		}
		if fits.Full() {
			continue
		}
		if mismatch.Code == input.MissingColumn {
			mismatch.Text += found
			found = ""
		}
		mismatch.Path, mismatch.Line, mismatch.Col = in.Path(file), max(1, h.Lines), 1
		_ = fits.Add(mismatch)
	}
	return slots
}

// A rowScanner is a Scanner that knows the columns of each file.
type rowScanner struct {
	in      *csvInput
	scanner *Scanner
	all     [][]int32 // by file
	file    int
	cells   []int32 // of the file
	check   Check   // of the file
	header  *header // of the file; nil until an error names one of its columns
}

func (s *rowScanner) Scan(file int, _ int64, data []byte, vals []schema.Value) (int, error) {
	if file != s.file {
		s.file, s.cells, s.check, s.header = file, s.all[file], Check(s.in.Check(file))&CheckAll, nil
	}
	n, err := s.scanner.Scan(data, s.cells, vals, s.check)
	if err != nil {
		s.addColumnName(err)
	}
	return n, err
}

// addColumnName adds the column name to an error of the scanner, which knows only the cell's
// number.
func (s *rowScanner) addColumnName(err error) {
	var bad *schema.RowError
	names := s.in.Files.Head(s.file).Names
	if cell := s.scanner.Cell; errors.As(err, &bad) && bad.Column == "" && cell >= 0 && cell < len(names) {
		if s.header == nil {
			s.header = newHeader(names)
		}
		bad.Column = s.header.cellName(cell)
	}
}
