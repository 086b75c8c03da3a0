package infer

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// A notation counts strings of a column that write numbers with thousands separators, or with a
// decimal comma. A config can read those in marked only.
type notation struct {
	strings int // that are not plain integers
	commas  int // strings with a decimal comma and no other mark
	styles  [len(groupings)]grouping
	marked  [len(markStyles)]markStyle
}

// A grouping is a way to group digits by thousands.
type grouping struct {
	fits    int    // strings that can be numbers in this style
	grouped int    // strings with a thousands separator
	example string // the first of them
}

// groupings lists the thousands separators, and the decimal marks that can be used with each.
var groupings = [...]struct{ separators, decimals string }{
	{",", "."}, {".", ","}, {" \u00a0\u202f\u2009", ".,"}, {"'’", ".,"},
}

// A mark is a run of digits: the separator before it, and its length.
type mark struct {
	separator rune
	digits    int
}

// longestNumber is the size of the longest text that can be a number with its unit or currency, in
// bytes.
const longestNumber = 40

// add counts a string n times that is not a plain number. The column has had before strings so far:
// once all styles are excluded, add skips all further strings.
func (w *notation) add(text []byte, n, before int) {
	possible := func(g grouping) bool { return g.fits == before }
	if w.commas != before && !slices.ContainsFunc(w.styles[:], possible) {
		return
	}
	marks, exponent := marksOf(text)
	if len(marks) == 0 {
		return
	}
	if len(marks) == 2 && marks[1].separator == ',' {
		w.commas += n
	}
	for i := range groupings {
		g := &w.styles[i]
		fits, grouped := fitsGrouping(marks, groupings[i].separators, groupings[i].decimals)
		if !fits || grouped && exponent {
			continue
		}
		if g.fits += n; grouped {
			if g.grouped += n; g.example == "" {
				g.example = string(text)
			}
		}
	}
}

// grouped returns a string with thousands separators, and the separator, if all n strings can be
// numbers in the same style; otherwise both are empty.
func (w *notation) grouped(n int) (example, separator string) {
	for i, g := range w.styles {
		if g.grouped > 0 && g.fits == n {
			_, size := utf8.DecodeRuneInString(groupings[i].separators)
			return g.example, groupings[i].separators[:size]
		}
	}
	return "", ""
}

// marksOf splits a number into runs of digits and the separators between them. It skips a sign, a
// currency, or a unit around the number. It returns nil for other strings.
func marksOf(text []byte) (marks []mark, exponent bool) {
	from := bytes.IndexAny(text, "0123456789")
	if from < 0 || len(text) > longestNumber {
		return nil, false
	}
	text = text[from : bytes.LastIndexAny(text, "0123456789")+1]
	if e := bytes.IndexAny(text, "eE"); e > 0 && isDigits(bytes.TrimLeft(text[e+1:], "+-")) {
		text, exponent = text[:e], true
	}
	marks = []mark{{}}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		i += size
		last := &marks[len(marks)-1]
		switch {
		case r >= '0' && r <= '9':
			last.digits++
		case last.digits == 0:
			return nil, false
		default:
			marks = append(marks, mark{separator: r})
		}
	}
	return marks, exponent
}

func isDigits(text []byte) bool {
	return len(text) > 0 && !bytes.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// fitsGrouping reports whether runs of digits are a number in a style, and whether the number has a
// thousands separator.
func fitsGrouping(marks []mark, separators, decimals string) (fits, grouped bool) {
	has := func(set string, r rune) bool { return bytes.ContainsRune([]byte(set), r) }
	if last := marks[len(marks)-1]; len(marks) > 1 && !has(separators, last.separator) {
		if !has(decimals, last.separator) {
			return false, false
		}
		marks = marks[:len(marks)-1]
	}
	if len(marks) == 1 {
		return true, false
	}
	inner := marks[1 : len(marks)-1]
	for _, m := range marks[1:] {
		if m.separator != marks[1].separator || !has(separators, m.separator) {
			return false, false
		}
	}
	// Indian numbers have groups of two digits above the thousands: 12,34,567.
	for _, size := range []int{3, 2} {
		sized := func(m mark) bool { return m.digits == size }
		other := func(m mark) bool { return !sized(m) }
		if marks[0].digits <= size && marks[len(marks)-1].digits == 3 && !slices.ContainsFunc(inner, other) {
			return true, true
		}
	}
	return false, false
}
