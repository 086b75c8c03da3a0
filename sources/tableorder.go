package sources

import (
	"bytes"
	"fmt"

	"tfr-build/expr"
	"tfr-build/schema"
)

// A tableOrder sorts the rows of a lookup table that have one key.
type tableOrder struct {
	many    Many // no order without Sort
	slot    int  // of the column
	numbers []expr.Number
	texts   [][]byte
}

// add adds the next row. nulls are the strings of the column that mean missing.
func (o *tableOrder) add(vals []schema.Value, nulls []string) error {
	if o.many.Sort == "" {
		return nil
	}
	v := vals[o.slot].Single()
	fail := func(code, format string, args ...any) error {
		return &schema.RowError{Code: code, At: int(v.At), Column: o.many.Sort, Message: fmt.Sprintf(format, args...)}
	}
	text, ok := v.AsText(nil)
	switch {
	case IsMissing(nulls, v):
		return fail("MISSING", "the value to sort by is missing")
	case !ok:
		return fail("TYPE", "found %s; expected a string or a number to sort by", v.Describe())
	case o.many.Type == "string", o.many.Type == "" && (v.Kind == schema.Text || v.Kind == schema.String):
		if len(o.numbers) > 0 {
			return fail("TYPE", "found the string %s, but earlier rows have numbers to sort by", schema.Quote(text))
		}
		o.texts = append(o.texts, bytes.Clone(text))
		return nil
	}
	x, ok := expr.NumberOf(v)
	switch {
	case !ok:
		return fail("FLOAT_SYNTAX", "%s is not a number to sort by", schema.Quote(text))
	case len(o.texts) > 0:
		return fail("TYPE", "found the number %s, but earlier rows have strings to sort by", schema.Quote(text))
	case o.many.Type == "int64" && !x.IsInt():
		return fail("INT_SYNTAX", "%s is not an int64 to sort by", schema.Quote(text))
	}
	o.numbers = append(o.numbers, x)
	return nil
}

// compare compares two rows by their numbers in the table: -1, 0, or 1.
func (o *tableOrder) compare(a, b int32) int {
	switch {
	case len(o.numbers) > 0:
		return o.numbers[a].Compare(o.numbers[b])
	case len(o.texts) > 0:
		return bytes.Compare(o.texts[a], o.texts[b])
	}
	return 0
}
