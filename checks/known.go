package checks

import (
	"strconv"
	"strings"

	"tfr-build/statistics"
)

// checkKnown finds values that are not among the expected ones.
func (c *valueCheck) checkKnown() {
	if c.expected.Values == nil {
		return
	}
	expected := map[string]bool{}
	for _, v := range c.expected.Values {
		expected[v] = true
	}
	var found unexpected
	if hasNames(c.feature) {
		found = c.unexpectedClasses(expected)
	} else {
		found = c.unexpectedValues(expected)
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
	c.addFinding("values", number, "known values", text)
}

// unexpected are values that were not expected, with their number.
type unexpected struct {
	interval
	sampler
}

func (s *unexpected) add(name string, count int64) {
	s.least += count
	s.most += count
	s.sampler.add(name, " ("+strconv.FormatInt(count, 10)+")")
}

func (c *valueCheck) unexpectedClasses(expected map[string]bool) (found unexpected) {
	for i, count := range c.values.ByClass {
		if name := c.feature.Classes[i]; count > 0 && !expected[name] {
			found.add(name, count)
		}
	}
	found.least += c.values.Unknown
	found.most += c.values.Unknown
	return found
}

// unexpectedValues searches the most frequent values. For the other values only the number of
// distinct ones is known. Expected values that are not among the frequent ones may be among the
// others.
func (c *valueCheck) unexpectedValues(expected map[string]bool) (found unexpected) {
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
		distinct -= distinct / 25 // the estimate is within 4 %
	}
	others := distinct - int64(len(c.values.Top))
	found.least += max(0, others-(int64(len(expected))-there))
	found.most += c.values.Other
	return found
}

// isExpected reports whether a value is expected. For a truncated value it reports whether it may
// be.
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

// hasNames reports whether the values of a feature are classes with names.
func hasNames(f *statistics.Feature) bool {
	return f.Kind == statistics.Class && len(f.Classes) > 0
}
