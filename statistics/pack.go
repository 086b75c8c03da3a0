package statistics

import "math/bits"

// A pack is records that are counted together, one field after another: what a field
// needs is then at hand for all of them. They stand in one buffer, and are not copied.
type pack struct {
	buf    []byte
	bounds []uint32           // in buf: before field 0, before field 1, … of each record
	next   []uint32           // those of the next record
	stride int                // how many a record has
	n      int                // records
	most   int                // of them
	size   int                // bytes of the records
	late   uint64             // a bit for each record of the field at hand that no loop has counted
	hashes [mostPacked]uint64 // of its texts
}

// The bounds of a pack. So many short records stay in the nearest cache.
const (
	mostPacked  = 64 // the bits of late
	mostBounds  = 1 << 14
	packedBytes = 1 << 14
)

// newPack is for records of so many bounds.
func newPack(stride int) pack {
	p := pack{stride: stride, most: max(1, min(mostPacked, mostBounds/stride))}
	p.bounds = make([]uint32, p.most*stride)
	p.reset()
	return p
}

// add adds the record that begins in buf at start, whose bounds are those of next, and
// reports whether the pack is full.
func (p *pack) add(buf []byte, start int) (full bool) {
	p.buf = buf
	p.n++
	p.size += len(buf) - start
	if p.n == p.most || p.size >= packedBytes {
		return true
	}
	p.next = p.bounds[p.n*p.stride:][:p.stride]
	return false
}

// all has a bit for each record.
func (p *pack) all() uint64 { return 1<<p.n - 1 }

// entry is that of a field in a record.
func (p *pack) entry(field, record int) []byte {
	at := record*p.stride + field
	begin, end := p.bounds[at], p.bounds[at+1]
	return p.buf[begin:end:end]
}

// early is how many records are not late.
func (p *pack) early(late uint64) int64 {
	return int64(p.n - bits.OnesCount64(late))
}

// addLate counts the entries of a field that are late.
func (p *pack) addLate(t *tally) {
	for ; p.late > 0; p.late &= p.late - 1 {
		t.addEntry(p.entry(t.field, bits.TrailingZeros64(p.late)))
	}
}

// reset empties the pack, which then holds no record.
func (p *pack) reset() {
	p.buf, p.n, p.size = nil, 0, 0
	p.next = p.bounds[:p.stride]
}
