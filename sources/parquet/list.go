package parquet

import "tfr-build/schema"

// A lister builds lists from the levels of a row.
type lister struct {
	*scanner
	*block
	level int // index of the next level
	value int // index of the next value that is not null
}

// setList sets v to the list at the next level. The levels of the row end at end, and depth lists
// are around this one.
func (t *lister) setList(v *schema.Value, depth, end int) error {
	l := t.lists[depth]
	if def := t.defs[t.level]; def < l.def {
		t.level++
		if *v = (schema.Value{}); def+1 == l.def {
			v.Kind, v.List = schema.List, noElements
		}
		return nil
	}
	if depth+1 == len(t.lists) && t.elem != 0 && t.setArray(v, l, end) {
		return nil
	}
	*v = schema.Value{} // v may hold the list of the row before, whose memory the room reuses
	elements := t.room.Take(t.countElements(l, end))
	for i := range elements {
		if err := t.setElement(&elements[i], depth+1, end); err != nil {
			return err
		}
	}
	*v = schema.Value{Kind: schema.List, List: elements}
	return nil
}

// countElements returns the number of elements of the list at the next level.
func (t *lister) countElements(l level, end int) (n int) {
	for i := t.level; i < end && (n == 0 || t.reps[i] >= l.rep); i++ {
		if n == 0 || t.reps[i] == l.rep {
			n++
		}
	}
	return n
}

// setElement sets v to the next element of a list.
func (t *lister) setElement(v *schema.Value, depth, end int) error {
	if depth < len(t.lists) {
		return t.setList(v, depth, end)
	}
	def := t.defs[t.level]
	t.level++
	if def < t.max.def {
		*v = schema.Value{}
		return nil
	}
	t.value++
	return t.setScalar(v, t.leaf, t.at(t.value-1))
}

// setArray sets v to an array of numbers. It returns false, and changes nothing, if one of them
// is null.
func (t *lister) setArray(v *schema.Value, l level, end int) bool {
	n := 0
	for i := t.level; i < end && (n == 0 || t.reps[i] == l.rep); i++ {
		if t.defs[i] < t.max.def {
			return false
		}
		n++
	}
	set(v, schema.Array, t.elem, t.fixed[t.value*t.width:(t.value+n)*t.width])
	v.List = noElements
	t.level, t.value = t.level+n, t.value+n
	return true
}

// noElements is the content of an empty list, and marks an array as a list. It differs from nil.
var noElements = []schema.Value{}
