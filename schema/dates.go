package schema

import (
	"cmp"
	"errors"
	"fmt"

	"tfr-build/schema/date"
)

// A Date describes how the string of a date becomes a number.
type Date struct {
	Format string    // the letters of strptime, or rfc3339
	Unit   date.Unit // of the number, which counts from 1970
	Zone   string    // time zone of dates without an offset; empty: UTC
}

// parser returns the parser of such dates. It returns an error if the format or the zone is
// invalid.
func (d *Date) parser() (*date.Parser, error) {
	zone, err := date.FindZone(cmp.Or(d.Zone, "UTC"))
	if err != nil {
		return nil, err
	}
	return date.Compile(d.Format, d.Unit, zone)
}

// checkDate reports an invalid format or zone.
func (c *compiler) checkDate(d *Date) {
	_, err := d.parser()
	if problem, ok := errors.AsType[*date.FormatError](err); ok {
		c.reportWithHint("date", problem.Hint, "found %s: %s", quote(d.Format), problem.Text)
	} else if err != nil {
		c.report("zone", "%v", err)
	}
}

// convertDate converts a string, or the digits of a number.
func (c *converter) convertDate(f *field, v *Value) *RowError {
	if v.Kind == Bool || v.Kind == Bytes {
		return c.pos.wrongKind(f, v)
	}
	x, problem := f.dates.Parse(v.Text)
	if problem.Reason != date.Fine {
		return c.pos.notDate(f, v, problem)
	}
	c.body = f.appendNumber(c.body, uint64(x))
	return nil
}

// dateCodes are the error codes by the reason why a string is not a date.
var dateCodes = [...]string{date.Syntax: "DATE_SYNTAX", date.Value: "DATE_VALUE", date.Finer: "DATE_FINER",
	date.OutOfRange: "DATE_RANGE", date.Skipped: "DATE_SKIPPED"}

func (p *position) notDate(f *field, v *Value, problem date.Problem) *RowError {
	message, hint := f.dates.Explain(v.Text, problem)
	isDate := func(text []byte) bool {
		_, problem := f.dates.Parse(text)
		return problem.Reason == date.Fine
	}
	hint = cmp.Or(nullHint(f, v), spacedHint(v, isDate), hint)
	if problem.Reason == date.Syntax && hint == "" {
		hint = dateHint(v.Text)
	}
	return p.newError(f, v, dateCodes[problem.Reason], fmt.Sprintf("%s %s", quote(v.Text), message), hint)
}
