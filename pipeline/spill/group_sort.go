package spill

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"tfr-build/internal/prefetch"
)

// rowParts are the parts of the data of an entry in the file of rows, as offsets in the entry where each begins.
type rowParts struct{ values, sort, same, text, end uint32 }

// appendParts appends the data of an entry up to the text of the row.
func appendParts(dst, values, sort, same []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(values)))
	dst = binary.AppendUvarint(dst, uint64(len(sort)))
	dst = binary.AppendUvarint(dst, uint64(len(same)))
	dst = append(dst, values...)
	dst = append(dst, sort...)
	return append(dst, same...)
}

// parts sets p to the parts of the entry of a row, which other entries may follow; ok is false if it is damaged.
// A result would be written field by field and then copied at once, which waits for the fields.
func (e *entries) parts(p *rowParts, entry []byte) (ok bool) {
	at, end := e.header, e.size(entry)
	var sizes [3]uint64
	for i := range sizes {
		n := 1
		if at < end && entry[at] < 0x80 { // nearly always, and Uvarint takes longer
			sizes[i] = uint64(entry[at])
		} else if sizes[i], n = binary.Uvarint(entry[at:end]); n <= 0 || sizes[i] > uint64(end) {
			return false
		}
		at += n
	}
	if sizes[0]+sizes[1]+sizes[2] > uint64(end-at) {
		return false
	}
	p.values, p.end = uint32(at), uint32(end)
	p.sort = p.values + uint32(sizes[0])
	p.same = p.sort + uint32(sizes[1])
	p.text = p.same + uint32(sizes[2])
	return true
}

// A groupedRow is a row of the groups that are made: an entry in buf.
type groupedRow struct {
	at int
	rowParts
}

// firstBytes returns the first bytes of a sort value, without its kind, as a number in the same order.
func firstBytes(sort []byte) uint64 {
	if len(sort) == 0 {
		return 0
	}
	var b [8]byte
	copy(b[:], sort[1:])
	return binary.BigEndian.Uint64(b[:])>>1 | uint64(sort[0]-1)<<63
}

// sameHash makes the groups of the rows from from to to-1, whose groups have the same hash. Nearly always
// that is one group.
func (w *groupWorker) sameHash(from, to int) error {
	isOne := true
	w.grouped, w.list = w.grouped[:0], w.list[:0]
	for i := from; i < to; i++ {
		if next := i + ahead; next < len(w.rows) { // also of the following groups
			prefetch.Lines(w.buf[w.rows[next].at:], 2)
		}
		w.grouped = append(w.grouped, groupedRow{})
		r := &w.grouped[i-from]
		r.at = int(w.rows[i].at)
		entry := w.buf[r.at:]
		w.entries.parts(&r.rowParts, entry)
		key := w.entries.sortKey(entry).Position
		if r.sort < r.same {
			key = firstBytes(entry[r.sort:r.same])
		}
		w.list = append(w.list, indexedRow{key, uint64(i - from)})
		isOne = isOne && bytes.Equal(entry[r.values:r.sort], w.values(w.list[0]))
	}
	hash, all := w.rows[from].key, w.list
	sortSmall(all, w.compare)
	if isOne {
		return w.group(hash, all)
	}
	slices.SortStableFunc(all, func(a, b indexedRow) int { return bytes.Compare(w.values(a), w.values(b)) })
	for len(all) > 0 {
		n := 1
		for n < len(all) && bytes.Equal(w.values(all[n]), w.values(all[0])) {
			n++
		}
		if err := w.group(hash, all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// compareRows compares rows by sort value and place.
func (w *groupWorker) compareRows(a, b indexedRow) int {
	return cmp.Or(bytes.Compare(w.sortValue(a), w.sortValue(b)), cmp.Compare(w.place(a), w.place(b)))
}

// row returns the entry of a row of the groups that are made, and its parts.
func (w *groupWorker) row(of indexedRow) (entry []byte, p *rowParts) {
	r := &w.grouped[of.at]
	return w.buf[r.at:], &r.rowParts
}

// values returns the values of the group of a row.
func (w *groupWorker) values(of indexedRow) []byte {
	entry, p := w.row(of)
	return entry[p.values:p.sort]
}

// sortValue returns the sort value of a row.
func (w *groupWorker) sortValue(of indexedRow) []byte {
	entry, p := w.row(of)
	return entry[p.sort:p.same]
}

// text returns the text of a row.
func (w *groupWorker) text(of indexedRow) []byte {
	entry, p := w.row(of)
	return entry[p.text:p.end]
}

// place returns the place of a row in the sequence of rows.
func (w *groupWorker) place(of indexedRow) uint64 {
	entry, _ := w.row(of)
	return w.entries.sortKey(entry).Position
}

// bytes returns the bytes of a row that limits count.
func (w *groupWorker) bytes(entry []byte, p *rowParts) int64 {
	if w.g.Counted {
		n, _ := binary.Uvarint(entry[p.text:p.end])
		return int64(n)
	}
	return int64(p.end - p.values)
}
