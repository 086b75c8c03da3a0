package infer

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"tfr-build/schema/date"
)

// dates finds the date formats that fit all strings of a column.
type dates struct {
	seen   int      // strings that are not numbers
	offset sighting // the first with an offset other than 0 at its end, if it is a date
	fits   []*dateFit
}

// A dateFit is a format, with the range of the dates that were read.
type dateFit struct {
	format    string
	count     int      // strings that it fits
	odd       sighting // the first that it does not fit
	parser    *date.Parser
	unit      date.Unit // the coarsest unit that holds all times
	low, high int64
	least     string // text of low
	most      string // text of high
}

// add reads a string that occurs n times; first is the first of all strings. A format that does not fit most strings is
// given up.
func (d *dates) add(t *reading, text []byte, first *sighting, n int) {
	const few = 20
	if d.seen == 0 || len(d.fits) == 0 && d.seen < few {
		for _, format := range date.Guess(text) {
			f := &dateFit{format: format, unit: date.Seconds}
			if format != date.RFC3339 && !strings.Contains(format, ":") {
				f.unit = date.Days
			}
			if d.seen > 0 {
				f.odd = *first
			}
			if f.compile(); f.parse(text) {
				d.fits = append(d.fits, f)
			}
		}
	}
	d.seen += n
	if at := bytes.LastIndexAny(text, "+-"); at >= max(0, len(text)-6) && bytes.ContainsAny(text[at:], "123456789") {
		d.offset.see(t, text)
	}
	d.fits = slices.DeleteFunc(d.fits, func(f *dateFit) bool {
		if f.parse(text) {
			f.count += n
			return false
		}
		f.odd.see(t, text)
		return d.seen > few && (d.seen-f.count)*mostOdd > d.seen
	})
}

// nearest returns the format that fits most strings; nil for none.
func (d *dates) nearest() *dateFit {
	if len(d.fits) == 0 {
		return nil
	}
	return slices.MaxFunc(d.fits, func(a, b *dateFit) int { return cmp.Compare(a.count, b.count) })
}

func (f *dateFit) compile() {
	p, err := date.Compile(f.format, f.unit, nil)
	if err != nil {
		panic(err) // the formats of this file are valid
	}
	f.parser = p
}

// parse reads a string, and changes to a finer unit if necessary.
func (f *dateFit) parse(text []byte) bool {
	x, problem := f.parser.Parse(text)
	for problem.Reason == date.Finer && f.unit < date.Nanoseconds {
		const most = math.MaxInt64 / 1000
		if f.high > most || f.low < -most {
			return false // an earlier string would not fit
		}
		f.unit++
		f.low, f.high = f.low*1000, f.high*1000
		f.compile()
		x, problem = f.parser.Parse(text)
	}
	if problem.Reason != date.Fine || strings.HasPrefix(f.format, "%d.") && !isModern(text) {
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

// isModern reports whether the year after the dots of a string is from 1800 to 2199: 1.12.1000 is a
// version number.
func isModern(text []byte) bool {
	year := text[bytes.LastIndexByte(text, '.')+1:]
	return len(year) >= 2 && (year[0] == '1' && year[1] >= '8' || year[0] == '2' && year[1] <= '1')
}

// format returns the format of all strings of a column; nil if none fits. The result unsure is true
// if two formats fit that read the strings as different days.
func (d *dates) format(texts int) (f *dateFit, unsure bool) {
	for _, other := range d.fits {
		switch {
		case other.count != texts:
		case f == nil:
			f = other
		case f.swaps(other):
			return nil, true
		}
	}
	return f, false
}

// swaps reports whether one format has the month where the other has the day.
func (f *dateFit) swaps(other *dateFit) bool {
	return strings.HasPrefix(f.format, "%m") != strings.HasPrefix(other.format, "%m")
}

// keys returns the keys of a feature of such dates.
func (f *dateFit) keys() (s spec) {
	s.add("date", scalar(f.format))
	if f.unit != date.Seconds {
		s.add("unit", f.unit.String())
	}
	return s
}

// dateType returns the date format of a column, and a note. The note is empty if the strings are not dates.
func dateType(x *texts) (s spec, note string) {
	f, _ := x.dates.format(x.count)
	if f == nil {
		return nil, ""
	}
	note = extent(shown(f.least), shown(f.most), f.least == f.most)
	if strings.Contains(f.format, "%y") {
		note += "; years from 69 are 19.., others 20.."
	}
	isZoned := f.format == date.RFC3339 || strings.Contains(strings.ToLower(f.format), "%z")
	if f.unit != date.Days && !isZoned {
		note += "; read as UTC unless zone is set"
	}
	if isZoned && x.dates.offset.where != "" {
		note += "; the time in UTC, without its offset, the first: " + x.dates.offset.String() + "; string keeps it"
	}
	return f.keys(), note
}
