package table

import "tfr-build/schema"

// Listed are the Chunks of a file whose rows only Finish finds, and adds one after another.
type Listed struct {
	size   int        // of a chunk
	starts [][]uint32 // by chunk
}

// NewListed returns n chunks of size bytes.
func NewListed(n, size int) Listed { return Listed{size, make([][]uint32, n)} }

// Add adds a row, by its offset in the first chunk. A row at the end of the file is in the last chunk.
func (l *Listed) Add(at int) {
	i := min(at/l.size, len(l.starts)-1)
	l.starts[i] = append(l.starts[i], uint32(at-i*l.size))
}

// Starts returns where rows begin in chunk i, from its beginning.
func (l *Listed) Starts(i int) []uint32 { return l.starts[i] }

// Find does nothing.
func (l *Listed) Find(_, _, _ int, _ *Scratch) {}

// Serial are the Chunks of a file whose rows only a FileCutter finds, one after another. Finish finds them.
type Serial struct {
	Listed
	data   []byte
	first  int // offset of the first chunk
	cutter FileCutter
	bad    *schema.RowError
}

// Document has the methods of a Format whose files are UTF-8, and whose rows only a FileCutter finds.
type Document struct{ New func() FileCutter }

// NewCutter returns a cutter that splits a stream into rows and the parts around them.
func (d Document) NewCutter(*Head) Cutter { return d.New() }

// NewCandidates returns nil: finding rows takes all of the document before them.
func (Document) NewCandidates(*Head) (Candidates, bool) { return nil, false }

// NewChunks returns chunks that find the rows of a mapped document.
func (d Document) NewChunks(data []byte, h *Head, n, size int) Chunks {
	return NewSerial(d.New(), data, h, n, size)
}

// NewSerial returns n chunks of a mapped file, as Finder.NewChunks does.
func NewSerial(cutter FileCutter, data []byte, h *Head, n, size int) *Serial {
	return &Serial{Listed: NewListed(n, size), data: data, first: min(h.First, len(data)), cutter: cutter}
}

// Finish finds the rows.
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
		s.Add(from - s.first)
		rows++
	}
	if s.bad = s.cutter.FileError(); s.bad != nil && s.bad.At >= 0 {
		s.bad.At += at
	}
	return rows, 0, 0
}

// FileError returns why the file is invalid, after Finish. Its At is an offset in the file.
func (s *Serial) FileError() *schema.RowError { return s.bad }
