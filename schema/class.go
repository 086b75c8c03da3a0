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
	if len(c.Names) <= fewClasses {
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

// maxNearest is among how many names, and up to which length, a message looks
// for the nearest one: long lists take too long.
const maxNearest, maxNearestSize = 10000, 64

// nearest returns the name that the fewest changes of a byte make out of name,
// if these are few; of several the first.
func (t *classTable) nearest(name []byte) (near string, ok bool) {
	if len(t.names) > maxNearest || len(name) > maxNearestSize {
		return "", false
	}
	best := 1 + max(1, len(name)/3)
	for _, n := range t.names {
		if d := distance(name, n, best); d < best {
			near, best, ok = n, d, true
		}
	}
	return near, ok
}

// distance counts the bytes to insert, drop or replace to make b out of a; at
// least limit if that is limit or more. Letters that differ in case count as one
// change, all together.
func distance(a []byte, b string, limit int) int {
	if len(b) > maxNearestSize || max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	if equalFoldASCII(a, b) {
		return 1
	}
	var row [maxNearestSize + 1]int
	for j := range b {
		row[j+1] = j + 1
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// equalFoldASCII says whether a and b differ in nothing but the case of their
// Latin letters.
func equalFoldASCII(a []byte, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}
