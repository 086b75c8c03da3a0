package date

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Explain returns why a string was rejected, as a predicate for the string: "is not …". hint is a
// line of a config that helps, or empty.
func (p *Parser) Explain(text []byte, f Problem) (message, hint string) {
	switch f.Reason {
	case Syntax:
		return fmt.Sprintf("is not a date of the form %s: %s", p.form(), p.syntax(text, f)), ""
	case Value:
		return "is not a date: " + p.value(text, f), ""
	case Finer:
		return p.finer(text)
	case OutOfRange:
		return fmt.Sprintf("is beyond what an int64 of %ss holds", units[p.unit].what), "unit: us"
	case Skipped:
		return "is a time that the clocks of " + p.zone.String() + " skip", ""
	}
	return "", ""
}

// form returns the format as messages show it.
func (p *Parser) form() string {
	const most = 40
	switch {
	case p.format == RFC3339:
		return "2026-11-21T10:30:00Z"
	case len(p.format) > most:
		return strconv.Quote(strings.ToValidUTF8(p.format[:most], "")) + "…"
	}
	return strconv.Quote(p.format)
}

// position returns the number of the character at a byte offset, from 1.
func position(text []byte, at int) int { return utf8.RuneCount(text[:at]) + 1 }

// syntax describes the characters that were found and expected.
func (p *Parser) syntax(text []byte, f Problem) string {
	found := "it ends after its character " + strconv.Itoa(utf8.RuneCount(text))
	switch {
	case len(text) == 0:
		found = "it is empty"
	case f.At < len(text):
		rest := text[f.At:]
		_, size := utf8.DecodeRune(rest)
		found = fmt.Sprintf("found %q at its character %d", rest[:size], position(text, f.At))
	}
	if f.step == len(p.steps) {
		return found + "; expected its end"
	}
	s := &p.steps[f.step]
	expected := s.what
	switch {
	case s.do == readLiteral:
		expected = p.literal(f.step)
	case s.all && s.digits > 1 && s.part != year:
		expected += fmt.Sprintf(", of %d digits", s.digits)
	}
	return found + "; expected " + expected
}

// literal returns the literal of a step, truncated to a few characters.
func (p *Parser) literal(i int) string {
	const most = 20
	text := p.steps[i].literal
	if len(text) > most {
		return strconv.Quote(strings.ToValidUTF8(text[:most], "")) + "…"
	}
	return strconv.Quote(text)
}

// value describes a number that is out of range, or does not exist in the calendar.
func (p *Parser) value(text []byte, f Problem) string {
	s := &p.steps[min(f.step, len(p.steps)-1)]
	switch {
	case f.At >= 0:
		return fmt.Sprintf("found %d at its character %d; expected %s", f.found, position(text, f.At), s.what)
	case s.part == weekday:
		return "the day is a " + strings.ToUpper(dayNames[f.found][:1]) + dayNames[f.found][1:]
	case s.part == week && p.day != byISOWeek:
		return fmt.Sprintf("the year has no such day in its week %d", f.found)
	case s.part == week:
		return "the year has 52 weeks"
	case s.part == yearDay:
		return "the year has 365 days"
	}
	return fmt.Sprintf("the month has no day %d", f.found)
}

// finer describes a time that is finer than the unit, and suggests a unit that can express it.
func (p *Parser) finer(text []byte) (message, hint string) {
	message = "is finer than a " + units[p.unit].what
	other := *p
	for other.unit = range Days {
		if _, f := other.Parse(text); f.Reason == Fine {
			return message, "unit: " + other.unit.String()
		}
	}
	return message, ""
}
