package schema

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// A gatherer collects the values of one feature after another from a row, and converts them.
type gatherer struct {
	pos    position
	conv   converter
	limit  sizeLimit
	losses []loss // of the current row
	cut    Value  // a list without the values that truncate cuts

	numbers  []byte // class numbers of the labels of a vector
	unplaced uint64 // labels of the current feature that set no place
}

func newGatherer(s *Schema) *gatherer {
	g := &gatherer{limit: sizeLimit{maxExample, s.record.Message.String()}}
	g.conv = converter{pos: &g.pos, warnings: make([]Warnings, len(s.fields)+len(s.lists))}
	return g
}

// appendEntry appends the entry of a feature or of a feature list.
func (g *gatherer) appendEntry(dst []byte, f *field, vals []Value) (_ []byte, err *RowError) {
	g.losses = g.losses[:0]
	if f.steps == nil {
		return g.appendField(dst, f, vals)
	}
	dst, _, err = (&listEncoder{g}).appendList(dst, f, vals)
	return dst, err
}

// appendField appends the entry of f for values of any kind. It appends nothing if the feature is
// omitted.
func (g *gatherer) appendField(dst []byte, f *field, vals []Value) ([]byte, *RowError) {
	switch f.form {
	case formConstant:
		return append(dst, f.absent...), nil
	case formOne, formList:
		v := vals[f.slots[0]].unwrapSingle()
		switch {
		case f.form == formOne && f.copiesBytes(v):
			return f.appendBytes(dst, v.Text), nil
		case f.copiesList(v):
			return f.appendValues(dst, v.Text), nil
		}
		if n := f.sizeOfTexts(&vals[f.slots[0]]); n > g.limit.size {
			return dst, g.limit.tooLarge(n)
		} else if n > 0 {
			return f.appendTexts(dst, vals[f.slots[0]].List, n), nil
		}
	}
	present, err := g.gather(f, vals)
	switch {
	case err != nil:
		return dst, err
	case !present:
		return append(dst, f.absent...), nil
	}
	return f.appendValues(dst, g.conv.body), nil
}

// gather converts the values of f into g.conv.body. present is false if the row has no value for the
// feature.
func (g *gatherer) gather(f *field, vals []Value) (present bool, err *RowError) {
	if present, err = g.gatherValues(f, vals); err == nil && len(f.slots) > 0 && f.form != formLengths {
		g.recordLosses(f, vals, present, len(g.conv.body) == 0)
	}
	return present, err
}

func (g *gatherer) gatherValues(f *field, vals []Value) (bool, *RowError) {
	g.beginField(f)
	switch f.form {
	case formOne:
		return g.convertOne(f, vals[f.slots[0]].unwrapSingle())
	case formList:
		return g.convertList(f, &vals[f.slots[0]])
	case formColumns:
		return g.convertColumns(f, vals)
	case formRepeated:
		return g.convertRepeated(f, vals)
	case formRagged:
		return g.convertRagged(f, &vals[f.slots[0]])
	case formLengths:
		return g.appendLengths(f, &vals[f.slots[0]]), nil
	case formMultiHot:
		return g.convertMultiHot(f, vals)
	}
	return false, nil // a constant
}

// beginField clears the scratch space for f, and names its first column for errors.
func (g *gatherer) beginField(f *field) {
	g.conv.body, g.pos.path, g.pos.column, g.unplaced = g.conv.body[:0], g.pos.path[:0], "", 0
	if len(f.Columns) > 0 {
		g.pos.column = f.Columns[0]
	}
}

// copiesBytes reports whether the bytes of v are stored unchanged. Then they are not copied to
// g.conv.body first, which matters since they may be most of the memory.
func (f *field) copiesBytes(v *Value) bool {
	switch {
	case f.Encoding.isOfText() || f.Tensor || f.mapped != nil || f.isMissing(v):
		return false
	case f.to == toBytes:
		return v.Kind == String || v.Kind == Text || v.Kind == Bytes
	}
	return f.to == toString && (v.Kind == String || (v.Kind == Text || v.Kind == Bytes) && utf8.Valid(v.Text))
}

// sizeOfTexts returns the size of a list of strings in a message if f stores their bytes unchanged; otherwise 0.
func (f *field) sizeOfTexts(v *Value) (size int) {
	if f.form != formList || v.Kind != List || v.Mixed == MixedDropped || len(f.finish) > 0 ||
		!fitsShape(len(v.List), f.size, f.inner) {
		return 0
	}
	for i := range v.List {
		if !f.copiesBytes(&v.List[i]) {
			return 0
		}
		size += 1 + protowire.SizeBytes(len(v.List[i].Text))
	}
	return size
}

// appendTexts appends the entry of strings that take size bytes in the list.
func (f *field) appendTexts(dst []byte, list []Value, size int) []byte {
	dst = f.appendOpening(dst, size)
	for i := range list {
		dst = AppendBytes(dst, list[i].Text)
	}
	return dst
}

// convertOne converts the value of a feature with one value. It returns false if the row has no
// value.
func (g *gatherer) convertOne(f *field, v *Value) (bool, *RowError) {
	if f.isMissing(v) {
		return false, g.allowAbsent(f, v)
	}
	return true, g.conv.convert(f, v)
}

// isMissing reports whether v is a missing value for f.
func (f *field) isMissing(v *Value) bool {
	return f.isEmpty(v) || IsNull(f.NullValues, v)
}

// isEmpty reports whether v is empty for f. An empty Text is a value for bytes and strings only.
func (f *field) isEmpty(v *Value) bool {
	return v.Kind == Missing || v.Kind == Text && len(v.Text) == 0 && !f.takesEmpty
}

// IsNull reports whether v is one of the strings that mean missing. A number never is.
func IsNull(nulls []string, v *Value) bool {
	if v.Kind != Text && v.Kind != String {
		return false
	}
	return HasWord(nulls, v.Text)
}

// HasWord reports whether text is in a sorted list. A short list may have any order.
func HasWord(sorted []string, text []byte) bool {
	for len(sorted) > 8 {
		if k := len(sorted) / 2; string(text) < sorted[k] {
			sorted = sorted[:k]
		} else {
			sorted = sorted[k:]
		}
	}
	for _, word := range sorted { // slices.Contains would copy long strings
		if string(text) == word {
			return true
		}
	}
	return false
}

// allowAbsent returns nil if f may have no value at all, and otherwise an error.
func (g *gatherer) allowAbsent(f *field, v *Value) *RowError {
	if f.hasAbsent {
		return nil
	}
	if f.OnMissing == MissingDefault {
		return g.pos.missing(f, v, "the list is missing; the default is for its elements")
	}
	return g.pos.missing(f, v, "the value is missing")
}

// convertList converts the list in a column.
func (g *gatherer) convertList(f *field, v *Value) (bool, *RowError) {
	v = g.truncate(f, v)
	empty := v.Kind == Missing || v.Kind == Text && len(v.Text) == 0
	var count int
	var err *RowError
	switch {
	case empty && f.Separator != "" && (f.size < 0 || f.Pad != nil): // an empty list
	case empty && f.Separator != "", f.isMissing(v):
		return false, g.allowAbsent(f, v)
	case v.Kind == Text && f.Separator != "":
		count, err = g.convertSplit(f, v)
	case v.Kind == List && f.Part == EachRow && f.steps == nil && len(f.Shape) > 1:
		count, err = g.convertRows(f, v)
	case v.Kind == List:
		// JSON may have a matrix as a list of rows or as one flat list.
		nested := len(f.Shape) > 1 && !isFlat(v.List)
		count, err = g.convertElements(f, v, f.Shape, nested)
	case v.Kind == Array:
		if count = v.count(); f.fits(count) {
			err = g.conv.convertArray(f, v)
		}
	case f.size == 1 || f.isLabels:
		count, err = 1, g.conv.convert(f, v)
	default:
		return false, g.pos.notList(f, v)
	}
	if err == nil && !f.fits(count) {
		err = g.pos.badCount(f, v, count)
	}
	if err == nil {
		err = g.finishList(f, count)
	}
	return true, err
}

// A finisher is how a form of values changes the list of count converted values in g.conv.body.
type finisher func(g *gatherer, f *field, count int) *RowError

func (g *gatherer) finishList(f *field, count int) *RowError {
	for _, finish := range f.finish {
		if err := finish(g, f, count); err != nil {
			return err
		}
	}
	return nil
}

// convertSplit converts the strings between separators, and returns their number.
func (g *gatherer) convertSplit(f *field, v *Value) (int, *RowError) {
	depth := len(g.pos.path) // more than 0 in a step of a group
	g.pos.path = append(g.pos.path, 0)
	for rest, more, at := v.Text, true, v.At; more &&
		f.keeps(g.pos.path[depth]+1) > g.pos.path[depth]; g.pos.path[depth]++ {
		elem := Value{Kind: Text, At: at}
		elem.Text, rest, more = bytes.Cut(rest, f.separator)
		if len(elem.Text) == 0 {
			elem.Kind = Missing
		}
		if err := g.convertElement(f, &elem, 1); err != nil {
			return 0, err
		}
		at += uint32(len(elem.Text) + len(f.separator))
	}
	count := g.pos.path[depth]
	g.pos.path = g.pos.path[:depth]
	return count, nil
}

// convertElements converts the elements of a list, and returns the number of values. If nested is
// set, lists are nested as deep as shape; otherwise the list has only values.
func (g *gatherer) convertElements(f *field, v *Value, shape []int, nested bool) (int, *RowError) {
	if nested && shape[0] >= 0 && len(v.List) != shape[0] {
		return 0, g.pos.badLength(f, v, shape[0])
	}
	inner := 1
	if nested {
		_, inner = shapeSize(shape)
	}
	deeper := nested && len(shape) > 1
	g.growBody(f, v.List)
	depth := len(g.pos.path)
	g.pos.path = append(g.pos.path, 0)
	for i := range v.List {
		g.pos.path[depth] = i
		elem := &v.List[i]
		var err *RowError
		switch {
		case !deeper || f.isMissing(elem):
			err = g.convertElement(f, elem, inner)
		case elem.Kind == Array && elem.count() == inner:
			err = g.conv.convertArray(f, elem)
		case elem.Kind != List:
			err = g.pos.notList(f, elem)
		default:
			_, err = g.convertElements(f, elem, shape[1:], true)
		}
		if err != nil {
			return 0, err
		}
	}
	g.pos.path = g.pos.path[:depth]
	return len(v.List) * inner, nil
}

// growBody makes room for the bytes of a list, such as images: growing step by step would take a multiple of them.
func (g *gatherer) growBody(f *field, list []Value) {
	if f.to != toBytes {
		return
	}
	size := 0
	for i := range list {
		size += 1 + protowire.SizeBytes(len(list[i].Text))
	}
	g.conv.body = slices.Grow(g.conv.body, size)
}

// convertElement converts one element. A missing element is replaced by inner default values.
func (g *gatherer) convertElement(f *field, v *Value, inner int) *RowError {
	switch {
	case !f.isMissing(v):
		return g.conv.convert(f, v)
	case f.OnMissing != MissingDefault:
		return g.pos.missing(f, v, "no value")
	}
	if size := len(g.conv.body) + len(f.element)*inner; size > g.limit.size {
		return g.limit.tooLarge(size)
	}
	for range inner {
		g.conv.body = append(g.conv.body, f.element...)
	}
	return nil
}

// isFlat reports whether a list has values and not lists. Its first element that is not missing
// decides.
func isFlat(list []Value) bool {
	for i := range list {
		if list[i].Kind != Missing {
			return list[i].Kind != List && list[i].Kind != Array
		}
	}
	return false
}

// convertColumns converts one value of each of several columns.
func (g *gatherer) convertColumns(f *field, vals []Value) (bool, *RowError) {
	missing, first := 0, 0
	for i, slot := range f.slots {
		v := vals[slot].unwrapSingle()
		g.pos.column = f.Columns[i]
		switch {
		case !f.isMissing(v):
			if err := g.conv.convert(f, v); err != nil {
				return false, err
			}
		case f.OnMissing == MissingDefault:
			g.conv.body = append(g.conv.body, f.element...)
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
	return false, g.allowAbsentColumns(f, vals, missing, first)
}

// allowAbsentColumns returns nil if all of f's columns are missing and f may have no value, and
// otherwise an error.
func (g *gatherer) allowAbsentColumns(f *field, vals []Value, missing, first int) *RowError {
	g.pos.column = f.Columns[first]
	v := &vals[f.slots[first]]
	if missing == len(f.slots) {
		return g.allowAbsent(f, v)
	}
	return g.pos.missingElement(f, v, fmt.Sprintf(
		"the value is missing, though %d of the feature's %d columns have one", len(f.slots)-missing, len(f.slots)))
}
