package date

import (
	"math"
)

// A Reason is the reason why a string was rejected.
type Reason uint8

// The reasons.
const (
	Fine       Reason = iota
	Syntax            // the string does not match the format
	Value             // the string matches, but the date does not exist
	Finer             // the time is finer than the unit
	OutOfRange        // the number is out of the range of int64
	Skipped           // the local time does not exist in the zone
)

// A Problem tells why and at which offset a string was rejected.
type Problem struct {
	Reason Reason
	At     int // byte offset in the string; -1 for a date that does not exist
	step   int // index of the step that failed; len(steps) if the string is too long
	found  int // the number out of range, or the weekday of the date
}

// Parse parses the string of a date. The result is valid if the Problem's Reason is Fine.
func (p *Parser) Parse(text []byte) (int64, Problem) {
	var m moment
	m[month], m[day] = 1, 1
	at := 0
	for i := range p.steps {
		s := &p.steps[i]
		if n := s.readFast(&m, text[at:]); n > 0 {
			at += n
			continue
		}
		n, ok := s.read(&m, text[at:])
		if !ok {
			return 0, s.newProblem(&m, at, i, n)
		}
		at += n
	}
	if at < len(text) {
		return 0, Problem{Reason: Syntax, At: at, step: len(p.steps)}
	}
	return p.convert(&m)
}

// newProblem returns the Problem of a failed step. n is the size of a number that is out of range,
// or 0 for a syntax error.
func (s *step) newProblem(m *moment, at, i, n int) Problem {
	if n == 0 {
		return Problem{Reason: Syntax, At: at, step: i}
	}
	return Problem{Reason: Value, At: at, step: i, found: m[s.part]}
}

// convert converts the parts of a time to the number in the parser's unit.
func (p *Parser) convert(m *moment) (int64, Problem) {
	days, problem := p.days(m)
	if problem.Reason != Fine {
		return 0, problem
	}
	if m[half] != 0 {
		m[hour] = m[hour]%12 + 12*(m[half]-1) // 12 AM is 0, and 12 PM is 12
	}
	clock := (m[hour]*60+m[minute])*60 + m[second]
	if p.unit == Days {
		if clock != 0 || m[nanos] != 0 {
			return 0, Problem{Reason: Finer}
		}
		return int64(days), Problem{}
	}
	if m[nanos]%units[p.unit].nanos != 0 {
		return 0, Problem{Reason: Finer}
	}
	seconds := int64(days)*secondsOfDay + int64(clock)
	switch {
	case m[hasOffset] != 0:
		seconds -= int64(m[offset])
	case p.zone != nil:
		ok := false
		if seconds, ok = toUTC(p.zone, seconds); !ok {
			return 0, Problem{Reason: Skipped}
		}
	}
	return p.scale(seconds, int64(m[nanos]))
}

// scale converts a time to the parser's unit.
func (p *Parser) scale(seconds, nanos int64) (int64, Problem) {
	nanosOf := int64(units[p.unit].nanos)
	perSecond := 1_000_000_000 / nanosOf
	part := nanos / nanosOf
	if seconds < 0 && part > 0 { // otherwise the product may overflow although the sum does not
		seconds, part = seconds+1, part-perSecond
	}
	most := math.MaxInt64 / perSecond
	if seconds > most || seconds < -most {
		return 0, Problem{Reason: OutOfRange}
	}
	x := seconds*perSecond + part
	if seconds > 0 && x < 0 || seconds < 0 && x > 0 {
		return 0, Problem{Reason: OutOfRange}
	}
	return x, Problem{}
}

// days returns the day number.
func (p *Parser) days(m *moment) (int, Problem) {
	if p.short {
		// As strptime of POSIX: 69 to 99 are years of the 20th century, 00 to 68 of the 21st.
		if m[year] += 1900; m[year] < 1969 {
			m[year] += 100
		}
	}
	y := m[year]
	var days int
	switch p.day {
	case byMonth:
		if m[day] > 28 && m[day] > daysInMonth(y, m[month]) {
			return 0, Problem{Reason: Value, At: -1, step: p.findStep(day), found: m[day]}
		}
		days = dayNumber(y, m[month], m[day])
	case byYearDay:
		if days = januaryFirst(y) + m[yearDay] - 1; m[yearDay] == 366 && !isLeap(y) {
			return 0, Problem{Reason: Value, At: -1, step: p.findStep(yearDay), found: 366}
		}
	case bySunday, byMonday:
		first := 0
		if p.day == bySunday {
			first = 6
		}
		days = dayOfWeek(y, m[week], m[weekday]-1, first)
		if days < januaryFirst(y) || days >= januaryFirst(y+1) {
			return 0, Problem{Reason: Value, At: -1, step: p.findStep(week), found: m[week]}
		}
	case byISOWeek:
		days = isoWeekOne(y) + 7*(m[week]-1) + m[weekday] - 1
		if m[week] == 53 && isoWeekOne(y+1) <= isoWeekOne(y)+52*7 {
			return 0, Problem{Reason: Value, At: -1, step: p.findStep(week), found: 53}
		}
	}
	if isSaid := m[weekday] != 0 && p.day <= byYearDay; isSaid && m[weekday]-1 != weekdayOf(days) {
		return 0, Problem{Reason: Value, At: -1, step: p.findStep(weekday), found: weekdayOf(days)}
	}
	return days, Problem{}
}

// findStep returns the index of the step that parses a part.
func (p *Parser) findStep(what part) int {
	for i := range p.steps {
		if p.steps[i].part == what {
			return i
		}
	}
	return len(p.steps)
}
