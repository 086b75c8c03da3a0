package infer

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"tfr-build/internal/plural"
	"tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources"
)

// A profile counts the values of a column in all rows, or the values at one path inside rows. All source types
// feed it with the values that a build reads:
//
//	cells, strings ─► texts      what the strings can be read as
//	numbers ────────► numbers    what an int64 or a float32 keeps of them
//	lists ──────────► lengths, and the profile of their elements
//	objects ────────► a profile for each key
type profile struct {
	count   int // values, including missing ones
	nulls   int // missing values
	bools   int
	objects int
	lists   int
	binary  int // bytes that are not UTF-8
	numbers numbers
	texts   texts      // strings, and bytes that are UTF-8
	images  imageStats // images among the bytes

	least, most int      // number of elements of a list
	elem        *profile // elements of lists
	named       tally    // keys of objects that are lists, if they do not count the elements
	keys        []string // keys of objects, in the order of their first occurrence
	others      bool     // there are more keys
	fields      map[string]*profile
	limit       int // number of distinct strings that are kept
	source      int // number of the last source that has it
	sources     int // sources that have it
	depth       int // lists around the numbers of an array
}

// fieldsMost is the largest number of keys of an object that are kept. An object with more is a
// map.
const fieldsMost = 10_000

// moreKeys says which keys have no profile.
var moreKeys = fmt.Sprintf("keys after the first %d, each of which can be a feature", fieldsMost)

// The largest depth of values that are read, and the bytes of memory that the lists of a row may take.
const (
	depthMost  = 1000
	recordMost = 64 << 20
)

// newProfile returns the profile of values inside depth lists. It keeps limit distinct strings.
func newProfile(limit, depth int) *profile {
	p := &profile{least: math.MaxInt, limit: limit, depth: depth, numbers: newNumbers()}
	p.texts.most, p.texts.numbers = limit, newNumbers()
	if depth > 0 {
		p.elem = newProfile(limit, depth-1)
	}
	return p
}

// lacking returns the number of missing values.
func (p *profile) lacking() int { return p.nulls + p.texts.missing() }

// present returns the number of values that are not missing.
func (p *profile) present() int { return p.count - p.lacking() }

// add counts a value at a depth of objects. Its objects are still text.
func (p *profile) add(t *reading, v *schema.Value, depth int) error {
	p.count++
	if p.source != t.source {
		p.source = t.source
		p.sources++
	}
	switch v.Kind {
	case schema.Missing:
		p.nulls++
	case schema.Text, schema.String, schema.Bytes:
		switch {
		case t.asBytes || v.Kind == schema.Bytes:
			p.addBytes(t, v.Text)
		case v.Kind == schema.Text:
			p.texts.addCell(t, v)
		default:
			p.texts.add(t, v.Text, 1)
		}
	case schema.Bool:
		p.bools++
	case schema.Number:
		if !p.numbers.add(t, v.Text, 1) {
			p.numbers.beyond++
		}
		if p.texts.countsNumbers(p.count) {
			p.texts.counter.add(v.Text, 1)
		}
	case schema.Array:
		p.addArray(t, v)
	case schema.List:
		p.addList(len(v.List))
		for i := range v.List {
			if err := p.elem.add(t, &v.List[i], depth+1); err != nil {
				return err
			}
		}
	case schema.Object:
		return p.addMembers(t, v.Text, depth)
	}
	return nil
}

// addBytes counts bytes, which may be text or an image.
func (p *profile) addBytes(t *reading, b []byte) {
	if header.Begins(b) && p.images.add(b) {
		return
	}
	if !isText(b) {
		p.binary++
		p.texts.longest = max(p.texts.longest, len(b))
		return
	}
	p.texts.add(t, b, 1)
}

// addArray counts numbers of one type: a list of them, or one.
func (p *profile) addArray(t *reading, v *schema.Value) {
	n, to := len(v.Text)/v.Elem.Size(), p
	if p.depth > 0 {
		p.addList(n)
		to = p.elem
		to.count += n
	}
	if p.texts.countsNumbers(p.count) {
		if text, is := v.AsText(nil); is {
			p.texts.counter.add(text, 1)
		}
	}
	for i := range n {
		to.numbers.addBinary(t, v, i)
	}
}

// addList counts a list of n elements.
func (p *profile) addList(n int) {
	p.lists++
	p.least, p.most = min(p.least, n), max(p.most, n)
	if p.elem == nil {
		p.elem = newProfile(p.limit, 0)
		p.elem.texts.isComplete = p.texts.isComplete
	}
}

// unwrap replaces the lists at paths where each list has one element by these elements. In a sample, objects as VOC has
// them stay lists: other documents may have several.
func (p *profile) unwrap(isSample bool) {
	for key, f := range p.fields {
		f.unwrap(isSample)
		if isObjects := isSample && key == "object"; f.lists == f.count && f.most == 1 && !isObjects {
			p.fields[key] = f.elem
		}
	}
	if p.elem != nil {
		p.elem.unwrap(isSample)
	}
}

// addMembers counts an object, whose text is valid. One whose keys are numbers may be a list.
func (p *profile) addMembers(t *reading, text []byte, depth int) error {
	n := countNumbered(text)
	if n == 0 || t.areLists {
		return p.addObject(t, text, depth)
	}
	p.addList(n)
	at := -1
	for key, member := range members(text) {
		if at++; at == 0 && key == "1" {
			at++
		}
		if key != strconv.Itoa(at) {
			p.named.add(t, []byte(key), 1)
		}
		p.elem.count++
		if err := p.elem.addObject(t, member, depth+1); err != nil {
			return err
		}
	}
	return nil
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

// addObject counts the fields of an object, whose text is valid.
func (p *profile) addObject(t *reading, text []byte, depth int) error {
	p.objects++
	for len(t.cells) <= depth {
		t.cells = append(t.cells, sources.NewCellScanner(depthMost, recordMost))
	}
	for key, raw := range members(text) {
		field := p.field(key)
		if field == nil {
			continue
		}
		if t.areLists && raw[0] != '[' {
			raw = slices.Concat([]byte("["), raw, []byte("]"))
		}
		v := schema.Value{Kind: schema.Object, Text: raw}
		if raw[0] != '{' {
			t.cells[depth].Reset()
			if err := t.cells[depth].Scan(raw, &v); err != nil {
				return err
			}
		}
		if err := field.add(t, &v, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// field returns the profile of a key; nil if the object has too many keys.
func (p *profile) field(key string) *profile {
	f := p.fields[key]
	p.others = p.others || f == nil && len(p.keys) == fieldsMost
	if f == nil && !p.others {
		if p.fields == nil {
			p.fields = map[string]*profile{}
		}
		limit := p.limit
		if len(p.keys) > 100 {
			limit = leastStored
		}
		f = newProfile(limit, 0)
		f.texts.isComplete = isCounted(key)
		p.keys = append(p.keys, key)
		p.fields[key] = f
	}
	return f
}

// isMap reports whether an object has different keys in each row. Its keys are then data, and
// cannot be features.
func (p *profile) isMap() bool {
	if p.objects < 2 || len(p.keys) < 3 {
		return false
	}
	total := 0
	for _, f := range p.fields {
		total += f.count
	}
	const seldom = 3 // a key occurs in at most one of three objects
	return total*seldom <= len(p.keys)*p.objects
}

// isHollow reports whether there are only empty lists and objects, and lists of these or of missing values.
func (p *profile) isHollow() bool {
	return p.present() == p.lists+p.objects && len(p.keys) == 0 && (p.lists == 0 || p.elem.isHollow())
}

// isConstant reports whether all values are the same.
func (p *profile) isConstant() bool {
	one := len(p.texts.order) == 1 && !p.texts.overflowed
	equal := p.texts.count == p.count && one || p.numbers.ints == p.count && p.numbers.least == p.numbers.most
	return p.count > 1 && p.lacking() == 0 && equal
}

// forms returns the forms of the values, with their numbers.
func (p *profile) forms() (list []string) {
	for _, k := range []struct {
		n    int
		name string
	}{
		{p.texts.count, "string"}, {p.numbers.total(), "number"}, {p.bools, "bool"}, {p.lists, "list"},
		{p.objects, "object"},
		{p.binary + p.images.looked, "byte string"},
	} {
		if k.n > 0 {
			list = append(list, plural.Of(k.n, k.name))
		}
	}
	return list
}
