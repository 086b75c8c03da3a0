package infer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// classes adds the names, or that they are to be found.
func (c *chooser) classes(s *spec, t *tally, values int) string {
	names := t.texts()
	note := plural.Of(len(names), "value")
	if len(names) > mostListed || c.part {
		s.add("classes", "auto")
		return note + sample(names)
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

// sample is some of many names, for a comment.
func sample(names []string) string {
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

// quoted is a text in quotes, as keys of a map are written.
func quoted(s string) string {
	if q := scalar(s); q[0] == '"' {
		return q
	}
	return `"` + s + `"`
}

// isClasses reports whether texts are names of classes.
func (p *profile) isClasses() bool {
	n := len(p.tally.order)
	return !p.tally.over && n > 1 && n <= mostClasses && p.texts >= n*leastPerName && p.longest <= longestName && !p.isDates() && !p.hasLines()
}

var dateForm = regexp.MustCompile(`^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}`)

// isDates reports whether all texts look like dates.
func (p *profile) isDates() bool {
	return !slices.ContainsFunc(p.tally.order, func(s string) bool { return !dateForm.MatchString(s) })
}

// hasLines reports whether a name has more than one line, which no class may.
func (p *profile) hasLines() bool {
	return slices.ContainsFunc(p.tally.order, func(s string) bool { return s == "" || strings.ContainsAny(s, "\r\n") })
}

// isName reports whether texts are all different, and names rather than what is to be
// learned from: they are short, and most have no space.
func (p *profile) isName() bool {
	const few = 10
	return p.texts >= few && !p.isDates() && !p.isDated() && p.floats < p.texts && p.unread() == "" && p.tally.again == 0 && p.mean() <= longestName && p.spaced*2 < p.texts
}

// answersOf are pairs of words that mean yes and no.
var answersOf = [][2]string{{"yes", "no"}, {"y", "n"}, {"t", "f"}}

// answers are the two texts of a column of yes and no.
func (p *profile) answers() (yes, no string, ok bool) {
	if p.tally.over || len(p.tally.order) != 2 {
		return "", "", false
	}
	a, b := p.tally.order[0], p.tally.order[1]
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
