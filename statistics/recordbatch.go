package statistics

import (
	"math/bits"

	"tfr-build/message"
)

// A recordBatch has records that are counted together, column by column. That keeps the data of a
// column in the cache and in CPU registers. The records are in one buffer and are not copied.
type recordBatch struct {
	buf      []byte
	bounds   []uint32                // offsets in buf: per record, the start of each field and the end of the last
	next     []uint32                // the bounds of the next record
	stride   int                     // bounds per record
	n        int                     // records
	limit    int                     // maximum number of records
	size     int                     // bytes of the records
	fallback uint64                  // a bit for each record that the loop of the current column skipped
	hashes   [maxBatchRecords]uint64 // of the strings of the current column
}

// The limits of a batch. With them, a batch of short records fits into the L1 cache.
const (
	maxBatchRecords = 64 // the number of bits of fallback
	maxBatchBounds  = 1 << 14
	maxBatchBytes   = 1 << 14
)

// newRecordBatch returns a batch for records with so many bounds.
func newRecordBatch(stride int) recordBatch {
	p := recordBatch{stride: stride, limit: max(1, min(maxBatchRecords, maxBatchBounds/stride))}
	p.bounds = make([]uint32, p.limit*stride)
	p.reset()
	return p
}

// add adds the record from start to the end of buf, with the bounds in next. It reports whether
// the batch is full.
func (p *recordBatch) add(buf []byte, start int) (full bool) {
	p.buf = buf
	p.n++
	p.size += len(buf) - start
	if p.n == p.limit || p.size >= maxBatchBytes {
		return true
	}
	p.next = p.bounds[p.n*p.stride:][:p.stride]
	return false
}

// recordBits returns a word with a bit for each record.
func (p *recordBatch) recordBits() uint64 { return 1<<p.n - 1 }

// entry returns the entry of a field in a record.
func (p *recordBatch) entry(field, record int) []byte {
	at := record*p.stride + field
	begin, end := p.bounds[at], p.bounds[at+1]
	return p.buf[begin:end:end]
}

// countLooped returns the number of records without a bit in fallback.
func (p *recordBatch) countLooped(fallback uint64) int64 {
	return int64(p.n - bits.OnesCount64(fallback))
}

// countFallback counts the entries of the records in fallback, and clears it.
func (p *recordBatch) countFallback(kind message.Kind, t *accumulator) {
	for ; p.fallback > 0; p.fallback &= p.fallback - 1 {
		t.addEntry(kind, p.entry(t.field, bits.TrailingZeros64(p.fallback)))
	}
}

// reset removes all records.
func (p *recordBatch) reset() {
	p.buf, p.n, p.size = nil, 0, 0
	p.next = p.bounds[:p.stride]
}
