package schema

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// general appends the entry of f, whatever its values are; nothing, where the
// feature is left out.
func (e *Encoder) general(dst []byte, f *field, vals []Value) ([]byte, *RowError) {
	switch f.form {
	case formConstant:
		return append(dst, f.absent...), nil
	case formOne, formList:
		v := vals[f.slots[0]].lone()
		switch {
		case f.form == formOne && f.takesWhole(v):
			return f.appendOne(dst, v.Text), nil
		case v.Kind == Array && f.copies(v) && fits(v.count(), f.size, f.inner):
			return f.appendValues(dst, v.Text), nil
		}
	}
	there, err := e.gather(f, vals)
	switch {
	case err != nil:
		return dst, err
	case !there:
		return append(dst, f.absent...), nil
	}
	return f.appendValues(dst, e.body), nil
}

// gather converts the values of f into the body. It reports false where the
// feature has none: then it is what it is without a value.
func (e *Encoder) gather(f *field, vals []Value) (there bool, err *RowError) {
	if there, err = e.gatherValues(f, vals); err == nil && len(f.slots) > 0 && f.form != formLengths {
		e.account(f, vals, there, len(e.body) == 0)
	}
	return there, err
}

func (e *Encoder) gatherValues(f *field, vals []Value) (bool, *RowError) {
	e.begin(f)
	switch f.form {
	case formOne:
		return e.one(f, vals[f.slots[0]].lone())
	case formList:
		return e.list(f, &vals[f.slots[0]])
	case formColumns:
		return e.columns(f, vals)
	case formRepeated:
		return e.repeated(f, vals)
	case formRagged:
		return e.ragged(f, &vals[f.slots[0]])
	case formLengths:
		return e.lengths(f, &vals[f.slots[0]]), nil
	}
	return false, nil // a constant
}

// begin makes room for the values of f, and names its first column in faults.
func (e *Encoder) begin(f *field) {
	e.body, e.path, e.column = e.body[:0], e.path[:0], ""
	if len(f.Columns) > 0 {
		e.column = f.Columns[0]
	}
}

// takesWhole says whether v's bytes go into the Example as they are, and need
// not be gathered first: they may be most of the memory.
func (f *field) takesWhole(v *Value) bool {
	switch {
	case f.Encoding.isOfText() || f.Tensor || f.mapped != nil || f.isMissing(v):
		return false
	case f.to == toBytes:
		return v.Kind == String || v.Kind == Text || v.Kind == Bytes
	}
	return f.to == toString && (v.Kind == String || (v.Kind == Text || v.Kind == Bytes) && utf8.Valid(v.Text))
}

// one converts the value of a feature that has one. It reports false where the
// feature has no value.
func (e *Encoder) one(f *field, v *Value) (bool, *RowError) {
	if f.isMissing(v) {
		return false, e.without(f, v)
	}
	return true, e.convert(f, v)
}

// isMissing says whether v is no value for f.
func (f *field) isMissing(v *Value) bool {
	return f.isEmpty(v) || isNull(f.NullValues, v)
}

// isEmpty says whether there is nothing in v for f: a number is not made of an
// empty text, bytes are.
func (f *field) isEmpty(v *Value) bool {
	return v.Kind == Missing || v.Kind == Text && len(v.Text) == 0 && !f.takesEmpty
}

// isNull says whether v is one of the texts that mean missing. A number is
// none, whatever its text.
func isNull(nulls []string, v *Value) bool {
	if v.Kind != Text && v.Kind != String {
		return false
	}
	for _, null := range nulls {
		if string(v.Text) == null {
			return true
		}
	}
	return false
}

// without returns nil if f may go without a value as a whole.
func (e *Encoder) without(f *field, v *Value) *RowError {
	if f.hasAbsent {
		return nil
	}
	if f.OnMissing == MissingDefault {
		return e.missing(f, v, "the list is missing; the default is for its elements")
	}
	return e.missing(f, v, "the value is missing")
}

// list converts the list of a column.
func (e *Encoder) list(f *field, v *Value) (bool, *RowError) {
	empty := v.Kind == Missing || v.Kind == Text && len(v.Text) == 0
	var count int
	var err *RowError
	switch {
	case empty && f.Separator != "" && f.size < 0:
		return true, nil
	case empty && f.Separator != "", f.isMissing(v):
		return false, e.without(f, v)
	case v.Kind == Text && f.Separator != "":
		count, err = e.split(f, v)
	case v.Kind == List:
		// JSON may spell a matrix row by row or as one flat list.
		nested := len(f.Shape) > 1 && !flat(v.List)
		count, err = e.elements(f, v, f.Shape, nested)
	case v.Kind == Array:
		if count = v.count(); fits(count, f.size, f.inner) {
			err = e.array(f, v)
		}
	case f.size == 1:
		count, err = 1, e.convert(f, v)
	default:
		return false, e.notList(f, v)
	}
	if err == nil && !fits(count, f.size, f.inner) {
		err = e.badCount(f, v, count)
	}
	return true, err
}

// split converts the texts between separators.
func (e *Encoder) split(f *field, v *Value) (int, *RowError) {
	e.path = append(e.path, 0)
	for rest, more, at := v.Text, true, v.At; more; e.path[0]++ {
		elem := Value{Kind: Text, At: at}
		elem.Text, rest, more = bytes.Cut(rest, f.separator)
		if len(elem.Text) == 0 {
			elem.Kind = Missing
		}
		if err := e.element(f, &elem, 1); err != nil {
			return 0, err
		}
		at += uint32(len(elem.Text) + len(f.separator))
	}
	count := e.path[0]
	e.path = e.path[:0]
	return count, nil
}

// elements converts the elements of a list; nested lists are as deep as shape,
// others hold values alone. It returns how many values that made.
func (e *Encoder) elements(f *field, v *Value, shape []int, nested bool) (int, *RowError) {
	if nested && shape[0] >= 0 && len(v.List) != shape[0] {
		return 0, e.badLength(f, v, shape[0])
	}
	inner := 1
	if nested {
		_, inner = shapeSize(shape)
	}
	deeper := nested && len(shape) > 1
	depth := len(e.path)
	e.path = append(e.path, 0)
	for i := range v.List {
		e.path[depth] = i
		elem := &v.List[i]
		var err *RowError
		switch {
		case !deeper || f.isMissing(elem):
			err = e.element(f, elem, inner)
		case elem.Kind == Array && elem.count() == inner:
			err = e.array(f, elem)
		case elem.Kind != List:
			err = e.notList(f, elem)
		default:
			_, err = e.elements(f, elem, shape[1:], true)
		}
		if err != nil {
			return 0, err
		}
	}
	e.path = e.path[:depth]
	return len(v.List) * inner, nil
}

// element converts one element; a missing one is inner values.
func (e *Encoder) element(f *field, v *Value, inner int) *RowError {
	switch {
	case !f.isMissing(v):
		return e.convert(f, v)
	case f.OnMissing != MissingDefault:
		return e.missing(f, v, "there is no value")
	}
	for range inner {
		e.body = append(e.body, f.element...)
	}
	return nil
}

// flat says whether a list holds values and no lists: its first element that
// is not missing decides.
func flat(list []Value) bool {
	for i := range list {
		if list[i].Kind != Missing {
			return list[i].Kind != List && list[i].Kind != Array
		}
	}
	return false
}

// columns converts one value each of several columns.
func (e *Encoder) columns(f *field, vals []Value) (bool, *RowError) {
	missing, first := 0, 0
	for i, slot := range f.slots {
		v := vals[slot].lone()
		e.column = f.Columns[i]
		switch {
		case !f.isMissing(v):
			if err := e.convert(f, v); err != nil {
				return false, err
			}
		case f.OnMissing == MissingDefault:
			e.body = append(e.body, f.element...)
		case missing == 0:
			first = i
			fallthrough
		default:
			missing++
		}
	}
	if missing == 0 {
		return true, nil
	}
	return false, e.withoutSome(f, vals, missing, first)
}

// withoutSome returns nil if all of f's columns are missing and it may go without.
func (e *Encoder) withoutSome(f *field, vals []Value, missing, first int) *RowError {
	e.column = f.Columns[first]
	v := &vals[f.slots[first]]
	if missing == len(f.slots) {
		return e.without(f, v)
	}
	return e.missingAmong(f, v, fmt.Sprintf("the value is missing, though %d of the feature's %d columns have one", len(f.slots)-missing, len(f.slots)))
}
