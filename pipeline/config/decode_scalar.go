package config

import (
	"cmp"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/internal/plural"
	"tfr-build/sources"
)

// reportExpected reports a value that is not what was expected. It skips a value with an invalid
// variable, which is already reported.
func (d *decoder) reportExpected(at spot, what string) {
	if at.invalid {
		d.markInvalid(at.path)
		return
	}
	problem, hint := mismatch(at.node, what)
	d.reportWithHint(at.path, hint, "%s", problem)
}

// readString returns a scalar as it is written in the config, before YAML gives it a type.
func (d *decoder) readString(at spot, what string) (string, bool) {
	if at.invalid || !at.isScalar() || at.isNull() {
		d.reportExpected(at, what)
		return "", false
	}
	return at.text, true
}

// readWord returns a string that is one of the words of its key, or follows its spelling.
func (d *decoder) readWord(at spot) string {
	if words := at.field.words(); len(words) > 0 {
		return d.readOneOf(at, words, cmp.Or(at.what, plural.OneOf(words)))
	}
	s, ok := d.readString(at, cmp.Or(at.field.how.what, "a string"))
	if ok {
		s, _ = d.applySpelling(at, s)
	}
	if at.field.of == reflect.TypeFor[sources.Expression]() {
		d.exprs[at.path] = expression{at.node}
	}
	return s
}

// readOneOf returns one of several words. It also returns another string, which it reports.
func (d *decoder) readOneOf(at spot, words []string, what string) string {
	s, ok := d.readString(at, what)
	if ok && !slices.Contains(words, s) {
		d.reportWithHint(at.path, nearest.Hint(s, words), "found %s; expected %s", quoteValue(s), what)
	}
	return s
}

// applySpelling checks a string by the spelling of its key, and returns it in the form that is
// kept.
func (d *decoder) applySpelling(at spot, s string) (kept string, ok bool) {
	how := at.field.how
	if expected, hint := how.check(s); expected != "" {
		d.reportWithHint(at.path, hint, "found %s%s; expected %s", how.noun, quoteValue(s), expected)
		return s, false
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
		d.reportWithHint(at.path, "remove the quotes", "found the string %s; expected true or false",
			quoteValue(at.text))
	case !isBool:
		d.reportExpected(at, "true or false")
	}
	return isBool && at.text == "true"
}

// readDigits returns a number as digits with a sign. A key with a spelling has another form, such as a size.
func (d *decoder) readDigits(at spot) (digits string, ok bool) {
	if what := at.field.how.what; what != "" {
		s, ok := d.readString(at, what)
		if ok {
			s, ok = d.applySpelling(at, s)
		}
		return s, ok
	}
	return d.readNumber(at, "a whole number", wholeForm)
}

// readNumber returns the text of a number of a form.
func (d *decoder) readNumber(at spot, what string, form *regexp.Regexp) (text string, ok bool) {
	text, problem, hint := numberText(at.node, what, form)
	if problem != "" && !at.invalid {
		d.reportWithHint(at.path, hint, "%s", problem)
	}
	return text, text != ""
}

// readBetween returns a whole number from low to high.
func (d *decoder) readBetween(at spot, low, high int64) int64 {
	digits, ok := d.readDigits(at)
	if !ok {
		return 0
	}
	i, err := strconv.ParseInt(digits, 10, 64)
	if err == nil && i >= low && i <= high {
		return i
	}
	found, from, to := cutNumber(digits), strconv.FormatInt(low, 10), strconv.FormatInt(high, 10)
	if canonical := at.field.how.canonical; canonical != nil {
		found, from, to = quoteValue(at.text), canonical(from), canonical(to)
	} else {
		from = "a whole number from " + from
	}
	d.report(at.path, "found %s; expected %s to %s", found, from, to)
	return 0
}

func (d *decoder) readUnsigned(at spot) uint64 {
	digits, ok := d.readDigits(at)
	if !ok {
		return 0
	}
	u, err := strconv.ParseUint(strings.TrimPrefix(digits, "+"), 10, 64)
	if err != nil {
		d.report(at.path, "found %s; expected a whole number from 0 to %d", cutNumber(digits), uint64(math.MaxUint64))
	}
	return u
}
