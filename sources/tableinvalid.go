package sources

import (
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// invalidRows are the invalid rows of a lookup table whose keys can be read.
type invalidRows struct {
	reader *Reader       // of the join columns only; nil until a row is invalid
	on     []inputColumn // with the slots of the reader
	byKey  map[string]int
}

// addInvalid stores the error of an invalid row for the rows that match it. It returns the error if invalid rows are
// not skipped, or if the key of the row cannot be read: any row could match it.
func (l *tableLoader) addInvalid(file int, rec *input.Record, err error) error {
	t := l.t
	bad, isRow := err.(*schema.RowError)
	if !isRow || !t.source.env.Skips || rec.Bad != nil {
		return t.rowError(file, rec, err)
	}
	if l.invalid.reader == nil { // few tables have invalid rows
		if err := l.bindKeys(); err != nil {
			return err
		}
	}
	vals, failed := l.invalid.reader.Read(file, rec.Offset, rec.Raw)
	if failed != nil {
		return t.rowError(file, rec, err)
	}
	isMissing, failed := l.key.read(vals, l.invalid.on)
	if isMissing {
		l.keyless++
		return nil
	}
	if failed != nil {
		return t.rowError(file, rec, err)
	}
	key := l.addKey()
	if _, known := l.invalid.byKey[key]; !known {
		l.invalid.byKey[key] = len(t.invalid)
		at := rec.Position(t.pathOf(file), bad)
		text := strings.TrimSuffix(bad.Error(), " ["+bad.Code+"]") + "; see " + at.String()
		t.invalid = append(t.invalid, &schema.RowError{Code: bad.Code, Message: text, Hint: bad.Hint})
	}
	return nil
}

// bindKeys makes the reader of the join columns.
func (l *tableLoader) bindKeys() error {
	var slots column.Slots[schema.Column]
	for _, c := range l.on {
		c.slot = slots.Of(schema.Column{Name: c.name})
		l.invalid.on = append(l.invalid.on, c)
	}
	layout, err := l.t.source.Bind(slots.Columns())
	if err != nil {
		return err
	}
	layout.NamesOnly()
	l.invalid.reader, l.invalid.byKey = layout.NewReader(), map[string]int{}
	return nil
}

// refuse returns the error of a value whose match is an invalid row.
func (t *lookupTable) refuse(found span, v *schema.Value) error {
	bad := *t.invalid[-1-found.lo]
	bad.At = int(v.At)
	return &bad
}
