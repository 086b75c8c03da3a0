package arrays

import (
	"bufio"
	"errors"
	"io"

	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// rows reads all arrays side by side. The text of a row is the row of each array,
// little-endian and in C order, one behind the other in the order of the config:
//
//	image 784 bytes | label 1 byte | x 16 bytes
//
// An array of several columns is read once.
type rows struct {
	in     *arraysInput
	opened map[int]*compress.Stream // plain files, which are read anywhere
	lanes  []lane
	copies []repeated
	next   int64
	raw    []byte
	rec    input.Record
}

// Rows starts at the first row. All rows are of the first file.
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
		if begin, there := begins[a.stored()]; there {
			r.copies = append(r.copies, repeated{begin, at, a.stride})
		} else {
			begins[a.stored()] = at
			l, err := r.open(a, at)
			if err != nil {
				return nil, errors.Join(err, r.Close())
			}
			r.lanes = append(r.lanes, l)
		}
		at += a.stride
	}
	return r, nil
}

// A repeated is an array that stands in the text of a row before: its bytes are copied.
type repeated struct{ from, to, size int }

// Next is the next row of all arrays.
func (r *rows) Next() (*input.Record, error) {
	if r.next == r.in.to {
		if err := r.in.sound(); err != nil {
			return nil, err
		}
		return nil, io.EOF
	}
	for i := range r.lanes {
		l := &r.lanes[i]
		if err := l.read(r.raw[l.begin:l.begin+l.stride], r.next); err != nil {
			return nil, r.in.readFault(l.array, err)
		}
	}
	for _, c := range r.copies {
		copy(r.raw[c.to:], r.raw[c.from:c.from+c.size])
	}
	r.rec = input.Record{Offset: r.next, Number: r.next, Binary: true, Row: true, Raw: r.raw}
	r.next++
	return &r.rec, nil
}

// readFault is err as that of reading an array whose header said what there is.
func (in *arraysInput) readFault(a *array, err error) error {
	f := &in.files[a.file]
	switch ended := err == io.EOF || err == io.ErrUnexpectedEOF; {
	case ended && f.codec == compress.Plain:
		err = files.ErrChanged
	case ended:
		err = &damage{"ARRAY_SIZE", "has fewer bytes than its header claims"}
	}
	return faultOf(f.path, a.member, err)
}

// Blank is 0: rows are no lines.
func (r *rows) Blank() int { return 0 }

// Close closes the files.
func (r *rows) Close() error {
	var errs []error
	for i := range r.lanes {
		errs = append(errs, r.lanes[i].close())
	}
	for _, st := range r.opened {
		errs = append(errs, st.Close())
	}
	return errors.Join(errs...)
}

// A lane reads the rows of one array one after another.
type lane struct {
	*array
	begin  int         // in the text of a row
	walk   *walk       // in Fortran order
	share  int         // bytes that are read at once, or a row
	most   int         // of them in Fortran order
	stream io.Reader   // at the next row
	part   io.Closer   // of the file, that the stream reads; nil where that is all
	ends   bool        // the array has to end with its last row, which only reading on tells
	held   []byte      // a packed array in Fortran order, decompressed
	blocks io.ReaderAt // an array in Fortran order
	block  span        // of that or of what is held, some rows in the order of the file
	tile   span        // of those, some in C order
	shut   func() error
}

// How much of all arrays is read at once, and of one.
const (
	readSizeAll = 1 << 20
	readSize    = 64 << 10 // of rows that follow one another
	blocksAll   = 64 << 20 // in Fortran order, where less would be in too small pieces
)

// open opens an array at the first row that is wanted; it begins there in the text of
// a row.
func (r *rows) open(a *array, begin int) (l lane, err error) {
	f := &r.in.files[a.file]
	st, shared := r.opened[a.file]
	if !shared {
		if st, err = compress.Open(r.in.sys, f.path, &r.in.listing.Files[a.file]); err != nil {
			return l, err
		}
	}
	l = lane{array: a, begin: begin, walk: a.newWalk(), shut: func() error { return nil }}
	if f.codec == compress.Plain {
		r.opened[a.file] = st
	} else {
		l.shut = st.Close
	}
	l.share, l.most = readSizeAll/len(r.in.arrays), blocksAll/len(r.in.arrays)
	if err := l.start(st, r.in.from); err != nil {
		return l, errors.Join(r.in.readFault(a, err), l.close())
	}
	return l, nil
}

// start goes to row from. What is not packed is read from there.
func (l *lane) start(st *compress.Stream, from int64) error {
	size := min(l.share, readSize)
	if !l.packed {
		if l.fortran {
			l.blocks = io.NewSectionReader(st.File(), l.at, l.bytes)
			return nil
		}
		skip := from * int64(l.stride)
		part := st.File().Section(l.at+skip, l.bytes-skip)
		l.stream, l.part = bufio.NewReaderSize(part, size), part
		return nil
	}
	l.stream, l.ends = st, true
	if l.entry != nil {
		in := l.entry.open(st.File())
		l.stream, l.part = in, in
	}
	l.stream = bufio.NewReaderSize(l.stream, size)
	skip := l.first + from*int64(l.stride)
	if l.isHeld() {
		skip = l.first
	}
	if _, err := io.CopyN(io.Discard, l.stream, skip); err != nil || !l.isHeld() {
		return err
	}
	return l.hold()
}

// end makes sure that the array ends here, and that what it was packed in is whole.
func (l *lane) end() error {
	var next [1]byte
	switch n, err := io.ReadFull(l.stream, next[:]); {
	case n > 0:
		return &damage{"ARRAY_SIZE", "has more bytes than its header claims"}
	case err != io.EOF:
		return err
	}
	return nil
}

// read reads row i into dst.
func (l *lane) read(dst []byte, i int64) error {
	switch {
	case l.fortran:
		if err := l.readFortran(dst, i); err != nil {
			return err
		}
	default:
		if _, err := io.ReadFull(l.stream, dst); err != nil {
			return err
		}
		if l.ends && i+1 == l.rows {
			if err := l.end(); err != nil {
				return err
			}
		}
	}
	turn(dst, l.word)
	return nil
}

func (l *lane) close() error {
	files.Unmap(l.held)
	l.held = nil
	if l.part == nil {
		return l.shut()
	}
	return errors.Join(l.part.Close(), l.shut())
}
