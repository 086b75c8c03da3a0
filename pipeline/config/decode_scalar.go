package config

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/internal/plural"
)

// reportExpected reports a value that is not what was expected. It skips a value with an invalid
// variable, which is already reported.
func (d *decoder) reportExpected(at spot, what string) {
	if !at.invalid {
		problem, hint := mismatch(at.node, what)
		d.reportWithHint(at.path, hint, "%s", problem)
	}
}

// readString returns a scalar as it is written in the config, before YAML gives it a type.
func (d *decoder) readString(at spot, what string) (string, bool) {
	if at.invalid || !at.isScalar() || at.isNull() {
		d.reportExpected(at, what)
		return "", false
	}
	return at.text, true
}

// readStrings returns a list of scalars as they are written in the config.
func (d *decoder) readStrings(at spot, emptyOK bool) ([]string, bool) {
	if at.kind != listNode || len(at.list) == 0 && !emptyOK {
		d.reportExpected(at, "a list of strings")
		return nil, false
	}
	texts, ok := make([]string, 0, len(at.list)), true
	for i := range at.list {
		sub := d.element(at, i)
		if sub.isNull() && !sub.invalid {
			d.reportWithHint(sub.path, "quote it", "found nothing; expected a string")
			ok = false
			continue
		}
		s, isValid := d.readString(sub, "a string")
		texts, ok = append(texts, s), ok && isValid
	}
	return texts, ok
}

// readOneOrMore returns a list of strings; a single string is a list of one.
func (d *decoder) readOneOrMore(at spot, emptyOK bool) ([]string, bool) {
	if at.kind == listNode {
		return d.readStrings(at, emptyOK)
	}
	s, ok := d.readString(at, "a string, or a list of strings")
	return []string{s}, ok
}

// readWord returns a string that is one of the words of its key, or follows its spelling.
func (d *decoder) readWord(at spot) string {
	s, ok := "", false
	if words := at.field.words(); len(words) > 0 {
		s, ok = d.readOneOf(at, words, plural.OneOf(words))
	} else {
		s, ok = d.readString(at, "a string")
	}
	if ok {
		s, _ = d.applySpelling(at, s)
	}
	return s
}

// readOneOf returns one of several words. It also returns another scalar, which it reports.
func (d *decoder) readOneOf(at spot, words []string, what string) (s string, ok bool) {
	if s, ok = d.readString(at, what); ok && !slices.Contains(words, s) {
		d.reportWithHint(at.path, nearest.Hint(s, words), "found %s; expected %s", quoteValue(s), what)
		return s, false
	}
	return s, ok
}

// applySpelling checks a string by the spelling of its key, and returns it in the form that is
// kept.
func (d *decoder) applySpelling(at spot, s string) (kept string, ok bool) {
	how := at.field.spelling()
	if how.rule != nil {
		if expected, hint := how.rule(s); expected != "" {
			d.reportWithHint(at.path, hint, "found %s; expected %s", quoteValue(s), expected)
			return s, false
		}
	}
	if how.keep != nil {
		s = how.keep(s)
	}
	return s, true
}

func (d *decoder) readBool(at spot) bool {
	isBool := at.isScalar() && (at.text == "true" || at.text == "false")
	switch {
	case isBool && at.quoted:
		d.reportWithHint(at.path, "remove the quotes", "found the string %s; expected true or false", quoteValue(at.text))
	case !isBool:
		d.reportExpected(at, "true or false")
	}
	return isBool && at.text == "true"
}

// readWhole returns a whole number as digits with a sign.
func (d *decoder) readWhole(at spot) (string, bool) {
	digits, problem, hint := wholeNumber(at.node)
	if problem != "" && !at.invalid {
		d.reportWithHint(at.path, hint, "%s", problem)
	}
	return digits, digits != ""
}

// readInteger returns a whole number in the range of its key. Keys with a spelling have other
// forms, such as sizes.
func (d *decoder) readInteger(at spot) int64 {
	low, high := at.field.bounds()
	how := at.field.spelling()
	if how.rule == nil {
		return d.readBetween(at, low, high)
	}
	s, ok := d.readString(at, how.what)
	if !ok {
		return 0
	}
	digits, ok := d.applySpelling(at, s)
	if !ok {
		return 0
	}
	i, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || i < low || i > high {
		d.report(at.path, "found %s; expected %s to %s", quoteValue(s), how.canonical(strconv.FormatInt(low, 10)), how.canonical(strconv.FormatInt(high, 10)))
		return 0
	}
	return i
}

// readBetween returns a whole number from low to high.
func (d *decoder) readBetween(at spot, low, high int64) int64 {
	digits, ok := d.readWhole(at)
	if !ok {
		return 0
	}
	i, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || i < low || i > high {
		d.report(at.path, "found %s; expected a whole number from %d to %d", cutNumber(digits), low, high)
		return 0
	}
	return i
}

func (d *decoder) readUnsigned(at spot) uint64 {
	digits, ok := d.readWhole(at)
	if !ok {
		return 0
	}
	u, err := strconv.ParseUint(strings.TrimPrefix(digits, "+"), 10, 64)
	if err != nil {
		d.report(at.path, "found %s; expected a whole number from 0 to %d", cutNumber(digits), uint64(math.MaxUint64))
	}
	return u
}
