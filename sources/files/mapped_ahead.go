package files

import (
	"slices"
	"sort"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// A MappedReadAhead asks for the pages of mapped files before they are searched, from the first
// byte of the first file to the last byte of the last one:
//
//	│ searched │ in the page cache │ asked for │ later …
//	           ▲ Advance                       ▲ at most mappedBytes further
//
// Without it a search waits at each fault for what the system reads then, and the disk
// waits for the search. Each piece is asked for once, which costs next to nothing if its
// pages are in memory. Several goroutines may use it. Errors are ignored: the search
// reports them.
type MappedReadAhead struct {
	texts [][]byte
	first []int        // by file: the number of its first piece, and after the last the number of all
	asked atomic.Int64 // pieces
	ask   func(piece []byte)
}

// Limits of a MappedReadAhead.
const (
	mappedPiece = 128 << 10 // Linux passes over what goes beyond its own read-ahead, which is seldom less than that
	mappedBytes = 32 << 20  // what a disk of 3 GB/s delivers in 10 ms
	mappedGrows = 4 << 20   // at a time at most, so that nobody asks for long before it works
)

// NewMappedReadAhead returns a MappedReadAhead over mapped files. Remote files are in memory
// already.
func (s *System) NewMappedReadAhead(paths []string, mapped [][]byte) *MappedReadAhead {
	texts := slices.Clone(mapped)
	for i, path := range paths {
		if s.Fetches(path) {
			texts[i] = nil
		}
	}
	return newMappedReadAhead(texts)
}

func newMappedReadAhead(texts [][]byte) *MappedReadAhead {
	l := &MappedReadAhead{texts: texts, first: []int{0}, ask: willNeed}
	n := 0
	for _, text := range texts {
		n += (len(text) + mappedPiece - 1) / mappedPiece
		l.first = append(l.first, n)
	}
	return l
}

// Advance moves to offset at of a file, from which the file is searched next.
func (l *MappedReadAhead) Advance(file, at int) {
	end := int64(min(l.first[file]+(at+mappedBytes)/mappedPiece, l.first[len(l.texts)]))
	for range mappedGrows / mappedPiece {
		n := l.asked.Load()
		if n >= end {
			return
		}
		if l.asked.CompareAndSwap(n, n+1) {
			l.ask(l.piece(int(n)))
		}
	}
}

// piece is piece n of all.
func (l *MappedReadAhead) piece(n int) []byte {
	file := sort.SearchInts(l.first, n+1) - 1 // the last that begins at n or before
	text := l.texts[file]
	from := (n - l.first[file]) * mappedPiece
	return text[from:min(from+mappedPiece, len(text))]
}

// willNeed asks for the pages of a piece of a mapping, which begins with one.
func willNeed(piece []byte) {
	_ = unix.Madvise(piece, unix.MADV_WILLNEED) // without it they are read all the same, only later
}
