package infer

import (
	"slices"

	"tfr-build/schema"
)

// markStyles are the marks that features can read: between thousands, and before decimals.
var markStyles = [...]struct{ thousands, decimal string }{
	{",", "."}, {".", ","}, {" ", "."}, {" ", ","}, {"'", "."}, {"'", ","}, {"’", "."}, {"’", ","}, {"", ","},
}

// A markStyle counts the strings of a column that are numbers with the same marks, except plain
// integers.
type markStyle struct {
	fits    int
	whole   int    // numbers without a fraction
	example string // the first string whose marks cannot mean anything else, if any
}

// addMarked counts a string that occurs n times. The column has had before such strings so far: a
// style that one of them excludes stays excluded.
func (w *notation) addMarked(text []byte, n, before int) {
	if len(text) > longestNumber {
		return
	}
	for i, style := range markStyles {
		m := &w.marked[i]
		if m.fits != before {
			continue
		}
		whole, certain, ok := schema.ReadMarked(text, style.thousands, style.decimal)
		if !ok {
			continue
		}
		if m.fits += n; whole {
			m.whole += n
		}
		if certain && m.example == "" {
			m.example = string(text)
		}
	}
}

// addMarks adds the marks of the numbers in a column to s, and returns a note. The note is empty
// unless a string leaves no doubt about the marks.
func (p *profile) addMarks(s *spec) string {
	i := slices.IndexFunc(p.written.marked[:], func(m markStyle) bool { return p.fits(m) && m.example != "" })
	if i < 0 {
		return ""
	}
	m, style := p.written.marked[i], markStyles[i]
	if s.add("type", "float"); m.whole == m.fits {
		s.keys[len(s.keys)-1] = "type: int64"
	}
	s.add("thousands", quoted(style.thousands))
	if style.decimal != "." {
		s.add("decimal", quoted(style.decimal))
	}
	return "numbers with thousands separators: " + shown(m.example) + p.listNote(style.thousands)
}

// fits reports whether all strings of a column are numbers in a style.
func (p *profile) fits(m markStyle) bool { return m.fits == p.texts-p.ints-p.zeros }

// hasStyle reports whether all strings of a column are numbers with marks that features can read.
func (p *profile) hasStyle() bool { return slices.ContainsFunc(p.written.marked[:], p.fits) }

// listNote returns how to read the strings if they are lists of integers; empty if they cannot be.
func (p *profile) listNote(separator string) string {
	if p.areNumbers(slices.Index(separators[:], separator)) != "int64" {
		return ""
	}
	return "; if these are lists: {type: int64, separator: " + quoted(separator) + "}"
}
