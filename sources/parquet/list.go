package parquet

import "tfr-build/schema"

// A lister makes lists of the levels of a row.
type lister struct {
	*scanner
	*block
	level int // the next
	value int // the next that is there
}

// list makes v the list that begins at the next level, and ends before another; depth
// lists are around it.
func (t *lister) list(v *schema.Value, depth, end int) error {
	l := t.lists[depth]
	if def := t.defs[t.level]; def < l.def {
		t.level++
		if *v = (schema.Value{}); def+1 == l.def {
			v.Kind, v.List = schema.List, noElements
		}
		return nil
	}
	if depth+1 == len(t.lists) && t.elem != 0 && t.array(v, l, end) {
		return nil
	}
	*v = schema.Value{} // which may hold the list of the row before
	elements := t.room.Take(t.count(l, end))
	for i := range elements {
		if err := t.element(&elements[i], depth+1, end); err != nil {
			return err
		}
	}
	*v = schema.Value{Kind: schema.List, List: elements}
	return nil
}

// count is how many elements the list has that begins at the next level.
func (t *lister) count(l level, end int) (n int) {
	for i := t.level; i < end && (n == 0 || t.reps[i] >= l.rep); i++ {
		if n == 0 || t.reps[i] == l.rep {
			n++
		}
	}
	return n
}

// element makes v the next element of a list.
func (t *lister) element(v *schema.Value, depth, end int) error {
	if depth < len(t.lists) {
		return t.list(v, depth, end)
	}
	def := t.defs[t.level]
	t.level++
	if def < t.most.def {
		*v = schema.Value{}
		return nil
	}
	t.value++
	return t.atom(v, t.leaf, t.at(t.value-1))
}

// array makes v a list of numbers, unless one of them is missing.
func (t *lister) array(v *schema.Value, l level, end int) bool {
	n := 0
	for i := t.level; i < end && (n == 0 || t.reps[i] == l.rep); i++ {
		if t.defs[i] < t.most.def {
			return false
		}
		n++
	}
	set(v, schema.Array, t.elem, t.fixed[t.value*t.width:(t.value+n)*t.width])
	t.level, t.value = t.level+n, t.value+n
	return true
}

// noElements are those of an empty list.
var noElements = []schema.Value{}
