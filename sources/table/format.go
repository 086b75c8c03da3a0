package table

import (
	"io"

	"tfr-build/schema"
)

// A Finder says where the rows of a file stand that is mapped.
type Finder interface {
	// NewChunks finds the rows of a whole file that is cut into n chunks, which
	// begin at h.First.
	NewChunks(data []byte, h *Head, n, size int) Chunks
}

// A Format says where the rows of a file of text stand.
type Format interface {
	Finder
	// Head reads what stands before the first row, from the beginning of a
	// file's text; atEOF says that it is all of it. With more it needs a longer
	// piece. The error is a *schema.RowError, whose At is an offset in text, or an
	// *input.FitError without a path.
	Head(text []byte, atEOF bool) (h Head, more bool, err error)
	// NewDecoder decodes a stream to UTF-8; nil where it is that already.
	NewDecoder(r io.Reader) Decoder
	// NewCutter cuts a stream into rows, from the first on.
	NewCutter(h *Head) Cutter
	// NewCandidates finds where rows may begin in stretches of a file; nil where a
	// stretch does not tell. lines says that a line end always ends a row.
	NewCandidates(h *Head) (c Candidates, lines bool)
}

// A Head is what stands before the first row.
type Head struct {
	Names []string // of the columns, where the head tells them
	First int      // offset of the first row in the decoded text
	Lines int      // lines before it
	BOM   bool
	Looks string // the delimiter that a header of one cell seems to have
	Empty bool   // there is no header where one is expected, and so no row
}

// A Kind says what a Cutter came to the end of.
type Kind uint8

const (
	Row     Kind = iota // a row, good or bad
	Blank               // a blank line, which is no row
	Comment             // a comment line, which is no row
	Rest                // a piece of the row or comment before, which did not fit into the window
)

// A Cutter finds the ends of the rows of a stream one after the other. It is the
// definition of where they are.
type Cutter interface {
	// Next finds the end of what stands at the start of the window, n bytes with
	// its line end; atEOF says that the window reaches to the end of the file. It
	// is called again with what follows, until n is 0 without more. With more, n
	// is 0 and a longer window is needed, which begins as this one: what was read
	// of it is not read again. At of bad is relative to the window.
	Next(window []byte, atEOF bool) (n int, kind Kind, bad *schema.RowError, more bool)
}

// A Judge is a Cutter or Chunks of files that are sound as a whole or not at all.
type Judge interface {
	// Fault is why a file is not, as far as it was read; else nil. Its At is an offset,
	// of a Cutter in the last window, of Chunks in the file, after Finish; it is
	// negative where no place is to blame.
	Fault() *schema.RowError
}

// Chunks are the chunks of a mapped file: Find is called for each, in any order
// and by any goroutines, then Finish; then Starts holds.
type Chunks interface {
	Find(i, lo, hi int, s *Scratch)
	Finish() (rows, blank int, check uint8)
	// Starts are where rows begin in chunk i, from its beginning.
	Starts(i int) []uint32
}

// A Scratch is where Find notes starts while nobody knows how many there are. What
// it keeps of them is a copy of their number: lists that grow leave several times
// what they hold.
type Scratch [2][]uint32

// A Decoder decodes a stream to UTF-8.
type Decoder interface {
	io.Reader
	// BOM is the length of the byte order mark that was left out. It is known
	// after the first Read.
	BOM() int
	// EncodedLen is how long decoded text was in the file.
	EncodedLen(text []byte) int64
}

// CheckAll has scanners check all that can spoil a row.
const CheckAll = ^uint8(0)
