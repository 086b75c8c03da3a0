package table

import (
	"bytes"
	"io"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// Candidates finds where rows may begin in a range of a file, without knowing the bytes before it.
// With it a Format finds rows in parallel without the complete file.
type Candidates interface {
	// Find finds where rows may begin in text[lo:hi]. The text has at least StretchContext bytes
	// before lo and after hi, unless the file begins or ends there.
	Find(text []byte, lo, hi int)
	// From returns the starts of rows relative to lo, from the offset from on, where a row or a
	// blank line begins. It also returns the number of blank lines before the last row. If a row
	// other than the last may be invalid, ok is false: then the rows have to be cut serially.
	From(from int) (starts []uint32, blank int, ok bool)
	// Check returns the flags that scanners have to check in rows of the range.
	Check() uint8
}

// StretchContext is the number of bytes of context around a stretch.
const StretchContext = 64

// Stretches is a file whose rows are found in ranges, called stretches. They are read and searched
// in any order and in parallel. Then their rows are found in order, each from where the rows of the one
// before end:
//
//	Stretch.Find(lo, hi)     in parallel: the text, and where rows may begin
//	Stretch.FindRows(from)   in order: where they do begin, and where the last one ends
//	Stretch.Rows             in parallel
type Stretches struct {
	t     *Files
	file  int
	in    files.Handle
	first int64
	end   int64
}

// Stretches opens a file to find its rows in stretches. It returns nil if the rows can only be read
// serially.
func (t *Files) Stretches(file int) (*Stretches, error) {
	f := &t.files[file]
	if c, _ := t.candidates(file); c == nil {
		return nil, nil
	}
	in, err := t.Handle(file)
	if err != nil {
		return nil, err
	}
	size := t.listing.Files[file].Size
	return &Stretches{t: t, file: file, in: in, first: min(int64(f.head.First), size), end: size}, nil
}

// candidates returns a finder of rows in ranges of a file, or nil if it can only be read serially.
func (t *Files) candidates(file int) (c Candidates, lines bool) {
	f := &t.files[file]
	if t.format == nil || t.IsCompressed(file) || f.head.Empty {
		return nil, false
	}
	return t.format.NewCandidates(&f.head)
}

// Cuts reports whether the rows of a range of the file can be found without the rows before it,
// because each row is a line.
func (t *Files) Cuts(file int) bool {
	_, lines := t.candidates(file)
	return lines
}

// Bounds returns the offset of the first row and the end of the file.
func (s *Stretches) Bounds() (first, end int64) { return s.first, s.end }

// IsRemote reports whether each stretch has to be fetched from remote storage: then large ones are
// better.
func (s *Stretches) IsRemote() bool { return s.t.Fetches(s.file) }

// Close closes the file.
func (s *Stretches) Close() error { return s.in.Close() }

// SetCheck sets the flags that scanners have to check in the rows of a file, after all rows were
// found.
func (t *Files) SetCheck(file int, check uint8) {
	if t.check != 0 {
		t.files[file].check = check
	}
}

// A Stretch has the rows of one stretch at a time. It may be used by one goroutine.
type Stretch struct {
	Rows  []StretchRow // after FindRows
	Blank int          // number of lines that begin in the stretch and are not rows

	of         *Stretches
	candidates Candidates
	lo, hi     int64
	buf        []byte
	base       int64 // offset of buf in the file
	cutter     Cutter
}

// A StretchRow is a row of a stretch.
type StretchRow struct {
	From, To int // offsets in the stretch's text
	Bad      *schema.RowError
}

// Offset returns where row i begins in the file.
func (s *Stretch) Offset(i int) int64 { return s.base + int64(s.Rows[i].From) }

// Text returns the text of row i. It may include bytes after the row's line end. Its capacity reaches the
// end of the stretch, because scanners read complete blocks. It is valid until the next Find.
func (s *Stretch) Text(i int) []byte {
	r := &s.Rows[i]
	return s.buf[r.From:r.To]
}

// Check returns the flags that scanners have to check in the rows of the stretch.
func (s *Stretch) Check() uint8 { return s.candidates.Check() }

// stretchExtra is how many bytes are read beyond a stretch, for its last row.
const stretchExtra = 8 << 10

// maxReuse is the maximum size in bytes of the buffer that a Stretch reuses, unless stretches are
// large.
const maxReuse = 4 << 20

// Find reads the stretch from lo to hi of a file and searches it.
func (s *Stretch) Find(of *Stretches, lo, hi int64) error {
	if s.of == nil || s.of.t != of.t || s.of.file != of.file {
		s.candidates, _ = of.t.candidates(of.file)
	}
	if cap(s.buf) > max(maxReuse, 2*int(hi-lo)) {
		s.buf = nil
	}
	s.of, s.lo, s.hi = of, lo, hi
	s.Rows, s.Blank = s.Rows[:0], 0
	s.base = max(0, lo-StretchContext)
	s.buf = s.buf[:0]
	if err := s.read(int(min(of.end, hi+stretchExtra) - s.base)); err != nil {
		return err
	}
	s.candidates.Find(s.buf, int(lo-s.base), int(hi-s.base))
	return nil
}

// read appends n bytes of the file to the buffer.
func (s *Stretch) read(n int) error {
	at := len(s.buf)
	s.buf = slices.Grow(s.buf, n)[:at+n]
	return s.of.read(s.buf[at:], s.base+int64(at))
}

// read fills b with bytes of the file from off on.
func (s *Stretches) read(b []byte, off int64) error {
	_, err := s.in.ReadAt(b, off)
	switch err {
	case nil:
		return nil
	case io.EOF:
		err = files.ErrChanged
	}
	return &input.Error{Path: s.t.files[s.file].path, Err: err}
}

// atEnd reports whether the text reaches the end of the file.
func (s *Stretch) atEnd() bool { return s.base+int64(len(s.buf)) >= s.of.end }

// FindRows finds the rows that begin in the stretch. The rows before it end at from, in the stretch
// or beyond it. A negative from is unknown. Then the first row begins with the first line; that
// requires Cuts. It returns where the last row of the stretch ends.
func (s *Stretch) FindRows(from int64) (next int64, err error) {
	if from < 0 {
		if from = s.firstLine(); from < 0 {
			return from, nil
		}
	}
	if from >= s.hi {
		return from, nil
	}
	starts, blank, ok := s.candidates.From(int(max(from, s.lo) - s.lo))
	at, lo := int(max(from, s.lo)-s.base), int(s.lo-s.base)
	if ok && len(starts) > 0 {
		for _, start := range starts {
			s.Rows = append(s.Rows, StretchRow{From: lo + int(start)})
		}
		last := len(s.Rows) - 1
		for i := range last {
			s.Rows[i].To = s.Rows[i+1].From
		}
		at = s.Rows[last].From
		s.Rows = s.Rows[:last]
	}
	next, lines, err := s.cutRows(at)
	s.Blank = blank + lines
	return next, err
}

// firstLine returns the start of the first line that begins in the stretch, or a negative number.
func (s *Stretch) firstLine() int64 {
	if s.lo <= s.of.first {
		return s.lo
	}
	from, to := int(s.lo-s.base)-1, int(s.hi-s.base)-1
	i := bytes.IndexByte(s.buf[from:to], '\n')
	if i < 0 {
		return -1
	}
	return s.base + int64(from+i+1)
}

// cutRows cuts the rest of the stretch from at on serially. It returns where the last row ends.
func (s *Stretch) cutRows(at int) (next int64, blank int, err error) {
	s.cutter = s.of.t.format.NewCutter(&s.of.t.files[s.of.file].head)
	hi := int(s.hi - s.base)
	for at < hi {
		n, kind, bad, more := s.cutter.Next(s.buf[at:], s.atEnd())
		if more {
			if err := s.readMore(len(s.buf) - at); err != nil {
				return 0, 0, err
			}
			continue
		}
		switch kind {
		case Row:
			s.Rows = append(s.Rows, StretchRow{From: at, To: at + n, Bad: bad})
		case Blank:
			blank++
		}
		at += n
	}
	if at < len(s.buf) || s.atEnd() {
		return s.base + int64(at), blank, nil
	}
	next, err = s.skipRest()
	return next, blank, err
}

// readMore reads more of a row that has so many bytes in the buffer.
func (s *Stretch) readMore(have int) error {
	left := s.of.end - s.base - int64(len(s.buf))
	return s.read(int(min(left, int64(max(have, stretchExtra)))))
}

// skipRest returns the end of an invalid row that reaches beyond the text.
func (s *Stretch) skipRest() (next int64, err error) {
	next = s.base + int64(len(s.buf))
	var piece [stretchExtra]byte
	for next < s.of.end {
		text := piece[:min(int64(len(piece)), s.of.end-next)]
		if err := s.of.read(text, next); err != nil {
			return 0, err
		}
		n, kind, _, _ := s.cutter.Next(text, next+int64(len(text)) >= s.of.end)
		if kind != Rest {
			break
		}
		next += int64(n)
	}
	return next, nil
}
