package statistics

import "math/bits"

// A pack is records that are counted together, one field after another: what a field
// needs is then at hand for all of them. Their payloads are not copied.
type pack struct {
	payloads [][]byte
	bounds   []int32 // those of all records before field 0, before field 1, …
	stride   int     // how many a record has
	most     int     // records
	size     int     // bytes of the payloads
	late     uint64  // a bit for each record of the field at hand that no loop has counted
}

// The bounds of a pack. So many short records stay in the nearest cache.
const (
	mostPacked  = 64 // the bits of late
	mostBounds  = 1 << 14
	packedBytes = 1 << 14
)

// newPack is for records of so many fields.
func newPack(fields int) pack {
	stride := fields + 1
	return pack{stride: stride, most: max(1, min(mostPacked, mostBounds/stride))}
}

// add adds a record, and reports whether the pack is full.
func (p *pack) add(payload []byte, bounds []int32) (full bool) {
	if p.bounds == nil {
		p.payloads = make([][]byte, 0, p.most)
		p.bounds = make([]int32, p.most*p.stride)
	}
	// One by one: they were written so a moment ago, and are slow to read otherwise.
	at := len(p.payloads)
	for _, bound := range bounds[:p.stride] {
		p.bounds[at] = bound
		at += p.most
	}
	p.payloads = append(p.payloads, payload)
	p.size += len(payload)
	return len(p.payloads) == p.most || p.size >= packedBytes
}

// entries are where the entry of a field begins and ends in each payload.
func (p *pack) entries(field int) (begins, ends []int32) {
	at, n := field*p.most, len(p.payloads)
	return p.bounds[at:][:n], p.bounds[at+p.most:][:n]
}

// early is how many records are not late.
func (p *pack) early(late uint64) int64 {
	return int64(len(p.payloads) - bits.OnesCount64(late))
}

// addLate counts the entries of a field that are late.
func (p *pack) addLate(t *tally) {
	begins, ends := p.entries(t.field)
	for ; p.late > 0; p.late &= p.late - 1 {
		record := bits.TrailingZeros64(p.late)
		t.addEntry(p.payloads[record][begins[record]:ends[record]:ends[record]])
	}
}

// reset empties the pack, which then holds no payload.
func (p *pack) reset() {
	clear(p.payloads)
	p.payloads, p.size = p.payloads[:0], 0
}
