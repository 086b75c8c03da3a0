package date

import (
	"bytes"
	"slices"
	"sync"
)

// commonFormats are formats of moments, and then of days. Numbers with a slash or a dash may fit two of them.
var commonFormats = []string{
	RFC3339, "%a %b %d %H:%M:%S %z %Y", "%a %b %d %H:%M:%S %Y",
	"%Y-%m-%d", "%Y/%m/%d", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%m-%d-%Y", "%d-%m-%Y",
	"%d %b %Y", "%b %d, %Y", "%d-%b-%Y", "%d %B %Y", "%B %d, %Y",
	"%b %d %Y", "%d%b%Y", "%m/%d/%y", "%d/%m/%y", "%d/%b/%Y", "%a, %d %b %Y",
}

// clockFormats are formats of a time after a day and one of clockMarks, and zoneFormats what may follow.
var (
	clockMarks   = []byte(" T:")
	clockFormats = []string{"%H:%M:%S", "%H:%M", "%H:%M:%S.%f", "%I:%M:%S %p", "%I:%M %p"}
	zoneFormats  = []string{"", "%z", " %z", " %Z"}
)

// common returns the parsers of commonFormats.
var common = sync.OnceValue(func() (list []*Parser) {
	for _, format := range commonFormats {
		p, _ := Compile(format, Days, nil) // they are valid
		list = append(list, p)
	}
	return list
})

// Guess returns the formats that a string may have, the most common first. Two may have month and day either way
// around.
func Guess(text []byte) (formats []string) {
	const shortest, longest = len("1/2/24"), 40
	if len(text) < shortest || len(text) > longest || !hasYear(text) && bytes.Count(text, []byte("/")) != 2 {
		return nil
	}
	fits := func(p *Parser) (Problem, bool) {
		_, problem := p.Parse(text)
		return problem, problem.Reason == Fine || problem.Reason == Finer
	}
	for _, p := range common() {
		problem, ok := fits(p)
		if ok {
			formats = append(formats, p.format)
		}
		at := problem.At
		if ok || problem.Reason != Syntax || at < shortest || at >= len(text) ||
			!slices.Contains(clockMarks, text[at]) {
			continue
		}
		for _, clock := range clockFormats {
			for _, zone := range zoneFormats {
				p, err := Compile(p.format+string(text[at])+clock+zone, Days, nil)
				if err != nil { // the format has a time
					continue
				}
				if _, ok := fits(p); ok {
					formats = append(formats, p.format)
				}
			}
		}
	}
	return formats
}

// hasYear reports whether a string has four consecutive digits.
func hasYear(text []byte) bool {
	digits := 0
	for _, c := range text {
		if digits++; c-'0' > 9 {
			digits = 0
		}
		if digits == len("2024") {
			return true
		}
	}
	return false
}
