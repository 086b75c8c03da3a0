package schema

import "tfr-build/internal/nameset"

// fewClasses is the largest number of names for which a linear search is faster than an index.
const fewClasses = 8

// Index builds the index of c's names once for all schemas that are compiled with it. The names
// must not change afterward. If two names are equal, it does nothing; Check reports them.
func (c *Classes) Index() {
	if index, _, second := nameset.Of(c.Names); second < 0 {
		c.index = index
	}
}

// A classTable maps class names to their numbers.
type classTable struct {
	names   []string
	first   int64
	unknown int64
	strict  bool         // unknown names are errors
	index   *nameset.Set // nil if there are few names
}

func newClassTable(c *Classes) *classTable {
	t := &classTable{names: c.Names, first: c.First, strict: c.Unknown == nil}
	if !t.strict {
		t.unknown = *c.Unknown
	}
	if len(c.Names) <= fewClasses { // hashing each name would be slower
		return t
	}
	if t.index = c.index; t.index == nil {
		t.index, _, _ = nameset.Of(c.Names)
	}
	return t
}

// number returns the number of a name. ok is false if the name is unknown and has no number.
func (t *classTable) number(name []byte) (x int64, ok bool) {
	if t.index != nil {
		if i, ok := t.index.Find(name); ok {
			return t.first + int64(i), true
		}
	} else {
		for i, n := range t.names {
			if string(name) == n {
				return t.first + int64(i), true
			}
		}
	}
	return t.unknown, !t.strict
}
