package csv

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

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
		Tried: fmt.Sprintf("the delimiters , tab ; | :: ~ ^ \\x01 and whitespace, quotes as syntax and as data, and a table below up to %d lines",
			maxSkipped),
		Recognize: recognize, Divide: divide, Choose: chooseOptions, Revise: revise,
	}
}

// recognize recognizes tables. It also says what a file is that is not text.
func recognize(h *input.FileHead) input.Match {
	if what, _ := detectFormat(h.Bytes); what != "" && what != "JSON" {
		return input.Match{Certainty: input.Foreign, Problem: what}
	}
	named := slices.Contains(Describe().Extensions, h.Ext)
	guess := charset.NewGuess(h.Bytes, h.Complete)
	if at := bytes.IndexByte(h.Bytes, 0); at >= 0 && !guess.Encoding.IsUTF16() {
		if !named || bytes.ContainsAny(h.Bytes, "\x01\x02\x03\x04\x05\x06\x07\x7f") {
			return input.Match{}
		}
		guess.Problem = fmt.Sprintf("a table with a NUL byte in line %d; tr -d '\\000' < OLD > NEW removes such bytes", bytes.Count(h.Bytes[:at], []byte("\n"))+1)
	}
	d := newDialect(h, &guess)
	m := input.Match{Detail: d, Problem: guess.Problem}
	switch {
	case named:
		m.Certainty = input.Named
	case d.score > 0 && (h.Ext != "txt" && d.Delimiter == "\t" || d.sure):
		m.Certainty = input.Likely
	}
	return m
}

// divide returns the indices of the files of each source.
func divide(all []input.Match) (groups [][]int) {
	var shared []*dialect // by group
next:
	for i := range all {
		o := all[i].Detail.(*dialect)
		for g, d := range shared {
			if d = d.merge(o); d != nil {
				shared[g], groups[g] = d, append(groups[g], i)
				continue next
			}
		}
		shared, groups = append(shared, o), append(groups, []int{i})
	}
	return groups
}

// chooseOptions returns the options for files that one source reads.
func chooseOptions(_ context.Context, g *input.FileGroup) (*input.Choice, error) {
	d := g.Matches[0].Detail.(*dialect)
	for _, m := range g.Matches[1:] {
		d = d.merge(m.Detail.(*dialect))
	}
	return &input.Choice{Options: d.options()}, nil
}

// revise returns the options that invalid rows show to be necessary.
func revise(r *input.Reading) *input.Revision {
	switch {
	case r.First == nil:
		return nil
	case r.First.Code == "UTF8_INVALID" && r.First.Hint != "" && !r.Wide && !r.Has("encoding"): // not in the first part of the file
		return &input.Revision{Option: input.Option{Name: "encoding", Value: "latin-1", Note: "a guess: " + r.Where + " has bytes that are not UTF-8"}, Reread: true}
	case r.Marked > 0 && r.Hashes == 0 && !r.Has("comment"):
		return &input.Revision{Option: input.Option{Name: "comment", Value: "#", Note: plural.Of(r.Marked, "line") + " with # in front"}, Reread: true}
	}
	return nil
}

// A dialect is the way a table is written as text.
type dialect struct {
	Format
	columns []string          // names for the config; nil if the header has them
	known   bool              // the rows show whether there is a header
	notes   map[string]string // reasons, by option
	width   int               // number of columns
	fits    bool              // all rows fit
	sure    bool              // they do, and are several, or numbers
	last    string            // with Rest: its column
	numeric []bool            // which columns have numbers
	numbers int               // how many
	byName  string            // delimiter that the extension says
	score   float64           // how well the rows fit; 0 if they are not a table
	mark    string            // what the skipped lines begin with, if all do
	marked  int               // number of those lines
	rows    bool              // rows may begin with a mark, too
}

// merge returns the dialect of files of either kind, or nil if they differ.
func (d *dialect) merge(o *dialect) *dialect {
	f, g := d.Format, o.Format
	f.SkipLines, g.SkipLines = f.SkipLines-d.marked, g.SkipLines-o.marked
	f.Header, f.Comment = g.Header, g.Comment
	if d.Rest != o.Rest && d.width == o.width {
		f.Rest, f.Quotes = g.Rest, g.Quotes
	}
	m := *d
	if o.known && !d.known {
		m = *o
		m.SkipLines, m.Comment, m.mark, m.marked = d.SkipLines, d.Comment, d.mark, d.marked
	}
	if o.Rest && !d.Rest {
		m.Rest, m.Quotes, m.last, m.notes = true, o.Quotes, o.last, o.notes
	}
	switch {
	case f != g, d.Header == o.Header && !slices.Equal(d.columns, o.columns),
		d.Header != o.Header && (d.known && o.known || d.width != o.width):
		return nil
	case d.SkipLines == o.SkipLines && d.Comment == "":
		return &m
	case d.rows || o.rows || d.mark != "" && o.mark != "" && d.mark != o.mark:
		return nil
	}
	m.SkipLines, m.marked, m.mark, m.notes = g.SkipLines, 0, d.mark+o.mark[min(len(d.mark), len(o.mark)):], maps.Clone(m.notes)
	m.Comment, m.notes["comment"] = m.mark, "files begin with lines with it in front"
	return &m
}

// options returns the options that differ from the defaults.
func (d *dialect) options() (list []input.Option) {
	add := func(name string, value any, differs bool) {
		if note := d.notes[name]; differs || note != "" && name == "header" {
			list = append(list, input.Option{Name: name, Value: value, Note: note})
		}
	}
	delimiter := d.Delimiter
	if delimiter == "\t" {
		delimiter = "tab"
	}
	add("delimiter", delimiter, delimiter != ",")
	add("encoding", d.Encoding.String(), d.Encoding != charset.UTF8)
	add("quotes", "none", !d.Quotes)
	add("trim", true, d.Trim)
	add("skip_lines", d.SkipLines, d.SkipLines > 0)
	add("comment", d.Comment, d.Comment != "")
	add("header", d.Header, !d.Header)
	if n := len(d.columns); n > listed && slices.Equal(d.columns, counted(n)) {
		add("columns", fmt.Sprintf("c{0..%d}", n-1), true)
	} else {
		add("columns", d.columns, n > 0)
	}
	if d.Rest {
		add("rest", d.last, true)
	}
	return list
}

const (
	triedRows  = 200 // rows that are tried with each delimiter
	maxSkipped = 100 // lines that are skipped before a table
	listed     = 4   // names of columns that are listed
	headRows   = 5   // rows of a table that may be above its data
)

// delimiters are the delimiters that are tried, in order of preference.
var delimiters = []string{"\x01", "::", "~", "^", ",", "\t", ";", "|", ", ", Whitespace}

// commentMarks are the characters that may begin the lines of a preamble.
const commentMarks = "#%;!*"

// delimiterLine matches a first line that names the delimiter, as Excel reads it.
var delimiterLine = regexp.MustCompile(`^"?sep=(.|::)"?\r?\n`)

// newDialect finds the dialect of a table.
func newDialect(h *input.FileHead, guess *charset.Guess) *dialect {
	d := dialect{Format: Format{Delimiter: ",", Quotes: true, Header: true, Encoding: guess.Encoding}, width: 1}
	d.notes = map[string]string{"encoding": guess.Note}
	text := h.Bytes
	if d.Encoding != charset.UTF8 {
		text, _ = io.ReadAll(charset.NewDecoder(bytes.NewReader(text), d.Encoding)) // reading from memory cannot fail
	}
	text = bytes.TrimPrefix(text, []byte(bom))
	if !h.Complete {
		text = text[:bytes.LastIndexByte(text, '\n')+1]
	}
	if m := delimiterLine.FindSubmatch(text); m != nil {
		if t := d.choose(text[len(m[0]):], 1, string(m[1])); t.score > 0 {
			t.SkipLines = max(1, t.SkipLines)
			t.notes["skip_lines"] = shown(m[0]) + " is not a row"
			return t
		}
	}
	d.byName = map[string]string{"tsv": "\t", "tab": "\t", "psv": "|"}[h.Ext]
	lead, lines := leadingComments(text)
	d.rows = slices.ContainsFunc([]byte(commentMarks), func(mark byte) bool { return bytes.Contains(text[len(lead):], []byte{'\n', mark}) })
	if lines > 0 {
		if t := d.choose(text[len(lead):], lines, delimiters...); t.score > 0 && t.skipComments(lead, lines) {
			return t
		}
	}
	return d.choose(text, 0, delimiters...)
}

// shown returns a string of the input for a note.
func shown[S string | []byte](s S) string { return schema.Quote(strings.TrimSpace(string(s))) }

// leadingComments returns the first lines of a file that begin with the same mark, and their
// number. There may be blank lines between them.
func leadingComments(text []byte) (lead []byte, lines int) {
	if len(text) == 0 || strings.IndexByte(commentMarks, text[0]) < 0 {
		return nil, 0
	}
	end, n := 0, 0
	for line := range bytes.Lines(text) {
		end, n = end+len(line), n+1
		switch {
		case line[0] == text[0]:
			lead, lines = text[:end], n
		case len(bytes.TrimSpace(line)) > 0:
			return lead, lines
		}
	}
	return lead, lines
}

// skipComments skips lines above the table. The last of them may have the names. It reports whether the lines are
// comments, not rows.
func (d *dialect) skipComments(lead []byte, lines int) bool {
	list := d.records(lead, 0)
	if len(list) == 0 || string(lead[:1]) == d.Delimiter || slices.ContainsFunc(list, func(r record) bool { return d.isRow(&r) }) {
		return false
	}
	d.mark, d.marked = string(lead[:1]), lines
	if d.SkipLines < lines {
		d.SkipLines = lines
		d.notes["skip_lines"] = plural.Of(lines, "line") + " with " + d.mark + " in front"
	}
	last := list[len(list)-1]
	names := d.records(bytes.TrimLeft(last.text, d.mark+" \t"), last.line)
	if d.Header && (d.known || lines > 1) || len(names) != 1 || len(names[0].cells) != d.width || !areNames(names[0].cells) {
		return true
	}
	d.Header, d.known, d.columns = false, true, names[0].cells
	d.notes["header"], d.notes["columns"] = "", fmt.Sprintf("of line %d; if it is a comment and the next row has the names, take these two lines out", last.line)
	return true
}

// isRow reports whether a line that may be a comment has the cells of a row: numbers in its columns, or, in a
// table of words, text directly after the mark.
func (d *dialect) isRow(r *record) bool {
	if len(r.cells) != d.width {
		return false
	}
	for c, cell := range r.cells {
		if d.numeric[c] && number.MatchString(cell) {
			return true
		}
	}
	return len(r.text) > 1 && !isBlank(r.text[1]) && d.numbers == 0 && !areNames(r.cells)
}

// areNames reports whether cells can be the names of columns.
func areNames(cells []string) bool {
	seen := map[string]bool{}
	for _, cell := range cells {
		if input.NameProblem(cell) != "" || number.MatchString(cell) || seen[cell] {
			return false
		}
		seen[cell] = true
	}
	return true
}

// choose returns the dialect with the delimiter that fits best. The text begins below a number of
// lines.
func (d *dialect) choose(text []byte, skipped int, try ...string) *dialect {
	best := d.with(",", true)
	odd := map[string][]record{} // by delimiter, the records with illegal quotes
	for _, quotes := range []bool{true, false} {
		for _, delimiter := range try {
			t := d.with(delimiter, quotes)
			if delimiter != Whitespace && !bytes.Contains(text, []byte(delimiter)) || delimiter == Whitespace && best.sure {
				continue
			}
			list := t.records(text, skipped)
			if t.fit(list); quotes {
				odd[delimiter] = slices.DeleteFunc(list, func(r record) bool { return r.cells != nil })
			} else if bad := odd[delimiter]; !t.fits || best.fits || len(bad) <= min(bytes.Count(text, []byte(`"`+delimiter)), len(list)/20) {
				continue
			} else {
				t.notes["quotes"] = fmt.Sprintf("as syntax, quotes are invalid in %s, first in line %d", plural.Of(len(bad), "row"), bad[0].line)
			}
			if t.score > best.score {
				best = t
			}
		}
		if best.sure {
			return best
		}
	}
	for _, delimiter := range try[:max(1, len(try)-1)] {
		if t := d.with(delimiter, false); !best.fits && bytes.Contains(text, []byte(delimiter)) {
			if t.fitRest(t.records(text, skipped)); t.score > best.score {
				best = t
			}
		}
	}
	if best.score == 0 {
		best.fit(best.records(text, skipped)) // one column
		best.score = 0
	}
	return best
}

// with returns the dialect with another delimiter.
func (d *dialect) with(delimiter string, quotes bool) *dialect {
	t := *d
	t.Delimiter, t.Quotes, t.notes = delimiter, quotes, maps.Clone(d.notes)
	return &t
}

// A record is a record at the beginning of a file.
type record struct {
	line   int      // where it begins, from 1
	text   []byte   // with the line end
	cells  []string // without spaces around them; nil if a quote is illegal
	before int      // cells with spaces before them
	around []string // cells with spaces before or after them
}

// records returns the first records below a number of lines.
func (d *dialect) records(text []byte, skipped int) (list []record) {
	scanner, cutter := d.NewScanner(), d.NewCutter(false)
	for line := skipped + 1; len(list) < triedRows+maxSkipped; {
		n, kind, bad, more := cutter.Next(text, true)
		if n == 0 || more {
			return list
		}
		if r := (record{line: line, text: text[:n]}); kind == table.Row {
			if bad == nil {
				r.scan(scanner)
			}
			list = append(list, r)
		}
		line += bytes.Count(text[:n], []byte("\n"))
		text = text[n:]
	}
	return list
}

// scan sets the cells of a record.
func (r *record) scan(s *Scanner) {
	_, count := s.record(r.text, nil, nil)
	slots, vals := make([]int32, max(count, 0)), make([]schema.Value, max(count, 0))
	for i := range slots {
		slots[i] = int32(i)
	}
	if _, err := s.Scan(r.text, slots, vals, 0); err != nil || count < 1 {
		return
	}
	for i, v := range vals {
		cell := strings.Trim(string(v.Text), " \t")
		r.cells = append(r.cells, cell)
		if cell != "" && len(cell) < len(v.Text) && r.text[v.At] != '"' {
			r.around = append(r.around, cell)
		}
		if cell != "" && i > 0 && isBlank(v.Text[0]) {
			r.before++
		}
	}
}

// number matches numbers, dates, times, and booleans.
var number = regexp.MustCompile(`^(?i:true|false)$|^[-+(]?[$€£]?\.?\d[\d.,:/'’ +TZ-]*([eE][-+]?\d+)?[%€)]?$`)

// isMissing reports whether a cell may have no value.
func isMissing(cell string) bool {
	switch strings.ToLower(cell) {
	case "", "na", "n/a", "#n/a", "nan", "nat", "null", "none", "-", "?", `\n`, ".", "inf", "-inf":
		return true
	}
	return false
}

// fit finds the table among records: its number of columns, its first row, and its header.
func (d *dialect) fit(list []record) {
	counts := map[int]int{}
	for _, r := range list {
		counts[len(r.cells)]++
	}
	delete(counts, 0)
	for n, rows := range counts {
		if best := counts[d.width]; rows > best || rows == best && n > d.width {
			d.width = n
		}
	}
	begin := slices.IndexFunc(list, func(r record) bool { return len(r.cells) == d.width })
	if begin < 0 {
		return
	}
	var rows []record
	all, first := 0, begin
	for _, r := range list[begin:] {
		if len(r.cells) == d.width {
			rows = append(rows, r)
		} else if r.text[0] == '#' { // a comment, as the rows show later
			continue
		}
		all++
	}
	d.findNumbers(rows)
	if begin > 0 && d.takeNames(list[begin-1].cells, rows) {
		first--
		d.SkipLines = rows[0].line - 1
	} else {
		d.findHeader(rows)
	}
	const several = 5
	d.fits = len(rows) == all
	d.sure = d.fits && (len(rows) > several || len(rows) > 1 && len(rows)*(d.width-1) > 3*several)
	plain := d.fits && 2*d.numbers >= d.width && len(rows)+d.width >= several
	if lines := list[first].line - list[0].line; slices.ContainsFunc(list[:first], func(r record) bool { return r.named(0) != 0 }) {
		// Two lines may be alike by chance.
		isRow := func(r record) bool {
			return len(r.cells) > 1 && 2*len(r.cells) > d.width && (d.Delimiter != Whitespace || slices.ContainsFunc(r.cells, number.MatchString))
		}
		if !d.fits || lines > maxSkipped || d.Delimiter == Whitespace && first == 1 || slices.ContainsFunc(list[:first], isRow) || len(rows)+d.numbers <= min(triedRows/2, max(3, lines)) {
			return
		}
		d.notes["skip_lines"] = fmt.Sprintf("the table begins below; line %d is %s", list[0].line, shown(list[0].text))
	}
	if 2*len(rows) <= all || d.width < 2 || d.Delimiter == Whitespace && !plain {
		return
	}
	d.sure = d.sure || plain
	d.findSpaces(rows)
	clean := d.cleanShare(rows)
	d.notes["delimiter"] = plural.Of(d.width, "column")
	d.score = float64(len(rows)) / float64(all) * float64(d.width) * clean * clean
	if d.Delimiter == d.byName {
		d.score *= 4
	}
	if first > 0 {
		d.SkipLines = max(d.SkipLines, list[first].line-1)
		d.score /= 10
	}
}

// takeNames takes the names of the columns from a row above the table that has one cell more or less. It
// reports whether that is possible.
func (d *dialect) takeNames(names []string, rows []record) bool {
	cell := func(i int) map[string]int {
		seen := map[string]int{}
		for _, r := range rows {
			seen[r.cells[i]]++
		}
		return seen
	}
	const several = 3
	last := len(names) - 1
	note := "of the header, "
	switch {
	case len(names) == d.width+1 && names[last] == "":
		names, note = names[:last], note+"which ends with a delimiter"
	case len(names) != d.width-1:
		return false
	case cell(last + 1)[""] == len(rows):
		names, note = append(slices.Clip(names), "rest"), note+"and one for the delimiter at the end of each row"
	case last > 0 && len(rows) >= several && len(cell(0)) == len(rows):
		names, note = append([]string{"row"}, names...), note+"and one for the first cell of each row, which are all different"
	default:
		return false
	}
	if !areNames(names) {
		return false
	}
	d.Header, d.known, d.columns, d.notes["columns"] = false, true, names, note
	return true
}

// cleanShare returns the share of cells that are numbers, or have no other delimiter.
func (d *dialect) cleanShare(rows []record) float64 {
	const looked = 50
	clean, all := 0, 0
	for _, r := range rows[:min(len(rows), looked)] {
		for _, cell := range r.cells {
			other := func(delimiter string) bool { return delimiter != d.Delimiter && strings.Contains(cell, delimiter) }
			if all++; number.MatchString(cell) || !slices.ContainsFunc(delimiters[:len(delimiters)-2], other) {
				clean++
			}
		}
	}
	return float64(clean) / float64(all)
}

// findSpaces finds out whether there are spaces around the cells: before each of them or of the names, or around
// numbers alone.
func (d *dialect) findSpaces(rows []record) {
	before, filled := 0, 0
	var around []string
	for _, r := range rows {
		before, filled, around = before+r.before, filled+r.named(1), append(around, r.around...)
	}
	isWord := func(cell string) bool { return !number.MatchString(cell) }
	switch d.Trim = d.Delimiter != Whitespace && len(around) > 0; {
	case !d.Trim:
	case before == filled || rows[0].before == d.width-1:
		d.notes["trim"] = "cells are written with spaces around them"
	case slices.ContainsFunc(around, isWord):
		d.Trim = false
	default:
		d.notes["trim"] = plural.Of(len(around), "number") + " with spaces around, and no text"
	}
}

// findNumbers finds the columns that have numbers below the first rows, in rows that do not repeat a first row
// of words.
func (d *dialect) findNumbers(rows []record) {
	below := slices.Clone(rows[min(headRows, len(rows)/2):])
	if !slices.ContainsFunc(rows[0].cells, number.MatchString) {
		below = slices.DeleteFunc(below, func(r record) bool { return slices.Equal(r.cells, rows[0].cells) })
	}
	d.numeric, d.numbers = make([]bool, d.width), 0
	for c := range d.numeric {
		numbers, words := 0, 0
		for _, r := range below {
			switch cell := r.cells[c]; {
			case number.MatchString(cell):
				numbers++
			case !isMissing(cell):
				words++
			}
		}
		if d.numeric[c] = numbers > 9*words; d.numeric[c] {
			d.numbers++
		}
	}
}

// repeats returns the number of rows that have the cell of the first row in a column, but are not equal to
// that row, and the line of the first.
func repeats(rows []record, column int) (count, line int) {
	for _, r := range rows[1:] {
		if r.cells[column] == rows[0].cells[column] && (len(r.cells) == 1 || !slices.Equal(r.cells, rows[0].cells)) {
			if count++; count == 1 {
				line = r.line
			}
		}
	}
	return count, line
}

// findHeader finds the names of the columns, and titles above them. A first row that may be data is data,
// so that no row is lost.
func (d *dialect) findHeader(rows []record) {
	at, top := 0, 0 // row of the header, and number of rows above the data
	for i := range min(headRows, len(rows)/2) {
		data, word := d.isData(rows[i:])
		if data {
			break
		}
		if word || d.numbers == 0 {
			top = i + 1
		}
	}
	for at < top-1 && isTitle(rows, at, top) {
		at++
	}
	if d.numbers == 0 && slices.ContainsFunc(rows[top:], func(r record) bool { return 2*r.named(0) <= d.width }) {
		at = 0 // such rows are data
	}
	if at > 0 {
		d.SkipLines = rows[at].line - 1
		d.notes["skip_lines"] = fmt.Sprintf("the header is below; line %d is %s", rows[0].line, shown(rows[0].text))
	}
	header := rows[at]
	switch {
	case d.numbers > 0 && top > 0:
		d.known = true
		if top == at+2 && isUnits(&rows[at+1]) && areNames(header.cells) {
			d.Header, d.columns, d.SkipLines = false, header.cells, rows[at+1].line
			d.notes["columns"] = fmt.Sprintf("of line %d", header.line)
			d.notes["skip_lines"] = fmt.Sprintf("line %d has units: %s", rows[at+1].line, shown(rows[at+1].text))
			return
		}
		d.noteNumber(header.cells)
	case d.numbers > 0:
		d.judgeNumbers(rows)
	default:
		d.judgeWords(rows[at:])
	}
	if !d.Header {
		d.columns, d.notes["columns"] = counted(d.width), "names of your own would be better"
		return
	}
	if i := slices.IndexFunc(rows[at+1:], func(r record) bool { return slices.Equal(r.cells, header.cells) }); i >= 0 && d.known {
		d.notes["header"] = fmt.Sprintf("line %d repeats it, and is a row", rows[at+1+i].line)
		if name := slices.IndexFunc(header.cells, identifier.MatchString); name >= 0 {
			d.notes["header"] += fmt.Sprintf("; where: %s != %q skips such rows", header.cells[name], header.cells[name])
		}
	}
}

// identifier matches names that an expression has as they are.
var identifier = regexp.MustCompile(`^[A-Za-z]\w*$`)

// counted returns names for a number of columns.
func counted(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("c%d", i))
	}
	return names
}

// isData reports whether the first of the rows has, in a column of numbers, a number or a word that other rows
// have, too; and whether it has a word there.
func (d *dialect) isData(rows []record) (data, word bool) {
	for c, cell := range rows[0].cells {
		if d.numeric[c] && !isMissing(cell) {
			count, _ := repeats(rows, c)
			data, word = data || count > 0 || number.MatchString(cell), true
		}
	}
	return data, word
}

// named returns the number of cells from an index on that are not empty.
func (r *record) named(from int) (n int) {
	for _, cell := range r.cells[from:] {
		if cell != "" {
			n++
		}
	}
	return n
}

// isTitle reports whether a row is mostly empty, except its first cell, and one between it and the data is not.
func isTitle(rows []record, at, top int) bool {
	named, most := rows[at].named(0), len(rows[at].cells)/2
	return named == 0 || named <= most && rows[at].cells[0] != "" && len(rows[at].cells) > 2 &&
		slices.ContainsFunc(rows[at+1:top], func(r record) bool { return 2*r.named(0) > len(r.cells) })
}

// unit and unitSign match units such as m, and those that are nothing else, such as m/s and [kg].
var (
	unit     = regexp.MustCompile(`^([\[(].*[\])]|[^\d\s]{0,5}\d?)$`)
	unitSign = regexp.MustCompile(`^([\[(].*[\])]|[^nN].*/.*|.*[°%µ²³^].*)$`)
)

// isUnits reports whether a row has units above the numbers of columns, and no longer words.
func isUnits(r *record) bool {
	return slices.ContainsFunc(r.cells, unitSign.MatchString) &&
		!slices.ContainsFunc(r.cells, func(cell string) bool { return !unit.MatchString(cell) })
}

// headless treats the first row as data, because of one of its cells.
func (d *dialect) headless(cells []string) {
	d.Header, d.known = false, true
	reason := cells[max(0, slices.IndexFunc(cells, number.MatchString))]
	d.notes["header"] = "the first row looks like data: " + reason + "; with a header, take these two lines out"
}

// noteNumber notes that the header has a number.
func (d *dialect) noteNumber(names []string) {
	if i := slices.IndexFunc(names, number.MatchString); i >= 0 {
		d.notes["header"] = names[i] + " is an odd name; if the first row is data: " + d.withoutHeader()
	}
}

// withoutHeader returns the options of a table without a header.
func (d *dialect) withoutHeader() string {
	if d.width > listed {
		return fmt.Sprintf("header: false, and columns: \"c{0..%d}\"", d.width-1)
	}
	return "header: false, and columns: [" + strings.Join(counted(d.width), ", ") + "]"
}

// judgeNumbers decides whether a first row with numbers is a header. It is one only if the numbers count
// the columns, are years above other numbers, rise after an empty cell, or are not more than the names above numbers.
func (d *dialect) judgeNumbers(rows []record) {
	lacks := func(c int) bool {
		return slices.ContainsFunc(rows[1:], func(r record) bool { return isMissing(r.cells[c]) })
	}
	empty := false // other rows have no number either
	counts, years, rises, numbers, names, last := true, true, rows[0].cells[0] == "" && !lacks(0), 0, 0, math.Inf(-1)
	for c, cell := range rows[0].cells {
		switch n, err := strconv.Atoi(cell); {
		case !d.numeric[c]:
		case cell == "":
			empty = empty || lacks(c)
		case !number.MatchString(cell):
			if count, _ := repeats(rows, c); count == 0 && !isMissing(cell) {
				names++
			}
		default:
			x, bad := strconv.ParseFloat(cell, 64)
			rises, last = rises && bad == nil && x > last, x
			counts = counts && err == nil && n == numbers
			below := 0
			for _, r := range rows[1:] {
				if isYear(r.cells[c]) {
					below++
				}
			}
			years = years && isYear(cell) && 2*below < len(rows)
			numbers++
		}
	}
	counts = counts && (numbers > 1 || rows[0].cells[0] == "")
	switch d.noteNumber(rows[0].cells); {
	case numbers > 0 && !counts && !years && !(rises && numbers > 2) && names < numbers:
		d.headless(rows[0].cells)
	case numbers > 0:
	case empty:
		d.headless([]string{"like others, it has no number in a column of numbers"})
	default:
		d.judgeWords(rows)
	}
}

// isYear reports whether a cell may be a year.
func isYear(cell string) bool {
	n, err := strconv.Atoi(cell)
	return err == nil && n > 1500 && n < 2200
}

// marked matches words of data, such as names of files and numbered things, which are not names of columns.
var marked = regexp.MustCompile(`[\d/@]|\.\w{2,4}$`)

// shape returns a cell with 0 for its digits, and a or A for letters, once for several of a kind.
func shape(cell string) string {
	last := '?'
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			r = '0'
		case unicode.IsUpper(r):
			r = 'A'
		case unicode.IsLetter(r):
			r = 'a'
		}
		if r == last {
			return -1
		}
		last = r
		return r
	}, cell)
}

// judgeWords decides whether a first row is a header if no column has numbers: not if half of its cells are
// in other rows, too.
func (d *dialect) judgeWords(rows []record) {
	again, note := 0, ""
	for c, cell := range rows[0].cells {
		differs := func(r record) bool { return shape(r.cells[c]) != shape(cell) }
		switch {
		case number.MatchString(cell) && !isYear(cell):
			d.headless(rows[0].cells)
			return
		case len(rows) > 1 && strings.Contains(shape(cell), "0") && !slices.ContainsFunc(rows, differs):
			d.headless([]string{shown(cell) + ", as others below"})
			return
		}
		if count, line := repeats(rows, c); count > 0 && cell != "" {
			if again++; again == 1 {
				note = fmt.Sprintf("%s, which line %d has, too", shown(cell), line)
			}
		}
	}
	if again > 0 && 2*again >= rows[0].named(0) {
		d.headless([]string{note})
		return
	}
	for c := range rows[0].cells {
		plain := func(r record) bool { return !marked.MatchString(r.cells[c]) }
		d.known = d.known || note == "" && len(rows) > 1 && plain(rows[0]) && !slices.ContainsFunc(rows[1:], plain)
	}
	if d.known {
		return
	}
	if note == "" {
		note = "no column tells it from a row"
	}
	d.notes["header"] = note + "; if the first row is data: " + d.withoutHeader()
}

// fitRest finds a table whose last column has delimiters. Each other column has numbers in all rows or in
// none, and the one before the last has numbers, so that the delimiters are not in them.
func (d *dialect) fitRest(list []record) {
	if len(list) == 0 {
		return
	}
	d.width = len(slices.MinFunc(list, func(a, b record) int { return len(a.cells) - len(b.cells) }).cells)
	if d.width < 2 {
		return
	}
	first, last, text := list[0].cells, d.width-1, ""
	d.Quotes = true
	for i, r := range list {
		rest := strings.Join(r.cells[last:], d.Delimiter)
		if len(r.cells) > d.width && !number.MatchString(rest) && text == "" {
			text = fmt.Sprintf("delimiters are in it, the first in line %d: %s", r.line, shown(rest))
		}
		d.Quotes = d.Quotes && !strings.Contains(strings.Join(r.cells[:last], ""), `"`)
		list[i].cells = append(slices.Clip(r.cells[:last]), rest)
	}
	d.findNumbers(list)
	for _, r := range list[1:] {
		for c, cell := range r.cells[:last] {
			if d.numeric[c] != number.MatchString(cell) {
				return
			}
		}
	}
	if text == "" || !d.numeric[last-1] {
		return
	}
	d.findHeader(list)
	if d.last = list[0].cells[last]; !d.Header {
		d.last = d.columns[last]
	}
	if !d.Header || len(first) == d.width {
		d.Rest, d.fits, d.sure, d.score, d.notes["rest"] = true, true, true, float64(d.width), text
	}
}
