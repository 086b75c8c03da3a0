package date

import (
	"fmt"
	"strings"
)

// A Parser reads texts of one format. It does not change and is safe for concurrent
// use.
type Parser struct {
	format string
	steps  []step
	day    dayForm
	short  bool // the year has two digits
	unit   Unit
	zone   *Zone // nil: UTC
}

// A dayForm is what says which day it is.
type dayForm uint8

const (
	byMonth   dayForm = iota // year, month and day; the first where there are none
	byYearDay                // year and day of the year
	bySunday                 // year, week that begins with Sunday, weekday
	byMonday                 // year, week that begins with Monday, weekday
	byISOWeek                // ISO 8601's year and week, weekday
)

// A part is a number that a text says of a date.
type part uint8

const (
	year part = iota
	month
	day
	yearDay
	week
	weekday
	hour
	half // of the day: 1 before noon, 2 after
	minute
	second
	nanos
	offset
	hasOffset
	parts
	none = parts // of a step that reads no part
)

// A step reads a piece of a text.
type step struct {
	do      action
	part    part
	digits  uint8  // of a number, at most
	all     bool   // it has all of them
	low     int16  // the least number
	high    int16  // the greatest one
	literal string // in lower case
	letter  string // of the format, for messages
	what    string // is expected
}

// An action is what a step does.
type action uint8

const (
	readLiteral action = iota
	readSpace
	readNumber
	readDay // a number, in place of whose first digit a space may stand
	readMonthName
	readMonthAbbreviation
	readDayName
	readDayAbbreviation
	readHalf
	readFraction
	readOptionalFraction // with its point
	readOffset
	readColonOffset
	readUTC
	readT
)

// RFC3339 is the name of a format that has no letters: 2026-11-21T10:30:00.5+01:00.
const RFC3339 = "rfc3339"

// letters are those that a format may hold, and the step of each.
var letters = []step{
	{letter: "%Y", do: readNumber, part: year, digits: 4, all: true, low: 1, high: 9999, what: "a year of four digits"},
	{letter: "%y", do: readNumber, part: year, digits: 2, all: true, high: 99, what: "a year of two digits"},
	{letter: "%m", do: readNumber, part: month, digits: 2, low: 1, high: 12, what: "a month, 1 to 12"},
	{letter: "%b", do: readMonthAbbreviation, part: month, what: "a month, Jan to Dec"},
	{letter: "%B", do: readMonthName, part: month, what: "a month, January to December"},
	{letter: "%d", do: readDay, part: day, digits: 2, low: 1, high: 31, what: "a day of the month, 1 to 31"},
	{letter: "%j", do: readNumber, part: yearDay, digits: 3, low: 1, high: 366, what: "a day of the year, 1 to 366"},
	{letter: "%a", do: readDayAbbreviation, part: weekday, what: "a weekday, Mon to Sun"},
	{letter: "%A", do: readDayName, part: weekday, what: "a weekday, Monday to Sunday"},
	{letter: "%u", do: readNumber, part: weekday, digits: 1, low: 1, high: 7, what: "a weekday, 1 to 7"},
	{letter: "%w", do: readNumber, part: weekday, digits: 1, high: 6, what: "a weekday, 0 to 6"},
	{letter: "%U", do: readNumber, part: week, digits: 2, high: 53, what: "a week, 0 to 53"},
	{letter: "%W", do: readNumber, part: week, digits: 2, high: 53, what: "a week, 0 to 53"},
	{letter: "%G", do: readNumber, part: year, digits: 4, all: true, low: 1, high: 9999, what: "a year of four digits"},
	{letter: "%V", do: readNumber, part: week, digits: 2, low: 1, high: 53, what: "a week, 1 to 53"},
	{letter: "%H", do: readNumber, part: hour, digits: 2, high: 23, what: "an hour, 0 to 23"},
	{letter: "%I", do: readNumber, part: hour, digits: 2, low: 1, high: 12, what: "an hour, 1 to 12"},
	{letter: "%p", do: readHalf, part: half, what: "AM or PM"},
	{letter: "%M", do: readNumber, part: minute, digits: 2, high: 59, what: "a minute, 0 to 59"},
	{letter: "%S", do: readNumber, part: second, digits: 2, high: 59, what: "a second, 0 to 59"},
	{letter: "%f", do: readFraction, part: nanos, what: "a fraction of 1 to 9 digits"},
	{letter: "%z", do: readOffset, part: offset, what: "an offset such as +01:00, or Z"},
	{letter: "%Z", do: readUTC, part: offset, what: "UTC or GMT"},
}

// mostFormat is how many bytes a format has at most.
const mostFormat = 1000

// instead are letters that others know, and what stands for them here.
var instead = map[string]string{
	"%F": "%Y-%m-%d", "%T": "%H:%M:%S", "%R": "%H:%M", "%D": "%m/%d/%y", "%x": "%m/%d/%y", "%X": "%H:%M:%S", "%c": "%a %b %d %H:%M:%S %Y",
	"%r": "%I:%M:%S %p", "%e": "%d", "%h": "%b", "%k": "%H", "%l": "%I", "%P": "%p", "%L": "%f", "%N": "%f", "%E": "%Y", "%n": "a space", "%t": "a space",
}

// A FormatError says what is wrong with a format.
type FormatError struct {
	At   int // the byte of the format, from 0
	Text string
	Hint string // a line of a config that helps; empty where none does
}

func (e *FormatError) Error() string { return e.Text }

// Compile makes the parser of a format, for times of a zone where a text does not say
// its own offset; nil is UTC. Its error is a *FormatError.
func Compile(format string, unit Unit, zone *Zone) (*Parser, error) {
	p := &Parser{format: format, unit: unit, zone: zone}
	if format == RFC3339 {
		p.steps = rfc3339()
		return p, nil
	}
	c := compiler{Parser: p, rest: format}
	if len(format) > mostFormat {
		return nil, c.bad(mostFormat, "", "the format has %d bytes; expected at most %d", len(format), mostFormat)
	}
	for c.rest != "" {
		if err := c.step(); err != nil {
			return nil, err
		}
	}
	if err := c.settle(); err != nil {
		return nil, err
	}
	return p, nil
}

// rfc3339 are the steps of that format, whose numbers have all their digits.
func rfc3339() []step {
	var steps []step
	for _, letter := range []string{"%Y", "-", "%m", "-", "%d", "T", "%H", ":", "%M", ":", "%S", "%f", "%z"} {
		s := step{do: readLiteral, part: none, literal: letter}
		if known := find(letter); known != nil {
			s = *known
			s.all = true
		}
		switch letter {
		case "%d":
			s.do = readNumber
		case "T":
			s = step{do: readT, part: none, what: "T"}
		case "%f":
			s.do, s.what = readOptionalFraction, "1 to 9 digits after the point"
		case "%z":
			s.do = readColonOffset
		}
		steps = append(steps, s)
	}
	return steps
}

// find is the step of a letter; nil where there is none.
func find(letter string) *step {
	for i := range letters {
		if letters[i].letter == letter {
			return &letters[i]
		}
	}
	return nil
}

// A compiler goes through a format.
type compiler struct {
	*Parser
	rest  string
	given [parts]string // the letter that says each part
	where [parts]int    // and its place
}

func (c *compiler) at() int { return len(c.format) - len(c.rest) }

func (c *compiler) bad(at int, hint, text string, args ...any) error {
	return &FormatError{At: at, Text: fmt.Sprintf(text, args...), Hint: hint}
}

// step compiles the beginning of the rest.
func (c *compiler) step() error {
	const spaces = " \t\n\v\f\r"
	switch percent := strings.IndexByte(c.rest, '%'); {
	case strings.HasPrefix(c.rest, "%%"):
		c.literal("%")
		c.rest = c.rest[2:]
	case percent == 0:
		return c.letter()
	case strings.ContainsRune(spaces, rune(c.rest[0])):
		c.rest = strings.TrimLeft(c.rest, spaces)
		c.steps = append(c.steps, step{do: readSpace, part: none, what: "a space"})
	default:
		end := strings.IndexAny(c.rest, "%"+spaces)
		if end < 0 {
			end = len(c.rest)
		}
		c.literal(c.rest[:end])
		c.rest = c.rest[end:]
	}
	return nil
}

// literal adds a text that stands for itself, in any case.
func (c *compiler) literal(text string) {
	lower := []byte(text)
	for i := range lower {
		lower[i] = fold(lower[i])
	}
	if n := len(c.steps); n > 0 && c.steps[n-1].do == readLiteral {
		c.steps[n-1].literal += string(lower)
		return
	}
	c.steps = append(c.steps, step{do: readLiteral, part: none, literal: string(lower)})
}

// letter compiles a letter.
func (c *compiler) letter() error {
	if len(c.rest) == 1 {
		return c.bad(c.at(), "", "a %% without a letter at character %d; a %% itself is %%%%", c.at()+1)
	}
	letter := "%" + string([]rune(c.rest[1:])[0])
	s := find(letter)
	if s == nil {
		return c.unknown(letter)
	}
	if was := c.given[s.part]; was == letter {
		return c.bad(c.at(), "", "%s stands there twice, the second at character %d", letter, c.at()+1)
	} else if was != "" {
		return c.bad(c.at(), "", "%s at character %d says what %s says", letter, c.at()+1, was)
	}
	c.given[s.part], c.where[s.part] = letter, c.at()
	c.steps = append(c.steps, *s)
	c.rest = c.rest[len(letter):]
	return nil
}

func (c *compiler) unknown(letter string) error {
	known := make([]string, len(letters))
	for i := range letters {
		known[i] = letters[i].letter
	}
	hint := ""
	if other, ok := instead[letter]; ok {
		hint = "in place of " + letter + ": " + other
	} else if letter == "%-" || letter == "%_" || letter == "%#" {
		hint = "a number may have fewer digits: leave out the " + letter[1:]
	} else if letter == "%s" {
		hint = "seconds since 1970 are a number: type: int64, without date"
	}
	return c.bad(c.at(), hint, "unknown letter %s at character %d; expected one of %s", printed(letter), c.at()+1, strings.Join(known, " "))
}

// printed is a letter that can be shown.
func printed(letter string) string {
	if len(letter) == 2 && letter[1] > ' ' && letter[1] < 0x7f {
		return letter
	}
	return fmt.Sprintf("%q", letter)
}

// settle checks the format as a whole.
func (c *compiler) settle() error {
	end := len(c.format)
	g := &c.given
	if g[year] == "" {
		hint := ""
		if !strings.Contains(c.format, "%") {
			hint = `date: "%Y-%m-%d", or rfc3339`
		}
		return c.bad(end, hint, "no year; expected %%Y, %%y or %%G")
	}
	c.short = g[year] == "%y"
	if err := c.settleDay(); err != nil {
		return err
	}
	for _, need := range []struct {
		part  part
		ok    bool
		needs string
	}{
		{half, g[hour] == "%I", "%I"},
		{hour, g[hour] != "%I" || g[half] != "", "%p"},
		{minute, g[hour] != "", "an hour, %H or %I"},
		{second, g[minute] != "", "a minute, %M"},
		{nanos, g[second] != "", "a second, %S"},
	} {
		if g[need.part] != "" && !need.ok {
			return c.needs(need.part, need.needs)
		}
	}
	return c.settleDigits()
}

func (c *compiler) needs(p part, what string) error {
	return c.bad(c.where[p], "", "%s at character %d goes with %s, which is not there", c.given[p], c.where[p]+1, what)
}

// settleDay finds what says the day.
func (c *compiler) settleDay() error {
	g := &c.given
	isISO := g[year] == "%G"
	switch {
	case g[week] == "%V" && !isISO:
		return c.needs(week, "the year of its week, %G")
	case isISO && g[week] != "%V":
		return c.needs(year, "a week, %V; the year of the calendar is %Y")
	case g[week] != "" && g[weekday] == "":
		return c.needs(week, "a weekday, %a, %A, %u or %w")
	case g[yearDay] != "" && g[month] != "":
		return c.twice(month, yearDay)
	case g[yearDay] != "" && g[day] != "":
		return c.twice(day, yearDay)
	case g[week] != "" && g[month] != "":
		return c.twice(month, week)
	case g[week] != "" && g[day] != "":
		return c.twice(day, week)
	case g[week] != "" && g[yearDay] != "":
		return c.twice(yearDay, week)
	case g[day] != "" && g[month] == "":
		return c.needs(day, "a month, %m, %b or %B")
	case g[weekday] != "" && g[week] == "" && g[day] == "" && g[yearDay] == "":
		return c.needs(weekday, "a day or a week")
	}
	switch {
	case g[yearDay] != "":
		c.day = byYearDay
	case g[week] == "%U":
		c.day = bySunday
	case g[week] == "%W":
		c.day = byMonday
	case g[week] == "%V":
		c.day = byISOWeek
	}
	return nil
}

func (c *compiler) twice(p, other part) error {
	return c.bad(c.where[p], "", "%s at character %d and %s both say the day", c.given[p], c.where[p]+1, c.given[other])
}

// settleDigits has numbers that stand side by side have all of their digits, so that
// there is one way to read a text.
func (c *compiler) settleDigits() error {
	for i := range len(c.steps) - 1 {
		s, next := &c.steps[i], &c.steps[i+1]
		isDigit := next.do == readNumber || next.do == readDay || next.do == readFraction || next.literal != "" && next.literal[0]-'0' <= 9
		switch {
		case !isDigit:
		case s.do == readNumber || s.do == readDay:
			s.all, next.all = true, true
		case s.do == readFraction || s.do == readOffset:
			return c.bad(c.where[s.part], "", "%s at character %d has as many digits as it likes, and another one follows", s.letter, c.where[s.part]+1)
		}
	}
	return nil
}
