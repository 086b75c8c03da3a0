package date

import (
	"fmt"
	"strings"
	"time"
)

// A Parser parses strings of one format. It is immutable, and safe for concurrent use.
type Parser struct {
	format string
	steps  []step
	day    dayForm
	short  bool // the year has two digits
	unit   Unit
	zone   *time.Location // nil: UTC
}

// A dayForm is the combination of parts that determines the day.
type dayForm uint8

const (
	byMonth   dayForm = iota // year, month, day; a missing month or day is 1
	byYearDay                // year and day of the year
	bySunday                 // year, week that begins with Sunday, weekday
	byMonday                 // year, week that begins with Monday, weekday
	byISOWeek                // ISO 8601's year and week, weekday
)

// A part is a component of a date.
type part uint8

const (
	year part = iota
	month
	day
	yearDay
	week
	weekday
	hour
	half // half of the day: 1 is AM, 2 is PM
	minute
	second
	nanos
	offset
	hasOffset
	parts
	none = parts // for a step that sets no part
)

// A step parses a prefix of a string.
type step struct {
	do      action
	part    part
	digits  uint8  // largest number of digits
	all     bool   // exactly this number of digits
	low     int16  // smallest valid number
	high    int16  // largest valid number
	literal string // in lower case
	letter  string // its letter in the format, for messages
	what    string // noun phrase for messages
}

// An action is the operation of a step.
type action uint8

const (
	readLiteral action = iota
	readSpace
	readNumber
	readDay // a number, whose first digit may be a space
	readMonthName
	readMonthAbbreviation
	readDayName
	readDayAbbreviation
	readHalf
	readFraction
	readOptionalFraction // with its point, or nothing
	readOffset
	readColonOffset
	readUTC
	readT
)

// RFC3339 is the name of a format without letters: 2026-11-21T10:30:00.5+01:00.
const RFC3339 = "rfc3339"

// letters are the supported letters, each with its step.
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

// maxFormat is the size of the longest format, in bytes.
const maxFormat = 1000

// alternatives maps unsupported letters of other tools to supported ones.
var alternatives = map[string]string{
	"%F": "%Y-%m-%d", "%T": "%H:%M:%S", "%R": "%H:%M", "%D": "%m/%d/%y", "%x": "%m/%d/%y", "%X": "%H:%M:%S",
	"%c": "%a %b %d %H:%M:%S %Y",
	"%r": "%I:%M:%S %p", "%e": "%d", "%h": "%b", "%k": "%H", "%l": "%I", "%P": "%p", "%L": "%f", "%N": "%f", "%E": "%Y",
	"%n": "a space", "%t": "a space",
}

// A FormatError describes an invalid format.
type FormatError struct {
	At   int // byte offset in the format
	Text string
	Hint string // a line of a config that helps; empty without one
}

func (e *FormatError) Error() string { return e.Text }

// Compile compiles a format to a parser. zone applies to times without an offset of their own; nil
// is UTC. The error is a *FormatError.
func Compile(format string, unit Unit, zone *time.Location) (*Parser, error) {
	p := &Parser{format: format, unit: unit, zone: zone}
	if format == RFC3339 {
		p.steps = rfc3339()
		return p, nil
	}
	c := compiler{Parser: p, rest: format}
	if len(format) > maxFormat {
		return nil, c.newError(maxFormat, "", "the format has %d bytes; expected at most %d", len(format), maxFormat)
	}
	for c.rest != "" {
		if err := c.step(); err != nil {
			return nil, err
		}
	}
	if err := c.checkParts(); err != nil {
		return nil, err
	}
	return p, nil
}

// rfc3339 returns the steps of RFC3339, whose numbers have a fixed number of digits.
func rfc3339() []step {
	var steps []step
	for _, letter := range []string{"%Y", "-", "%m", "-", "%d", "T", "%H", ":", "%M", ":", "%S", "%f", "%z"} {
		s := step{do: readLiteral, part: none, literal: letter}
		if known := findLetter(letter); known != nil {
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

// findLetter returns the step of a letter; nil if it is not supported.
func findLetter(letter string) *step {
	for i := range letters {
		if letters[i].letter == letter {
			return &letters[i]
		}
	}
	return nil
}

// A compiler compiles a format.
type compiler struct {
	*Parser
	rest     string
	letterOf [parts]string // the letter that sets each part
	offsetOf [parts]int    // and its offset in the format
}

func (c *compiler) offset() int { return len(c.format) - len(c.rest) }

func (c *compiler) newError(at int, hint, text string, args ...any) error {
	return &FormatError{At: at, Text: fmt.Sprintf(text, args...), Hint: hint}
}

// step compiles the first element of c.rest.
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

// literal adds a string that is matched in any case.
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

// letter compiles a letter after a percent sign.
func (c *compiler) letter() error {
	if len(c.rest) == 1 {
		return c.newError(c.offset(), "", "a %% without a letter at character %d; a %% itself is %%%%", c.offset()+1)
	}
	letter := "%" + string([]rune(c.rest[1:])[0])
	s := findLetter(letter)
	if s == nil {
		return c.unknown(letter)
	}
	if was := c.letterOf[s.part]; was == letter {
		return c.newError(c.offset(), "", "%s occurs twice, the second at character %d", letter, c.offset()+1)
	} else if was != "" {
		return c.newError(c.offset(), "", "%s at character %d says what %s says", letter, c.offset()+1, was)
	}
	c.letterOf[s.part], c.offsetOf[s.part] = letter, c.offset()
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
	if other, ok := alternatives[letter]; ok {
		hint = "in place of " + letter + ": " + other
	} else if letter == "%-" || letter == "%_" || letter == "%#" {
		hint = "a number may have fewer digits: remove the " + letter[1:]
	} else if letter == "%s" {
		hint = "seconds since 1970 are a number: type: int64, without date"
	}
	return c.newError(c.offset(), hint, "unknown letter %s at character %d; expected one of %s", printable(letter),
		c.offset()+1, strings.Join(known, " "))
}

// printable returns the letter in printable form.
func printable(letter string) string {
	if len(letter) == 2 && letter[1] > ' ' && letter[1] < 0x7f {
		return letter
	}
	return fmt.Sprintf("%q", letter)
}

// wordsHint suggests the format for one of other tools, such as YYYY/MM/DD.
func wordsHint(format string) string {
	letters := strings.NewReplacer("YYYY", "%Y", "yyyy", "%Y", "YY", "%y", "yy", "%y", "MMMM", "%B", "MMM", "%b", "MM",
		"%m", "DD", "%d", "dd", "%d",
		"HH", "%H", "hh", "%H", "mm", "%M", "SS", "%S", "ss", "%S").Replace(format)
	if strings.Contains(letters, "%") {
		if _, err := Compile(letters, Nanoseconds, nil); err == nil {
			return fmt.Sprintf("date: %q", letters)
		}
	}
	return `date: "%Y-%m-%d", or rfc3339`
}

// checkParts checks the combination of parts in the format.
func (c *compiler) checkParts() error {
	end := len(c.format)
	g := &c.letterOf
	if g[year] == "" {
		hint := ""
		if !strings.Contains(c.format, "%") {
			hint = wordsHint(c.format)
		}
		return c.newError(end, hint, "no year; expected %%Y, %%y or %%G")
	}
	c.short = g[year] == "%y"
	if err := c.chooseDay(); err != nil {
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
			return c.incomplete(need.part, need.needs)
		}
	}
	return c.fixDigits()
}

func (c *compiler) incomplete(p part, what string) error {
	return c.newError(c.offsetOf[p], "", "%s at character %d goes with %s, which is not there", c.letterOf[p],
		c.offsetOf[p]+1, what)
}

// chooseDay finds the parts that determine the day.
func (c *compiler) chooseDay() error {
	g := &c.letterOf
	isISO := g[year] == "%G"
	switch {
	case g[week] == "%V" && !isISO:
		return c.incomplete(week, "the year of its week, %G")
	case isISO && g[week] != "%V":
		return c.incomplete(year, "a week, %V; the year of the calendar is %Y")
	case g[week] != "" && g[weekday] == "":
		return c.incomplete(week, "a weekday, %a, %A, %u or %w")
	case g[yearDay] != "" && g[month] != "":
		return c.conflict(month, yearDay)
	case g[yearDay] != "" && g[day] != "":
		return c.conflict(day, yearDay)
	case g[week] != "" && g[month] != "":
		return c.conflict(month, week)
	case g[week] != "" && g[day] != "":
		return c.conflict(day, week)
	case g[week] != "" && g[yearDay] != "":
		return c.conflict(yearDay, week)
	case g[day] != "" && g[month] == "":
		return c.incomplete(day, "a month, %m, %b or %B")
	case g[weekday] != "" && g[week] == "" && g[day] == "" && g[yearDay] == "":
		return c.incomplete(weekday, "a day or a week")
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

func (c *compiler) conflict(p, other part) error {
	return c.newError(c.offsetOf[p], "", "%s at character %d and %s both say the day", c.letterOf[p], c.offsetOf[p]+1,
		c.letterOf[other])
}

// fixDigits requires all digits of adjacent numbers, so that a string has one interpretation.
func (c *compiler) fixDigits() error {
	for i := range len(c.steps) - 1 {
		s, next := &c.steps[i], &c.steps[i+1]
		isDigit := next.do == readNumber || next.do == readDay || next.do == readFraction || next.literal != "" &&
			next.literal[0]-'0' <= 9
		switch {
		case !isDigit:
		case s.do == readNumber || s.do == readDay:
			s.all, next.all = true, true
		case s.do == readFraction || s.do == readOffset:
			return c.newError(c.offsetOf[s.part], "",
				"%s at character %d has as many digits as it likes, and another one follows", s.letter,
				c.offsetOf[s.part]+1)
		}
	}
	return nil
}
