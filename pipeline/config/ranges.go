package config

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"
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

// A span is a range in a text, and the text between it and the range before.
type span struct {
	before string
	from   int64
	count  int64
	width  int // of all numbers, filled with zeros
}

// expandRange lists the names that a text with ranges stands for; the last range
// runs fastest.
func expandRange(s string) (names []string, fault string) {
	spans, after, fault := cutSpans(s)
	if fault != "" {
		return nil, fault
	}
	count := int64(1)
	for _, r := range spans {
		count *= r.count
		if count > maxRange || count*int64(len(s)) > maxRanged {
			return nil, fmt.Sprintf("the ranges of %s stand for too many names; expected at most %d", quoteValue(s), maxRange)
		}
	}
	var name []byte
	for i := range count {
		name = name[:0]
		each := count // how many names have the same number
		for _, r := range spans {
			each /= r.count
			name = r.append(name, i/each%r.count)
		}
		names = append(names, string(name)+after)
	}
	return names, ""
}

// cutSpans returns the ranges of a text, and what follows them.
func cutSpans(s string) (spans []span, after, fault string) {
	end := 0
	for _, m := range rangeForm.FindAllStringSubmatchIndex(s, -1) {
		text, low, high := s[m[0]:m[1]], s[m[2]:m[3]], s[m[4]:m[5]]
		from, errFrom := strconv.ParseInt(low, 10, 64)
		to, errTo := strconv.ParseInt(high, 10, 64)
		switch {
		case errFrom != nil || errTo != nil || to-from >= maxRange:
			return nil, "", fmt.Sprintf("found the range %s; expected at most %d names", quoteValue(text), maxRange)
		case to < from:
			return nil, "", fmt.Sprintf("found the range %s, which descends; expected the lower number first", quoteValue(text))
		}
		r := span{before: s[end:m[0]], from: from, count: to - from + 1}
		if hasZeros(low) || hasZeros(high) {
			r.width = max(len(low), len(high))
		}
		spans, end = append(spans, r), m[1]
	}
	return spans, s[end:], ""
}

// hasZeros says whether zeros stand before a bound: they make all numbers as long.
func hasZeros(digits string) bool { return len(digits) > 1 && digits[0] == '0' }

// append appends the i-th number, after the text before the range.
func (r *span) append(name []byte, i int64) []byte {
	number := strconv.FormatInt(r.from+i, 10)
	name = append(name, r.before...)
	for range r.width - len(number) {
		name = append(name, '0')
	}
	return append(name, number...)
}
