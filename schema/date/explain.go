package date

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Explain says why a text was refused, as the rest of a sentence that begins with the
// text: "is not …". hint is a line of a config that helps, or empty.
func (p *Parser) Explain(text []byte, f Fault) (message, hint string) {
	switch f.Reason {
	case Syntax:
		return fmt.Sprintf("is not a date of the form %s: %s", p.form(), p.syntax(text, f)), ""
	case Value:
		return "is not a date: " + p.value(text, f), ""
	case Finer:
		return p.finer(text)
	case Beyond:
		return fmt.Sprintf("is beyond what an int64 of %ss holds", units[p.unit].what), "unit: us"
	case Skipped:
		return "is a time that the clocks of " + p.zone.name + " skip", ""
	}
	return "", ""
}

// form is the format, as a message shows it.
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

// place is a byte of a text as the number of a character.
func place(text []byte, at int) int { return utf8.RuneCount(text[:at]) + 1 }

// syntax says what was found, and what was expected.
func (p *Parser) syntax(text []byte, f Fault) string {
	found := "it ends after its character " + strconv.Itoa(utf8.RuneCount(text))
	switch {
	case len(text) == 0:
		found = "it is empty"
	case f.At < len(text):
		rest := text[f.At:]
		_, size := utf8.DecodeRune(rest)
		found = fmt.Sprintf("found %q at its character %d", rest[:size], place(text, f.At))
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

// literal is the text of a step, of which at most a few characters are shown.
func (p *Parser) literal(i int) string {
	const most = 20
	text := p.steps[i].literal
	if len(text) > most {
		return strconv.Quote(strings.ToValidUTF8(text[:most], "")) + "…"
	}
	return strconv.Quote(text)
}

// value says which number there is not.
func (p *Parser) value(text []byte, f Fault) string {
	s := &p.steps[min(f.step, len(p.steps)-1)]
	switch {
	case f.At >= 0:
		return fmt.Sprintf("found %d at its character %d; expected %s", f.saw, place(text, f.At), s.what)
	case s.part == weekday:
		return "the day is a " + strings.ToUpper(dayNames[f.saw][:1]) + dayNames[f.saw][1:]
	case s.part == week && p.day != byISOWeek:
		return fmt.Sprintf("the year has no such day in its week %d", f.saw)
	case s.part == week:
		return "the year has 52 weeks"
	case s.part == yearDay:
		return "the year has 365 days"
	}
	return fmt.Sprintf("the month has no day %d", f.saw)
}

// finer says what is finer than the unit, and which unit would hold it.
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
