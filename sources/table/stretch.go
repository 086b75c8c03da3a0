package table

import (
	"bytes"
	"io"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// Candidates are where rows may begin in a stretch of a file, whatever came before it:
// how a Format finds rows in parallel without the whole file.
type Candidates interface {
	// Find notes where rows may begin in text[lo:hi]. text holds at least
	// StretchContext bytes before lo and after hi, or begins or ends with the file.
	Find(text []byte, lo, hi int)
	// From are the starts of rows from the offset from on, from lo, where a row or a blank
	// line begins, and how many blank lines are before the last of them. ok is false where
	// one of the rows may be bad, but for the last: then they are to be cut one after
	// another.
	From(from int) (starts []uint32, blank int, ok bool)
	// Check is what scanners have to check in rows of the stretch.
	Check() uint8
}

// StretchContext is how many bytes there are around a stretch.
const StretchContext = 64

// Stretches are a file whose rows are found stretch by stretch. Stretches are read and
// searched in any order and by any goroutines; then they are settled in order, each
// from where the rows of those before it end:
//
//	Stretch.Find(lo, hi)     in parallel: text, where rows may begin
//	Stretch.Settle(from)     in order: where they do begin, and where the last one ends
//	Stretch.Rows             in parallel
type Stretches struct {
	t     *Files
	file  int
	in    files.Handle
	first int64
	end   int64
}

// Stretches opens a file to find its rows stretch by stretch; it is nil where they can
// only be read one after another.
func (t *Files) Stretches(file int) (*Stretches, error) {
	f := &t.files[file]
	if c, _ := t.candidates(file); c == nil {
		return nil, nil
	}
	listed := &t.listing.Files[file]
	in, err := t.sys.Open(f.path, listed)
	if err != nil {
		return nil, &input.Error{Path: f.path, Err: err}
	}
	return &Stretches{t: t, file: file, in: in, first: min(int64(f.head.First), listed.Size), end: listed.Size}, nil
}

// candidates finds where the rows of a file may begin; nil where stretches do not tell.
func (t *Files) candidates(file int) (c Candidates, lines bool) {
	f := &t.files[file]
	if t.format == nil || t.IsPacked(file) || f.head.Empty {
		return nil, false
	}
	return t.format.NewCandidates(&f.head)
}

// Cuts reports whether the rows of a piece of the file can be found without those
// before it: each is a line.
func (t *Files) Cuts(file int) bool {
	_, lines := t.candidates(file)
	return lines
}

// Bounds are where the first row begins and where the file ends.
func (s *Stretches) Bounds() (first, end int64) { return s.first, s.end }

// IsFar reports whether each stretch has to come from afar: then large ones are better.
func (s *Stretches) IsFar() bool { return s.t.sys.Fetches(s.t.files[s.file].path) }

// Close closes the file.
func (s *Stretches) Close() error { return s.in.Close() }

// SetCheck says what scanners have to check in the rows of a file, when all are found.
func (t *Files) SetCheck(file int, check uint8) {
	if t.check != 0 {
		t.files[file].check = check
	}
}

// A Stretch is rows of one stretch at a time. It belongs to one goroutine.
type Stretch struct {
	Rows  []StretchRow // after Settle
	Blank int          // lines that begin in the stretch and are no rows

	of         *Stretches
	candidates Candidates
	lo, hi     int64
	buf        []byte
	base       int64 // of buf in the file
	cutter     Cutter
}

// A StretchRow is a row of a stretch.
type StretchRow struct {
	From, To int // in the stretch's text
	Bad      *schema.RowError
}

// Offset is where row i begins in the file.
func (s *Stretch) Offset(i int) int64 { return s.base + int64(s.Rows[i].From) }

// Text is the text of row i: what follows its line end may be in it. It holds until the
// next Find.
func (s *Stretch) Text(i int) []byte {
	r := &s.Rows[i]
	return s.buf[r.From:r.To:r.To]
}

// Check is what scanners have to check in the rows of the stretch.
func (s *Stretch) Check() uint8 { return s.candidates.Check() }

// Extra is how much is read beyond a stretch, for its last row.
const stretchExtra = 8 << 10

// largestKept is how much memory a Stretch keeps for the next, unless stretches are large.
const largestKept = 4 << 20

// Find reads the stretch from lo to hi of a file and searches it.
func (s *Stretch) Find(of *Stretches, lo, hi int64) error {
	if s.of == nil || s.of.t != of.t || s.of.file != of.file {
		s.candidates, _ = of.t.candidates(of.file)
	}
	if cap(s.buf) > max(largestKept, 2*int(hi-lo)) {
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

// read reads so many bytes more.
func (s *Stretch) read(n int) error {
	at := len(s.buf)
	s.buf = slices.Grow(s.buf, n)[:at+n]
	return s.of.read(s.buf[at:], s.base+int64(at))
}

// read reads as many bytes of the file as b has.
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

// atEnd reports whether the text reaches to the end of the file.
func (s *Stretch) atEnd() bool { return s.base+int64(len(s.buf)) >= s.of.end }

// Settle finds the rows that begin in the stretch. from is where the rows before it
// end, which may be in the stretch or beyond it; next is where its own do. A negative
// offset says that nobody knows, and that lines tell: the first row begins with the
// first line.
func (s *Stretch) Settle(from int64) (next int64, err error) {
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
	next, lines, err := s.cut(at)
	s.Blank = blank + lines
	return next, err
}

// firstLine is where the first line begins that begins in the stretch; negative where
// none does.
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

// cut cuts what is left of the stretch from at on, one row after another, and says
// where the last one ends.
func (s *Stretch) cut(at int) (next int64, blank int, err error) {
	s.cutter = s.of.t.format.NewCutter(&s.of.t.files[s.of.file].head)
	hi := int(s.hi - s.base)
	for at < hi {
		n, kind, bad, more := s.cutter.Next(s.buf[at:], s.atEnd())
		if more {
			if err := s.more(len(s.buf) - at); err != nil {
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
	next, err = s.rest()
	return next, blank, err
}

// more reads more of a row of which there are so many bytes.
func (s *Stretch) more(have int) error {
	left := s.of.end - s.base - int64(len(s.buf))
	return s.read(int(min(left, int64(max(have, stretchExtra)))))
}

// rest finds the end of a bad row that reaches beyond the text.
func (s *Stretch) rest() (next int64, err error) {
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
