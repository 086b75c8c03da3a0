package spill

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"tfr-build/internal/prefetch"
)

// A scannedRow is an entry of a loaded partition.
type scannedRow struct {
	hash  uint64
	sort  uint64 // the first bytes of its sort value
	place uint64
	at    int
}

// sort sorts the loaded rows by the hash of their group, and rows with one hash by the first bytes of
// their sort value. Hashes are spread evenly over their range, so rows are distributed to small buckets
// first, as in splitRows.sort.
func (w *groupWorker) sort() {
	if len(w.rows) < 2 {
		return
	}
	lo, hi := w.rows[0].hash, w.rows[0].hash
	for i := range w.rows {
		lo, hi = min(lo, w.rows[i].hash), max(hi, w.rows[i].hash)
	}
	buckets := len(w.rows)/8 + 1
	width := (hi-lo)/uint64(buckets) + 1
	w.ends = slices.Grow(w.ends[:0], buckets+1)[:buckets+1]
	clear(w.ends)
	for i := range w.rows {
		w.ends[(w.rows[i].hash-lo)/width+1]++
	}
	for i := range buckets {
		w.ends[i+1] += w.ends[i]
	}
	w.spare = append(w.spare[:0], w.rows...)
	for i := range w.spare {
		b := (w.spare[i].hash - lo) / width
		w.rows[w.ends[b]] = w.spare[i]
		w.ends[b]++
	}
	from := uint32(0)
	for b := range buckets {
		slices.SortFunc(w.rows[from:w.ends[b]], scannedRow.compare)
		from = w.ends[b]
	}
}

// compare compares rows by hash, sort value, and place.
func (a scannedRow) compare(b scannedRow) int {
	switch {
	case a.hash != b.hash:
		return cmp.Compare(a.hash, b.hash)
	case a.sort != b.sort:
		return cmp.Compare(a.sort, b.sort)
	}
	return cmp.Compare(a.place, b.place)
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

// cut returns the parts of the data of an entry, which other entries may follow.
func (w *groupWorker) cut(entry []byte) (values, sort, same, text []byte, ok bool) {
	data := entry[w.entries.header:w.entries.size(entry)]
	var parts [3][]byte
	for i := range parts {
		n, size := binary.Uvarint(data)
		if size <= 0 || n > uint64(len(data)-size) {
			return nil, nil, nil, nil, false
		}
		parts[i], data = data[size:size+int(n)], data[size+int(n):]
	}
	return parts[0], parts[1], parts[2], data, true
}

// rowParts has the parts of an entry that each row of a group needs, as offsets in it. The values that must
// be equal are before the text, which ends with the entry.
type rowParts struct{ same, text, end, bytes uint32 }

// sameHash makes the groups of the rows from from to to-1, whose groups have the same hash. Nearly always
// that is one group.
func (w *groupWorker) sameHash(from, to int) error {
	list, isOne := w.rows[from:to], true
	w.parts = w.parts[:0]
	first, _, _, _, _ := w.cut(w.buf[list[0].at:])
	for i := range list {
		if next := from + i + ahead; next < len(w.rows) { // also of the following groups
			prefetch.Lines(w.buf[w.rows[next].at:], 2)
		}
		isOne = w.addParts(list[i].at, first) && isOne
	}
	if isOne {
		return w.group(list)
	}
	all := slices.Clone(list)
	slices.SortStableFunc(all, func(a, b scannedRow) int { return bytes.Compare(w.values(a), w.values(b)) })
	for len(all) > 0 {
		n, first := 0, w.values(all[0])
		w.parts = w.parts[:0]
		for n < len(all) && w.addParts(all[n].at, first) {
			n++
		}
		if err := w.group(all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// values returns the values of the group of a row.
func (w *groupWorker) values(r scannedRow) []byte {
	values, _, _, _, _ := w.cut(w.buf[r.at:])
	return values
}

// sortValue returns the sort value of a row.
func (w *groupWorker) sortValue(r *scannedRow) []byte {
	_, sort, _, _, _ := w.cut(w.buf[r.at:])
	return sort
}

// addParts adds the parts of an entry, and reports whether its group has these values.
func (w *groupWorker) addParts(at int, values []byte) bool {
	of, sort, same, text, _ := w.cut(w.buf[at:])
	end := w.entries.size(w.buf[at:])
	n := w.bytes(of, sort, same, text)
	w.parts = append(w.parts, rowParts{uint32(end - len(text) - len(same)), uint32(end - len(text)), uint32(end),
		uint32(n)})
	return bytes.Equal(of, values)
}

// bytes returns the bytes of the parts of an entry that limits count.
func (w *groupWorker) bytes(values, sort, same, text []byte) int {
	if w.g.Counted {
		n, _ := binary.Uvarint(text)
		return int(n)
	}
	return len(values) + len(sort) + len(same) + len(text)
}

// sameValues returns the values of row i that must be equal in its group.
func (w *groupWorker) sameValues(list []scannedRow, i int) []byte {
	return w.buf[list[i].at:][w.parts[i].same:w.parts[i].text]
}

// text returns the text of row i.
func (w *groupWorker) text(list []scannedRow, i int) []byte {
	return w.buf[list[i].at:][w.parts[i].text:w.parts[i].end]
}

// sortRows sorts the rows of a group, whose first bytes are sorted already, with their parts.
func (w *groupWorker) sortRows(list []scannedRow) {
	for from := 0; from < len(list); {
		to, isEqual := from+1, true
		for to < len(list) && list[to].sort == list[from].sort {
			isEqual = isEqual && bytes.Equal(w.sortValue(&list[to]), w.sortValue(&list[from]))
			to++
		}
		if !isEqual {
			slices.SortFunc(list[from:to], func(a, b scannedRow) int {
				return cmp.Or(bytes.Compare(w.sortValue(&a), w.sortValue(&b)), cmp.Compare(a.place, b.place))
			})
			for i, parts := from, w.parts; i < to; i++ {
				w.parts = parts[:i]
				w.addParts(list[i].at, nil)
			}
			w.parts = w.parts[:len(list)]
		}
		from = to
	}
}
