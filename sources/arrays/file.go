package arrays

import (
	"bufio"
	"fmt"
	"io"

	"tfr-build/sources/compress"
	"tfr-build/sources/files"
)

// A file is a file of arrays: one, or the members of a zip archive.
type file struct {
	path  string
	read  bool // its headers
	codec compress.Codec
	zip   []*member // of a zip archive; nil where it is one array
	one   head      // of that array
	size  int64     // of the file
	data  []byte    // while it is mapped
}

func newFile(path string) file { return file{path: path} }

// An array is a column.
type array struct {
	column string
	file   int
	member string // of a zip archive, as the config names it; empty where it does not

	head
	at     int64   // where the elements begin in the file, unless it is packed
	packed bool    // compressed: it can only be read from its beginning
	entry  *member // of a zip archive; else nil
}

// A stored is where an array is stored; several columns may be of one.
type stored struct {
	file  int
	entry *member
}

func (a *array) stored() stored { return stored{a.file, a.entry} }

// identify tells what the file is by its first bytes.
func (f *file) identify(st *compress.Stream, size int64) error {
	f.codec, f.size = st.Codec, size
	r := bufio.NewReaderSize(st, mostHead+headBegin)
	begin, err := r.Peek(headBegin)
	switch {
	case err != nil && err != io.EOF:
		return err
	case isZip(begin) && f.codec != compress.Plain:
		return &misfit{"ARRAY_FORMAT", "is a compressed .npz; expected the .npz itself"}
	case isZip(begin):
		f.zip, err = readDirectory(st.File(), size)
		return err
	}
	if f.one, err = readHead(r); err != nil {
		return err
	}
	switch want := f.one.first + f.one.bytes; {
	case f.codec == compress.Plain:
		return f.one.fits(size)
	case f.codec == compress.Gzip && want/mostDeflated > size:
		return overClaimed(want, size)
	}
	return nil
}

// mostDeflated is how many bytes a byte of deflate can stand for.
const mostDeflated = 1032

// overClaimed is the damage of a header that claims more than can be behind it.
func overClaimed(want, size int64) error {
	return &damage{"ARRAY_SIZE", fmt.Sprintf("claims %d bytes in %d compressed ones, more than there can be", want, size)}
}

// readArray fills in what the file says of an array. r reads the file.
func (f *file) readArray(r files.Handle, a *array) error {
	if f.zip == nil {
		if a.member != "" {
			return &misfit{"ARRAY_MEMBER", "is asked for, but the file is no .npz and has no members"}
		}
		a.head, a.at, a.packed = f.one, f.one.first, f.codec != compress.Plain
		return nil
	}
	m, err := find(f.zip, a.member)
	if err != nil {
		return err
	}
	if err := m.locate(f.size); err != nil {
		return err
	}
	in := m.open(r)
	defer in.Close()
	if a.head, err = readHead(bufio.NewReaderSize(in, mostHead+headBegin)); err != nil {
		return err
	}
	a.entry, a.at, a.packed = m, m.at+a.first, m.isDeflated()
	return a.fits(m.size)
}
