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
	odd     sighting // the first string that does not fit
	whole   int      // numbers without a fraction
	example string   // the first string whose marks cannot mean anything else, if any
}

// addMarked counts a string that occurs n times. A style that does not fit most strings is given up.
func (w *notation) addMarked(t *reading, text []byte, n int) {
	const few = 20
	w.strings += n
	for i, style := range markStyles {
		m := &w.marked[i]
		if w.strings > few && (w.strings-n-m.fits)*mostOdd > w.strings {
			continue
		}
		whole, certain, ok := false, false, false
		if len(text) <= longestNumber {
			whole, certain, ok = schema.ReadMarked(text, style.thousands, style.decimal)
		}
		if !ok {
			m.odd.see(t, text)
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
func addMarks(s *spec, x *texts) string {
	i := slices.IndexFunc(x.written.marked[:], func(m markStyle) bool { return x.fits(m) && m.example != "" })
	if i < 0 {
		return ""
	}
	s.keys = append(s.keys, x.written.keys(i)...)
	return "numbers with thousands separators: " + shown(x.written.marked[i].example) + x.listNote(markStyles[i].thousands)
}

// keys returns the keys of a feature of numbers in a style.
func (w *notation) keys(i int) (list []string) {
	style := markStyles[i]
	list = append(list, map[bool]string{true: "type: int64", false: "type: float"}[w.marked[i].whole == w.marked[i].fits])
	if style.thousands != "" {
		list = append(list, "thousands: "+quoted(style.thousands))
	}
	if style.decimal != "." {
		list = append(list, "decimal: "+quoted(style.decimal))
	}
	return list
}

// fits reports whether all strings of a column are numbers in a style.
func (x *texts) fits(m markStyle) bool { return m.fits == x.count-x.numbers.integers() }

// hasStyle reports whether all strings of a column are numbers with marks that features can read.
func (x *texts) hasStyle() bool { return slices.ContainsFunc(x.written.marked[:], x.fits) }

// listNote returns how to read the strings if they are lists of integers; empty if they cannot be.
func (x *texts) listNote(separator string) string {
	i := slices.Index(separators[:], separator)
	if i < 0 || !x.areNumbers(i) || x.elements[i].numbers.ints < x.elements[i].count {
		return ""
	}
	return "; if these are lists: {type: int64, separator: " + quoted(separator) + "}"
}
