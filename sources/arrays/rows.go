package arrays

import (
	"bufio"
	"errors"
	"io"

	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// rows reads the rows of all arrays in parallel. The text of a row has the row of each array,
// little-endian and in C order, in the order of the config:
//
//	image 784 bytes | label 1 byte | x 16 bytes
//
// An array with several columns is read once.
type rows struct {
	input.NoBlank
	in      *arraysInput
	opened  map[int]*compress.Stream // uncompressed files, which can be read at any offset
	readers []arrayReader
	copies  []repeated
	next    int64
	raw     []byte
	rec     input.Record
}

// Rows returns a reader that starts at the first row. All rows belong to the first file.
func (in *arraysInput) Rows(file int) (input.Rows, error) {
	r := &rows{in: in, opened: map[int]*compress.Stream{}, next: in.from, raw: make([]byte, in.size)}
	if file > 0 {
		r.next = in.to
		return r, nil
	}
	begins := map[stored]int{}
	at := 0
	for i := range in.arrays {
		a := &in.arrays[i]
		// An array that several columns name is read once.
		if begin, there := begins[a.stored()]; there {
			r.copies = append(r.copies, repeated{begin, at, a.stride})
		} else {
			begins[a.stored()] = at
			l, err := r.open(a, at)
			if err != nil {
				return nil, errors.Join(err, r.Close())
			}
			r.readers = append(r.readers, l)
		}
		at += a.stride
	}
	return r, nil
}

// A repeated is an array that is already in the text of a row: its bytes are copied.
type repeated struct{ from, to, size int }

// Next returns the next row of all arrays.
func (r *rows) Next() (*input.Record, error) {
	if r.next == r.in.to {
		if err := r.in.verifyStored(); err != nil {
			return nil, err
		}
		return nil, io.EOF
	}
	for i := range r.readers {
		l := &r.readers[i]
		if err := l.read(r.raw[l.begin:l.begin+l.stride], r.next); err != nil {
			return nil, r.in.readError(l.array, err)
		}
	}
	for _, c := range r.copies {
		copy(r.raw[c.to:], r.raw[c.from:c.from+c.size])
	}
	r.rec = input.Record{Offset: r.next, Number: r.next, Binary: true, Row: true, Raw: r.raw}
	r.next++
	return &r.rec, nil
}

// readError returns the error of reading an array whose header was valid.
func (in *arraysInput) readError(a *array, err error) error {
	switch ended := err == io.EOF || err == io.ErrUnexpectedEOF; {
	case ended && in.files[a.file].codec == compress.Plain:
		err = files.ErrChanged
	case ended:
		err = input.Damaged("ARRAY_SIZE", "has fewer bytes than its header claims")
	}
	return wrapError(in.Path(a.file), a.member, err)
}

// Close closes the files.
func (r *rows) Close() error {
	var errs []error
	for i := range r.readers {
		errs = append(errs, r.readers[i].close())
	}
	for _, st := range r.opened {
		errs = append(errs, st.Close())
	}
	return errors.Join(errs...)
}

// An arrayReader reads the rows of one array serially.
type arrayReader struct {
	*array
	begin        int         // offset in the text of a row
	walk         *walk       // for Fortran order
	share        int         // bytes to read at once; at least a row
	most         int         // maximum bytes to read at once in Fortran order
	stream       io.Reader   // at the next row
	part         io.Closer   // the part of the file that stream reads; nil for the complete file
	ends         bool        // after the last row, check that the data ends
	decompressed []byte      // contents of a compressed array in Fortran order
	blocks       io.ReaderAt // an array in Fortran order
	block        block       // rows of the array in Fortran order
	closeFile    func() error
}

// How many bytes are read at once.
const (
	readSizeAll = 1 << 20  // from all arrays
	readSize    = 64 << 10 // from one array
	blocksAll   = 64 << 20 // from all arrays, for Fortran order, where smaller reads would be scattered
)

// open opens an array at the first row to read. Its offset in the text of a row is begin.
func (r *rows) open(a *array, begin int) (l arrayReader, err error) {
	st, shared := r.opened[a.file]
	if !shared {
		if st, err = r.in.Content(a.file); err != nil {
			return l, err
		}
	}
	l = arrayReader{array: a, begin: begin, walk: a.newWalk(), closeFile: func() error { return nil }}
	// Arrays of a plain file share its handle. Each array of a compressed one has a stream, at its own position.
	if st.Codec == compress.Plain {
		r.opened[a.file] = st
	} else {
		l.closeFile = st.Close
	}
	l.share, l.most = readSizeAll/len(r.in.arrays), blocksAll/len(r.in.arrays)
	if err := l.start(st, r.in.from); err != nil {
		return l, errors.Join(r.in.readError(a, err), l.close())
	}
	return l, nil
}

// start moves to row from. An uncompressed array is read from there.
func (r *arrayReader) start(st *compress.Stream, from int64) error {
	size := min(r.share, readSize)
	if !r.packed {
		if r.fortran {
			r.blocks = io.NewSectionReader(st.File, r.at, r.bytes)
			return nil
		}
		skip := from * int64(r.stride)
		part := st.File.Section(r.at+skip, r.bytes-skip)
		r.stream, r.part = bufio.NewReaderSize(part, size), part
		return nil
	}
	r.stream, r.ends = st, true
	if r.entry != nil {
		in := r.entry.open(st.File)
		r.stream, r.part = in, in
	}
	r.stream = bufio.NewReaderSize(r.stream, size)
	skip := r.first + from*int64(r.stride)
	if r.needsMemory() {
		skip = r.first
	}
	if _, err := io.CopyN(io.Discard, r.stream, skip); err != nil || !r.needsMemory() {
		return err
	}
	return r.decompress()
}

// expectEnd checks that the array ends here. A decompressor then also verifies checksums.
func (r *arrayReader) expectEnd() error {
	var next [1]byte
	switch n, err := io.ReadFull(r.stream, next[:]); {
	case n > 0:
		return input.Damaged("ARRAY_SIZE", "has more bytes than its header claims")
	case err != io.EOF:
		return err
	}
	return nil
}

// read reads row i into dst.
func (r *arrayReader) read(dst []byte, i int64) error {
	var err error
	if r.fortran {
		err = r.readFortran(dst, i)
	} else if _, err = io.ReadFull(r.stream, dst); err == nil && r.ends && i+1 == r.rows {
		err = r.expectEnd()
	}
	swapBytes(dst, r.word)
	return err
}

func (r *arrayReader) close() error {
	files.Unmap(r.decompressed)
	r.decompressed = nil
	if r.part == nil {
		return r.closeFile()
	}
	return errors.Join(r.part.Close(), r.closeFile())
}
