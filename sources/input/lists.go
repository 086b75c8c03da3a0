package input

import (
	"slices"

	"tfr-build/internal/room"
	"tfr-build/schema"
)

// RowLists are the lists that the stars of paths make of a row. A star leads to each element of an array, for example.
// A column has a list for each star of its path that is open, and its values are elements of the innermost one.
// Elements beyond the limit of a row are only counted, so that the error names all of them.
type RowLists struct {
	columns []Bound
	limit   int // bytes of a row
	open    []openLists
	used    bool             // since Reset; most rows have no lists
	room    room.Room        // of lists inside lists
	count   int              // elements of all lists of the row
	tooMany *schema.RowError // of the first element that is not stored; nil if all are
}

// An openLists is the open lists of a column.
type openLists struct {
	elements []schema.Value // outermost list first
	begins   []int          // by list: the index of its first element
}

// NewRowLists returns the lists of columns, in rows of at most limit bytes.
func NewRowLists(columns []Bound, limit int) RowLists {
	return RowLists{columns: columns, limit: limit, open: make([]openLists, len(columns))}
}

// Reset begins another row. The lists of the row before become invalid.
func (l *RowLists) Reset() {
	if l.used {
		l.reset()
	}
}

func (l *RowLists) reset() {
	l.room.Reset()
	l.used, l.count, l.tooMany = false, 0, nil
	for i := range l.open {
		l.open[i] = openLists{Reuse(l.open[i].elements), l.open[i].begins[:0]}
	}
}

// maxReuse is how many elements of a slice are kept for the next row.
const maxReuse = 1 << 16

// Reuse returns an empty slice with the memory of list, if it is not too large to be kept.
func Reuse[T any](list []T) []T {
	if cap(list) > maxReuse {
		return nil
	}
	return list[:0]
}

// Open begins a list of each of the columns.
func (l *RowLists) Open(columns []int) {
	l.used = l.used || len(columns) > 0
	for _, c := range columns {
		of := &l.open[c]
		of.begins = append(of.begins, len(of.elements))
	}
}

// Depth returns how many lists of a column are open.
func (l *RowLists) Depth(column int) int { return len(l.open[column].begins) }

// Add adds an element to the innermost open list of a column.
func (l *RowLists) Add(column int, v schema.Value) {
	if l.tooMany == nil {
		l.open[column].elements = append(l.open[column].elements, v)
	}
}

// FillMissing adds a missing element, at an offset, to the innermost list of each column that has fewer than count.
func (l *RowLists) FillMissing(columns []int, at, count int) {
	for _, c := range columns {
		if of := &l.open[c]; len(of.elements) < of.begins[len(of.begins)-1]+count {
			l.Add(c, schema.Value{At: uint32(at)})
		}
	}
}

// Close ends the innermost list of a column, which begins at an offset, and returns it.
func (l *RowLists) Close(column, at int) schema.Value {
	of := &l.open[column]
	last := len(of.begins) - 1
	begin := of.begins[last]
	of.begins = of.begins[:last]
	v := schema.Value{List: of.elements[begin:], At: uint32(at), Kind: schema.List}
	switch {
	case last == 0:
	case IsLong(len(v.List), begin):
		v.List = slices.Clip(v.List)
		of.elements = slices.Clone(of.elements[:begin])
	default:
		v.List = l.Keep(v.List)
		of.elements = of.elements[:begin]
	}
	return v
}

// Keep copies a list to memory that is valid until Reset.
func (l *RowLists) Keep(list []schema.Value) []schema.Value {
	kept := l.room.Take(len(list))
	copy(kept, list)
	return kept
}

// CountedList is the length from which on the elements of a list are counted before memory for more is allocated:
// an element takes thirty times the bytes that it has in the row.
const CountedList = 1 << 10

// IsLong reports whether a list of n elements is not moved when it closes. Then the elements around it are moved.
func IsLong(n, around int) bool { return n > 4*CountedList && n > around }

// Count counts an element at an offset, the i-th of the innermost lists of the columns. If the lists are long, it makes
// room for the elements that follow, of which rest returns the number.
func (l *RowLists) Count(columns []int, at, i int, rest func() int) {
	if !l.IsStored(len(columns), at) {
		l.NameTooMany(columns[0])
		return
	}
	if i != CountedList {
		return
	}
	more := min(rest(), l.Storable()/len(columns)+1)
	more += CountedList // for a list in the last element
	for _, c := range columns {
		if of := &l.open[c]; cap(of.elements)-len(of.elements) < more {
			of.elements = append(make([]schema.Value, 0, len(of.elements)+more), of.elements...)
		}
	}
}

// Elements returns how many elements were counted since Reset.
func (l *RowLists) Elements() int { return l.count }

// Storable returns how many more elements the lists of the row may have.
func (l *RowLists) Storable() int { return l.limit/ElementSize - l.count }

// IsFull reports whether elements are only counted.
func (l *RowLists) IsFull() bool { return l.tooMany != nil }

// IsStored counts n elements at an offset, and reports whether they may be stored.
func (l *RowLists) IsStored(n, at int) bool {
	l.used = true
	if l.count += n; l.Storable() < 0 && l.tooMany == nil {
		l.tooMany = &schema.RowError{At: at}
	}
	return l.tooMany == nil
}

// NameTooMany says to which column the first element too many belongs, unless it is known.
func (l *RowLists) NameTooMany(column int) {
	if l.tooMany != nil && l.tooMany.Column == "" {
		l.tooMany.Column = l.columns[column].Name
	}
}

// Err returns the error of a row with too many elements, or nil.
func (l *RowLists) Err() error {
	if l.tooMany == nil {
		return nil
	}
	return l.longList()
}

func (l *RowLists) longList() error {
	bad := LongList(l.count, l.limit)
	bad.At, bad.Column = l.tooMany.At, l.tooMany.Column
	return bad
}
