package infer

import (
	"math"
	"strconv"

	"tfr-build/schema"
	"tfr-build/sources"
)

// A value counts the values at one location in JSON values, in all rows.
type value struct {
	count      int // number of values, including null
	nulls      int
	strings    int
	ints       int
	floats     int // numbers with a point or an exponent
	bools      int
	objects    int
	lists      int
	outOfRange int // numbers that no float holds
	nonfinite  int // NaN, Infinity, and -Infinity

	low, high   float64
	least, most int      // number of elements of a list
	profile     *profile // the strings
	elem        *value   // elements of lists
	keys        []string // keys of objects, in the order of their first occurrence
	fields      map[string]*value
	limit       int // number of distinct strings that are kept
}

// fieldsMost is the largest number of keys of an object that are kept. An object with more is a
// map.
const fieldsMost = 10_000

// The largest depth of values that are read, and the bytes of memory that the lists of a row may take.
const (
	depthMost  = 1000
	recordMost = 64 << 20
)

func newValue(limit int) *value {
	return &value{low: math.Inf(1), high: math.Inf(-1), least: math.MaxInt, profile: newProfile(limit), limit: limit}
}

// present returns the number of values that are not null.
func (v *value) present() int { return v.count - v.nulls }

// A valueScanner scans values of JSON. It must be used by one goroutine.
type valueScanner struct {
	cells    []*sources.CellScanner
	repeated map[string]bool // paths of values that become lists; nil for none
	path     []string        // keys of the objects around the current value, if there are such paths
}

// add counts a value at a depth. Its objects are still text.
func (t *valueScanner) add(v *value, from *schema.Value, depth int) error {
	v.count++
	switch from.Kind {
	case schema.Missing:
		v.nulls++
	case schema.String, schema.Text:
		v.strings++
		v.profile.rows++
		v.profile.text(from.Text, 1)
	case schema.Bool:
		v.bools++
	case schema.Number:
		v.addNumber(from.Text)
	case schema.Array: // of one float
		v.nonfinite++
	case schema.List:
		v.addList(len(from.List))
		for i := range from.List {
			if err := t.add(v.elem, &from.List[i], depth+1); err != nil {
				return err
			}
		}
	case schema.Object:
		if n := countNumbered(from.Text); n > 0 && t.repeated == nil {
			v.addList(n)
			for _, member := range members(from.Text) {
				v.elem.count++
				if err := t.addObject(v.elem, member, depth+1); err != nil {
					return err
				}
			}
			return nil
		}
		return t.addObject(v, from.Text, depth)
	}
	return nil
}

// addList counts a list of n elements.
func (v *value) addList(n int) {
	v.lists++
	v.least, v.most = min(v.least, n), max(v.most, n)
	if v.elem == nil {
		v.elem = newValue(v.limit)
	}
}

// countNumbered returns the number of members of an object that is a list with gaps: its keys are numbers, and its
// values objects. It returns 0 for other objects.
func countNumbered(text []byte) (n int) {
	for key, member := range members(text) {
		if _, err := strconv.ParseUint(key, 10, 64); err != nil || member[0] != '{' {
			return 0
		}
		n++
	}
	return n
}

func (v *value) addNumber(text []byte) {
	x, err := strconv.ParseFloat(string(text), 64)
	_, isInt := schema.IsInteger(text)
	switch {
	case isInt:
		v.ints++
	case err != nil || !schema.IsFloat(text):
		v.outOfRange++
		return
	default:
		v.floats++
	}
	v.low, v.high = min(v.low, x), max(v.high, x)
}

// addObject counts the fields of an object, whose text is valid.
func (t *valueScanner) addObject(v *value, text []byte, depth int) error {
	v.objects++
	for len(t.cells) <= depth {
		t.cells = append(t.cells, sources.NewCellScanner(depthMost, recordMost))
	}
	for key, raw := range members(text) {
		field := v.field(key)
		if field == nil {
			continue
		}
		if t.repeated != nil {
			t.path = append(t.path, key)
			raw = t.asList(raw)
		}
		val := schema.Value{Kind: schema.Object, Text: raw}
		if raw[0] != '{' {
			t.cells[depth].Reset()
			if err := t.cells[depth].Scan(raw, &val); err != nil {
				return err
			}
		}
		if err := t.add(field, &val, depth+1); err != nil {
			return err
		}
		if t.repeated != nil {
			t.path = t.path[:len(t.path)-1]
		}
	}
	return nil
}

// field returns the value of a key; nil if the object has too many keys.
func (v *value) field(key string) *value {
	f := v.fields[key]
	if f == nil && len(v.keys) < fieldsMost {
		if v.fields == nil {
			v.fields = map[string]*value{}
		}
		limit := v.limit
		if len(v.keys) > 100 {
			limit = leastStored
		}
		f = newValue(limit)
		v.keys = append(v.keys, key)
		v.fields[key] = f
	}
	return f
}

// isMap reports whether an object has different keys in each row. Its keys are then data, and
// cannot be features.
func (v *value) isMap() bool {
	if v.objects < 2 || len(v.keys) < 3 {
		return false
	}
	total := 0
	for _, f := range v.fields {
		total += f.count
	}
	const seldom = 3 // a key occurs in at most one of three objects
	return total*seldom <= len(v.keys)*v.objects
}
