package sources

import (
	"tfr-build/sources/csv"
	"tfr-build/sources/jsonl"
)

const checkAll = csv.CheckAll

// A Finder finds where the rows of one mapped file begin, a chunk at a time:
// Find is called for every chunk, by any goroutines, then Finish once.
type Finder struct {
	s     *Source
	file  int
	size  int // of a chunk
	csv   []csv.Chunk
	jsonl []jsonl.Chunk
}

// Found is what a Finder found.
type Found struct {
	Rows  int
	Blank int // blank lines passed over
}

// NewFinder returns a finder for a mapped file, cut into chunks of size bytes.
func (s *Source) NewFinder(file, size int) *Finder {
	f := &Finder{s: s, file: file, size: size}
	n := (len(s.tables[file].data) - f.first() + size - 1) / size
	if s.spec.Kind == CSV {
		f.csv = make([]csv.Chunk, n)
	} else {
		f.jsonl = make([]jsonl.Chunk, n)
	}
	return f
}

// first is where the first row begins; what stands before it is no chunk's.
func (f *Finder) first() int {
	t := &f.s.tables[f.file]
	return min(t.head.first, len(t.data))
}

// Chunks is how many chunks there are.
func (f *Finder) Chunks() int { return len(f.csv) + len(f.jsonl) }

// Offset is where chunk i begins.
func (f *Finder) Offset(i int) int { return f.first() + i*f.size }

// Find looks through chunk i.
func (f *Finder) Find(i int) {
	data := f.s.tables[f.file].data
	lo := f.Offset(i)
	hi := min(lo+f.size, len(data))
	if f.csv != nil {
		f.s.spec.Table.Format.Scan(data, lo, hi, &f.csv[i])
		return
	}
	f.jsonl[i].Cut(data, lo, hi, f.s.spec.Limits.Record)
}

// Finish brings the chunks together; then Starts holds, and the file's rows
// can be read.
func (f *Finder) Finish() Found {
	t := &f.s.tables[f.file]
	if f.csv != nil {
		rows := f.s.spec.Table.Format.Stitch(t.data, f.first(), len(t.head.names) == 1, f.csv)
		t.check = rows.Check
		return Found{rows.Found, rows.Blank}
	}
	var found Found
	for i := range f.jsonl {
		found.Rows += len(f.jsonl[i].Starts)
		found.Blank += f.jsonl[i].Blank
		if !f.jsonl[i].Valid {
			t.check |= csv.CheckUTF8
		}
	}
	return found
}

// Starts are the rows that begin in chunk i, in bytes from its Offset.
func (f *Finder) Starts(i int) []uint32 {
	if f.csv != nil {
		return f.csv[i].Starts()
	}
	return f.jsonl[i].Starts
}

// IsEmpty reports whether file has neither a byte nor, where one is wanted, a
// header.
func (s *Source) IsEmpty(file int) bool { return s.Files[file].Size == 0 || s.tables[file].head.empty }

// HasBOM reports whether file begins with a byte order mark.
func (s *Source) HasBOM(file int) bool { return s.tables[file].head.bom }
