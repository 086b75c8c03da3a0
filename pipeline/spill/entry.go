package spill

import (
	"encoding/binary"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
)

// entries encodes and decodes the entries of spill files. An entry stores the position of its row
// only if the key does not determine it.
type entries struct {
	set    *rows.Set
	mode   order.Mode
	values int  // number of values for limits that entries store
	groups bool // an entry is a group
	strata bool // entries store the stratum of their row
	header int  // size of an entry without the row's text
}

// stratumSize is the size of a stratum in an entry, and valueSize the size of a value.
const stratumSize, valueSize = 12, 4

func newEntries(set *rows.Set) entries {
	e := entries{set: set, mode: set.Mode(), groups: set.Groups(), strata: set.Strata != nil, header: 14}
	if e.mode == order.Keyed {
		e.header += 8
	}
	if e.strata {
		e.header += stratumSize
	}
	if set.Limits != nil {
		e.values = set.Limits.Columns()
		e.header += e.values * valueSize
	}
	return e
}

// appendHeader appends an entry without the row's text, which follows it.
func (e *entries) appendHeader(dst []byte, key uint64, r *rows.Row, of *rows.Pending, mark byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, key)
	if e.mode == order.Keyed {
		dst = binary.LittleEndian.AppendUint64(dst, e.set.Sequence.Position(r.File, r.Offset))
	}
	for _, number := range of.Values[:e.values] {
		dst = binary.LittleEndian.AppendUint32(dst, number)
	}
	if e.strata {
		dst = binary.LittleEndian.AppendUint64(dst, of.Stratum.Point)
		dst = binary.LittleEndian.AppendUint32(dst, of.Stratum.Number)
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(r.Data)))
	return append(dst, r.Split, mark)
}

// key returns the key of an entry.
func (e *entries) key(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// size returns the length of an entry. b needs only the header.
func (e *entries) size(b []byte) int {
	return e.header + int(binary.LittleEndian.Uint32(b[e.header-6:]))
}

// marks returns the number of the split, and 1 for a row whose text is its error code. Writing to it changes the entry.
func (e *entries) marks(b []byte) *[2]byte { return (*[2]byte)(b[e.header-2:]) }

// stratum returns the stratum of the entry's row. Its Number is the number in the run.
func (e *entries) stratum(b []byte) (of rows.Stratum) {
	if e.strata {
		of.Point = binary.LittleEndian.Uint64(b[e.header-6-stratumSize:])
		of.Number = binary.LittleEndian.Uint32(b[e.header-10:])
	}
	return of
}

// value returns the number in the run of the row's value in a column of `limit`.
func (e *entries) value(b []byte, column int) uint32 {
	at := e.header - 6 - e.values*valueSize + column*valueSize
	if e.strata {
		at -= stratumSize
	}
	return binary.LittleEndian.Uint32(b[at:])
}

// row returns the row of an entry. Its Data is the text, which keeps the capacity of b, because scanners read complete
// blocks.
func (e *entries) row(b []byte) (r rows.Row) {
	r.File, r.Offset = e.position(b)
	n := e.size(b)
	r.Split = b[e.header-2]
	r.Data = b[e.header:n]
	return r
}

// position returns the position of the row in the input.
func (e *entries) position(b []byte) (file int, offset int64) {
	switch e.mode {
	case order.Shuffled:
		return e.set.Space.Locate(e.set.Shuffle.Address(e.key(b)))
	case order.Keyed:
		return e.set.Sequence.Locate(binary.LittleEndian.Uint64(b[8:]))
	}
	return e.set.Sequence.Locate(e.key(b))
}

// sortKey returns the key by which entries are sorted.
func (e *entries) sortKey(b []byte) rows.SortAt {
	if e.mode == order.Keyed {
		return rows.SortAt{Key: e.key(b), Position: binary.LittleEndian.Uint64(b[8:])}
	}
	return rows.SortAt{Key: e.key(b)}
}

// after reports whether entry a is after entry b, which has the same key.
func (e *entries) after(a, b []byte) bool {
	return e.mode == order.Keyed && binary.LittleEndian.Uint64(a[8:]) > binary.LittleEndian.Uint64(b[8:])
}
