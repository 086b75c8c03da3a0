package csv

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{
		Reads: "CSV", Noun: "table", Rows: input.Cells, AnyLine: true, NullWords: true, ImageDepth: 1,
		Extensions: []string{"csv", "tsv", "tab", "psv"},
		Tried: fmt.Sprintf("the delimiters , tab ; and |, quotes as syntax and as data, lines of comments, and a header below up to %d lines",
			maxSkipped),
		Recognize: recognize, Choose: chooseOptions, Revise: revise,
	}
}

// recognize recognizes tables. It also says what a file is that is not text.
func recognize(h *input.FileHead) input.Match {
	if what, _ := detectFormat(h.Bytes); what != "" && what != "JSON" {
		return input.Match{Certainty: input.Foreign, Problem: what}
	}
	d := newDialect(h.Bytes, h.Complete, h.Ext)
	m := input.Match{Detail: &d}
	switch {
	case bytes.IndexByte(h.Bytes, 0) >= 0 && !d.isUTF16():
	case slices.Contains(Describe().Extensions, h.Ext):
		m.Certainty = input.Named
	case d.columns > 1 && (h.Ext != "txt" && d.delimiter == "\t" || d.sure):
		m.Certainty = input.Likely
	}
	return m
}

// chooseOptions returns the options for files of one dialect.
func chooseOptions(_ context.Context, g *input.FileGroup) (*input.Choice, error) {
	d := g.Matches[0].Detail.(*dialect)
	first := g.Paths[0][strings.LastIndexByte(g.Paths[0], '/')+1:]
	for i, m := range g.Matches {
		if text, hint := d.differs(m.Detail.(*dialect), first); text != "" {
			return nil, &input.MismatchError{Path: g.Paths[i], Text: text, Hint: hint}
		}
	}
	return &input.Choice{Options: d.options()}, nil
}

// revise returns the options that invalid rows show to be necessary.
func revise(r *input.Reading) *input.Revision {
	switch {
	case r.First == nil:
		return nil
	case r.First.Code == "UTF8_INVALID" && !r.Has("encoding"): // not in the first part of the file
		return &input.Revision{Option: input.Option{Name: "encoding", Value: "latin-1", Note: "a guess: " + r.Where + " has bytes that are not UTF-8"}, Reread: true}
	case r.Marked == r.Invalid && !r.Has("comment"):
		return &input.Revision{Option: input.Option{Name: "comment", Value: "#", Note: plural.Of(r.Marked, "line") + " that begin so"}, Reread: true}
	}
	return nil
}

// A dialect is the way a table is written as text.
type dialect struct {
	encoding  charset.Encoding
	guessed   bool // the encoding is a guess: the text is not UTF-8
	delimiter string
	quotes    bool
	trim      bool
	comment   string // lines that begin with it are not part of the table
	skip      int    // lines before the header
	columns   int
	rows      int  // rows that were tried
	good      int  // rows that fit the header
	sure      bool // all rows that were tried fit, and they are several
	names     []string
	first     []byte          // the first row after the header
	repeated  map[string]bool // names in the header that other rows repeat in the same column
}

func (d *dialect) isUTF16() bool {
	return d.encoding == charset.UTF16LE || d.encoding == charset.UTF16BE
}

// differs returns how another dialect differs; empty if both are options of one source. first is
// the name of the file with this dialect.
func (d *dialect) differs(o *dialect, first string) (text, hint string) {
	switch {
	case o.delimiter != d.delimiter || o.encoding != d.encoding:
		return fmt.Sprintf("is written in another way than %s: delimiter %q in place of %q, encoding %s in place of %s",
			first, o.delimiter, d.delimiter, o.encoding, d.encoding), ""
	case o.comment != d.comment || o.skip != d.skip:
		return fmt.Sprintf("begins in another way than %s: found comment %q and skip_lines %d, expected comment %q and skip_lines %d",
			first, o.comment, o.skip, d.comment, d.skip), "a source of its own for each kind of beginning"
	}
	return "", ""
}

// options returns the options that differ from the defaults.
func (d *dialect) options() (list []input.Option) {
	add := func(name string, value any, note string) {
		list = append(list, input.Option{Name: name, Value: value, Note: note})
	}
	if d.delimiter != "," {
		text := d.delimiter
		if text == "\t" {
			text = "tab"
		}
		add("delimiter", text, plural.Of(d.columns, "column"))
	}
	if d.encoding != charset.UTF8 {
		note := "as the file begins"
		if d.guessed {
			note = "a guess: there are bytes that are not UTF-8"
		}
		add("encoding", d.encoding.String(), note)
	}
	if !d.quotes {
		add("quotes", "none", "with quotes as syntax rows do not fit the header")
	}
	if d.trim {
		add("trim", true, "cells are written with spaces around them")
	}
	if d.skip > 0 {
		add("skip_lines", d.skip, "the header is below them")
	}
	if d.comment != "" {
		add("comment", d.comment, "the file begins with lines that begin so")
	}
	return append(list, d.header()...)
}

// header returns options or a comment if the first row looks like data. It is only treated as data
// if nothing else makes sense.
func (d *dialect) header() []input.Option {
	number, surely := d.headless()
	if number == "" {
		return nil
	}
	const listed = 4
	names := make([]string, len(d.names))
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i)
	}
	columns, text := any(names), "["+strings.Join(names, ", ")+"]"
	if len(names) > listed {
		name := fmt.Sprintf("c{0..%d}", len(names)-1)
		columns, text = name, `"`+name+`"`
	}
	if surely {
		return []input.Option{
			{Name: "header", Value: false, Note: "the first row looks like data: " + number + "; with a header, take these two lines out"},
			{Name: "columns", Value: columns, Note: "names of your own would be better"},
		}
	}
	return []input.Option{{Name: "header", Value: true, Note: number + " is an odd name; if the first row is data: header: false, and columns: " + text}}
}

// delimiters are the delimiters that are tried, in order of preference.
var delimiters = []string{",", "\t", ";", "|"}

// newDialect finds the dialect of a table that begins with head. whole is true if head is all of
// it.
func newDialect(head []byte, whole bool, ext string) dialect {
	d := dialect{delimiter: ",", quotes: true, columns: 1}
	d.encoding, d.guessed = charset.Guess(head, whole)
	text := head
	if d.encoding != charset.UTF8 {
		text, _ = io.ReadAll(charset.NewDecoder(bytes.NewReader(head), d.encoding)) // reading from memory cannot fail
	}
	if !whole {
		text = text[:bytes.LastIndexByte(text, '\n')+1]
	}
	if d.chooseDelimiter(text, ext) == 0 {
		d.skipPreamble(text, ext)
	}
	return d
}

// chooseDelimiter tries the delimiters, with quotes as syntax and as data. It uses the best, and
// returns its score; 0 if none makes several columns.
func (d *dialect) chooseDelimiter(text []byte, ext string) (best int) {
	from := *d
	for _, quotes := range []bool{true, false} {
		for _, delimiter := range delimiters {
			t := from
			t.delimiter, t.quotes = delimiter, quotes
			score := t.tryRead(text)
			if delimiter == "\t" && ext == "tsv" {
				score *= 4
			}
			if score > best {
				best = score
				*d = t
			}
		}
		if best > 0 && d.sure {
			break
		}
	}
	return best
}

// triedRows is the number of rows that are tried with each delimiter.
const triedRows = 200

// tryRead reads the text as a table in this dialect. It returns a score of how well that works; 0
// if the text is not a table of several columns.
func (d *dialect) tryRead(text []byte) (score int) {
	if d.delimiter == d.comment {
		return 0
	}
	f := Format{Delimiter: d.delimiter, Quotes: d.quotes, Header: true, Comment: d.comment, SkipLines: d.skip}
	h, bad, more := f.Start(text, true)
	if bad != nil || more || len(h.Names) < 2 {
		return 0
	}
	d.names, d.columns, d.repeated = h.Names, len(h.Names), map[string]bool{}
	cells, vals := make([]int32, d.columns), make([]schema.Value, d.columns)
	for i := range cells {
		cells[i] = int32(i)
	}
	scanner, cutter := f.NewScanner(), f.NewCutter(false)
	rows, good := 0, 0
	defer func() { d.rows, d.good = rows, good }()
	for rest := text[h.First:]; rows < triedRows; {
		n, kind, bad, more := cutter.Next(rest, true)
		if n == 0 || more {
			break
		}
		if kind == table.Row {
			rows++
			if bad == nil {
				_, err := scanner.Scan(rest[:n], cells, vals, 0)
				if err == nil {
					for i := range vals {
						if string(vals[i].Text) == h.Names[i] {
							d.repeated[h.Names[i]] = true
						}
					}
					if good == 0 {
						d.first = bytes.Clone(rest[:n])
					}
					good++
				}
			}
		}
		rest = rest[n:]
	}
	d.trim = isSpaced(h.Names)
	const several = 5
	d.sure = good == rows && rows >= several
	switch {
	case rows == 0: // only a header
		return d.columns
	case good*5 < rows*4:
		return 0
	}
	return 1000 * good / rows * min(d.columns, 1000)
}

// isSpaced reports whether the names after the first begin with a space, as in `a, b, c`.
func isSpaced(names []string) bool {
	for _, name := range names[1:] {
		if !strings.HasPrefix(name, " ") || strings.TrimSpace(name) == "" {
			return false
		}
	}
	return true
}

// headless returns a number that is in the header, or "". surely is true if the first row cannot be
// a header.
func (d *dialect) headless() (number string, surely bool) {
	if len(d.names) == 0 || d.first == nil {
		return "", false
	}
	f := Format{Delimiter: d.delimiter, Quotes: d.quotes, Trim: true}
	cells, vals := make([]int32, d.columns), make([]schema.Value, d.columns)
	for i := range cells {
		cells[i] = int32(i)
	}
	if _, err := f.NewScanner().Scan(d.first, cells, vals, 0); err != nil {
		return "", false
	}
	counts, both, named, texts := true, 0, 0, 0
	for i, name := range d.names {
		name = strings.TrimSpace(name)
		isNumber := schema.IsFloat([]byte(name))
		if isNumber && number == "" {
			number = name
		}
		if n, err := strconv.Atoi(name); err != nil || i > 0 && strconv.Itoa(n-1) != strings.TrimSpace(d.names[i-1]) {
			counts = false
		}
		switch below := schema.IsFloat(vals[i].Text); {
		case below && !isNumber:
			named++ // a name above a number
		case below:
			both++
		case !d.repeated[name]:
			texts++
		}
	}
	return number, both > 0 && named == 0 && texts == 0 && !counts
}

// commentMarks are the characters that may begin the lines of a preamble.
const commentMarks = "#%;!*"

// maxSkipped is the largest number of lines that are skipped before a header.
const maxSkipped = 100

// skipPreamble finds a table after lines that are not part of it: comments, or other lines before
// the header.
func (d *dialect) skipPreamble(text []byte, ext string) {
	plain := *d
	if first := bytes.TrimLeft(text, "\r\n"); len(first) > 0 && strings.IndexByte(commentMarks, first[0]) >= 0 {
		d.comment = string(first[:1])
		if d.chooseDelimiter(text, ext) > 0 {
			if number, _ := d.headless(); number == "" {
				return
			}
		}
	}
	commented := *d
	if *d = plain; d.skipTo(text, ext) || commented.columns == plain.columns {
		return
	}
	*d = commented
}

// skipTo finds a header below the first lines: the first line with as many cells as all rows after
// it. It reports whether it found one.
func (d *dialect) skipTo(text []byte, ext string) bool {
	const several = 3 // rows: two lines may be alike by chance
	rest := text
	for skip := 1; skip <= maxSkipped; skip++ {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			return false
		}
		rest = rest[end+1:]
		next, _, _ := bytes.Cut(rest, []byte("\n"))
		if !bytes.ContainsAny(next, strings.Join(delimiters, "")) {
			continue
		}
		t := *d
		if t.chooseDelimiter(rest, ext) > 0 && t.good == t.rows && t.good >= min(triedRows, max(several, skip)) {
			t.skip = skip
			*d = t
			return true
		}
	}
	return false
}
