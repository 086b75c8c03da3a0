package schema

import (
	"cmp"
	"fmt"

	"tfr-build/schema/date"
)

// A Date says what number the text of a date is.
type Date struct {
	Format string    // in strptime's letters, or rfc3339
	Unit   date.Unit // that the number counts, since 1970
	Zone   string    // whose clocks show the time, where a text has no offset; empty: UTC
}

// Parser is the parser of such dates.
func (d *Date) Parser() (*date.Parser, error) {
	zone, err := date.FindZone(cmp.Or(d.Zone, "UTC"))
	if err != nil {
		return nil, err
	}
	return date.Compile(d.Format, d.Unit, zone)
}

// checkDate reports what does not go with a date.
func (f *Feature) checkDate(bad func(format string, args ...any)) {
	if f.Date == nil {
		return
	}
	if _, err := f.Date.Parser(); err != nil {
		bad("date: %v", err)
	}
	switch {
	case f.Type != Int64:
		bad("dates are of type int64, not of %s", f.Type)
	case f.Classes != nil:
		bad("date and classes exclude each other")
	case f.Map != nil:
		bad("date and map exclude each other")
	case f.IntFromFloat:
		bad("date and integers from floats exclude each other")
	}
}

// convertDate converts a text, or a number by its own text.
func (e *Encoder) convertDate(f *field, v *Value) *RowError {
	if v.Kind == Bool || v.Kind == Bytes {
		return e.wrongKind(f, v)
	}
	x, fault := f.dates.Parse(v.Text)
	if fault.Reason != date.Fine {
		return e.notDate(f, v, fault)
	}
	e.body = f.appendNumber(e.body, uint64(x))
	return nil
}

// dateCodes are the codes of the reasons why a text is no date.
var dateCodes = [...]string{date.Syntax: "DATE_SYNTAX", date.Value: "DATE_VALUE", date.Finer: "DATE_FINER", date.Beyond: "DATE_RANGE", date.Skipped: "DATE_SKIPPED"}

func (e *Encoder) notDate(f *field, v *Value, fault date.Fault) *RowError {
	message, hint := f.dates.Explain(v.Text, fault)
	isDate := func(text []byte) bool {
		_, fault := f.dates.Parse(text)
		return fault.Reason == date.Fine
	}
	hint = cmp.Or(nullHint(f, v), spacedHint(v, isDate), hint)
	return e.fault(f, v, dateCodes[fault.Reason], fmt.Sprintf("%s %s", quote(v.Text), message), hint)
}
