package parquet

import (
	"encoding/binary"
	"fmt"

	"tfr-build/internal/prefetch"
)

// A sheet is the rows of a row group that is decoded. Rows are read in any order, so the
// values of a row stand together, in a line of memory or two:
//
//	row  nulls 1 │ id 8 │ fare 8 │ zone: view 8 │ flag 1 │ ·      stride 32
//	                                    │
//	                                    └► blob of the column: … "zone 7" …
//
// Nulls are a bit each of the columns that lack a value anywhere, set where there is one.
// Lists and wide values stand in a block by themselves.
type sheet struct {
	rows    []byte
	stride  int
	fields  []field // of the leaves that were wanted, in their order
	far     []int   // fields whose bytes are neither in rows nor in the cache for sure
	base    int     // how long a row is as text, without what differs from row to row
	varying []int   // fields that are not as long in each row
	deep    int     // the most lists around a value
}

// A field is where the values of a leaf are.
type field struct {
	*leaf
	at    int    // in a row, of the value or of its view
	bit   int    // of a row, or -1 where none is missing
	blob  []byte // of byte arrays
	block *block // nil where values stand in rows
}

// The widths of values that stand in rows, at most, and of their views.
const (
	widest    = 32
	viewWidth = 8
)

// isInRow reports whether values of a leaf stand in rows.
func (l *leaf) isInRow() bool { return len(l.lists) == 0 && l.size <= widest }

// rowWidth is how many bytes a row has of a leaf.
func (l *leaf) rowWidth() int {
	switch {
	case !l.isInRow():
		return 0
	case l.size == 0:
		return viewWidth
	}
	return l.size
}

// stride is how far rows of so many bytes are apart. Where that costs little memory, none
// crosses more lines than it has to.
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

// newSheet makes room for rows whose columns are decoded.
func newSheet(leaves []int, columns []*block, rows int) *sheet {
	t := &sheet{fields: make([]field, len(columns)), base: lengthSize(uint32(len(columns)))}
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
		t.note(i, leaves[i])
	}
	t.stride = stride(at)
	t.rows = make([]byte, t.stride*rows)
	return t
}

// note notes how long a field is as text, and where its bytes are.
func (t *sheet) note(i, leaf int) {
	const cached = 128 << 10 // a blob that stays in the cache: of a dictionary, as a rule
	f := &t.fields[i]
	t.base += lengthSize(uint32(leaf))
	t.deep = max(t.deep, f.deep())
	if f.block != nil || f.size == 0 || f.bit >= 0 {
		t.varying = append(t.varying, i)
	} else {
		t.base += 1 + f.size
	}
	if f.block != nil || len(f.blob) > cached {
		t.far = append(t.far, i)
	}
}

// row is the row of a number.
func (t *sheet) row(i int) []byte { return t.rows[i*t.stride : (i+1)*t.stride] }

// size is how many bytes the text of a row has.
func (t *sheet) size(i int, row []byte) int {
	size := t.base
	for _, k := range t.varying {
		f := &t.fields[k]
		switch {
		case f.block != nil:
			size += f.block.rowSize(i)
		case !f.has(row):
			size++
		case f.leaf.size == 0:
			size += 1 + textSize(binary.LittleEndian.Uint32(row[f.at+4:]))
		default:
			size += 1 + f.leaf.size
		}
	}
	return size
}

// has reports whether a row has a value.
func (f *field) has(row []byte) bool { return f.bit < 0 || row[f.bit/8]>>(f.bit%8)&1 != 0 }

// value is the value that a row has.
func (f *field) value(row []byte) []byte {
	if f.size > 0 {
		return row[f.at : f.at+f.size : f.at+f.size]
	}
	at, size := binary.LittleEndian.Uint32(row[f.at:]), binary.LittleEndian.Uint32(row[f.at+4:])
	return f.blob[at : uint64(at)+uint64(size)]
}

// fill takes rows out of columns. It writes to each line of memory once.
func (t *sheet) fill(columns []*block, from, to int) {
	const few = 128 // rows, which stay in the nearest cache
	for ; from < to; from += few {
		end := min(from+few, to)
		for i := range t.fields {
			if f := &t.fields[i]; f.block == nil {
				t.put(f, columns[i], from, end)
			}
		}
	}
}

// put copies the values of a column into rows.
func (t *sheet) put(f *field, b *block, from, to int) {
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
	case 4:
		for i := from; i < to; i++ {
			binary.LittleEndian.PutUint32(rows[i*t.stride:], binary.LittleEndian.Uint32(b.fixed[4*i:]))
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

// placesOf are the places of leaves among those that rows were found with.
func placesOf(leaves, found []int) ([]int, error) {
	at := make(map[int]int, len(found))
	for i, leaf := range found {
		at[leaf] = i
	}
	places := make([]int, len(leaves))
	for i, leaf := range leaves {
		place, ok := at[leaf]
		if !ok {
			return nil, fmt.Errorf("internal error: leaf %d was bound after rows had been found without it", leaf)
		}
		places[i] = place
	}
	return places, nil
}
