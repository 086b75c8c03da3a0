package checks

import (
	"math/bits"
	"strconv"
	"strings"

	"tfr-build/statistics"
)

// A valueCheck checks the values of a feature in a split.
type valueCheck struct {
	*list
	expected *Feature
	feature  *statistics.Feature
	values   *statistics.Values
	split    string
}

func (c *valueCheck) checkAll() {
	c.checkMin()
	c.checkMax()
	c.checkMissing()
	c.checkEmpty()
	c.checkDistinct()
	c.checkFinite()
	c.checkKnown()
}

// addFinding adds a finding. text follows the names of the feature and the split.
func (c *valueCheck) addFinding(check, found, limit, text string) {
	c.add(Finding{
		Check: check, Feature: c.feature.Key, Split: c.split, Found: found, Limit: limit,
		Text: in(c.feature.Key, c.split) + ": " + text,
	})
}

// checkMissing checks the number of records without the key.
func (c *valueCheck) checkMissing() {
	missing, records := c.values.Missing, c.values.Missing+c.values.Present
	if found, limit := excess(missing, records, c.expected.Missing); found != "" {
		c.addFinding("missing", found, limit,
			"missing in "+of(missing, records, "record")+", "+found+"; expected "+limit)
	}
}

// checkEmpty checks the number of strings without bytes.
func (c *valueCheck) checkEmpty() {
	empty, all := c.values.Empty, c.values.Count
	if found, limit := excess(empty, all, c.expected.Empty); found != "" {
		c.addFinding("empty", found, limit, of(empty, all, "string")+" empty, "+found+"; expected "+limit)
	}
}

// excess returns what was found and what is allowed if n of all is more than a share in millionths of a percent, and
// otherwise "". nil is any share.
func excess(n, all int64, most *uint64) (found, limit string) {
	if most == nil {
		return "", ""
	}
	const whole = 100_000_000 // millionths of a percent
	high, low := bits.Mul64(uint64(n), whole)
	limitHigh, limitLow := bits.Mul64(uint64(all), *most)
	if high < limitHigh || high == limitHigh && low <= limitLow {
		return "", ""
	}
	return percent(n, all), "at most " + strconv.FormatFloat(float64(*most)/1e6, 'f', -1, 64) + "%"
}

// checkDistinct checks the number of distinct values. An estimate is within 4 %, so one that
// exceeds the limit by up to 4 % is not a violation.
func (c *valueCheck) checkDistinct() {
	if c.expected.Distinct == nil {
		return
	}
	found, most := c.values.Distinct, *c.expected.Distinct
	if found <= most || c.values.Estimated && found-most <= most/25 {
		return
	}
	limit := "at most " + strconv.FormatInt(most, 10)
	number := strconv.FormatInt(found, 10)
	if c.values.Estimated {
		number = "about " + number
	}
	c.addFinding("distinct", number, limit, number+" distinct values; expected "+limit)
}

// checkFinite finds NaN and infinities.
func (c *valueCheck) checkFinite() {
	if n := c.values.Numbers; c.expected.Finite && n != nil && notFinite(n) > 0 {
		c.addFinding("finite", counted(notFinite(n), "value"), "finite",
			notFiniteText(n, c.values.Count)+"; expected finite ones alone")
	}
}

func notFinite(n *statistics.Numbers) int64 { return n.NaN + n.PosInf + n.NegInf }

// notFiniteText returns the number of values that are not finite, and what they are.
func notFiniteText(n *statistics.Numbers, all int64) string {
	var kinds []string
	for _, kind := range []struct {
		count int64
		name  string
	}{{n.NaN, "NaN"}, {n.PosInf, "inf"}, {n.NegInf, "-inf"}} {
		if kind.count > 0 {
			kinds = append(kinds, strconv.FormatInt(kind.count, 10)+" "+kind.name)
		}
	}
	return of(notFinite(n), all, "value") + " not finite: " + strings.Join(kinds, ", ")
}
