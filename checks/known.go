package checks

import (
	"strconv"
	"strings"

	"tfr-build/statistics"
)

// known is about values that are none of those expected.
func (c *valueCheck) known() {
	if c.expected.Values == nil {
		return
	}
	expected := map[string]bool{}
	for _, v := range c.expected.Values {
		expected[v] = true
	}
	var found strangers
	if hasNames(c.feature) {
		found = c.strangeClasses(expected)
	} else {
		found = c.strangeValues(expected)
	}
	if found.least == 0 {
		return
	}
	number := of(found.least, c.values.Count, "value")
	if found.least < found.most {
		number = "at least " + number
	}
	text := number + " not among the " + counted(int64(len(expected)), "value") + " expected"
	if len(found.texts) > 0 {
		text += ": " + found.String()
	}
	if c.values.Unknown > 0 {
		text += "; " + counted(c.values.Unknown, "value") + " of no class"
	}
	if found.least < found.most {
		text += "; of the " + counted(c.values.Other, "value") + " that are less frequent only how many differ is known"
	}
	c.tell("values", number, "known values", text)
}

// strangers are values that were not expected, and how often they occur.
type strangers struct {
	interval
	sampler
}

func (s *strangers) add(name string, count int64) {
	s.least += count
	s.most += count
	s.sampler.add(name, " ("+strconv.FormatInt(count, 10)+")")
}

func (c *valueCheck) strangeClasses(expected map[string]bool) (found strangers) {
	for i, count := range c.values.ByClass {
		if name := c.feature.Classes[i]; count > 0 && !expected[name] {
			found.add(name, count)
		}
	}
	found.least += c.values.Unknown
	found.most += c.values.Unknown
	return found
}

// strangeValues looks through the most frequent values. Of the others it is known how
// many differ; all that were expected and are not among the frequent ones may be some
// of these.
func (c *valueCheck) strangeValues(expected map[string]bool) (found strangers) {
	there := int64(0)
	for i := range c.values.Top {
		if top := &c.values.Top[i]; isExpected(top, expected) {
			there++
		} else {
			found.add(top.Value, top.Count)
		}
	}
	if c.values.Other == 0 {
		return found
	}
	distinct := c.values.Distinct
	if c.values.Estimated {
		distinct -= distinct / 25 // it is within 4 %
	}
	others := distinct - int64(len(c.values.Top))
	found.least += max(0, others-(int64(len(expected))-there))
	found.most += c.values.Other
	return found
}

// isExpected reports whether a value is one of those expected; a long one of which
// only the beginning is kept, whether it may be.
func isExpected(top *statistics.Top, expected map[string]bool) bool {
	if !top.Cut {
		return expected[top.Value]
	}
	for v := range expected {
		if len(v) > len(top.Value) && strings.HasPrefix(v, top.Value) {
			return true
		}
	}
	return false
}

// hasNames reports whether the values of a feature are numbers of classes that have
// names.
func hasNames(f *statistics.Feature) bool {
	return f.Kind == statistics.Class && len(f.Classes) > 0
}
