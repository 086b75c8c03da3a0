package config

import "tfr-build/schema"

// decimalMark returns the decimal mark for the schema; empty if it is a point.
func (f *Feature) decimalMark() string {
	if f.Decimal == "." {
		return ""
	}
	return f.Decimal
}

// checkMarks checks the marks in numbers.
func (c featureCheck) checkMarks() {
	given := c.givenKeys("thousands", "decimal")
	if len(given) == 0 || !c.isValid(c.keyPath("thousands"), c.keyPath("decimal")) || c.Value != nil {
		return
	}
	t, ok := schema.ParseType(c.Type)
	for _, key := range given {
		mark := c.Thousands
		if key == "decimal" {
			mark = c.Decimal
		}
		switch {
		case mark == c.Separator:
			c.report(c.keyPath(key), "the separator is %s, too; a number with this mark would be split", quoteValue(mark))
		case c.Classes != nil || c.Map != nil || c.Date != "":
			c.report(c.keyPath(key), "%s is for numbers, not for classes, map, and date", key)
		case ok && !t.IsInteger() && !t.IsFloat():
			c.report(c.keyPath(key), "%s is for numbers; the type is %s", key, c.Type)
		}
	}
	if c.Thousands == c.Decimal {
		hint := ""
		if c.Thousands == "." {
			hint = `decimal: ","`
		}
		c.reportWithHint(c.keyPath("thousands"), hint, "found %s, which is also the decimal mark", quoteValue(c.Thousands))
	}
}
