package tfrecord

// A Batch frames records in a buffer, one directly after another, and completes several of them at
// once:
//
//	buf = batch.Begin(buf)
//	buf = appendPayload(buf)
//	buf = batch.End(buf)     // … and the next records
//	batch.Seal(buf)          // a dozen records later
//
// A checksum reads the payload again, which is slow right after it was written. So completing a
// dozen short records at once is faster than completing each. The zero Batch is ready for use by
// one goroutine.
type Batch struct {
	Framing Framing

	open   int   // offset of the record that was begun last
	starts []int // offsets of the records that have ended and are not sealed
}

// Begin appends space for a record's header to dst. The caller then appends the payload, and calls
// End.
func (b *Batch) Begin(dst []byte) []byte {
	b.open = len(dst)
	return b.Framing.Begin(dst)
}

// End ends the record that was begun last. The record is complete after Seal.
func (b *Batch) End(dst []byte) []byte {
	b.starts = append(b.starts, b.open)
	if b.Framing == OFRecord {
		return dst
	}
	return append(dst, 0, 0, 0, 0)
}

// Cancel removes the record that was begun last and has not ended.
func (b *Batch) Cancel(dst []byte) []byte { return dst[:b.open] }

// Seal completes the records that have ended since the last Seal. buf ends with the last of them.
func (b *Batch) Seal(buf []byte) {
	for i, start := range b.starts {
		end := len(buf) // records are adjacent, so each ends where the next one begins
		if i+1 < len(b.starts) {
			end = b.starts[i+1]
		}
		b.Framing.seal(buf[start:end])
	}
	b.Reset()
}

// Reset discards the records that are not sealed, if the buffer is discarded.
func (b *Batch) Reset() { b.starts = b.starts[:0] }
