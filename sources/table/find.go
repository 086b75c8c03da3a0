package table

import (
	"sync"

	"tfr-build/internal/order"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// compressionRatio is the assumed ratio of compressed tables. A wrong guess only costs time.
const compressionRatio = 6

// Footprint returns what mapping all files takes. Files that are compressed or not UTF-8 have to be
// streamed, because their rows cannot be read in place.
func (t *Files) Footprint() (p input.Footprint) {
	for i := range t.files {
		size := t.listing.Files[i].Size
		p.Maps++
		p.Bytes += size
		if t.IsCompressed(i) {
			size *= compressionRatio
		}
		p.Streamed = p.Streamed || t.IsCompressed(i)
		p.Fetched = p.Fetched || t.Fetches(i)
		p.Text += size
	}
	return p
}

// Map maps all files, for a source type that finds the rows itself.
func (t *Files) Map() error {
	data, err := t.sys.MapAll(t.listing.Paths, t.listing.Files)
	for i := range data {
		t.files[i].data = data[i]
	}
	return input.Of(err)
}

// Find maps all files and splits them into chunks of size bytes.
func (t *Files) Find(size int) (input.Search, error) {
	s := &search{t: t, size: size, first: []int{0}}
	if err := t.Map(); err != nil {
		return nil, err
	}
	for i := range t.files {
		f := &t.files[i]
		n := (len(f.data) - f.firstRow() + size - 1) / size
		s.chunks = append(s.chunks, t.finder.NewChunks(f.data, &f.head, n, size))
		s.first = append(s.first, s.first[i]+n)
		for range n {
			s.file = append(s.file, int32(i))
		}
	}
	return s, nil
}

// firstRow returns the offset of the first row. The bytes before it do not belong to a chunk.
func (f *file) firstRow() int { return min(f.head.First, len(f.data)) }

// Contents returns the contents of the mapped files.
func (t *Files) Contents() [][]byte {
	texts := make([][]byte, len(t.files))
	for i := range t.files {
		texts[i] = t.files[i].data
	}
	return texts
}

// Release unmaps the files.
func (t *Files) Release() {
	for i := range t.files {
		files.Unmap(t.files[i].data)
		t.files[i].data = nil
	}
}

// A search finds the rows of all files.
type search struct {
	t      *Files
	size   int       // of a chunk, in bytes
	chunks []Chunks  // by file
	first  []int     // by file: the index of its first chunk; then the number of chunks
	file   []int32   // by chunk
	free   sync.Pool // of *Scratch
}

func (s *search) Steps() int { return len(s.file) }

func (s *search) Step(i int) {
	k := s.file[i]
	f := &s.t.files[k]
	c := i - s.first[k]
	lo := f.firstRow() + c*s.size
	scratch, _ := s.free.Get().(*Scratch)
	if scratch == nil {
		scratch = new(Scratch)
	}
	s.chunks[k].Find(c, lo, min(lo+s.size, len(f.data)), scratch)
	s.free.Put(scratch)
}

func (s *search) Finish(file int) input.Found {
	var found input.Found
	f := &s.t.files[file]
	found.Rows, found.Blank, f.check = s.chunks[file].Finish()
	if j, ok := s.chunks[file].(Judge); ok && j.FileError() != nil {
		found.Err = fileError(f.path, f.data, j.FileError())
	}
	return found
}

func (s *search) Chunks() []order.Chunk {
	list := make([]order.Chunk, len(s.file))
	for i, k := range s.file {
		c := i - s.first[k]
		list[i] = order.Chunk{File: int(k), Offset: int64(s.t.files[k].firstRow() + c*s.size),
			Starts: s.chunks[k].Starts(c)}
	}
	return list
}
