package date

import (
	"fmt"
	"strings"
)

// A rule is what a footer says of all years to come, as POSIX writes it in TZ:
//
//	CET-1CEST,M3.5.0,M10.5.0/3
//
// Offsets are west of Greenwich there, and those of summer an hour less if it does not
// say them. Mm.w.d is the d-th weekday, from Sunday, in the w-th week of month m, the
// last one if w is 5. A change is at 2:00, or at the time behind it, as the clocks show
// it that it puts forward or back.
type rule struct {
	standard, summer int64 // offsets east of Greenwich
	begin, end       change
	changes          bool // there are any
}

// A change is one in each year.
type change struct {
	month, week, weekday int
	time                 int64 // from midnight, which may be on another day
}

// of is when summer begins and ends in a year, in seconds of UTC.
func (r *rule) of(year int) (begin, end int64) {
	return r.begin.of(year) - r.standard, r.end.of(year) - r.summer
}

func (c *change) of(year int) int64 {
	first := daysOf(year, c.month, 1)
	day := first + (c.weekday-1-weekdayOf(first)+7)%7 + 7*(c.week-1) // weekdays are from Sunday here
	if day >= first+daysOfMonth(year, c.month) {
		day -= 7
	}
	return int64(day)*secondsOfDay + c.time
}

// parseRule parses a footer.
func parseRule(footer string) (r rule, err error) {
	s := ruleScanner{rest: footer}
	s.name()
	r.standard = -s.time()
	r.summer = r.standard + 3600
	if s.rest != "" {
		s.name()
		if s.rest != "" && s.rest[0] != ',' {
			r.summer = -s.time()
		}
		r.changes = true
		r.begin, r.end = s.change(), s.change()
	}
	if s.bad || s.rest != "" {
		return rule{}, fmt.Errorf("a rule of another form than Mm.w.d: %q", footer)
	}
	return r, nil
}

// A ruleScanner goes through a footer.
type ruleScanner struct {
	rest string
	bad  bool
}

// cut drops a character if it is next.
func (s *ruleScanner) cut(c string) (found bool) {
	s.rest, found = strings.CutPrefix(s.rest, c)
	return found
}

// must drops a character, which has to be next.
func (s *ruleScanner) must(c string) { s.bad = !s.cut(c) || s.bad }

// name drops the name of a time, which is of no use here.
func (s *ruleScanner) name() {
	if s.cut("<") {
		_, s.rest, _ = strings.Cut(s.rest, ">")
		return
	}
	s.rest = strings.TrimLeft(s.rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
}

// number scans one between two others.
func (s *ruleScanner) number(low, high int) int {
	n, digits := 0, 0
	for digits < 3 && digits < len(s.rest) && s.rest[digits]-'0' <= 9 {
		n = 10*n + int(s.rest[digits]-'0')
		digits++
	}
	s.rest = s.rest[digits:]
	s.bad = s.bad || digits == 0 || n < low || n > high
	return n
}

// time scans hours, and maybe minutes and seconds, with a sign.
func (s *ruleScanner) time() int64 {
	negative := s.cut("-")
	if !negative {
		s.cut("+")
	}
	x := s.number(0, 167) * 3600
	if s.cut(":") {
		x += s.number(0, 59) * 60
		if s.cut(":") {
			x += s.number(0, 59)
		}
	}
	if negative {
		x = -x
	}
	return int64(x)
}

func (s *ruleScanner) change() (c change) {
	s.must(",")
	s.must("M")
	c.month = s.number(1, 12)
	s.must(".")
	c.week = s.number(1, 5)
	s.must(".")
	c.weekday = s.number(0, 6)
	c.time = 2 * 3600
	if s.cut("/") {
		c.time = s.time()
	}
	if s.bad {
		c.month = 1 // nobody asks
	}
	return c
}
