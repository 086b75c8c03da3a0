package report

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"tfr-build/statistics"
)

// A valueFormat says how the numbers of a feature are shown.
type valueFormat struct {
	isDate  bool
	units   float64 // that one or more seconds have, of dates
	length  float64 // so many seconds
	hasTime bool    // dates have a time of day
}

// unitsOf are the units of dates, as configs name them: how many there are in how many seconds.
var unitsOf = map[string][2]float64{"days": {1, day}, "s": {1, 1}, "ms": {1e3, 1}, "us": {1e6, 1}, "ns": {1e9, 1}}

// formatOf is how the values of a feature are shown that a config stores as dates in unit;
// empty: they are numbers. Dates at midnight have no time of day.
func formatOf(f *statistics.Feature, unit string) valueFormat {
	of, isDate := unitsOf[unit]
	if !isDate {
		return valueFormat{}
	}
	v := valueFormat{isDate: true, units: of[0], length: of[1]}
	for i := range f.Splits {
		n := f.Splits[i].Numbers
		if unit == "days" || n == nil {
			continue
		}
		for _, end := range []json.Number{n.Min, n.Max} {
			seconds, ok := v.secondsOf(end)
			v.hasTime = v.hasTime || ok && seconds%day != 0
		}
	}
	return v
}

// format is how the values of the feature with a key are shown.
func (p *Page) format(key string) valueFormat {
	unit, isDate := p.Dates[key]
	if !isDate || p.Statistics == nil {
		return valueFormat{}
	}
	at := slices.IndexFunc(p.Statistics.Features, func(f statistics.Feature) bool { return f.Key == key })
	if at < 0 {
		return valueFormat{}
	}
	return formatOf(&p.Statistics.Features[at], unit)
}

// The dates that are shown as such: from the year 0 to 9999.
const firstSecond, lastSecond = -62167219200, 253402300799

// secondsOf is a date in seconds since 1970.
func (v valueFormat) secondsOf(n json.Number) (seconds int64, ok bool) {
	f, err := n.Float64()
	if err != nil {
		return 0, false
	}
	return v.seconds(f)
}

func (v valueFormat) seconds(f float64) (seconds int64, ok bool) {
	s := math.Floor(float64(f*v.length) / v.units)
	if !(s >= firstSecond && s <= lastSecond) {
		return 0, false
	}
	return int64(s), true
}

// appendDate appends a date, or the number if its year is not 0 to 9999.
func (v valueFormat) appendDate(dst []byte, f float64) []byte {
	seconds, ok := v.seconds(f)
	if !ok {
		return appendNumber(dst, f)
	}
	layout := time.DateOnly
	if v.hasTime {
		layout = "2006-01-02 15:04"
	}
	return time.Unix(seconds, 0).UTC().AppendFormat(dst, layout)
}

// appendExact appends a number of a document.
func (v valueFormat) appendExact(dst []byte, n json.Number) []byte {
	if v.isDate {
		if f, err := n.Float64(); err == nil {
			return v.appendDate(dst, f)
		}
	}
	return appendExact(dst, n)
}

// appendNumber appends a number with five digits.
func (v valueFormat) appendNumber(dst []byte, f float64) []byte {
	if v.isDate {
		return v.appendDate(dst, f)
	}
	return appendNumber(dst, f)
}

// appendRounded appends a number with as many digits as a quantile has.
func (v valueFormat) appendRounded(dst []byte, f float64) []byte {
	if v.isDate {
		return v.appendDate(dst, f)
	}
	return appendRounded(dst, f)
}

// appendSpread appends a difference of numbers, of dates in days.
func (v valueFormat) appendSpread(dst []byte, f float64) []byte {
	if v.isDate {
		return append(appendRounded(dst, float64(f*v.length)/v.units/day), " days"...)
	}
	return appendNumber(dst, f)
}

// appendSpreadRounded is appendSpread with as many digits as a quantile has.
func (v valueFormat) appendSpreadRounded(dst []byte, f float64) []byte {
	if v.isDate {
		return v.appendSpread(dst, f)
	}
	return appendRounded(dst, f)
}

// text is a value among the most frequent ones.
func (v valueFormat) text(value string) string {
	if f, err := strconv.ParseFloat(value, 64); err == nil && v.isDate {
		return string(v.appendDate(nil, f))
	}
	return value
}
