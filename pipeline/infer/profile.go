package infer

import (
	"bytes"
	"encoding/base64"
	"hash/fnv"
	"math"
	"strconv"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/jsonl"
)

// A profile is what was seen of the texts of a column.
type profile struct {
	rows    int            // that could be read
	missing int            // of these, rows without a text
	missed  map[string]int // texts that may mean missing, which are in nothing below

	texts   int // the others
	ints    int
	zeros   int    // integers that zeros lead, as in 007
	floats  int    // numbers, integers among them
	bools   int    // true and false
	beyond  int    // nan and the infinities, in other spellings than a missing word
	json    int    // lists of JSON, as long as all texts are
	cell    *value // what these hold
	taker   taker
	base64  int // texts that are images in base64
	dates   dates
	written notation // of texts that are no plain numbers
	spaced  int      // texts with a space within
	longest int
	bytes   int64
	low     float64
	high    float64

	tally tally
	parts [len(separators)]parts
}

// longestName is the longest text that may be a class.
const longestName = 64

// missingWords are texts that tables have in place of a value.
var missingWords = map[string]bool{
	"":   true, // in quotes
	"NA": true, "N/A": true, "n/a": true, "#N/A": true, "NULL": true, "null": true, "Null": true, "None": true, "none": true,
	"NaN": true, "nan": true, "NAN": true, "-": true, "?": true, `\N`: true, "NaT": true,
}

func newProfile(most int) *profile {
	return &profile{missed: map[string]int{}, tally: tally{most: most}, low: math.Inf(1), high: math.Inf(-1)}
}

// add takes the text of a row. present is false where there is none.
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

// text counts a text n times.
func (p *profile) text(text []byte, n int) {
	p.texts += n
	p.longest = max(p.longest, len(text))
	p.bytes += int64(n * len(text))
	if p.number(text, n) {
		p.tally.add(text, n)
		return
	}
	p.dates.add(text, n)
	p.written.add(text, n, p.texts-n-p.floats)
	switch {
	case len(text) == 0:
	case isBool(text):
		p.bools += n
	case p.json == p.texts-n && text[0] == '[' && p.list(text):
		p.json += n
	case isBeyond(text):
		p.beyond += n
	case isImage(text):
		p.base64 += n
	}
	if bytes.IndexByte(text, ' ') > 0 {
		p.spaced += n
	}
	p.split(text)
	if len(text) > longestName {
		text = hashed(text)
	}
	p.tally.add(text, n)
}

// number takes a text that is a number.
func (p *profile) number(text []byte, n int) bool {
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

// list takes a text that is a list of JSON.
func (p *profile) list(text []byte) bool {
	var cell schema.Value
	if p.cell == nil {
		p.cell = newValue(leastKept)
		p.taker.cells = append(p.taker.cells, jsonl.NewCellScanner(depthMost))
	}
	p.taker.cells[0].Reset()
	return p.taker.cells[0].Scan(text, &cell) == nil && p.taker.take(p.cell, &cell, 1) == nil
}

// settle takes for texts those of the words that do not mean missing here.
func (p *profile) settle(means func(word string) bool) {
	for word, n := range p.missed {
		if !means(word) {
			p.text([]byte(word), n)
			delete(p.missed, word)
		}
	}
}

// lacking is how many rows have no value.
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

// isBeyond reports a float that only nonfinite: allow takes.
func isBeyond(text []byte) bool {
	switch string(bytes.ToLower(bytes.TrimLeft(text, "+-"))) {
	case "inf", "infinity", "nan":
		return true
	}
	return false
}

// isImage reports whether a text is an image in base64: nothing else is so certain to
// be no text.
func isImage(text []byte) bool {
	const enough = 64
	if len(text) < enough || len(text)%4 != 0 {
		return false
	}
	head := make([]byte, enough*3/4)
	if n, err := base64.StdEncoding.Decode(head, text[:enough]); err != nil || n < len(head) {
		return false
	}
	return isImageHead(head)
}

// isImageHead reports whether bytes are the beginning of an image.
func isImageHead(head []byte) bool {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")), bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return true
	case bytes.HasPrefix(head, []byte("GIF8")), bytes.HasPrefix(head, []byte("RIFF")) && bytes.Contains(head[:min(16, len(head))], []byte("WEBP")):
		return true
	}
	return false
}

// hashed stands for a text that is too long to be kept: FNV-1a, of 64 bits.
func hashed(text []byte) []byte {
	h := fnv.New64a()
	_, _ = h.Write(text) // which never fails
	return h.Sum([]byte{0})
}

// separators are what parts a cell into a list.
var separators = [...]string{"|", ";", ", ", ",", " "}

// parts are the elements that a separator makes of the texts of a column that hold it.
type parts struct {
	cells  int // these texts
	count  int // elements
	most   int // elements of one text
	ints   int
	floats int
	odd    int // elements that are empty, long, or have space around them
	tally  tally
}

// elementsMost is how many different elements are kept.
const elementsMost = 256

// split parts a text, which is no number, by each separator.
func (p *profile) split(text []byte) {
	for i := range separators {
		s := &p.parts[i]
		if !bytes.Contains(text, []byte(separators[i])) {
			continue
		}
		s.cells++
		if s.odd > 0 || s.tally.over && s.floats < s.count {
			continue // it is no separator
		}
		before := s.count
		for e := range bytes.SplitSeq(text, []byte(separators[i])) {
			s.element(e)
		}
		s.most = max(s.most, s.count-before)
	}
}

func (s *parts) element(text []byte) {
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
	s.tally.most = elementsMost
	s.tally.add(text, 1)
}

// mean is the mean length of texts.
func (p *profile) mean() int64 { return p.bytes / int64(max(1, p.texts)) }

// numbers are a range of numbers, as it is shown.
func numbers(low, high float64) string {
	if low == high {
		return "all " + number(low)
	}
	return number(low) + " to " + number(high)
}

// number is a number as it is shown.
func number(x float64) string {
	const exact = 1e15 // of whole numbers
	if x == math.Trunc(x) && math.Abs(x) < exact {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// isText reports whether bytes are text in UTF-8.
func isText(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }
