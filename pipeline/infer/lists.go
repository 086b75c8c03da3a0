package infer

import (
	"fmt"
	"slices"
	"strings"
)

// addListOfJSON adds the keys of cells that are JSON lists to s, and returns a note. The note is
// empty if the cells are not JSON lists.
func (c *chooser) addListOfJSON(s *spec, x *texts) string {
	if x.json != x.count {
		return ""
	}
	t := c.typeOf(x.list, &location{columnSummary: new(columnSummary), key: "."})
	if t.why != "" || t.lists > 0 || t.elements > 0 && t.fill == "" {
		s.add("type", "string")
		return joinNotes("lists of JSON that no key reads", t.why)
	}
	if t.elements > 0 {
		t.fillIn(share(t.elements, t.of, "element") + " missing")
	}
	*s = append(append(*s, t.spec...), "encoding: json")
	return t.note
}

// addList adds the keys of cells that hold several values with a separator to s, and returns a
// note. The note is empty if the cells are single values.
func (c *chooser) addList(s *spec, x *texts) string {
	i, areNumbers := x.separator()
	if i < 0 {
		return ""
	}
	e := &x.elements[i]
	note := fmt.Sprintf("%d of %d cells hold several values; ", e.cells, x.count)
	if areNumbers {
		all := e.numbers.with(&x.numbers)
		note += all.addType(s, all.count)
	} else {
		note += c.addClasses(s, &e.counter, e.count)
	}
	s.add("separator", quoted(separators[i]))
	return note
}

// separator returns the index of the separator in the cells, which make numbers or a few names; -1 without one.
func (x *texts) separator() (i int, areNumbers bool) {
	for i := range separators {
		s := &x.elements[i]
		switch {
		case x.areNumbers(i):
			return i, true
		case s.cells == 0 || s.odd > 0 || x.numbers.count > 0 || separators[i] == " " || x.counter.overflowed:
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
	return s.cells > 0 && s.odd == 0 && s.cells+x.numbers.count == x.count && // a cell without the separator is one number
		n.count == s.count && n.plus+n.zeros == 0
}

// isVocabulary reports whether the elements are a few names that the cells combine. There must be
// fewer names than distinct cells, and each name must occur in several cells.
func (s *elementStats) isVocabulary(x *texts, separator string) bool {
	for _, text := range x.counter.order {
		if n := x.counter.counts[text]; strings.HasPrefix(text, "\x00") {
			s.odd += n // a string that is too long to keep
		} else if !strings.Contains(text, separator) {
			s.count += n
			s.counter.add([]byte(text), n)
		}
	}
	if s.odd > 0 || s.counter.overflowed {
		return false
	}
	n := len(s.counter.order)
	const often = 10 // one cell in ten has the separator
	return n > 1 && n <= mostClasses && n < len(x.counter.order) && s.count >= n*leastPerName &&
		s.cells*often >= x.count &&
		!slices.ContainsFunc(s.counter.order, func(e string) bool {
			return strings.ContainsAny(e, "\r\n") ||
				len(strings.Fields(e)) > 3
		})
}
