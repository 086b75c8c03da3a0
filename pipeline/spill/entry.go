package spill

import (
	"bufio"
	"encoding/binary"
	"io"
	"iter"
	"slices"

	"tfr-build/pipeline/rows"
)

// The rows of a run are entries, one after another:
//
//	8 key | 4 file | 8 offset | 1 split | 1 bad | 4 length | the row's text
const headerSize = 26

// appendHeader appends all of an entry but the row's text, which follows it.
func appendHeader(dst []byte, key uint64, r *rows.Row, bad byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, key)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(r.File))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(r.Offset))
	dst = append(dst, r.Split, bad)
	return binary.LittleEndian.AppendUint32(dst, uint32(len(r.Data)))
}

// parseEntry reads an entry; n is the length of the entry, and bad the number of
// the code of a bad row.
func parseEntry(b []byte) (key uint64, r rows.Row, bad byte, n int) {
	key = binary.LittleEndian.Uint64(b)
	r.File = int(binary.LittleEndian.Uint32(b[8:]))
	r.Offset = int64(binary.LittleEndian.Uint64(b[12:]))
	r.Split, bad = b[20], b[21]
	n = headerSize + int(binary.LittleEndian.Uint32(b[22:]))
	r.Data = b[headerSize:n:n]
	return key, r, bad, n
}

// An entry is one row of a run's file, with its header.
type entry struct {
	data []byte
	err  error
}

// An entryReader reads the files of runs, one after another, with the same
// memory.
type entryReader struct {
	in  *bufio.Reader
	buf []byte
}

// readBuffer is how much of a run is read at once.
const readBuffer = 1 << 20

// of yields the entries of a run's file, one after another; each holds until the
// next.
func (e *entryReader) of(run *run) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		if err := run.file.Check(); err != nil { // what is damaged cannot be cut into entries
			yield(entry{err: err})
			return
		}
		if e.in == nil {
			e.in = bufio.NewReaderSize(nil, readBuffer)
		}
		e.in.Reset(io.NewSectionReader(run.file, 0, run.file.Size()))
		for {
			head, err := e.in.Peek(headerSize)
			if err == io.EOF && len(head) == 0 {
				return
			}
			if err == nil {
				n := headerSize + int(binary.LittleEndian.Uint32(head[headerSize-4:]))
				e.buf = slices.Grow(e.buf[:0], n)[:n]
				_, err = io.ReadFull(e.in, e.buf)
			}
			if !yield(entry{e.buf, err}) || err != nil {
				return
			}
			if cap(e.buf) > readBuffer { // one large row is no reason to hold as much for good
				e.buf = nil
			}
		}
	}
}
