package parquet

import (
	"encoding/binary"

	"tfr-build/internal/bug"
	"tfr-build/internal/hugepage"
	"tfr-build/internal/prefetch"
)

// A rowBuffer has the rows of a decoded row group. Rows are read in any order, so the values of
// a row are adjacent, in one or two cache lines:
//
//	row  nulls 1 │ id 8 │ fare 8 │ zone: view 8 │ flag 1 │ ·      stride 32
//	                                    │
//	                                    └► blob of the column: … "zone 7" …
//
// The null bits have one bit for each column with a missing value, set if the row has a value.
// Lists and wide values stay in their column's block.
type rowBuffer struct {
	rows      []byte
	stride    int
	fields    []field // of the found leaves, in their order
	outOfLine []int   // fields with bytes outside rows that may not be in the cache
	base      int     // size of a serialized row without the varying fields
	varying   []int   // fields whose size differs between rows
	maxCost   int     // maximum of the leaves
}

// A field is the position of a leaf's values.
type field struct {
	*leaf
	at    int    // offset in a row of the value or its view
	bit   int    // index of the null bit, or -1 if no value is missing
	blob  []byte // content of the byte arrays
	block *block // nil if the values are in the rows
}

// Sizes in bytes in a row: the widest value, and a view of a byte array.
const (
	widest    = 32
	viewWidth = 8
)

// isInRow reports whether the values of a leaf, or their views, are stored in the rows.
func (l *leaf) isInRow() bool { return len(l.lists) == 0 && l.size <= widest }

// rowWidth returns the bytes of a leaf in a row.
func (l *leaf) rowWidth() int {
	switch {
	case !l.isInRow():
		return 0
	case l.size == 0:
		return viewWidth
	}
	return l.size
}

// stride returns the distance in bytes between rows of size bytes. It pads rows to cross as few
// cache lines as possible, if that costs at most an eighth of their size.
func stride(size int) int {
	line := prefetch.Line
	for line > 1 && size <= line/2 {
		line /= 2
	}
	if more := -size & (line - 1); more <= size/8 {
		return size + more
	}
	return size
}

// newRowBuffer allocates the rows of decoded columns.
func newRowBuffer(leaves []int, columns []*block, rows int) *rowBuffer {
	t := &rowBuffer{fields: make([]field, len(columns)), base: lengthSize(uint32(len(columns)))}
	bits := 0
	for i, b := range columns {
		f := field{leaf: b.leaf, bit: -1}
		if !f.isInRow() {
			f.block = b
		} else if b.valid != nil {
			f.bit = bits
			bits++
		}
		t.fields[i] = f
	}
	at := (bits + 7) / 8
	for i := range t.fields {
		f := &t.fields[i]
		f.at, f.blob = at, columns[i].blob
		at += f.rowWidth()
		t.recordField(i, leaves[i])
	}
	t.stride = stride(at)
	t.rows = hugepage.Make[byte](t.stride * rows)
	return t
}

// recordField updates the sizes and the lists of varying and out-of-line fields for the i-th
// field.
func (t *rowBuffer) recordField(i, leaf int) {
	const cached = 128 << 10 // a smaller blob stays in the cache; it is usually a dictionary
	f := &t.fields[i]
	t.base += lengthSize(uint32(leaf))
	t.maxCost = max(t.maxCost, f.maxCost())
	if f.block != nil || f.size == 0 || f.bit >= 0 {
		t.varying = append(t.varying, i)
	} else {
		t.base += 1 + f.size
	}
	if f.block != nil || len(f.blob) > cached {
		t.outOfLine = append(t.outOfLine, i)
	}
}

// row returns the i-th row.
func (t *rowBuffer) row(i int) []byte { return t.rows[i*t.stride : (i+1)*t.stride] }

// size returns the size of the serialized row.
func (t *rowBuffer) size(i int, row []byte) int {
	size := t.base
	for _, k := range t.varying {
		f := &t.fields[k]
		switch {
		case f.block != nil:
			size += f.block.rowSize(i)
		case !f.has(row):
			size++
		case f.leaf.size == 0:
			size += 1 + prefixedSize(binary.LittleEndian.Uint32(row[f.at+4:]))
		default:
			size += 1 + f.leaf.size
		}
	}
	return size
}

// has reports whether a row has a value.
func (f *field) has(row []byte) bool { return f.bit < 0 || row[f.bit/8]>>(f.bit%8)&1 != 0 }

// value returns the value of a row.
func (f *field) value(row []byte) []byte {
	if f.size > 0 {
		return row[f.at : f.at+f.size : f.at+f.size]
	}
	at, size := binary.LittleEndian.Uint32(row[f.at:]), binary.LittleEndian.Uint32(row[f.at+4:])
	return f.blob[at : uint64(at)+uint64(size)]
}

// fill copies the rows from to to of the columns. It works in short runs of rows, so each line of
// memory is written once.
func (t *rowBuffer) fill(columns []*block, from, to int) {
	const few = 128 // rows that fit the L1 cache
	for ; from < to; from += few {
		end := min(from+few, to)
		for i := range t.fields {
			if f := &t.fields[i]; f.block == nil {
				t.put(f, columns[i], from, end)
			}
		}
	}
}

// put copies the values of a column to the rows.
func (t *rowBuffer) put(f *field, b *block, from, to int) {
	switch rows := t.rows[f.at:]; f.size {
	case 0:
		for i := from; i < to; i++ {
			v, row := b.views[i], rows[i*t.stride:]
			binary.LittleEndian.PutUint64(row, uint64(v.size)<<32|uint64(v.at))
		}
	case 1:
		for i := from; i < to; i++ {
			rows[i*t.stride] = b.fixed[i]
		}
	case 8:
		for i := from; i < to; i++ {
			binary.LittleEndian.PutUint64(rows[i*t.stride:], binary.LittleEndian.Uint64(b.fixed[8*i:]))
		}
	default:
		for i := from; i < to; i++ {
			copy(rows[i*t.stride:], b.fixed[i*f.size:(i+1)*f.size])
		}
	}
	if f.bit < 0 {
		return
	}
	for i := from; i < to; i++ {
		if b.has(i) {
			t.rows[i*t.stride+f.bit/8] |= 1 << (f.bit % 8)
		}
	}
}

// positionsOf returns the position of each leaf in found.
func positionsOf(leaves, found []int) ([]int, error) {
	at := make(map[int]int, len(found))
	for i, leaf := range found {
		at[leaf] = i
	}
	positions := make([]int, len(leaves))
	for i, leaf := range leaves {
		position, ok := at[leaf]
		if !ok {
			return nil, bug.Errorf("leaf %d was bound after rows had been found without it", leaf)
		}
		positions[i] = position
	}
	return positions, nil
}
