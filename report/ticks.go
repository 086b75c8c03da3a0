package report

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// niceStep is the smallest of 1, 2, and 5 times a power of ten that is at least as large as
// v, which is positive and finite.
func niceStep(v float64) float64 {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	for _, times := range [...]float64{1, 2, 5} {
		if step := powerTimes(times, power); step >= v {
			return step
		}
	}
	return powerTimes(1, power+1)
}

// powerTimes is times 10 to a power, as near as a float can be: 0.1, not a product of floats.
func powerTimes(times float64, power int) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(times, 'f', 0, 64)+"e"+strconv.Itoa(power), 64)
	return v
}

// A tick is a value of an axis, with what is written there.
type tick struct {
	at   float64
	text string
}

// mostTicks is how many steps an axis has at most.
const mostTicks = 5

// numberTicks returns round numbers from low to high, only integers if whole is set. An empty or
// infinite range has no ticks.
func numberTicks(low, high float64, whole bool) (list []tick) {
	size := high - low
	if !(size > 0) || size > math.MaxFloat64 { // NaN is not > 0
		return nil
	}
	step := niceStep(size / mostTicks)
	if whole {
		step = max(step, 1)
	}
	first := math.Ceil(low / step)
	for k := range 2 * mostTicks { // a float of 2^53 or more would not grow by 1
		// The conversion rounds the product, which arm64 could fuse with a sum: charts have the same bytes everywhere.
		list = appendTick(list, low, high, float64((first+float64(k))*step), number)
	}
	return list
}

// appendTick appends a tick, unless it is outside of the axis or has the text of the last one.
func appendTick(list []tick, low, high, at float64, text func(float64) string) []tick {
	if !(at >= low && at <= high) {
		return list
	}
	if t := (tick{at, text(at)}); len(list) == 0 || at > list[len(list)-1].at && t.text != list[len(list)-1].text {
		list = append(list, t)
	}
	return list
}

// ticks are round values of an axis.
func (v valueFormat) ticks(low, high float64, whole bool) []tick {
	from, okFrom := v.seconds(low)
	to, okTo := v.seconds(high)
	if !v.isDate || !okFrom || !okTo {
		return numberTicks(low, high, whole)
	}
	var list []tick
	step, layout := dateStep(to - from)
	first := time.Unix(from, 0).UTC()
	at := step(time.Date(first.Year(), 1, 1, 0, 0, 0, 0, time.UTC), 0)
	for range maxDateSteps {
		if at.Unix() > to || len(list) > 2*mostTicks {
			break
		}
		value := float64(float64(at.Unix())*v.units) / v.length
		list = appendTick(list, low, high, value, func(float64) string { return at.Format(layout) })
		at = step(at, 1)
	}
	return list
}

// maxDateSteps is the largest number of steps from the first day of a year to the last tick: hours of a year and
// of the ten days after it, for which the step is an hour.
const maxDateSteps = (366 + 10) * 24

// day is how many seconds a day has.
const day = 86400

// dateStep is the step of an axis of so many seconds, and how its dates are written. The
// steps begin with a year.
func dateStep(seconds int64) (step func(at time.Time, n int) time.Time, layout string) {
	years := int(max(niceStep(max(float64(seconds)/(365.25*day*mostTicks), 1)), 1))
	months := 1
	for _, m := range [...]int{2, 3, 6} {
		if seconds > int64(months)*30*day*mostTicks {
			months = m
		}
	}
	hours := 1
	for _, h := range [...]int{2, 6, 12, 24, 48, 120, 240} {
		if seconds > int64(hours)*3600*mostTicks {
			hours = h
		}
	}
	switch {
	case seconds > 6*30*day*mostTicks:
		return func(at time.Time, n int) time.Time {
			return time.Date((at.Year()/years+n)*years, 1, 1, 0, 0, 0, 0, time.UTC)
		}, "2006"
	case seconds > 10*day*mostTicks:
		return func(at time.Time, n int) time.Time { return at.AddDate(0, n*months, 0) }, "2006-01"
	}
	if layout = "01-02 15:04"; hours >= 24 {
		layout = time.DateOnly
	}
	return func(at time.Time, n int) time.Time { return at.Add(time.Duration(n*hours) * time.Hour) }, layout
}
