package infer

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"unicode/utf8"

	"tfr-build/internal/plural"
	"tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources"
)

// A texts counts strings, and what each of them can be read as.
type texts struct {
	missed map[string]*word // cells with a word that may mean missing; the fields below do not count them
	kept   []string         // of such words, those that are values

	count    int      // all other strings
	numbers  numbers  // strings that are numbers, except the words in missingWords
	bools    int      // true and false
	json     int      // lists of JSON, as long as all strings are
	list     *profile // the values in those lists
	base64   int      // images in base64
	dates    dates
	marks    marks
	spaced   int // strings with a space inside
	empty    int // empty strings
	longest  int
	bytes    int64
	firstOdd sighting // the first string other than a number

	counter
	elements [len(separators)]elementStats
}

// A word is a word that may mean missing, in a column.
type word struct {
	count  int
	quoted int
	first  sighting
}

// longestName is the size of the longest string that may be a class name, in bytes.
const longestName = 64

// missingWords are words that tables have in place of a value.
var missingWords = map[string]bool{
	"":   true, // in quotes
	"NA": true, "N/A": true, "n/a": true, "#N/A": true, "NULL": true, "null": true, "Null": true, "None": true,
	"none": true,
	"NaN":  true, "nan": true, "NAN": true, "-": true, "?": true, `\N`: true, "NaT": true,
}

// addCell counts the string of a cell, which may be a word that means missing.
func (s *texts) addCell(t *reading, v *schema.Value) {
	if len(v.Text) <= 4 && (len(v.Text) == 0 || v.Text[0]-'0' > 9) && missingWords[string(v.Text)] {
		w := s.missed[string(v.Text)]
		if w == nil {
			if s.missed == nil {
				s.missed = map[string]*word{}
			}
			w = new(word)
			s.missed[string(v.Text)] = w
		}
		if w.count++; t.isQuoted(v) {
			w.quoted++
		}
		w.first.see(t, v.Text)
		return
	}
	s.add(t, v.Text, 1)
}

// missing returns the number of words that mean missing.
func (s *texts) missing() (n int) {
	for _, w := range s.missed {
		n += w.count
	}
	return n
}

// words returns the words that mean missing, sorted.
func (s *texts) words() []string { return sortedKeys(s.missed) }

// nullsWith returns null_values of a feature: the words that mean missing, which it replaces, and another one.
func (s *texts) nullsWith(word string) string { return list(append(s.words(), word)) }

// restore counts the words that do not mean missing as ordinary strings.
func (s *texts) restore(means func(text string, w *word) bool) {
	values := map[string]*word{}
	for _, text := range s.words() {
		if w := s.missed[text]; !means(text, w) {
			values[text] = w
			delete(s.missed, text)
			s.add(&reading{seen: w.first.where}, []byte(text), w.count)
		}
	}
	for _, text := range sortedKeys(values) {
		w := values[text]
		s.kept = append(s.kept, fmt.Sprintf("%s in %s is a value, the first: %s; if it means missing: null_values: "+
			"%s, missing: omit", shown(text), plural.Of(w.count, "row"), w.first.where, s.nullsWith(text)))
	}
}

// add counts a string n times.
func (s *texts) add(t *reading, text []byte, n int) {
	s.count += n
	s.longest = max(s.longest, len(text))
	s.bytes += int64(n * len(text))
	integers := s.numbers.integers()
	isNumber := len(text) > 0 && text[0] <= '9' && s.numbers.add(t, text, n)
	if integers == s.numbers.integers() {
		s.marks.add(t, text, isNumber, n)
	}
	if isNumber {
		if s.firstOdd.where != "" {
			s.splitNumber(t, text)
		}
		if s.countsNumbers(s.count) {
			s.counter.add(text, n)
		}
		return
	}
	s.firstOdd.see(t, text)
	s.dates.add(t, text, &s.firstOdd, n)
	switch _, isBool := schema.ReadBool(text); { // 1 and 0 are numbers
	case len(text) == 0:
		s.empty += n
	case isBool:
		s.bools += n
	case s.json == s.count-n && text[0] == '[' && s.addList(t, text):
		s.json += n
	case schema.IsNonfinite(text):
		s.numbers.nonfinite += n
	case isImage(text):
		s.base64 += n
	}
	if bytes.IndexByte(text, ' ') > 0 {
		s.spaced += n
	}
	s.split(t, text)
	if len(text) > longestName && !isLongName(text) {
		text = hashString(text)
	}
	s.counter.add(text, n)
}

// addList counts a string that is a list of JSON. It reports whether it is one.
func (s *texts) addList(t *reading, text []byte) bool {
	if s.list == nil {
		s.list = newProfile(leastStored, 0)
	}
	if t.lists == nil {
		t.lists = sources.NewCellScanner(depthMost, recordMost)
	}
	var v schema.Value
	t.lists.Reset()
	return t.lists.Scan(text, &v) == nil && s.list.add(t, &v, 0) == nil
}

// isImage reports whether a string is an image in base64.
func isImage(text []byte) bool {
	const enough = 64
	if len(text) < enough || len(text)%4 != 0 {
		return false
	}
	head := make([]byte, enough*3/4)
	n, err := base64.StdEncoding.Decode(head, text[:enough])
	return err == nil && header.Begins(head[:n])
}

// isLongName reports whether a string that is too long for a class is kept, as it may be the name of a file.
func isLongName(text []byte) bool {
	return bytes.IndexByte(text, ' ') < 0 && isFileName(string(text)) && lastExtension(string(text)) != ""
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
	numbers numbers
	odd     int // elements that are empty, long, have space around them, or begin as a list
	counter
}

// openers begin lists and objects of JSON or Python, and their strings.
var openers = []byte("[{\"'")

// elementsMost is the number of distinct elements that are kept.
const elementsMost = 256

// split splits a string that is not a number by each separator.
func (s *texts) split(t *reading, text []byte) {
	for i := range separators {
		e := &s.elements[i]
		if !bytes.Contains(text, []byte(separators[i])) {
			continue
		}
		if e.cells++; e.cells == 1 { // cells before it are one element each
			e.numbers, e.count = s.numbers, s.numbers.count
		}
		if e.odd > 0 || e.overflowed && e.numbers.count < e.count {
			continue // this is not the separator
		}
		for element := range bytes.SplitSeq(text, []byte(separators[i])) {
			e.add(t, element)
		}
	}
}

// splitNumber counts a string that is a number, and thus one element, if others have separators.
func (s *texts) splitNumber(t *reading, text []byte) {
	for i := range separators {
		if e := &s.elements[i]; e.cells > 0 {
			e.add(t, text)
		}
	}
}

func (s *elementStats) add(t *reading, text []byte) {
	s.count++
	if len(text) == 0 || text[0] == ' ' || text[len(text)-1] == ' ' || len(text) > longestName ||
		bytes.IndexByte(openers, text[0]) >= 0 {
		s.odd++
		return
	}
	if text[0] <= '9' {
		s.numbers.add(t, text, 1)
	}
	s.most = elementsMost
	s.counter.add(text, 1)
}

// mean returns the mean length of the strings in bytes.
func (s *texts) mean() int64 { return s.bytes / int64(max(1, s.count)) }

// isText reports whether bytes are text in UTF-8.
func isText(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }

// areDense reports whether the strings are all integers from 0 or 1 to a small one, most of them several times.
func (x *texts) areDense() bool {
	n, distinct := &x.numbers, len(x.order)
	return n.ints == x.count && !x.overflowed && distinct > 1 && distinct <= mostClasses && 2*distinct <= x.count &&
		(n.least == 0 || n.least == 1) && n.most-n.least == int64(distinct-1)
}
