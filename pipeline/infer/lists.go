package infer

import (
	"fmt"
	"slices"
	"strings"
)

// jsonLists adds that cells are lists of JSON; "" where they are not.
func (c *chooser) jsonLists(s *spec, p *profile) string {
	if p.json != p.texts {
		return ""
	}
	var inner spec
	note, why := c.form(&inner, p.cell, 0)
	if why != "" {
		return ""
	}
	s.keys = append(s.keys, inner.keys...)
	s.add("encoding", "json")
	return note
}

// lists adds that cells hold several values with a separator between them; "" where
// they do not.
func (c *chooser) lists(s *spec, p *profile) string {
	i, kind := p.separator()
	if kind == "" {
		return ""
	}
	t := &p.parts[i].tally
	note := fmt.Sprintf("%d of %d cells hold several values", p.parts[i].cells, p.texts)
	if kind == "classes" {
		note += "; " + c.classes(s, t, p.parts[i].count)
	} else {
		s.add("type", kind)
	}
	s.add("separator", quoted(separators[i]))
	return note
}

// unread says how the texts write numbers that cannot be read as such; "" where they are
// no numbers. Where they could also be lists, it says how to read lists.
func (p *profile) unread() string {
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
		return "numbers with a decimal comma, it seems, which cannot be read as numbers"
	case commas:
		marks += " or a decimal comma"
	}
	note := "numbers with " + marks + ", it seems, which cannot be read as numbers: " + shown(example)
	if p.areNumbers(slices.Index(separators[:], separator)) == "int64" {
		note += "; if these are lists: {type: int64, separator: " + quoted(separator) + "}"
	}
	return note
}

// separator is what parts the cells, and the kind of the elements: int64, float or
// classes; kind is empty where nothing does.
func (p *profile) separator() (i int, kind string) {
	for i := range separators {
		s := &p.parts[i]
		switch kind := p.areNumbers(i); {
		case kind != "":
			return i, kind
		case s.cells == 0 || s.odd > 0 || p.floats > 0 || separators[i] == " " || p.tally.over:
		case s.isVocabulary(p, separators[i]):
			return i, "classes"
		}
	}
	return 0, ""
}

// areNumbers is the kind of the numbers that a separator makes of all texts: int64 or
// float; empty where they are no numbers, and for a separator that is not tried.
func (p *profile) areNumbers(separator int) string {
	if separator < 0 {
		return ""
	}
	s := &p.parts[separator]
	switch {
	case s.cells == 0 || s.odd > 0 || s.cells+p.floats != p.texts: // a cell without the separator is one number
	case s.ints == s.count && p.ints == p.floats:
		return "int64"
	case s.floats == s.count:
		return "float"
	}
	return ""
}

// isVocabulary reports whether elements are few names that cells combine: fewer than
// there are different cells, and each in several.
func (s *parts) isVocabulary(p *profile, separator string) bool {
	for _, text := range p.tally.order {
		if n := p.tally.counts[text]; strings.HasPrefix(text, "\x00") {
			s.odd += n // one that is too long to be kept
		} else if !strings.Contains(text, separator) {
			s.count += n
			s.tally.add([]byte(text), n)
		}
	}
	if s.odd > 0 || s.tally.over {
		return false
	}
	n := len(s.tally.order)
	const often = 10 // one cell in ten holds the separator
	return n > 1 && n <= mostClasses && n < len(p.tally.order) && s.count >= n*leastPerName && s.cells*often >= p.texts &&
		!slices.ContainsFunc(s.tally.order, func(e string) bool { return strings.ContainsAny(e, "\r\n") || len(strings.Fields(e)) > 3 })
}
