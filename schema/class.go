package schema

// fewClasses is up to how many names a search one by one is the quickest.
const fewClasses = 8

// A classTable finds the numbers of names.
type classTable struct {
	names   []string
	first   int64
	unknown int64
	strict  bool             // another name has no number
	numbers map[string]int64 // nil where there are few names
}

func newClassTable(c *Classes) *classTable {
	t := &classTable{names: c.Names, first: c.First, strict: c.Unknown == nil}
	if !t.strict {
		t.unknown = *c.Unknown
	}
	if len(c.Names) <= fewClasses { // a map would hash each name for nothing
		return t
	}
	t.numbers = make(map[string]int64, len(c.Names))
	for i, name := range c.Names {
		t.numbers[name] = c.First + int64(i)
	}
	return t
}

// number returns the number of a name.
func (t *classTable) number(name []byte) (x int64, ok bool) {
	if t.numbers != nil {
		x, ok = t.numbers[string(name)]
	} else {
		for i, n := range t.names {
			if string(name) == n {
				return t.first + int64(i), true
			}
		}
	}
	if !ok && !t.strict {
		return t.unknown, true
	}
	return x, ok
}
