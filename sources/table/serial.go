package table

import "tfr-build/schema"

// Serial are the Chunks of a file whose rows only a FileCutter finds, one after another. Finish finds them.
type Serial struct {
	data   []byte
	first  int // offset of the first chunk
	size   int
	cutter FileCutter
	starts [][]uint32 // by chunk
	bad    *schema.RowError
}

// NewSerial returns n chunks of a mapped file, as Finder.NewChunks does.
func NewSerial(cutter FileCutter, data []byte, h *Head, n, size int) *Serial {
	return &Serial{data: data, first: min(h.First, len(data)), size: size, cutter: cutter, starts: make([][]uint32, n)}
}

// Starts returns where rows begin in chunk i, from its beginning.
func (s *Serial) Starts(i int) []uint32 { return s.starts[i] }

// Find does nothing.
func (s *Serial) Find(_, _, _ int, _ *Scratch) {}

// Finish finds the rows. A row without bytes at the end of the file is in the last chunk.
func (s *Serial) Finish() (rows, blank int, check uint8) {
	at := s.first
	for {
		from := at
		n, kind, bad, _ := s.cutter.Next(s.data[at:], true)
		if n == 0 && bad == nil {
			break
		}
		if at += n; kind != Row {
			continue
		}
		i := min((from-s.first)/s.size, len(s.starts)-1)
		s.starts[i] = append(s.starts[i], uint32(from-s.first-i*s.size))
		rows++
	}
	if s.bad = s.cutter.FileError(); s.bad != nil && s.bad.At >= 0 {
		s.bad.At += at
	}
	return rows, 0, 0
}

// FileError returns why the file is invalid, after Finish. Its At is an offset in the file.
func (s *Serial) FileError() *schema.RowError { return s.bad }
