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
		return note + examples(names)
	}
	s.add("classes", list(names))
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

// addAnswers adds the type of a column of yes and no to s, and returns a note, which is empty for other columns.
func addAnswers(s *spec, x *texts) (note string) {
	if x.counter.overflowed || len(x.counter.order) != 2 {
		return ""
	}
	for i, yes := range x.counter.order {
		no := x.counter.order[1-i]
		for _, pair := range answersOf {
			if strings.EqualFold(yes, pair[0]) && strings.EqualFold(no, pair[1]) {
				s.add("type", "bool")
				s.add("map", fmt.Sprintf("{%s: true, %s: false}", quoted(yes), quoted(no)))
				return fmt.Sprintf("%d and %d", x.counter.counts[yes], x.counter.counts[no])
			}
		}
	}
	return ""
}
