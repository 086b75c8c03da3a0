package checks

import (
	"cmp"
	"encoding/json"
	"strconv"

	"tfr-build/message"
)

// least is about values below Min, and most about those above Max. An infinity is
// beyond each limit, NaN beyond none.
func (c *valueCheck) least() {
	n, limit := c.values.Numbers, c.expected.Min
	if limit == "" || n == nil || n.NegInf == 0 && (n.Finite == 0 || c.compare(n.Min, limit) >= 0) {
		return
	}
	extreme := n.Min.String()
	if n.NegInf > 0 {
		extreme = "-inf"
	}
	c.beyond("min", "below "+limit.String()+"; the least is "+extreme, extreme, "at least "+limit.String(), n.NegInf, c.binsBelow())
}

func (c *valueCheck) most() {
	n, limit := c.values.Numbers, c.expected.Max
	if limit == "" || n == nil || n.PosInf == 0 && (n.Finite == 0 || c.compare(n.Max, limit) <= 0) {
		return
	}
	extreme := n.Max.String()
	if n.PosInf > 0 {
		extreme = "inf"
	}
	c.beyond("max", "above "+limit.String()+"; the greatest is "+extreme, extreme, "at most "+limit.String(), n.PosInf, c.binsAbove())
}

// beyond tells of values beyond a limit: the infinite ones, and the finite ones that
// some bins hold. A bin that holds the limit, too, leaves it open.
func (c *valueCheck) beyond(check, text, extreme, limit string, infinite int64, finite interval) {
	found := interval{max(1, infinite+finite.least), infinite + finite.most}
	all := " of " + counted(c.values.Count, "value") + " "
	switch {
	case found.most == 0: // there is no histogram
		text = "some" + all + text
	case found.least == found.most:
		text = strconv.FormatInt(found.least, 10) + all + text
	default:
		text = strconv.FormatInt(found.least, 10) + " to " + strconv.FormatInt(found.most, 10) + all + text
	}
	c.tell(check, extreme, limit, text)
}

// An interval is a count that is known to lie between two.
type interval struct{ least, most int64 }

// binsBelow is how many finite values lie below Min, as the histogram has them.
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

// compare compares a value with a limit: integers exactly, others as the record has
// them. A float of a record is the nearest one to what was meant, and so is the limit.
func (c *valueCheck) compare(value, limit json.Number) int {
	a, errA := value.Int64()
	b, errB := limit.Int64()
	if errA == nil && errB == nil {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(c.float(value), c.float(limit))
}

func (c *valueCheck) float(n json.Number) float64 {
	x, _ := n.Float64() // a number too large is an infinity
	if c.feature.List == message.FloatList {
		return float64(float32(x))
	}
	return x
}
