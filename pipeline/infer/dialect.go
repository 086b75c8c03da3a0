package infer

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/csv"
	"tfr-build/sources/table"
)

// A dialect is the way a table is written as text.
type dialect struct {
	encoding  charset.Encoding
	latin     bool // the encoding is a guess: the text is not UTF-8
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

// delimiters are the delimiters that are tried, in order of preference.
var delimiters = []string{",", "\t", ";", "|"}

// newDialect finds the dialect of a table that begins with head. whole is true if head is all of
// it.
func newDialect(head []byte, whole bool, ext string) dialect {
	d := dialect{delimiter: ",", quotes: true, columns: 1}
	d.encoding, d.latin = encodingOf(head, whole)
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

// encodingOf returns the encoding of text that begins with head. The result guessed is true if it
// is not certain.
func encodingOf(head []byte, whole bool) (enc charset.Encoding, guessed bool) {
	_, bad, _ := csv.Format{Quotes: true, Header: true}.Start(head, whole)
	if bad != nil && bad.Code == "ENCODING" {
		if enc, ok := charset.Parse(strings.TrimPrefix(bad.Hint, "encoding: ")); ok {
			return enc, false
		}
	}
	valid := head
	if !whole { // it may end inside a character
		for i := 0; i < utf8.UTFMax && len(valid) > 0 && !utf8.RuneStart(valid[len(valid)-1]); i++ {
			valid = valid[:len(valid)-1]
		}
		valid = valid[:max(0, len(valid)-1)]
	}
	if utf8.Valid(valid) {
		return charset.UTF8, false
	}
	return charset.Latin1, true
}

// triedRows is the number of rows that are tried with each delimiter.
const triedRows = 200

// tryRead reads the text as a table in this dialect. It returns a score of how well that works; 0
// if the text is not a table of several columns.
func (d *dialect) tryRead(text []byte) (score int) {
	if d.delimiter == d.comment {
		return 0
	}
	f := csv.Format{Delimiter: d.delimiter, Quotes: d.quotes, Header: true, Comment: d.comment, SkipLines: d.skip}
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
	f := csv.Format{Delimiter: d.delimiter, Quotes: d.quotes, Trim: true}
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
