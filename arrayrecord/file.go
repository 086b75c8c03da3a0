package arrayrecord

import (
	"fmt"
	"io"
)

// A File is a file whose records are read in any order, with the offsets in its footer.
type File struct {
	in      io.ReaderAt
	size    int64
	name    string
	entries []chunkEntry
	records int64
}

// OpenFile reads the footer of a file of size bytes. Errors contain name; they are a
// *tfrecord.CorruptError, a *RefusedError, or an error of in.
func OpenFile(in io.ReaderAt, size int64, name string) (*File, error) {
	f := &File{in: in, size: size, name: name}
	if size < 2*blockSize || size%blockSize != 0 {
		return nil, f.reader(0).corrupt(0, fmt.Errorf("found %d bytes; expected at least 2 blocks of %d bytes", size,
			blockSize))
	}
	at := size - blockSize
	end, err := f.chunk(at)
	if err != nil {
		return nil, err
	}
	footer, ok := parsePostscript(end)
	if !ok || footer <= 0 || footer >= at {
		return nil, f.reader(at).corrupt(at, errNoEnd)
	}
	c, err := f.chunk(footer)
	if err != nil {
		return nil, err
	}
	m, entries, ok := parseFooter(c.group)
	if !ok {
		return nil, f.reader(footer).corrupt(footer, errNoFooter)
	}
	f.entries, f.records = entries, int64(m.records)
	return f, f.check(footer)
}

// check returns an error unless the footer is consistent: all chunks but the last have the same
// number of records.
func (f *File) check(footer int64) error {
	sum := int64(0)
	for i, e := range f.entries {
		first, last := f.entries[0].Records, i == len(f.entries)-1
		if e.Records < 1 || e.Records > first || e.Records < first && !last || e.Offset >= footer {
			return f.reader(footer).corrupt(footer, fmt.Errorf("the footer says that chunk %d is at byte %d and has "+
				"%d records", i, e.Offset, e.Records))
		}
		sum += e.Records
	}
	if sum != f.records {
		return f.reader(footer).corrupt(footer, fmt.Errorf("the footer has %d records, and its chunks %d",
			f.records, sum))
	}
	return nil
}

// Records returns the number of records.
func (f *File) Records() int64 { return f.records }

// reader returns a Reader that begins at the chunk at an offset.
func (f *File) reader(at int64) *Reader {
	r := newReaderAt(io.NewSectionReader(f.in, at, f.size-at), f.name, at)
	r.damaged = true // its count of records cannot equal the footer's
	return r
}

// chunk reads the chunk of records at an offset.
func (f *File) chunk(at int64) (*chunk, error) {
	r := f.reader(at)
	err := r.readChunk(r.chunk)
	if err == nil {
		err = r.openChunk(r.chunk)
		if _, refused := err.(*RefusedError); err != nil && !refused {
			err = r.corrupt(at, err)
		}
	}
	return r.chunk, err
}

// From returns a Reader whose first record has the number record. It must be less than Records.
func (f *File) From(record int64) (*Reader, error) {
	perChunk := f.entries[0].Records // in all chunks but the last
	i := record / perChunk
	r := f.reader(f.entries[i].Offset)
	for r.next = i * perChunk; r.next < record; {
		if _, err := r.Next(); err != nil {
			return nil, err
		}
	}
	return r, nil
}
