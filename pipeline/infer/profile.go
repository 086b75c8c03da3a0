package infer

import (
	"bytes"
	"encoding/base64"
	"hash/fnv"
	"math"
	"strconv"
	"unicode/utf8"

	"tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources"
)

// A profile counts the strings of a column.
type profile struct {
	rows    int            // rows that could be read
	missing int            // rows without a string
	missed  map[string]int // words that may mean missing; the fields below do not count them

	texts      int // all other strings
	ints       int
	zeros      int    // integers with leading zeros, such as 007
	floats     int    // all numbers, including integers
	bools      int    // true and false
	outOfRange int    // nan and infinities, except those in missingWords
	json       int    // lists of JSON, as long as all strings are
	cell       *value // the values in those lists
	scanner    valueScanner
	base64     int // images in base64
	dates      dates
	written    notation // counts of strings that are not plain numbers
	spaced     int      // strings with a space inside
	longest    int
	bytes      int64
	low        float64
	high       float64

	counter  counter
	elements [len(separators)]elementStats
}

// longestName is the size of the longest string that may be a class name, in bytes.
const longestName = 64

// missingWords are words that tables have in place of a value.
var missingWords = map[string]bool{
	"":   true, // in quotes
	"NA": true, "N/A": true, "n/a": true, "#N/A": true, "NULL": true, "null": true, "Null": true, "None": true, "none": true,
	"NaN": true, "nan": true, "NAN": true, "-": true, "?": true, `\N`: true, "NaT": true,
}

func newProfile(most int) *profile {
	return &profile{missed: map[string]int{}, counter: counter{most: most}, low: math.Inf(1), high: math.Inf(-1)}
}

// add counts the string of a row. present is false if the row has none.
func (p *profile) add(text []byte, present bool) {
	p.rows++
	switch {
	case !present:
		p.missing++
	case len(text) <= 4 && missingWords[string(text)]:
		p.missed[string(text)]++
	default:
		p.text(text, 1)
	}
}

// text counts a string n times.
func (p *profile) text(text []byte, n int) {
	p.texts += n
	p.longest = max(p.longest, len(text))
	p.bytes += int64(n * len(text))
	integers := p.ints + p.zeros
	isNumber := p.addNumber(text, n)
	if integers == p.ints+p.zeros {
		p.written.addMarked(text, n, p.texts-n-integers)
	}
	if isNumber {
		p.counter.add(text, n)
		return
	}
	p.dates.add(text, n)
	p.written.add(text, n, p.texts-n-p.floats)
	switch {
	case len(text) == 0:
	case isBool(text):
		p.bools += n
	case p.json == p.texts-n && text[0] == '[' && p.addList(text):
		p.json += n
	case isNonfinite(text):
		p.outOfRange += n
	case isImage(text):
		p.base64 += n
	}
	if bytes.IndexByte(text, ' ') > 0 {
		p.spaced += n
	}
	p.split(text)
	if len(text) > longestName {
		text = hashString(text)
	}
	p.counter.add(text, n)
}

// addNumber counts a string that is a number. It reports whether it is one.
func (p *profile) addNumber(text []byte, n int) bool {
	if len(text) == 0 || text[0] > '9' {
		return false
	}
	zeros, isInt := schema.IsInteger(text)
	switch {
	case isInt && zeros:
		p.zeros += n
	case isInt:
		p.ints += n
		x, _ := strconv.ParseInt(string(text), 10, 64)
		p.low, p.high = min(p.low, float64(x)), max(p.high, float64(x))
	case !schema.IsFloat(text):
		return false
	default:
		x, _ := strconv.ParseFloat(string(text), 64)
		p.low, p.high = min(p.low, x), max(p.high, x)
	}
	p.floats += n
	return true
}

// addList counts a string that is a list of JSON. It reports whether it is one.
func (p *profile) addList(text []byte) bool {
	var cell schema.Value
	if p.cell == nil {
		p.cell = newValue(leastStored)
		p.scanner.cells = append(p.scanner.cells, sources.NewCellScanner(depthMost, recordMost))
	}
	p.scanner.cells[0].Reset()
	return p.scanner.cells[0].Scan(text, &cell) == nil && p.scanner.add(p.cell, &cell, 1) == nil
}

// restoreWords counts the words that do not mean missing here as ordinary strings.
func (p *profile) restoreWords(means func(word string) bool) {
	for word, n := range p.missed {
		if !means(word) {
			p.text([]byte(word), n)
			delete(p.missed, word)
		}
	}
}

// lacking returns the number of rows without a value.
func (p *profile) lacking() int {
	n := p.missing
	for _, k := range p.missed {
		n += k
	}
	return n
}

func isBool(text []byte) bool {
	return bytes.EqualFold(text, []byte("true")) || bytes.EqualFold(text, []byte("false"))
}

// isNonfinite reports whether a string is a float that is only valid with nonfinite: allow.
func isNonfinite(text []byte) bool {
	switch string(bytes.ToLower(bytes.TrimLeft(text, "+-"))) {
	case "inf", "infinity", "nan":
		return true
	}
	return false
}

// isImage reports whether a string is an image in base64.
func isImage(text []byte) bool {
	const enough = 64
	if len(text) < enough || len(text)%4 != 0 {
		return false
	}
	head := make([]byte, enough*3/4)
	if n, err := base64.StdEncoding.Decode(head, text[:enough]); err != nil || n < len(head) {
		return false
	}
	return header.Begins(head)
}

// hashString returns a replacement for a string that is too long to keep: its 64-bit FNV-1a hash
// after a zero byte.
func hashString(text []byte) []byte {
	h := fnv.New64a()
	_, _ = h.Write(text) // never fails
	return h.Sum([]byte{0})
}

// separators are the separators that may split a cell into a list.
var separators = [...]string{"|", ";", ", ", ",", " "}

// elementStats counts the elements into which a separator splits the strings of a column.
type elementStats struct {
	cells   int // strings with the separator
	count   int // number of elements
	most    int // largest number of elements of one string
	ints    int
	floats  int
	odd     int // elements that are empty, long, or have space around them
	counter counter
}

// elementsMost is the number of distinct elements that are kept.
const elementsMost = 256

// split splits a string that is not a number by each separator.
func (p *profile) split(text []byte) {
	for i := range separators {
		s := &p.elements[i]
		if !bytes.Contains(text, []byte(separators[i])) {
			continue
		}
		s.cells++
		if s.odd > 0 || s.counter.overflowed && s.floats < s.count {
			continue // this is not the separator
		}
		before := s.count
		for e := range bytes.SplitSeq(text, []byte(separators[i])) {
			s.add(e)
		}
		s.most = max(s.most, s.count-before)
	}
}

func (s *elementStats) add(text []byte) {
	s.count++
	if len(text) == 0 || text[0] == ' ' || text[len(text)-1] == ' ' || len(text) > longestName {
		s.odd++
		return
	}
	if text[0] <= '9' {
		zeros, isInt := schema.IsInteger(text)
		switch {
		case isInt && !zeros:
			s.ints++
			s.floats++
		case schema.IsFloat(text):
			s.floats++
		}
	}
	s.counter.most = elementsMost
	s.counter.add(text, 1)
}

// mean returns the mean length of the strings in bytes.
func (p *profile) mean() int64 { return p.bytes / int64(max(1, p.texts)) }

// numbers returns a range of numbers as text.
func numbers(low, high float64) string {
	if low == high {
		return "all " + number(low)
	}
	return number(low) + " to " + number(high)
}

// number returns a number as text.
func number(x float64) string {
	const exact = 1e15 // largest whole number that is shown exactly
	if x == math.Trunc(x) && math.Abs(x) < exact {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// isText reports whether bytes are text in UTF-8.
func isText(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }
