package files

import (
	"slices"
	"sort"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// A MappedReadAhead requests the pages of mapped files before they are searched. It begins at the
// first byte of the first file and ends at the last byte of the last one:
//
//	│ searched │ in the page cache │ requested │ later …
//	           ▲ Advance                       ▲ at most mappedBytes further
//
// Without it the search waits for each page that is not in memory, and the disk waits for the
// search. Each piece is requested once, which costs next to nothing if its pages are in memory.
// Several goroutines may use a MappedReadAhead. It ignores errors: the search reports them.
type MappedReadAhead struct {
	texts     [][]byte
	first     []int        // number of the first piece of each file, then the number of pieces
	requested atomic.Int64 // number of pieces requested
	request   func(piece []byte)
}

// Limits of a MappedReadAhead.
const (
	mappedPiece = 128 << 10 // Linux ignores what exceeds its own read-ahead, which is seldom less
	mappedBytes = 32 << 20  // what a disk of 3 GB/s delivers in 10 ms
	mappedGrows = 4 << 20   // at most per call, so that no caller spends long on requests
)

// NewMappedReadAhead returns a MappedReadAhead over mapped files. It skips remote files, which
// are in memory.
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
	l := &MappedReadAhead{texts: texts, first: []int{0}, request: willNeed}
	n := 0
	for _, text := range texts {
		n += (len(text) + mappedPiece - 1) / mappedPiece
		l.first = append(l.first, n)
	}
	return l
}

// Advance requests the pages that follow offset at of a file, from which the file is searched
// next.
func (l *MappedReadAhead) Advance(file, at int) {
	end := int64(min(l.first[file]+(at+mappedBytes)/mappedPiece, l.first[len(l.texts)]))
	for range mappedGrows / mappedPiece {
		n := l.requested.Load()
		if n >= end {
			return
		}
		if l.requested.CompareAndSwap(n, n+1) {
			l.request(l.piece(int(n)))
		}
	}
}

// piece returns piece n.
func (l *MappedReadAhead) piece(n int) []byte {
	file := sort.SearchInts(l.first, n+1) - 1 // the last file whose first piece is n or earlier
	text := l.texts[file]
	from := (n - l.first[file]) * mappedPiece
	return text[from:min(from+mappedPiece, len(text))]
}

// willNeed asks the system for the pages of a piece of a mapping. The piece begins with a page.
func willNeed(piece []byte) {
	_ = unix.Madvise(piece, unix.MADV_WILLNEED) // if it fails, the pages are only read later
}
