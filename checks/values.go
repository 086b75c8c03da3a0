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

func (c *valueCheck) all() {
	c.least()
	c.most()
	c.missing()
	c.distinct()
	c.finite()
	c.known()
}

// tell adds a finding; text follows the name of the feature and the split.
func (c *valueCheck) tell(check, found, limit, text string) {
	c.add(Finding{
		Check: check, Feature: c.feature.Key, Split: c.split, Found: found, Limit: limit,
		Text: in(c.feature.Key, c.split) + ": " + text,
	})
}

// missing is about the records that lack the key.
func (c *valueCheck) missing() {
	if c.expected.Missing == nil {
		return
	}
	const whole = 100_000_000 // millionths of a percent
	missing, records := c.values.Missing, c.values.Missing+c.values.Present
	high, low := bits.Mul64(uint64(missing), whole)
	limitHigh, limitLow := bits.Mul64(uint64(records), *c.expected.Missing)
	if high < limitHigh || high == limitHigh && low <= limitLow {
		return
	}
	limit := "at most " + strconv.FormatFloat(float64(*c.expected.Missing)/1e6, 'f', -1, 64) + "%"
	found := percent(missing, records)
	c.tell("missing", found, limit, "missing in "+of(missing, records, "record")+", "+found+"; expected "+limit)
}

// distinct is about how many values differ. An estimate is within 4 %, so one up to
// as much above the limit may be fine.
func (c *valueCheck) distinct() {
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
	c.tell("distinct", number, limit, number+" distinct values; expected "+limit)
}

// finite is about NaN and infinities.
func (c *valueCheck) finite() {
	if n := c.values.Numbers; c.expected.Finite && n != nil && notFinite(n) > 0 {
		c.tell("finite", counted(notFinite(n), "value"), "finite", notFiniteText(n, c.values.Count)+"; expected finite ones alone")
	}
}

func notFinite(n *statistics.Numbers) int64 { return n.NaN + n.PosInf + n.NegInf }

// notFiniteText says how many values of all are not finite, and what they are.
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
