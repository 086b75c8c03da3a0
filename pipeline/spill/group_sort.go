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
	buckets := len(w.rows)/32 + 1
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

// cut returns the parts of the data of the entry at an offset of buf.
func (w *groupWorker) cut(at int) (values, sort, same, text []byte, ok bool) {
	end := at + w.entries.size(w.buf[at:])
	data := w.buf[at+w.entries.header : end]
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

// rowParts has the parts of the data of an entry.
type rowParts struct{ values, sort, same, text []byte }

// sameHash makes the groups of rows whose groups have the same hash. Nearly always that is one group.
func (w *groupWorker) sameHash(list []scannedRow) error {
	isOne := true
	w.parts = w.parts[:0]
	for i := range list {
		if i+ahead < len(list) {
			prefetch.Lines(w.buf[list[i+ahead].at:], 2)
		}
		p := w.partsAt(list[i].at)
		isOne = isOne && (i == 0 || bytes.Equal(p.values, w.parts[0].values))
		w.parts = append(w.parts, p)
	}
	if isOne {
		return w.group(list)
	}
	all := slices.Clone(list)
	slices.SortStableFunc(all, func(a, b scannedRow) int {
		return bytes.Compare(w.partsAt(a.at).values, w.partsAt(b.at).values)
	})
	for len(all) > 0 {
		n, first := 1, w.partsAt(all[0].at).values
		w.parts = append(w.parts[:0], w.partsAt(all[0].at))
		for n < len(all) && bytes.Equal(w.partsAt(all[n].at).values, first) {
			w.parts = append(w.parts, w.partsAt(all[n].at))
			n++
		}
		if err := w.group(all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// partsAt returns the parts of an entry that was checked before.
func (w *groupWorker) partsAt(at int) (p rowParts) {
	p.values, p.sort, p.same, p.text, _ = w.cut(at)
	return p
}

// sortRows sorts the rows of a group, whose first bytes are sorted already, with their parts.
func (w *groupWorker) sortRows(list []scannedRow) {
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].sort == list[from].sort {
			to++
		}
		if equal := func(p rowParts) bool { return !bytes.Equal(p.sort, w.parts[from].sort) }; slices.ContainsFunc(w.parts[from:to], equal) {
			slices.SortFunc(list[from:to], func(a, b scannedRow) int {
				return cmp.Or(bytes.Compare(w.partsAt(a.at).sort, w.partsAt(b.at).sort), cmp.Compare(a.place, b.place))
			})
			for i := from; i < to; i++ {
				w.parts[i] = w.partsAt(list[i].at)
			}
		}
		from = to
	}
}
