package tfrecord

// A Batch frames records in a buffer, one directly after another, and completes
// several of them at once:
//
//	buf = batch.Begin(buf)
//	buf = appendPayload(buf)
//	buf = batch.End(buf)     // … and the next records
//	batch.Seal(buf)          // a dozen records later
//
// Bytes that were written a moment ago are slow to read back, which their
// checksum needs: a batch of a dozen short records is complete sooner than as
// many that are completed one by one. The zero Batch is ready for use, by one
// goroutine.
type Batch struct {
	Framing Framing

	begun  int   // where the record begins that was begun last
	starts []int // of the records that have ended and are not sealed
}

// Begin appends the room for a record's header to dst. The payload is then
// appended by the caller, and End ends the record.
func (b *Batch) Begin(dst []byte) []byte {
	b.begun = len(dst)
	return b.Framing.Begin(dst)
}

// End ends the record that was begun last. It is complete after Seal.
func (b *Batch) End(dst []byte) []byte {
	b.starts = append(b.starts, b.begun)
	if b.Framing == OFRecord {
		return dst
	}
	return append(dst, 0, 0, 0, 0)
}

// Cancel takes back the record that was begun last and has not ended.
func (b *Batch) Cancel(dst []byte) []byte { return dst[:b.begun] }

// Seal completes the records that have ended since the last Seal. The last of
// them ends where buf does.
func (b *Batch) Seal(buf []byte) {
	for i, start := range b.starts {
		end := len(buf) // records touch, so each ends where the next one begins
		if i+1 < len(b.starts) {
			end = b.starts[i+1]
		}
		b.Framing.seal(buf[start:end])
	}
	b.Reset()
}

// Reset forgets the records that are not sealed, for a buffer that is dropped.
func (b *Batch) Reset() { b.starts = b.starts[:0] }
