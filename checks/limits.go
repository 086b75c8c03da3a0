package checks

import (
	"cmp"
	"encoding/json"
	"strconv"

	"tfr-build/message"
)

// checkMin finds values below Min, and checkMax values above Max. An infinity is beyond any
// limit; NaN is not.
func (c *valueCheck) checkMin() {
	n, limit := c.values.Numbers, c.expected.Min
	if limit == "" || n == nil || n.NegInf == 0 && (n.Finite == 0 || c.compare(n.Min, limit) >= 0) {
		return
	}
	extreme := n.Min.String()
	if n.NegInf > 0 {
		extreme = "-inf"
	}
	c.addOutside("min", "below "+limit.String()+"; the least is "+extreme, extreme, "at least "+limit.String(),
		n.NegInf, c.binsBelow())
}

func (c *valueCheck) checkMax() {
	n, limit := c.values.Numbers, c.expected.Max
	if limit == "" || n == nil || n.PosInf == 0 && (n.Finite == 0 || c.compare(n.Max, limit) <= 0) {
		return
	}
	extreme := n.Max.String()
	if n.PosInf > 0 {
		extreme = "inf"
	}
	c.addOutside("max", "above "+limit.String()+"; the greatest is "+extreme, extreme, "at most "+limit.String(),
		n.PosInf, c.binsAbove())
}

// addOutside adds a finding about values beyond a limit: infinite ones, and finite ones counted by
// bins. If a bin contains the limit, the number is an interval.
func (c *valueCheck) addOutside(check, text, extreme, limit string, infinite int64, finite interval) {
	found := interval{max(1, infinite+finite.least), infinite + finite.most}
	all := " of " + counted(c.values.Count, "value") + " "
	switch {
	case found.most == 0: // without a histogram
		text = "some" + all + text
	case found.least == found.most:
		text = strconv.FormatInt(found.least, 10) + all + text
	default:
		text = strconv.FormatInt(found.least, 10) + " to " + strconv.FormatInt(found.most, 10) + all + text
	}
	c.addFinding(check, extreme, limit, text)
}

// An interval has the bounds of a count.
type interval struct{ least, most int64 }

// binsBelow returns the number of finite values below Min according to the histogram.
func (c *valueCheck) binsBelow() (n interval) {
	limit := c.float(c.expected.Min)
	bins := c.values.Numbers.Histogram
	for i, bin := range bins {
		switch isLast := i == len(bins)-1; {
		case bin.High < limit || bin.High == limit && !isLast:
			n.least += bin.Count
			n.most += bin.Count
		case bin.Low < limit:
			n.most += bin.Count
		}
	}
	return n
}

func (c *valueCheck) binsAbove() (n interval) {
	limit := c.float(c.expected.Max)
	for _, bin := range c.values.Numbers.Histogram {
		switch {
		case bin.Low > limit:
			n.least += bin.Count
			n.most += bin.Count
		case bin.High > limit:
			n.most += bin.Count
		}
	}
	return n
}

// compare compares a value with a limit. Integers are compared exactly, other numbers with the
// precision of the record: both the value and the limit are rounded to it.
func (c *valueCheck) compare(value, limit json.Number) int {
	a, errA := value.Int64()
	b, errB := limit.Int64()
	if errA == nil && errB == nil {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(c.float(value), c.float(limit))
}

func (c *valueCheck) float(n json.Number) float64 {
	x, _ := n.Float64() // a number that is too large becomes an infinity
	if c.feature.List == message.FloatList {
		return float64(float32(x))
	}
	return x
}
