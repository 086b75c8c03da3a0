package parquet

import (
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"tfr-build/schema"
)

// A shape is the columns of a file. Files with equal columns share one shape.
type shape struct {
	number int // index in the input's shapes
	leaves []leaf
	byName map[string]int  // index in leaves by path
	groups map[string]bool // paths of structs, which are not columns
}

// A leaf is a column that stores values.
type leaf struct {
	name     string  // path: a.b, list.*.x
	lists    []level // the lists around it, outermost first
	max      level   // the levels of a value that is not null
	physical format.Type
	size     int // bytes per value; 0 for byte arrays
	kind     kind
	elem     schema.Type // element type of numbers, else 0
	typ      string      // name of the feature type
	unit     int         // fraction digits of a second or of a decimal
	utc      bool
	again    bool // other leaves have its name, and are not columns
}

// A level is a nesting depth: the number of repeated fields (rep), and of optional or repeated
// fields (def), from the root. Parquet calls them repetition and definition level.
//
// The level of a list is the level of its elements. A value whose definition level is one less is
// an empty list. A still lower definition level is a missing list.
type level struct{ rep, def uint8 }

// A kind says what the bytes of a value mean.
type kind uint8

const (
	number       kind = iota // little-endian
	boolean                  // a byte
	utf8String               // UTF-8
	rawBytes                 // any bytes
	uuid                     // 16 bytes
	decimal                  // an integer, whose last unit digits are after the decimal point
	decimalBytes             // a decimal, big-endian
	date                     // days since 1970
	clock                    // time since midnight
	timestamp                // time since 1970
	julian                   // INT96: 8 bytes of nanoseconds in the day, 4 bytes of the Julian day
)

// Limits of schemas. Levels are stored as bytes.
const (
	maxLevels = 100
	maxLeaves = 1 << 20
)

// newShape returns the columns of a footer's schema.
func newShape(list []format.SchemaElement) (*shape, error) {
	if len(list) == 0 || len(list) > maxLeaves {
		return nil, damaged("the footer has a schema of %d elements", len(list))
	}
	b := shaper{list: list, at: 1, shape: &shape{byName: map[string]int{}, groups: map[string]bool{}}}
	for range children(&list[0]) {
		if err := b.addField(nil, nil, level{}, 0); err != nil {
			return nil, err
		}
	}
	if b.at != len(list) {
		return nil, damaged("the schema has %d elements besides its root, and uses %d", len(list)-1, b.at-1)
	}
	return b.shape, nil
}

func children(e *format.SchemaElement) int32 { return e.NumChildren.V }

// A shaper builds a shape from the elements of a schema. Each element is followed by its
// children.
type shaper struct {
	list  []format.SchemaElement
	at    int
	shape *shape
}

// nextElement returns the next element, and its level below l.
func (b *shaper) nextElement(l level, depth int) (*format.SchemaElement, level, error) {
	if b.at >= len(b.list) {
		return nil, l, damaged("the schema is cut off after %d elements", len(b.list))
	}
	if depth > maxLevels {
		return nil, l, unsupported("the schema is nested deeper than %d levels", maxLevels)
	}
	e := &b.list[b.at]
	b.at++
	if e.RepetitionType.V < format.Required || e.RepetitionType.V > format.Repeated || children(e) < 0 {
		return nil, l, damaged("the schema's element %s is neither required, optional nor repeated",
			schema.Quote(e.Name))
	}
	if e.RepetitionType.V != format.Required {
		l.def++
	}
	if e.RepetitionType.V == format.Repeated {
		l.rep++
	}
	return e, l, nil
}

// addField adds the leaves of the next element, which is below a path and some lists.
func (b *shaper) addField(path []string, lists []level, above level, depth int) error {
	e, l, err := b.nextElement(above, depth)
	if err != nil {
		return err
	}
	path = append(slices.Clip(path), e.Name)
	if l.rep > above.rep { // a repeated field is a list even without a group around it
		path, lists = append(path, "*"), append(slices.Clip(lists), l)
	}
	return b.addElement(e, path, lists, l, depth)
}

// addElement adds the leaves of an element whose path is known.
func (b *shaper) addElement(e *format.SchemaElement, path []string, lists []level, l level, depth int) error {
	switch {
	case !e.NumChildren.Valid || children(e) == 0 && e.Type.Valid:
		return b.addLeaf(e, path, lists, l)
	case isList(e) && children(e) == 1 && b.at < len(b.list) && b.list[b.at].RepetitionType.V == format.Repeated:
		return b.addList(path, lists, l, depth)
	}
	b.shape.groups[strings.Join(path, ".")] = true
	for range children(e) {
		if err := b.addField(path, lists, l, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// isList reports whether a group is a list or a map. The elements of a map are structs of a key
// and a value.
func isList(e *format.SchemaElement) bool {
	switch e.LogicalType.Value.(type) {
	case *format.ListType, *format.MapType:
		return true
	}
	if !e.ConvertedType.Valid {
		return false
	}
	c := e.ConvertedType.V
	return c == deprecated.List || c == deprecated.Map || c == deprecated.MapKeyValue
}

// addList adds the leaves of a list's elements. A repeated group is between the list and its
// element. In files of old writers that repeated group can be the element itself: see
// "Backward-compatibility rules" in LogicalTypes.md of parquet-format.
func (b *shaper) addList(path []string, lists []level, above level, depth int) error {
	list := path[len(path)-1]
	e, l, err := b.nextElement(above, depth+1)
	if err != nil {
		return err
	}
	path, lists = append(slices.Clip(path), "*"), append(slices.Clip(lists), l)
	single := children(e) == 1 && b.at < len(b.list) && b.list[b.at].RepetitionType.V != format.Repeated
	if !single || e.Name == "array" || e.Name == list+"_tuple" || isList(e) {
		return b.addElement(e, path, lists, l, depth+1)
	}
	if e, l, err = b.nextElement(l, depth+2); err != nil {
		return err
	}
	return b.addElement(e, path, lists, l, depth+2)
}

// addLeaf adds a leaf. Of two leaves with the same name, the first one is the column.
func (b *shaper) addLeaf(e *format.SchemaElement, path []string, lists []level, l level) error {
	f := leaf{lists: lists, max: l, physical: e.Type.V}
	for len(path) > 0 && path[len(path)-1] == "*" { // a list of values has the name of the list
		path = path[:len(path)-1]
	}
	f.name = strings.Join(path, ".")
	if err := f.setType(e); err != nil {
		return err
	}
	if first, double := b.shape.byName[f.name]; double {
		b.shape.leaves[first].again = true
	} else {
		b.shape.byName[f.name] = len(b.shape.leaves)
	}
	b.shape.leaves = append(b.shape.leaves, f)
	return nil
}

// pathText returns a path of the schema for messages.
func pathText(path []string) string { return schema.Quote(strings.Join(path, ".")) }
