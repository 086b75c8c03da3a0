package arrays

import (
	"bufio"
	"io"

	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A file is a file with one array, or a zip archive with several.
type file struct {
	codec compress.Codec
	zip   []*member // members of a zip archive; nil for one array
	one   header    // of the one array
}

// An array is a column.
type array struct {
	column string
	file   int
	member string // of a zip archive, as in the config; may be empty

	header
	at     int64   // offset of the elements in the file, unless the array is packed
	packed bool    // compressed: it can only be read serially
	entry  *member // of a zip archive; else nil
}

// A stored identifies the data of an array, which several columns may share.
type stored struct {
	file  int
	entry *member
}

func (a *array) stored() stored { return stored{a.file, a.entry} }

// identify detects the format of the file by its first bytes.
func (f *file) identify(st *compress.Stream, size int64) error {
	f.codec = st.Codec
	r := bufio.NewReaderSize(st, maxHeader+headerBegin)
	begin, err := r.Peek(headerBegin)
	switch {
	case err != nil && err != io.EOF:
		return err
	case isZip(begin) && f.codec != compress.Plain:
		return input.Mismatch("ARRAY_FORMAT", "is a compressed .npz; expected the .npz itself")
	case isZip(begin):
		f.zip, err = readDirectory(st.File, size)
		return err
	}
	if f.one, err = readHeader(r); err != nil {
		return err
	}
	switch want := f.one.first + f.one.bytes; {
	case f.codec == compress.Plain:
		return f.one.checkSize(size)
	case f.codec == compress.Gzip && want/maxDeflateRatio > size:
		return overclaimError(want, size)
	}
	return nil
}

// maxDeflateRatio is the maximum ratio at which deflate compresses.
const maxDeflateRatio = 1032

// overclaimError returns the error of a header that claims more bytes than the file can have.
func overclaimError(want, size int64) error {
	return input.Damaged("ARRAY_SIZE", "claims %d bytes in %d compressed ones, more than there can be", want, size)
}

// readArray sets the fields of an array that come from the file. r reads the file.
func (f *file) readArray(r files.Handle, a *array) error {
	if f.zip == nil {
		if a.member != "" {
			return input.Mismatch("ARRAY_MEMBER", "is expected, but the file is not a .npz archive and has no members")
		}
		a.header, a.at, a.packed = f.one, f.one.first, f.codec != compress.Plain
		return nil
	}
	m, err := findMember(f.zip, a.member)
	if err != nil {
		return err
	}
	if err := m.locate(r); err != nil {
		return err
	}
	in := m.open(r)
	defer in.Close()
	if a.header, err = readHeader(bufio.NewReaderSize(in, maxHeader+headerBegin)); err != nil {
		return err
	}
	a.entry, a.at, a.packed = m, m.contentAt+a.first, m.isDeflated()
	return a.checkSize(m.Size)
}
