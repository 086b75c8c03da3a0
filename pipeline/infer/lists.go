package infer

import (
	"fmt"
	"slices"
	"strings"
)

// addListOfJSON adds the keys of cells that are JSON lists to s, and returns a note. The note is
// empty if the cells are not JSON lists.
func (c *chooser) addListOfJSON(s *spec, p *profile) string {
	if p.json != p.texts {
		return ""
	}
	var inner spec
	note, why := c.addTypeAndShape(&inner, p.cell, 0)
	if why != "" {
		return ""
	}
	s.keys = append(s.keys, inner.keys...)
	s.keys = append(s.keys, "encoding: json")
	return note
}

// addList adds the keys of cells that hold several values with a separator to s, and returns a
// note. The note is empty if the cells are single values.
func (c *chooser) addList(s *spec, p *profile) string {
	i, kind := p.separator()
	if kind == "" {
		return ""
	}
	t := &p.elements[i].counter
	note := fmt.Sprintf("%d of %d cells hold several values", p.elements[i].cells, p.texts)
	if kind == "classes" {
		note += "; " + c.addClasses(s, t, p.elements[i].count)
	} else {
		s.add("type", kind)
	}
	s.add("separator", quoted(separators[i]))
	return note
}

// numberNotation returns a note if the strings write numbers with marks that cannot be read, or
// that may mean something else; otherwise it is empty. If the cells may be lists, the note says how to read lists.
func (p *profile) numberNotation() string {
	others := p.texts - p.floats
	if others == 0 {
		return ""
	}
	example, separator := p.written.grouped(others)
	commas := p.written.commas == others
	marks := "thousands separators"
	switch {
	case example == "" && !commas:
		return ""
	case example == "":
		return "numbers with a decimal comma, it seems" + p.readNote()
	case commas:
		marks += " or a decimal comma"
	}
	return "numbers with " + marks + ", it seems" + p.readNote() + ": " + shown(example) + p.listNote(separator)
}

// readNote says whether a config can read the numbers of a column.
func (p *profile) readNote() string {
	if p.hasStyle() {
		return "; thousands or decimal would read them"
	}
	return ", which cannot be read as numbers"
}

// separator returns the index of the separator in the cells, and the type of the elements. The type
// is int64, float, or classes. It is empty if the cells have no separator.
func (p *profile) separator() (i int, kind string) {
	for i := range separators {
		s := &p.elements[i]
		switch kind := p.areNumbers(i); {
		case kind != "":
			return i, kind
		case s.cells == 0 || s.odd > 0 || p.floats > 0 || separators[i] == " " || p.counter.overflowed:
		case s.isVocabulary(p, separators[i]):
			return i, "classes"
		}
	}
	return 0, ""
}

// areNumbers returns the type of the numbers into which a separator splits all strings: int64 or
// float. It is empty if they are not numbers, or if separator is -1.
func (p *profile) areNumbers(separator int) string {
	if separator < 0 {
		return ""
	}
	s := &p.elements[separator]
	switch {
	case s.cells == 0 || s.odd > 0 || s.cells+p.floats != p.texts: // a cell without the separator is one number
	case s.ints == s.count && p.ints == p.floats:
		return "int64"
	case s.floats == s.count:
		return "float"
	}
	return ""
}

// isVocabulary reports whether the elements are a few names that the cells combine. There must be
// fewer names than distinct cells, and each name must occur in several cells.
func (s *elementStats) isVocabulary(p *profile, separator string) bool {
	for _, text := range p.counter.order {
		if n := p.counter.counts[text]; strings.HasPrefix(text, "\x00") {
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
	return n > 1 && n <= mostClasses && n < len(p.counter.order) && s.count >= n*leastPerName && s.cells*often >= p.texts &&
		!slices.ContainsFunc(s.counter.order, func(e string) bool { return strings.ContainsAny(e, "\r\n") || len(strings.Fields(e)) > 3 })
}
