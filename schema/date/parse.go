package date

import (
	"math"
)

// A Reason says why a text is refused.
type Reason uint8

// The reasons.
const (
	Fine    Reason = iota
	Syntax         // the text is not of the format
	Value          // it is, and there is no such date
	Finer          // the time is finer than the unit
	Beyond         // an int64 does not hold it
	Skipped        // the clocks of the zone do not show that time
)

// A Fault says why, and where a text is refused.
type Fault struct {
	Reason Reason
	At     int // the byte of the text, from 0
	step   int // that did not find what it expected; as many as there are at the end
	saw    int // a number that is out of range, or a weekday
}

// Parse reads the date of a text.
func (p *Parser) Parse(text []byte) (int64, Fault) {
	var m moment
	m[month], m[day] = 1, 1
	at := 0
	for i := range p.steps {
		s := &p.steps[i]
		if n := s.readUsual(&m, text[at:]); n > 0 {
			at += n
			continue
		}
		n, ok := s.read(&m, text[at:])
		if !ok {
			return 0, s.fault(&m, at, i, n)
		}
		at += n
	}
	if at < len(text) {
		return 0, Fault{Reason: Syntax, At: at, step: len(p.steps)}
	}
	return p.number(&m)
}

// fault is that of a step: n is not 0 where it read a number that is out of range.
func (s *step) fault(m *moment, at, i, n int) Fault {
	if n == 0 {
		return Fault{Reason: Syntax, At: at, step: i}
	}
	return Fault{Reason: Value, At: at, step: i, saw: m[s.part]}
}

// number is the number of what a text said.
func (p *Parser) number(m *moment) (int64, Fault) {
	days, fault := p.days(m)
	if fault.Reason != Fine {
		return 0, fault
	}
	if m[half] != 0 {
		m[hour] = m[hour]%12 + 12*(m[half]-1)
	}
	clock := (m[hour]*60+m[minute])*60 + m[second]
	if p.unit == Days {
		if clock != 0 || m[nanos] != 0 {
			return 0, Fault{Reason: Finer}
		}
		return int64(days), Fault{}
	}
	if m[nanos]%units[p.unit].nanos != 0 {
		return 0, Fault{Reason: Finer}
	}
	seconds := int64(days)*secondsOfDay + int64(clock)
	switch {
	case m[hasOffset] != 0:
		seconds -= int64(m[offset])
	case p.zone != nil:
		ok := false
		if seconds, ok = p.zone.utc(seconds); !ok {
			return 0, Fault{Reason: Skipped}
		}
	}
	return p.scale(seconds, int64(m[nanos]))
}

// scale is a time in the unit.
func (p *Parser) scale(seconds, nanos int64) (int64, Fault) {
	nanosOf := int64(units[p.unit].nanos)
	perSecond := 1_000_000_000 / nanosOf
	part := nanos / nanosOf
	if seconds < 0 && part > 0 { // or the product would overflow before the sum does not
		seconds, part = seconds+1, part-perSecond
	}
	most := math.MaxInt64 / perSecond
	if seconds > most || seconds < -most {
		return 0, Fault{Reason: Beyond}
	}
	x := seconds*perSecond + part
	if seconds > 0 && x < 0 || seconds < 0 && x > 0 {
		return 0, Fault{Reason: Beyond}
	}
	return x, Fault{}
}

// days is the day, from 1970-01-01 on.
func (p *Parser) days(m *moment) (int, Fault) {
	if p.short {
		if m[year] += 1900; m[year] < 1969 {
			m[year] += 100
		}
	}
	y := m[year]
	var days int
	switch p.day {
	case byMonth:
		if m[day] > 28 && m[day] > daysOfMonth(y, m[month]) {
			return 0, Fault{Reason: Value, At: -1, step: p.stepOf(day), saw: m[day]}
		}
		days = daysOf(y, m[month], m[day])
	case byYearDay:
		if days = daysBefore(y) + m[yearDay] - 1; m[yearDay] == 366 && !isLeap(y) {
			return 0, Fault{Reason: Value, At: -1, step: p.stepOf(yearDay), saw: 366}
		}
	case bySunday, byMonday:
		first := 0
		if p.day == bySunday {
			first = 6
		}
		days = dayOfWeek(y, m[week], m[weekday]-1, first)
		if days < daysBefore(y) || days >= daysBefore(y+1) {
			return 0, Fault{Reason: Value, At: -1, step: p.stepOf(week), saw: m[week]}
		}
	case byISOWeek:
		days = isoWeekOne(y) + 7*(m[week]-1) + m[weekday] - 1
		if m[week] == 53 && isoWeekOne(y+1) <= isoWeekOne(y)+52*7 {
			return 0, Fault{Reason: Value, At: -1, step: p.stepOf(week), saw: 53}
		}
	}
	if isSaid := m[weekday] != 0 && p.day <= byYearDay; isSaid && m[weekday]-1 != weekdayOf(days) {
		return 0, Fault{Reason: Value, At: -1, step: p.stepOf(weekday), saw: weekdayOf(days)}
	}
	return days, Fault{}
}

// stepOf is the step that reads a part.
func (p *Parser) stepOf(what part) int {
	for i := range p.steps {
		if p.steps[i].part == what {
			return i
		}
	}
	return len(p.steps)
}
