package csv

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/input"
	"tfr-build/sources/lines"
	"tfr-build/sources/table"
)

const (
	maxSkipped = 100 // lines that are skipped before a table
	headRows   = 5   // rows of a table that may be above its data
)

// delimiters are the delimiters that are tried, in order of preference.
var delimiters = []string{"\x01", "::", "~", "^", ",", "\t", ";", "|", ", ", Whitespace}

// delimiterLine matches a first line that names the delimiter, as Excel reads it.
var delimiterLine = regexp.MustCompile(`^"?sep=(.|::)"?\r?\n`)

// aligned matches a first line with several numbers and blanks between them.
var aligned = regexp.MustCompile(`^ *[\d.]+ {2,}[\d.]+ {2,}[\d.]+`)

// newDialect finds the dialect of a table.
func newDialect(h *input.FileHead, guess *charset.Guess) *dialect {
	d := dialect{Format: Format{Delimiter: ",", Quotes: true, Header: true, Encoding: guess.Encoding}, width: 1}
	d.notes = map[string]string{"encoding": guess.Note}
	text := h.Bytes
	if d.Encoding != charset.UTF8 {
		text, _ = io.ReadAll(charset.NewDecoder(bytes.NewReader(text), d.Encoding)) // reading from memory cannot fail
	}
	text = text[lines.First(text):]
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
	lead := leadingComments(text)
	d.rows = markedLine.Match(text[len(lead):])
	if n := bytes.Count(lead, []byte("\n")); n > 0 {
		if t := d.choose(text[len(lead):], n, delimiters...); t.score > 0 && t.skipComments(text, lead, n) {
			return t
		}
	}
	return d.choose(text, 0, delimiters...)
}

// shown returns a string of the input for a note.
func shown[S string | []byte](s S) string { return schema.Quote(strings.TrimSpace(string(s))) }

// choose returns the dialect of a table that begins below a number of lines. Backslashes escape quotes if all rows are
// valid with a second quote in place of each backslash, and some are not valid as they are.
func (d *dialect) choose(text []byte, skipped int, try ...string) *dialect {
	if bytes.Contains(text, []byte(`\"`)) {
		twice := strings.NewReplacer(`\"`, `""`, `\\`, `\`).Replace(string(text))
		t := d.chooseDelimiter([]byte(twice), skipped, try)
		odd, _, _ := t.misread(t.records(text, skipped))
		i := slices.IndexFunc(odd, func(r record) bool { return bytes.Contains(r.text, []byte(`\"`)) })
		if t.Quotes && !t.Rest && t.fits && t.width > 1 && i >= 0 {
			t.escaped = fmt.Sprintf("a table with quotes escaped by backslashes, first in line %d; python3 -c 'import "+
				"re, sys; sys.stdout.write(re.sub(r\"\\\\([\\\"\\\\])\", lambda m: m[1].replace(chr(34), "+
				"chr(34) * 2), sys.stdin.read()))' < OLD > NEW.csv writes them twice", odd[i].line)
			return t
		}
	}
	return d.chooseDelimiter(text, skipped, try)
}

// chooseDelimiter returns the dialect with the delimiter that fits best: with quotes as syntax, with quotes as data,
// and with delimiters in the last column.
func (d *dialect) chooseDelimiter(text []byte, skipped int, try []string) *dialect {
	best, isAligned := d.with(",", true), aligned.Match(text)
	fits := func(t *dialect) bool {
		return t.Delimiter == Whitespace && (!best.sure || isAligned) || bytes.Contains(text, []byte(t.Delimiter))
	}
	for _, delimiter := range try {
		if t := d.with(delimiter, true); fits(t) {
			if t.fit(t.records(text, skipped)); t.score > best.score {
				best = t
			}
		}
	}
	if best.mayBeData = bytes.IndexByte(text, '"') < 0; !best.mayBeData {
		best = d.chooseQuotes(best, text, skipped, slices.DeleteFunc(slices.Clone(try), func(delimiter string) bool {
			return !fits(d.with(delimiter, false))
		}))
	}
	for _, delimiter := range try {
		if best.sure || best.fits || best.areSyntax || delimiter == Whitespace {
			break
		}
		if t := d.with(delimiter, false); fits(t) {
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

// chooseQuotes returns the dialect with quotes as data that fits better than one with quotes as syntax, or this one.
// All rows must have equal numbers of cells then.
func (d *dialect) chooseQuotes(best *dialect, text []byte, skipped int, try []string) *dialect {
	syntax := best
	for _, delimiter := range try {
		strict, t := d.with(delimiter, true), d.with(delimiter, false)
		strict.width = syntax.width
		same := delimiter == syntax.Delimiter && syntax.score > 0
		all := strict.records(text, skipped)
		odd, quoted, long := strict.misread(all)
		syntax.areSyntax = syntax.areSyntax || same && syntax.mostFit && quoted > len(odd)
		if !same && (syntax.sure || len(odd) <= len(all)/20) {
			continue
		}
		list := t.records(text, skipped)
		t.fit(list)
		if !t.fits || !slices.ContainsFunc(list, isWhole) ||
			same && (t.width != syntax.width || t.numbers < syntax.numbers) {
			continue
		}
		if same && syntax.fits && len(list[0].cells) != t.width && len(odd) == 1 &&
			odd[0].line <= max(skipped, syntax.SkipLines)+1 {
			continue // the names have line breaks
		}
		if same { // a cell may have line breaks
			n := len(odd)
			odd = slices.DeleteFunc(odd, func(r record) bool {
				return r.isLong() && len(r.cells) == t.width && !t.areLines(r)
			})
			const few = 20 // rows, of which one has quotes
			_, first, _ := strict.misread(all[:min(1, len(all))])
			rows := quoted - first // the names are often in quotes, as R writes them
			switch n -= len(odd); {
			case n > 0:
				syntax.notes["quotes"] = plural.Of(n, "row") + " with line breaks in quotes; if quotes are data: none"
			case rows > 0 && few*rows <= len(all):
				syntax.notes["quotes"] = plural.Of(rows, "row") + " with quotes that no cell needs; if they are " +
					"data: none"
			}
			quoted, long = quoted+n, slices.ContainsFunc(odd, record.isLong)
		}
		t.mayBeData = true
		syntax.mayBeData = syntax.mayBeData || same
		isData := len(odd) > len(all)/20 || len(odd) > quoted || long && same
		if len(odd) > 0 && isData && (t.score > best.score || same) {
			how, undo := "are invalid in", ""
			if long {
				how, undo = "join lines in", "; if they are syntax, take this line out"
			}
			t.notes["quotes"] = fmt.Sprintf("as syntax, quotes %s %s, first in line %d%s", how,
				plural.Of(len(odd), "row"), odd[0].line, undo)
			best = t
		}
	}
	return best
}

// areLines reports whether the lines of a row are rows of their own with quotes as data: a cell is a quote, or each
// line has numbers where others have them.
func (d *dialect) areLines(long record) bool {
	lines := d.records(long.text, 0)
	isQuote := func(l record) bool { return slices.Contains(l.cells, `"`) }
	isOdd := func(l record) bool {
		data, word := d.isData([]record{l})
		return word || !data
	}
	return slices.ContainsFunc(lines, isQuote) || d.numbers > 0 && !slices.ContainsFunc(lines, isOdd)
}

// isWhole reports whether no delimiter is between two quotes of a row.
func isWhole(r record) bool {
	isOdd := func(text string) bool { return strings.Count(text, `"`)%2 > 0 }
	return isOdd(string(r.text)) || !slices.ContainsFunc(r.cells, isOdd)
}

// misread returns the rows that illegal quotes, another number of cells, or line breaks show not to be rows with quotes
// as syntax, the number of other rows with quotes, and whether line breaks are in cells.
func (d *dialect) misread(list []record) (odd []record, quoted int, long bool) {
	for _, r := range list {
		switch long = long || r.isLong(); {
		case r.isLong(), r.isBad(), d.width > 1 && len(r.cells) != d.width && bytes.IndexByte(r.text, '"') >= 0:
			odd = append(odd, r)
		case bytes.IndexByte(r.text, '"') >= 0:
			quoted++
		}
	}
	return odd, quoted, long
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
	last   int      // where it ends
	text   []byte   // with the line end
	cells  []string // without spaces around them; nil if a quote is illegal
	before int      // cells with spaces before them
	around []string // cells with spaces before or after them
}

// records returns the records below a number of lines.
func (d *dialect) records(text []byte, skipped int) (list []record) {
	scanner, cutter := d.NewScanner(), d.NewCutter(false)
	for line := skipped + 1; ; {
		n, kind, bad, more := cutter.Next(text, true)
		if n == 0 || more {
			return list
		}
		next := line + bytes.Count(text[:n], []byte("\n"))
		if r := (record{line: line, last: max(line, next-1), text: text[:n]}); kind == table.Row {
			if bad == nil {
				r.scan(scanner)
			}
			list = append(list, r)
		}
		line, text = next, text[n:]
	}
}

// isBad reports whether a quote is illegal.
func (r record) isBad() bool { return r.cells == nil }

// endsIn reports whether the cells after one have blanks before them, and no other has, as in a sentence with commas.
func (r record) endsIn(last int) bool {
	n := len(r.cells) - 1 - last
	return n == r.before && slices.Equal(r.around[max(0, len(r.around)-n):], r.cells[last+1:])
}

// isLong reports whether it has line breaks in it.
func (r record) isLong() bool { return bytes.IndexByte(bytes.TrimRight(r.text, "\r\n"), '\n') >= 0 }

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
var number = regexp.MustCompile(`^(?i:true|false|0x[\da-f]+)$|^[-+(]?[$€£]?\.?\d[\d.,:/'’ +TZ-]*([eE][-+]?\d+)?[%€)]?$`)

// isMissing reports whether a cell may have no value.
var isMissing = regexp.MustCompile(`^(?i:|#?n/?a|nan|nat|null|none|[-?.]|\\n|-?inf)$`).MatchString

// fit finds the table among records: its number of columns, its first row, and its header.
func (d *dialect) fit(list []record) {
	counts := map[int]int{}
	for _, r := range list {
		n := len(r.cells)
		if counts[n]++; n > 0 && counts[n] > counts[d.width] {
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
	isOdd := func(r record) bool { return !r.endsIn(d.width - 2) }
	switch above := &list[max(begin-1, 0)]; {
	case begin > 0 && d.Delimiter == ", " && bytes.Contains(above.text, []byte(",")),
		// the last column has a delimiter in each cell
		begin > 0 && d.width > 2 && len(above.cells) == d.width-1 && !slices.ContainsFunc(rows, isOdd):
		return
	}
	d.findNumbers(rows)
	if begin > 0 && d.takeNames(&list[begin-1], rows) {
		first--
		d.SkipLines = rows[0].line - 1
	} else {
		d.findHeader(rows)
	}
	d.fits, d.mostFit = len(rows) == all, 5*len(rows) >= 4*all
	plain := d.fits && 2*d.numbers >= d.width && len(rows)+d.width >= 5
	d.sure = plain || d.fits && (len(rows) > 5 || len(rows) > 1 && len(rows)*(d.width-1) > 15) && d.varies(rows)
	if slices.ContainsFunc(list[:first], func(r record) bool { return r.isBad() || r.named(0) > 0 }) {
		hasNames := d.known && (d.Header || d.columns != nil)
		isRow := func(r record) bool { return 2*len(r.cells) > d.width && !hasNames }
		apart := max(3, list[first].line-list[0].line) // two lines may be alike by chance
		isAlike := d.Delimiter == Whitespace && first == 1 && begin == 1 &&
			!(len(list[0].cells) == 1 && number.MatchString(list[0].cells[0]))
		if apart > maxSkipped || isAlike || len(rows)+d.numbers <= apart || slices.ContainsFunc(list[:first], isRow) {
			return
		}
		d.skip(0, fmt.Sprintf("the table begins below; line %d is %s", list[0].line, shown(list[0].text)))
	}
	if d.width < 2 || d.Delimiter == Whitespace && !plain {
		return
	}
	d.findSpaces(rows)
	d.notes["delimiter"] = plural.Of(d.width, "column")
	d.score = float64(len(rows)) / float64(all) * float64(d.width) * d.cleanShare(rows)
	if d.Delimiter == d.byName {
		d.score *= 4
	}
	if d.Trim || d.Delimiter == ", " { // punctuation of sentences, if another one fits as well
		d.score *= 0.99
	}
	if first > 0 {
		d.SkipLines = max(d.SkipLines, list[first].line-1)
		d.score /= 10
	}
}

// varies reports whether several columns have several values. Else the delimiter may be a part of text that all rows
// have.
func (d *dialect) varies(rows []record) bool {
	n, last, below := 0, rows[len(rows)-1].cells, rows[min(headRows, len(rows)/2):]
	for c := range last {
		if slices.ContainsFunc(below, func(r record) bool { return r.cells[c] != last[c] }) {
			n++
		}
	}
	return n > 1 || len(rows) <= headRows
}

// cleanShare returns the share of cells that are numbers, or have no other delimiter.
func (d *dialect) cleanShare(rows []record) float64 {
	clean := 0
	for c := range d.width {
		clean += count(rows, c, func(cell string) bool {
			other := func(by string) bool { return by != d.Delimiter && strings.Contains(cell, by) }
			return number.MatchString(cell) || !slices.ContainsFunc(delimiters[:len(delimiters)-2], other)
		})
	}
	return float64(clean) / float64(len(rows)*d.width)
}

// findSpaces finds out whether cells have spaces around them: before each of them, with the names or below these,
// around numbers alone, or around a number in each row.
func (d *dialect) findSpaces(rows []record) {
	before, filled, padded, word := 0, 0, 0, ""
	var around []string
	isWord := func(cell string) bool {
		return !number.MatchString(cell) && strings.ContainsFunc(cell, unicode.IsLetter)
	}
	for i, r := range rows {
		if i == 1 && before == 0 && len(rows) > 2 && !slices.ContainsFunc(rows[0].cells, number.MatchString) {
			filled = 0 // names may be without
		}
		before, filled = before+r.before, filled+r.named(1)
		if i > 0 || len(rows) == 1 { // names may be aligned with the numbers below them
			around = append(around, r.around...)
			if slices.ContainsFunc(r.around, number.MatchString) {
				padded++
			}
			if at := slices.IndexFunc(r.around, isWord); at >= 0 && word == "" {
				word = fmt.Sprintf(", words too, the first in line %d: %s", r.line, shown(r.around[at]))
			}
		}
	}
	areNumbers := slices.ContainsFunc(around, number.MatchString) && word == ""
	d.Trim = d.Delimiter != Whitespace && len(around) > 0 &&
		(before == filled || areNumbers || padded == max(1, len(rows)-1))
	d.notes["trim"] = "cells are written with spaces around them" + word
}

// findNumbers finds the columns that have numbers below the first rows, in rows that do not repeat a first row
// of words.
func (d *dialect) findNumbers(rows []record) {
	below := rows[min(headRows, len(rows)/2):]
	if !slices.ContainsFunc(rows[0].cells, number.MatchString) {
		isFirst := func(r record) bool { return slices.Equal(r.cells, rows[0].cells) }
		below = slices.DeleteFunc(slices.Clone(below), isFirst)
	}
	isOther := func(cell string) bool { return !isMissing(cell) && !number.MatchString(cell) }
	d.numeric, d.worded, d.numbers = make([]bool, d.width), make([]bool, d.width), 0
	for c := range d.width {
		numbers, others := count(below, c, number.MatchString), count(below, c, isOther)
		d.worded[c] = numbers == 0 && others > 0
		if d.numeric[c] = numbers > 9*others; d.numeric[c] {
			d.numbers++
		}
	}
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

// fitRest finds a table whose last column has delimiters. Each other column has numbers in all rows or in
// none, and the one before the last has numbers, or blanks are behind all delimiters in the last, so that the
// delimiters are not in others.
func (d *dialect) fitRest(list []record) {
	last := math.MaxInt
	for _, r := range list {
		last = min(last, len(r.cells)-1)
	}
	if len(list) == 0 || last < 1 {
		return
	}
	text, quotes, areSentences := "", true, true
	for i, r := range list {
		areSentences = areSentences && r.endsIn(last)
		rest := strings.TrimSpace(strings.SplitN(string(r.text), d.Delimiter, last+1)[last])
		if len(r.cells)-1 > last && !number.MatchString(rest) && text == "" {
			text = fmt.Sprintf("delimiters are in it, the first in line %d: %s", r.line, shown(rest))
		}
		quotes = quotes && !strings.Contains(strings.Join(r.cells[:last], ""), `"`)
		list[i].cells = append(slices.Clip(r.cells[:last]), rest)
	}
	d.fit(list)
	odd := func(r record) bool {
		for c, cell := range r.cells[:last] {
			if d.numeric[c] != number.MatchString(cell) {
				return true
			}
		}
		return false
	}
	if d.Header {
		d.last = list[0].cells[last]
	}
	if text == "" || !d.numeric[last-1] && !areSentences || slices.ContainsFunc(list[1:], odd) ||
		strings.Contains(d.last, d.Delimiter) {
		d.score = 0
		return
	}
	d.Quotes, d.Rest, d.sure, d.score, d.notes["rest"] = quotes, true, true, float64(d.width), text
}
