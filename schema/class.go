package schema

import "tfr-build/internal/nameset"

// fewClasses is up to how many names a search one by one is the quickest.
const fewClasses = 8

// Index indexes the names of c once for all schemas that are compiled with it. They must
// not change any more. Names of which two are equal are left for Check to refuse.
func (c *Classes) Index() {
	if index, _, second := nameset.Of(c.Names); second < 0 {
		c.index = index
	}
}

// A classTable finds the numbers of names.
type classTable struct {
	names   []string
	first   int64
	unknown int64
	strict  bool         // another name has no number
	index   *nameset.Set // nil where there are few names
}

func newClassTable(c *Classes) *classTable {
	t := &classTable{names: c.Names, first: c.First, strict: c.Unknown == nil}
	if !t.strict {
		t.unknown = *c.Unknown
	}
	if len(c.Names) <= fewClasses { // an index would hash each name for nothing
		return t
	}
	if t.index = c.index; t.index == nil {
		t.index, _, _ = nameset.Of(c.Names)
	}
	return t
}

// number returns the number of a name.
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
