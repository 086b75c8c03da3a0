package infer

import (
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// addClasses adds the class names to s, or auto.
func (c *chooser) addClasses(s *spec, t *counter, values int) string {
	names := t.sorted()
	note := plural.Of(len(names), "value")
	if len(names) > mostListed || c.isSampled() || t.hasLines() {
		s.add("classes", "auto")
		s.fill = quoted(names[0])
		return note + examples(names)
	}
	s.add("classes", list(names))
	s.fill = quoted(names[0])
	least, rarest := values, ""
	for _, name := range names {
		if n := t.counts[name]; n < least {
			least, rarest = n, name
		}
	}
	if len(names) > 1 && least*len(names)*5 < values {
		note += fmt.Sprintf("; the rarest, %s, in %s", shown(rarest), plural.Of(least, "row"))
	}
	return note
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
	n := len(x.counter.order)
	return !x.counter.overflowed && n > 1 && n <= mostClasses && x.count >= n*leastPerName &&
		x.longest <= longestName && x.dates.nearest() == nil && !x.counter.hasLines()
}

// hasLines reports whether a string is empty or has more than one line, which a class must not.
func (t *counter) hasLines() bool {
	return slices.ContainsFunc(t.order, func(s string) bool { return s == "" || strings.ContainsAny(s, "\r\n") })
}

// isName reports whether the strings are all different, and identify rows instead of describing
// them: they are short, and most have no space.
func (x *texts) isName() bool {
	const few = 10
	return x.count >= few && x.counter.haveLetters() && !x.areReadable() && x.counter.repeats == 0 &&
		x.mean() <= longestName && x.spaced*2 < x.count
}

// answersOf lists pairs of words that mean yes and no.
var answersOf = [][2]string{{"yes", "no"}, {"y", "n"}, {"t", "f"}}

// answers returns the two strings of a column of yes and no.
func (x *texts) answers() (yes, no string, ok bool) {
	if x.counter.overflowed || len(x.counter.order) != 2 {
		return "", "", false
	}
	a, b := x.counter.order[0], x.counter.order[1]
	for _, pair := range answersOf {
		switch {
		case strings.EqualFold(a, pair[0]) && strings.EqualFold(b, pair[1]):
			return a, b, true
		case strings.EqualFold(a, pair[1]) && strings.EqualFold(b, pair[0]):
			return b, a, true
		}
	}
	return "", "", false
}
