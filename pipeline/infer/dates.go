package infer

import (
	"bytes"
	"math"
	"strings"

	"tfr-build/schema/date"
)

// dates are the formats that all texts of a column fit so far.
type dates struct {
	begun bool
	texts int // that they fit
	fits  []dateFit
}

// A dateFit is a format, and what was read by it.
type dateFit struct {
	format    string
	parser    *date.Parser
	unit      date.Unit // the coarsest that holds all times
	low, high int64
	least     string // the texts of these
	most      string
}

// dayFormats are those of a day; a slash or a dash between numbers may stand for two.
var dayFormats = []string{
	"%Y-%m-%d", "%Y/%m/%d", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%m-%d-%Y", "%d-%m-%Y",
	"%d %b %Y", "%b %d, %Y", "%d-%b-%Y", "%d %B %Y", "%B %d, %Y",
}

// clockFormats stand behind a day.
var clockFormats = []string{"", " %H:%M:%S", " %H:%M", " %H:%M:%S.%f", " %I:%M:%S %p", " %I:%M %p"}

// wholeFormats stand alone.
var wholeFormats = []string{
	date.RFC3339, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%dT%H:%M",
	"%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S.%f%z", "%Y-%m-%d %H:%M:%S%z", "%Y-%m-%d %H:%M:%S.%f%z", "%Y-%m-%d %H:%M:%S %z",
	"%Y-%m-%d %H:%M:%S %Z", "%Y-%m-%d %H:%M:%S.%f %Z",
	"%a, %d %b %Y %H:%M:%S %z", "%a, %d %b %Y %H:%M:%S %Z", "%a %b %d %H:%M:%S %z %Y", "%a %b %d %H:%M:%S %Y", "%d/%b/%Y:%H:%M:%S %z",
}

// add takes a text, n times.
func (d *dates) add(text []byte, n int) {
	if !d.begun {
		d.begin(text)
	}
	kept := d.fits[:0]
	for i := range d.fits {
		if f := &d.fits[i]; f.take(text) {
			kept = append(kept, *f)
		}
	}
	if d.fits = kept; len(kept) > 0 {
		d.texts += n
	}
}

// begin finds the formats that may be those of a column, by its first text.
func (d *dates) begin(text []byte) {
	const least, most = len("1/2/2024"), 40
	d.begun = true
	if len(text) < least || len(text) > most || !hasYear(text) {
		return
	}
	for _, day := range dayFormats {
		for _, clock := range clockFormats {
			d.begins(text, day+clock)
		}
	}
	for _, format := range wholeFormats {
		d.begins(text, format)
	}
}

// hasYear reports whether a text has four digits side by side.
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

func (d *dates) begins(text []byte, format string) {
	f := dateFit{format: format, unit: date.Seconds}
	if format != date.RFC3339 && !strings.Contains(format, ":") {
		f.unit = date.Days
	}
	f.compile()
	if !f.take(text) {
		return
	}
	f.low, f.least, f.high, f.most = 0, "", 0, ""
	d.fits = append(d.fits, f)
}

func (f *dateFit) compile() {
	p, err := date.Compile(f.format, f.unit, nil)
	if err != nil {
		panic(err) // a format of this file
	}
	f.parser = p
}

// take reads a text; the unit becomes a finer one if it has to.
func (f *dateFit) take(text []byte) bool {
	x, fault := f.parser.Parse(text)
	for fault.Reason == date.Finer && f.unit < date.Nanoseconds {
		const most = math.MaxInt64 / 1000
		if f.high > most || f.low < -most {
			return false // a text before would not fit
		}
		f.unit++
		f.low, f.high = f.low*1000, f.high*1000
		f.compile()
		x, fault = f.parser.Parse(text)
	}
	if fault.Reason != date.Fine || strings.HasPrefix(f.format, "%d.") && !isModern(text) {
		return false
	}
	if f.least == "" || x < f.low {
		f.low, f.least = x, string(text)
	}
	if f.most == "" || x > f.high {
		f.high, f.most = x, string(text)
	}
	return true
}

// isModern reports whether the year behind the dots of a text is one that tables are
// about: 1.12.1000 is a version.
func isModern(text []byte) bool {
	year := text[bytes.LastIndexByte(text, '.')+1:]
	return len(year) >= 2 && (year[0] == '1' && year[1] >= '8' || year[0] == '2' && year[1] <= '1')
}

// found is the format of all texts of a column; nil where there is none, and where two
// read them as different days.
func (d *dates) found(texts int) (f *dateFit, unsure bool) {
	if len(d.fits) == 0 || d.texts != texts {
		return nil, false
	}
	for i := range d.fits {
		for j := range i {
			if d.fits[i].swaps(&d.fits[j]) {
				return nil, true
			}
		}
	}
	return &d.fits[0], false
}

// swaps reports whether one format has the month where the other has the day.
func (f *dateFit) swaps(other *dateFit) bool {
	isMonth := strings.HasPrefix(f.format, "%m")
	return isMonth != strings.HasPrefix(other.format, "%m") && (isMonth || strings.HasPrefix(other.format, "%m"))
}

// dates adds that so many texts are dates; "" where they are not.
func (c *chooser) dates(s *spec, d *dates, texts int) string {
	f, _ := d.found(texts)
	if f == nil {
		return ""
	}
	s.add("date", scalar(f.format))
	if f.unit != date.Seconds {
		s.add("unit", f.unit.String())
	}
	note := shown(f.least) + " to " + shown(f.most)
	if f.least == f.most {
		note = "all " + shown(f.least)
	}
	if f.unit != date.Days && f.format != date.RFC3339 && !strings.Contains(strings.ToLower(f.format), "%z") {
		note += "; times of UTC, if no zone is said"
	}
	return note
}

// isDated reports whether the texts are dates.
func (p *profile) isDated() bool {
	f, _ := p.dates.found(p.texts)
	return f != nil && p.texts > 0
}
