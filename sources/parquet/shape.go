package parquet

import (
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"tfr-build/schema"
)

// A shape is the columns of a file. Files of one shape share it.
type shape struct {
	number int // of the shapes of an input
	leaves []leaf
	byName map[string]int  // leaves by their paths
	groups map[string]bool // paths of structs, which are no columns themselves
}

// A leaf is a column that has values.
type leaf struct {
	name     string // its path: a.b, list.*.x
	path     []string
	lists    []level // the lists around it, outermost first
	most     level   // the levels of a value that is there
	physical format.Type
	size     int // bytes of a value; 0 of byte arrays
	kind     kind
	elem     schema.Type // of numbers
	typ      string      // of features
	unit     int         // digits of a fraction of a second, or of a decimal
	utc      bool
}

// A level is how deep values are nested: the number of lists, and of what may be
// missing, from the root to there.
//
// Of a list it is where the list has an element: a value whose definition is one less
// stands for an empty list, and any lower one for none.
type level struct{ rep, def uint8 }

// A kind says what the bytes of a value mean.
type kind uint8

const (
	number    kind = iota // little-endian
	boolean               // a byte
	text                  // UTF-8
	content               // any bytes
	uuid                  // 16 bytes
	decimal32             // unit digits of them after the point
	decimal64
	decimalBytes // big-endian
	date         // days since 1970
	clock32      // since midnight
	clock64
	timestamp // since 1970
	julian    // 8 bytes of nanoseconds since noon, 4 bytes of the day
)

// The limits of schemas: levels are bytes.
const (
	maxLevels = 100
	maxLeaves = 1 << 20
)

// newShape is the columns that a footer names.
func newShape(list []format.SchemaElement) (*shape, error) {
	if len(list) == 0 || len(list) > maxLeaves {
		return nil, damaged("the footer has a schema of %d elements", len(list))
	}
	b := shaper{list: list, at: 1, shape: &shape{byName: map[string]int{}, groups: map[string]bool{}}}
	for range children(&list[0]) {
		if err := b.field(nil, nil, level{}, 0); err != nil {
			return nil, err
		}
	}
	if b.at != len(list) {
		return nil, damaged("the schema has %d elements beside its root, and uses %d", len(list)-1, b.at-1)
	}
	return b.shape, nil
}

func children(e *format.SchemaElement) int32 { return e.NumChildren.V }

// A shaper builds a shape of the elements of a schema, each of which is followed by
// its children.
type shaper struct {
	list  []format.SchemaElement
	at    int
	shape *shape
}

// next is the next element, and the levels below it.
func (b *shaper) next(l level, depth int) (*format.SchemaElement, level, error) {
	if b.at >= len(b.list) {
		return nil, l, damaged("the schema is cut off after %d elements", len(b.list))
	}
	if depth > maxLevels {
		return nil, l, unsupported("the schema is nested deeper than %d levels", maxLevels)
	}
	e := &b.list[b.at]
	b.at++
	if e.RepetitionType.V < format.Required || e.RepetitionType.V > format.Repeated || children(e) < 0 {
		return nil, l, damaged("the schema's element %s is neither required, optional nor repeated", schema.Quote(e.Name))
	}
	if e.RepetitionType.V != format.Required {
		l.def++
	}
	if e.RepetitionType.V == format.Repeated {
		l.rep++
	}
	return e, l, nil
}

// field adds the leaves of the next element, which stands below a path and some lists.
func (b *shaper) field(path []string, lists []level, above level, depth int) error {
	e, l, err := b.next(above, depth)
	if err != nil {
		return err
	}
	path = append(slices.Clip(path), e.Name)
	if l.rep > above.rep { // a list without a group of its own
		path, lists = append(path, "*"), append(slices.Clip(lists), l)
	}
	return b.inside(e, path, lists, l, depth)
}

// inside adds the leaves of an element that has its path already.
func (b *shaper) inside(e *format.SchemaElement, path []string, lists []level, l level, depth int) error {
	switch {
	case !e.NumChildren.Valid || children(e) == 0 && e.Type.Valid:
		return b.leaf(e, path, lists, l)
	case isList(e) && children(e) == 1 && b.at < len(b.list) && b.list[b.at].RepetitionType.V == format.Repeated:
		return b.elements(path, lists, l, depth)
	}
	b.shape.groups[strings.Join(path, ".")] = true
	for range children(e) {
		if err := b.field(path, lists, l, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// isList says whether a group stands for a list, or for a map, whose elements are
// structs of a key and a value.
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

// elements adds the leaves of a list's elements. Between the list and its element
// there is a repeated group, but in files of old writers, where that is the element.
func (b *shaper) elements(path []string, lists []level, above level, depth int) error {
	list := path[len(path)-1]
	e, l, err := b.next(above, depth+1)
	if err != nil {
		return err
	}
	path, lists = append(slices.Clip(path), "*"), append(slices.Clip(lists), l)
	single := children(e) == 1 && b.at < len(b.list) && b.list[b.at].RepetitionType.V != format.Repeated
	if !single || e.Name == "array" || e.Name == list+"_tuple" || isList(e) {
		return b.inside(e, path, lists, l, depth+1)
	}
	if e, l, err = b.next(l, depth+2); err != nil {
		return err
	}
	return b.inside(e, path, lists, l, depth+2)
}

// leaf adds a leaf.
func (b *shaper) leaf(e *format.SchemaElement, path []string, lists []level, l level) error {
	f := leaf{path: path, lists: lists, most: l, physical: e.Type.V}
	for len(path) > 0 && path[len(path)-1] == "*" { // of a list that is the column
		path = path[:len(path)-1]
	}
	f.name = strings.Join(path, ".")
	if err := f.setType(e); err != nil {
		return err
	}
	if _, double := b.shape.byName[f.name]; !double {
		b.shape.byName[f.name] = len(b.shape.leaves)
	}
	b.shape.leaves = append(b.shape.leaves, f)
	return nil
}

// pathText is a path of the schema, for messages.
func pathText(path []string) string { return schema.Quote(strings.Join(path, ".")) }
