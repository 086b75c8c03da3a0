package statistics

import "math/bits"

// A pack is records that are counted together, one field after another: what a field
// needs is then at hand for all of them. Their payloads are not copied.
type pack struct {
	payloads [][]byte
	bounds   []int32 // those of a record after those of the one before
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
	p.payloads = append(p.payloads, payload)
	p.bounds = append(p.bounds, bounds[:p.stride]...)
	p.size += len(payload)
	return len(p.payloads) == p.most || p.size >= packedBytes
}

// entry is where the entry of a field is in a record, and the payload of that.
func (p *pack) entry(record, field int) (payload []byte, begin, end int) {
	b := p.bounds[record*p.stride+field:]
	return p.payloads[record], int(b[0]), int(b[1])
}

// early is how many records are not late.
func (p *pack) early(late uint64) int64 {
	return int64(len(p.payloads) - bits.OnesCount64(late))
}

// addLate counts the entries of a field that are late.
func (p *pack) addLate(t *tally) {
	for ; p.late > 0; p.late &= p.late - 1 {
		t.addEntry(p.entry(bits.TrailingZeros64(p.late), t.field))
	}
}

// reset empties the pack, which then holds no payload.
func (p *pack) reset() {
	clear(p.payloads)
	p.payloads, p.bounds, p.size = p.payloads[:0], p.bounds[:0], 0
}
