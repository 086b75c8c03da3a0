package schema

import (
	"fmt"
	"strconv"

	"tfr-build/message"
)

// This file stores lists of lists of their own lengths as TFDS does. A feature k of
// shape [-1, -1] that is [[1, 2, 3], [], [4, 5]] has two entries:
//
//	k/ragged_flat_values     1 2 3 4 5
//	k/ragged_row_lengths_0   3 0 2
//
// One more -1 is one more list of lengths; what follows the -1s is the shape of an
// element of the innermost lists.

// IsRagged says whether f holds lists of lists of their own lengths: more than one
// dimension of its shape is -1.
func (f *Feature) IsRagged() bool { return levels(f.Shape) > 1 }

// RaggedRank is how many dimensions of f have rows of their own lengths: as many as
// there are lists of lengths beside the values. 0 where it is not ragged.
func (f *Feature) RaggedRank() int { return max(0, levels(f.Shape)-1) }

// levels is how many dimensions at the beginning of a shape are -1.
func levels(shape []int) (n int) {
	for n < len(shape) && shape[n] < 0 {
		n++
	}
	return n
}

// Keys are the keys that a message has of f: its own, or those of the values and of
// the lengths of a ragged one, the outermost first.
func (f *Feature) Keys() []string {
	if !f.IsRagged() {
		return []string{f.Key}
	}
	keys := []string{f.Key + "/ragged_flat_values"}
	for i := range f.RaggedRank() {
		keys = append(keys, f.Key+"/ragged_row_lengths_"+strconv.Itoa(i))
	}
	return keys
}

// withLengths returns the field, and those of the lengths of a ragged one.
func (x *field) withLengths(m Message) []field {
	all := []field{*x}
	stored := storage{list: message.Int64List, to: toInt}
	for i, key := range x.Keys()[1:] {
		lengths := *x
		lengths.form, lengths.level, lengths.name = formLengths, i+1, key
		lengths.entry = newEntry(key, stored.tag(m))
		lengths.to, lengths.width = stored.to, stored.width
		if x.absent != nil {
			lengths.absent = lengths.appendEntry(nil, nil)
		}
		all = append(all, lengths)
	}
	return all
}

// ragged converts the values of lists of lists.
func (e *Encoder) ragged(f *field, v *Value) (bool, *RowError) {
	if f.isMissing(v) {
		return false, e.without(f, v)
	}
	return true, e.level(f, v, f.Shape)
}

// level converts a list whose elements are lists, but for the innermost ones.
func (e *Encoder) level(f *field, v *Value, shape []int) *RowError {
	if v.Kind == Array && levels(shape) < 2 {
		return e.innermost(f, v, shape)
	}
	if v.Kind != List {
		return e.notDeep(f, v, len(shape))
	}
	if shape[0] >= 0 && len(v.List) != shape[0] {
		return e.badLength(f, v, shape[0])
	}
	depth := len(e.path)
	e.path = append(e.path, 0)
	for i := range v.List {
		e.path[depth] = i
		elem := &v.List[i]
		var err *RowError
		switch {
		case len(shape) > 1 && f.isMissing(elem):
			err = e.fault(f, elem, "MISSING", "the list is missing", "")
		case len(shape) > 1:
			err = e.level(f, elem, shape[1:])
		case elem.Kind == List:
			err = e.tooDeep(f, elem)
		default:
			err = e.element(f, elem, 1)
		}
		if err != nil {
			return err
		}
	}
	e.path = e.path[:depth]
	return nil
}

// innermost converts the numbers of a list that is an Array.
func (e *Encoder) innermost(f *field, v *Value, shape []int) *RowError {
	if size, inner := shapeSize(shape); !fits(v.count(), size, inner) {
		return e.fault(f, v, "SHAPE", fmt.Sprintf("found %s, which do not fit shape %s", counted(v.count(), "value"), ShapeText(shape)), "")
	}
	return e.array(f, v)
}

// lengths gathers the lengths of the lists at f.level. The values stand before
// them, and so the lists are as deep as they have to be.
func (e *Encoder) lengths(f *field, v *Value) bool {
	e.lengthsAt(f, v, f.level)
	return !f.isMissing(v)
}

func (e *Encoder) lengthsAt(f *field, v *Value, level int) {
	for i := range v.List {
		elem := &v.List[i]
		if level > 1 {
			e.lengthsAt(f, elem, level-1)
			continue
		}
		n := len(elem.List)
		if elem.Kind == Array {
			_, inner := shapeSize(f.Shape[f.level:])
			n = elem.count() / inner
		}
		e.body = f.appendNumber(e.body, uint64(n))
	}
}

// notDeep says that a list is wanted where v is one value.
func (e *Encoder) notDeep(f *field, v *Value, depth int) *RowError {
	expected := "a list"
	if depth > 1 {
		expected = "lists in a list"
	}
	message := fmt.Sprintf("found %s; expected %s for shape %s", v.describe(), expected, ShapeText(f.Shape))
	return e.fault(f, v, "RAGGED_DEPTH", message, e.jsonHint(f, v))
}

// tooDeep says that a value is wanted where v is a list.
func (e *Encoder) tooDeep(f *field, v *Value) *RowError {
	message := fmt.Sprintf("found %s; expected one value for shape %s", v.describe(), ShapeText(f.Shape))
	return e.fault(f, v, "RAGGED_DEPTH", message, "")
}
