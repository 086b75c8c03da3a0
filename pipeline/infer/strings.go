package infer

import (
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// typeOfJSON returns the keys of cells that are JSON lists, and a note. The note is empty if the cells are not JSON
// lists.
func (c *chooser) typeOfJSON(x *texts) (spec, string) {
	if x.json != x.count {
		return nil, ""
	}
	t := c.typeOf(x.list, &location{columnSummary: new(columnSummary), key: "."})
	if t.why != "" || t.lists > 0 || t.elements > 0 && t.fill == "" {
		return typed("string"), joinNotes("lists of JSON that no key reads", t.why)
	}
	if t.elements > 0 {
		t.fillIn(share(t.elements, t.of, "element") + " missing")
	}
	return append(t.spec, "encoding: json"), t.note
}

// listType returns the keys of cells that hold several values with a separator, and a note. The note is empty if the
// cells are single values.
func (c *chooser) listType(x *texts) (s spec, note string) {
	i, areNumbers := x.separator()
	if i < 0 {
		return nil, ""
	}
	e := &x.elements[i]
	if areNumbers {
		s, note = e.numbers.numberType(e.count)
	} else {
		s, note = c.classes(&e.counter, e.count)
	}
	s.add("separator", quoted(separators[i]))
	return s, share(e.cells, x.count, "cell") + " hold several values; " + note
}

// separator returns the index of the separator in the cells, which make numbers or a few names; -1 without one.
func (x *texts) separator() (i int, areNumbers bool) {
	for i := range separators {
		s := &x.elements[i]
		switch {
		case x.areNumbers(i):
			return i, true
		case s.cells == 0 || s.odd > 0 || x.numbers.count > 0 || separators[i] == " " || x.overflowed:
		case s.isVocabulary(x, separators[i]):
			return i, false
		}
	}
	return -1, false
}

// areNumbers reports whether a separator splits all strings into numbers. Numbers with a plus or with leading zeros are
// parts of names, such as phone numbers.
func (x *texts) areNumbers(separator int) bool {
	s := &x.elements[separator]
	n := &s.numbers
	// A cell without the separator is one number.
	return s.cells > 0 && s.cells+x.numbers.count == x.count && n.count == s.count && n.plus+n.zeros == 0 &&
		(separators[separator] != "," || !x.haveBothMarks())
}

// haveBothMarks reports whether the strings may be numbers with a point or a comma before decimals: no cell has more
// than one comma, between integers, and others have fractions.
func (x *texts) haveBothMarks() bool {
	s := &x.elements[slices.Index(separators[:], ",")]
	return x.numbers.fractions > 0 && s.cells > 0 && s.count == x.count+s.cells &&
		s.numbers.fractions == x.numbers.fractions && s.numbers.count == s.count
}

// isVocabulary reports whether the elements are a few names that the cells combine. There must be
// fewer names than distinct cells, and each name must occur in several cells.
func (s *elementStats) isVocabulary(x *texts, separator string) bool {
	for _, text := range x.order {
		if n := x.counts[text]; strings.HasPrefix(text, "\x00") || len(text) > longestName {
			s.odd += n
		} else if !strings.Contains(text, separator) {
			s.count += n
			s.counter.add([]byte(text), n)
		}
	}
	n := len(s.order)
	const often = 10 // one cell in ten has the separator
	return s.odd == 0 && n > 1 && n <= mostClasses && n < len(x.order) && s.count >= n*leastPerName &&
		s.cells*often >= x.count &&
		!slices.ContainsFunc(s.order, func(e string) bool {
			return strings.ContainsAny(e, "\r\n") ||
				len(strings.Fields(e)) > 3
		})
}

// classes returns the class names, or auto, and a note.
func (c *chooser) classes(t *counter, values int) (s spec, note string) {
	names := t.sorted()
	note = plural.Of(len(names), "value")
	if len(names) > mostListed || c.isSampled() || t.hasLines() {
		return spec{"classes: auto"}, note + examples(names)
	}
	least, rarest := values, ""
	for _, name := range names {
		if n := t.counts[name]; n < least {
			least, rarest = n, name
		}
	}
	if least*len(names)*5 < values {
		note += fmt.Sprintf("; the rarest, %s, in %s", shown(rarest), plural.Of(least, "row"))
	}
	return spec{"classes: " + list(names)}, note
}

// examples lists a few of many names, for a comment.
func examples(names []string) string {
	const few = 3
	var list []string
	for _, name := range names[:min(few, len(names))] {
		list = append(list, shown(name))
	}
	if len(names) > few {
		list = append(list, "…")
	}
	return ": " + strings.Join(list, ", ")
}

// quoted returns a string in quotes, as the keys of a map are written.
func quoted(s string) string {
	if q := scalar(s); q[0] == '"' {
		return q
	}
	return `"` + s + `"`
}

// isClasses reports whether the strings are class names.
func (x *texts) isClasses() bool {
	n := len(x.order)
	return n > 1 && n <= mostClasses && x.count >= n*leastPerName &&
		x.longest <= longestName && x.dates.nearest() == nil && !x.hasLines()
}

// hasLines reports whether a string is empty or has more than one line, which a class must not.
func (t *counter) hasLines() bool {
	return slices.ContainsFunc(t.order, func(s string) bool { return s == "" || strings.ContainsAny(s, "\r\n") })
}

// isName reports whether the strings are all different, and identify rows instead of describing
// them: they are short, and most have no space.
func (x *texts) isName() bool {
	const few = 10
	return x.count >= few && x.haveLetters() && !x.areReadable() && x.repeats == 0 &&
		x.mean() <= longestName && x.spaced*2 < x.count
}

// answersOf lists pairs of words that mean yes and no.
var answersOf = [][2]string{{"yes", "no"}, {"y", "n"}, {"t", "f"}}

// answerType returns the type of a column of yes and no, and a note, which is empty for other columns.
func answerType(x *texts) (s spec, note string) {
	if len(x.order) != 2 {
		return nil, ""
	}
	for i, yes := range x.order {
		no := x.order[1-i]
		for _, pair := range answersOf {
			if strings.EqualFold(yes, pair[0]) && strings.EqualFold(no, pair[1]) {
				s = typed("bool")
				s.add("map", fmt.Sprintf("{%s: true, %s: false}", quoted(yes), quoted(no)))
				return s, fmt.Sprintf("%d and %d", x.counts[yes], x.counts[no])
			}
		}
	}
	return nil, ""
}
