package config

import (
	"fmt"
	"regexp"
	"strconv"
)

// maxRange is the largest number of names that a string with ranges may expand to. The total size
// of the names of all such strings is at most maxRanged bytes. Ten characters of a config must not
// take all memory.
const maxRange, maxRanged = 100_000, 8 << 20

var rangeForm = regexp.MustCompile(`\{([0-9]+)\.\.([0-9]+)\}`)

// hasRange reports whether a string has a range, such as "p{0..783}", and so expands to several
// names. Other braces are ordinary characters.
func hasRange(s string) bool { return rangeForm.MatchString(s) }

// expandRanges returns the names that a string at a path expands to. ok is false if a range is invalid, which is
// reported.
func (d *decoder) expandRanges(path, s string) (names []string, ok bool) {
	names, problem := ExpandRange(s)
	if d.ranges += len(names) * len(s); d.ranges > maxRanged && problem == "" {
		problem = "the ranges of the config stand for too many names"
	}
	if problem != "" {
		d.report(path, "%s", problem)
	}
	return names, problem == ""
}

// A span is a range in a string, with the text between it and the range before.
type span struct {
	before string
	from   int64
	count  int64
	width  int // digits of each number, with leading zeros
}

// ExpandRange lists the names that a string with ranges expands to, or says what is wrong with them. The last range
// varies fastest.
func ExpandRange(s string) (names []string, problem string) {
	spans, after, problem := splitRanges(s)
	if problem != "" {
		return nil, problem
	}
	count := int64(1)
	for _, r := range spans {
		count *= r.count
		if count > maxRange || count*int64(len(s)) > maxRanged {
			return nil, fmt.Sprintf("the ranges of %s stand for too many names; expected at most %d", quoteValue(s),
				maxRange)
		}
	}
	var name []byte
	for i := range count {
		name = name[:0]
		each := count // number of names with the same number
		for _, r := range spans {
			each /= r.count
			name = r.append(name, i/each%r.count)
		}
		names = append(names, string(name)+after)
	}
	return names, ""
}

// splitRanges returns the ranges of a string, and the text after the last one.
func splitRanges(s string) (spans []span, after, problem string) {
	end := 0
	for _, m := range rangeForm.FindAllStringSubmatchIndex(s, -1) {
		text, low, high := s[m[0]:m[1]], s[m[2]:m[3]], s[m[4]:m[5]]
		from, errFrom := strconv.ParseInt(low, 10, 64)
		to, errTo := strconv.ParseInt(high, 10, 64)
		switch {
		case errFrom != nil || errTo != nil || to-from >= maxRange:
			return nil, "", fmt.Sprintf("found the range %s; expected at most %d names", quoteValue(text), maxRange)
		case to < from:
			return nil, "", fmt.Sprintf("found the range %s, which descends; expected the lower number first",
				quoteValue(text))
		}
		r := span{before: s[end:m[0]], from: from, count: to - from + 1}
		if hasLeadingZero(low) || hasLeadingZero(high) {
			r.width = max(len(low), len(high))
		}
		spans, end = append(spans, r), m[1]
	}
	return spans, s[end:], ""
}

// hasLeadingZero reports whether a bound has leading zeros: all numbers then have the same number
// of digits.
func hasLeadingZero(digits string) bool { return len(digits) > 1 && digits[0] == '0' }

// append appends the text before the range and the i-th number of the range.
func (r *span) append(name []byte, i int64) []byte {
	number := strconv.FormatInt(r.from+i, 10)
	name = append(name, r.before...)
	for range r.width - len(number) {
		name = append(name, '0')
	}
	return append(name, number...)
}
