package config

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// maxRange is how many names a text with ranges may stand for, and maxRanged how
// many bytes those of all texts: ten characters of a config must not take all
// memory.
const maxRange, maxRanged = 100_000, 8 << 20

var rangeForm = regexp.MustCompile(`\{([0-9]+)\.\.([0-9]+)\}`)

// hasRange reports whether a text stands for more than one name: "p{0..783}". A
// brace that is no range is a character like others.
func hasRange(s string) bool { return rangeForm.MatchString(s) }

// decodeTexts lays a list of texts over v, or one text where that is fine.
func decodeTexts(d *decoder, at spot, v reflect.Value) {
	ranges := at.field.tag.Get("ranges") != ""
	take := d.texts
	if at.field.tag.Get("one") != "" || ranges && at.isScalar() && hasRange(at.text) {
		take = d.oneOrTexts
	}
	texts, ok := take(at, at.field.tag.Get("empty") != "")
	if ok && ranges {
		texts, ok = ranged(d, at, texts)
	}
	if ok {
		v.Set(reflect.ValueOf(texts))
	}
}

// ranged are the names that the texts at a spot stand for, each of which may hold
// ranges; ok is false where one has a fault, which is told.
func ranged(d *decoder, at spot, texts []string) (names []string, ok bool) {
	ok = true
	for i, s := range texts {
		if !hasRange(s) {
			names = append(names, s)
			continue
		}
		expanded, fault := expandRange(s)
		if d.ranges += len(expanded) * len(s); d.ranges > maxRanged && fault == "" {
			fault = "the ranges of the config stand for too many names"
		}
		if fault != "" {
			path := at.path
			if at.kind == listNode {
				path = at.inside(i)
			}
			d.bad(path, "%s", fault)
			ok = false
			continue
		}
		names = append(names, expanded...)
	}
	return names, ok
}

// expandRange lists the names that a text with ranges stands for; the last range
// runs fastest. Zeros before a bound make all numbers as long as that.
func expandRange(s string) (names []string, fault string) {
	m := rangeForm.FindStringSubmatchIndex(s)
	if m == nil {
		return []string{s}, ""
	}
	before, low, high := s[:m[0]], s[m[2]:m[3]], s[m[4]:m[5]]
	from, errFrom := strconv.ParseInt(low, 10, 64)
	to, errTo := strconv.ParseInt(high, 10, 64)
	switch {
	case errFrom != nil || errTo != nil || to-from >= maxRange:
		return nil, fmt.Sprintf("found the range %s; expected at most %d names", quoteValue(s[m[0]:m[1]]), maxRange)
	case to < from:
		return nil, fmt.Sprintf("found the range %s, which descends; expected the lower number first", quoteValue(s[m[0]:m[1]]))
	}
	width := 0
	if hasZeros(low) || hasZeros(high) {
		width = max(len(low), len(high))
	}
	rest, fault := expandRange(s[m[1]:])
	count := (to - from + 1) * int64(len(rest))
	switch {
	case fault != "":
		return nil, fault
	case count > maxRange || count*int64(len(s)) > maxRanged:
		return nil, fmt.Sprintf("the ranges of %s stand for too many names; expected at most %d", quoteValue(s), maxRange)
	}
	for i := from; i <= to; i++ {
		number := strconv.FormatInt(i, 10)
		number = strings.Repeat("0", max(0, width-len(number))) + number
		for _, after := range rest {
			names = append(names, before+number+after)
		}
	}
	return names, ""
}

func hasZeros(digits string) bool { return len(digits) > 1 && digits[0] == '0' }
