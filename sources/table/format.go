package table

import "tfr-build/schema"

// A Finder finds the rows of mapped files.
type Finder interface {
	// NewChunks returns n chunks for a complete file. The first begins at h.First. Each is size bytes
	// long, except the last.
	NewChunks(data []byte, h *Head, n, size int) Chunks
}

// A Format finds the rows of text files.
type Format interface {
	Finder
	// Head parses the part before the first row, from the beginning of a file's text. If text is
	// the complete file, atEOF is true. If more is true, Head needs a longer text. The error is a
	// *schema.RowError whose At is an offset in text, or an *input.MismatchError without a path.
	Head(text []byte, atEOF bool) (h Head, more bool, err error)
	// NewCutter returns a Cutter that splits a stream into rows, from the first row on.
	NewCutter(h *Head) Cutter
	// NewCandidates returns a finder of rows in ranges of a file. It returns nil if rows cannot be
	// found without the bytes before the range. If a line end always ends a row, lines is true.
	NewCandidates(h *Head) (c Candidates, lines bool)
}

// A Head describes the part of a file before its first row.
type Head struct {
	Names           []string // column names, if the head has them
	First           int      // offset of the first row in the decoded text
	Lines           int      // number of lines before the first row
	LikelyDelimiter string   // likely delimiter of a header of one cell
	Empty           bool     // the file does not have the expected header, and so has no rows
}

// A Kind is the kind of the piece of text whose end Cutter.Next returned.
type Kind uint8

const (
	Row     Kind = iota // a row, valid or invalid
	Blank               // a blank line, which is not a row
	Comment             // a comment line, which is not a row
	Rest                // part of the row or comment before, which did not fit into the window
)

// A Cutter finds the ends of the rows of a stream one after the other. It defines where they are.
type Cutter interface {
	// Next finds the end of the row, blank line, or comment at the start of the window. It is n
	// bytes long with its line end. atEOF says that the window reaches the end of the file. Call
	// Next again with the bytes that follow, until n is 0, bad is nil, and more is false.
	//
	// If more is true, n is 0 and Next needs a longer window that begins with the same bytes. The
	// Cutter remembers how far it has looked, so that it reads each byte once. bad is the error of an invalid row; its
	// At
	// is relative to the window.
	Next(window []byte, atEOF bool) (n int, kind Kind, bad *schema.RowError, more bool)
}

// A Judge is a Cutter or Chunks of files that are valid or invalid as a unit: an error rejects the
// file, not a row.
type Judge interface {
	// FileError returns why the file is invalid, or nil as far as it was read. The At of a Cutter's error is
	// an offset in the last window, and the At of Chunks' error, after Finish, an offset in the file. It is
	// negative if the error has no position.
	FileError() *schema.RowError
}

// A FileCutter is a Cutter of files that are valid or invalid as a unit.
type FileCutter interface {
	Cutter
	Judge
}

// Chunks are the chunks of a mapped file. Call Find for each chunk, in any order and in parallel,
// then Finish once, and then Starts.
type Chunks interface {
	// Find finds the possible rows of chunk i, which is data[lo:hi].
	Find(i, lo, hi int, s *Scratch)
	// Finish decides where the rows are. It returns their number, the number of blank lines, and
	// the flags that scanners have to check.
	Finish() (rows, blank int, check uint8)
	// Starts returns where rows begin in chunk i, in bytes from its beginning.
	Starts(i int) []uint32
}

// A Scratch is where Find collects starts, whose number is unknown: under the assumption that the
// chunk begins outside quotes, and that it begins inside. Find keeps an exact copy of the result,
// because growing lists have several times the memory that they use.
type Scratch [2][]uint32

// CheckAll makes scanners check everything that may make a row invalid.
const CheckAll = ^uint8(0)
