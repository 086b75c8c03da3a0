package config

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/nearest"
)

// expected is the fault of a value that is not what was expected. That of a
// variable in it is told already.
func (d *decoder) expected(at spot, what string) {
	if !at.faulty {
		fault, hint := mismatch(at.node, what)
		d.hinted(at.path, hint, "%s", fault)
	}
}

// text is a scalar as the source has it, whatever YAML would make of it.
func (d *decoder) text(at spot, what string) (string, bool) {
	if at.faulty || !at.isScalar() || at.isNull() {
		d.expected(at, what)
		return "", false
	}
	return at.text, true
}

// texts is a list of scalars as the source has them.
func (d *decoder) texts(at spot, emptyOK bool) ([]string, bool) {
	if at.kind != listNode || len(at.list) == 0 && !emptyOK {
		d.expected(at, "a list of texts")
		return nil, false
	}
	texts, ok := make([]string, 0, len(at.list)), true
	for i := range at.list {
		sub := d.element(at, i)
		if sub.isNull() && !sub.faulty {
			d.hinted(sub.path, "quote it", "found nothing; expected a text")
			ok = false
			continue
		}
		s, fine := d.text(sub, "a text")
		texts, ok = append(texts, s), ok && fine
	}
	return texts, ok
}

// oneOrTexts is a list of texts, or one of them alone.
func (d *decoder) oneOrTexts(at spot, emptyOK bool) ([]string, bool) {
	if at.kind == listNode {
		return d.texts(at, emptyOK)
	}
	s, ok := d.text(at, "a text, or a list of texts")
	return []string{s}, ok
}

// word is a text that is one of some words, or has a spelling.
func (d *decoder) word(at spot) string {
	words, later := at.field.words()
	what := "a text"
	if len(words) > 0 {
		what = oneOf(words)
	}
	s, ok := d.text(at, what)
	switch {
	case !ok:
		return ""
	case slices.Contains(later, s):
		d.bad(at.path, "%s is not supported yet", quoteValue(s))
	case len(words) > 0 && !slices.Contains(words, s):
		d.hinted(at.path, nearest.DidYouMean(nearest.Of(s, words)), "found %s; expected %s", quoteValue(s), what)
	default:
		s, _ = d.spelled(at, s)
	}
	return s
}

// spelled is a text as its spelling keeps it.
func (d *decoder) spelled(at spot, s string) (kept string, ok bool) {
	how := at.field.spelling()
	if how.rule != nil {
		if expected, hint := how.rule(s); expected != "" {
			d.hinted(at.path, hint, "found %s; expected %s", quoteValue(s), expected)
			return s, false
		}
	}
	if how.keep != nil {
		s = how.keep(s)
	}
	return s, true
}

func (d *decoder) boolean(at spot) bool {
	isBool := at.isScalar() && (at.text == "true" || at.text == "false")
	switch {
	case isBool && at.quoted:
		d.hinted(at.path, "remove the quotes", "found the text %s; expected true or false", quoteValue(at.text))
	case !isBool:
		d.expected(at, "true or false")
	}
	return isBool && at.text == "true"
}

// whole is a whole number, as digits with a sign.
func (d *decoder) whole(at spot) (string, bool) {
	digits, fault, hint := wholeNumber(at.node)
	if fault != "" && !at.faulty {
		d.hinted(at.path, hint, "%s", fault)
	}
	return digits, digits != ""
}

// integer is a whole number in the range of its key, or another spelling of
// one.
func (d *decoder) integer(at spot) int64 {
	low, high := at.field.bounds()
	how := at.field.spelling()
	if how.rule == nil {
		return d.between(at, low, high)
	}
	s, ok := d.text(at, how.what)
	if !ok {
		return 0
	}
	digits, ok := d.spelled(at, s)
	if !ok {
		return 0
	}
	i, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || i < low || i > high {
		d.bad(at.path, "found %s; expected %s to %s", quoteValue(s), how.canonical(strconv.FormatInt(low, 10)), how.canonical(strconv.FormatInt(high, 10)))
		return 0
	}
	return i
}

// between is a whole number from low to high.
func (d *decoder) between(at spot, low, high int64) int64 {
	digits, ok := d.whole(at)
	if !ok {
		return 0
	}
	i, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || i < low || i > high {
		d.bad(at.path, "found %s; expected a whole number from %d to %d", cutNumber(digits), low, high)
		return 0
	}
	return i
}

func (d *decoder) unsigned(at spot) uint64 {
	digits, ok := d.whole(at)
	if !ok {
		return 0
	}
	u, err := strconv.ParseUint(strings.TrimPrefix(digits, "+"), 10, 64)
	if err != nil {
		d.bad(at.path, "found %s; expected a whole number from 0 to %d", cutNumber(digits), uint64(math.MaxUint64))
	}
	return u
}
