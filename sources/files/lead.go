package files

import (
	"slices"
	"sort"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// A Lead keeps the disk ahead of those who search mapped files from the first byte of
// the first file to the last byte of the last one:
//
//	│ searched │ found in the page cache │ on its way │ not asked for yet …
//	           ▲ Reach                                ▲ at most leadBytes further
//
// Where pages are not there, a search waits for each stretch that the system reads at a
// fault, and the disk waits for the search. A Lead asks for what comes next instead, and
// waits for nothing. It asks for each stretch once, which costs next to nothing where
// the pages are there already. Several goroutines may use it.
//
// It is a hint: what comes of it, nobody asks, and reading says what is wrong with a
// file.
type Lead struct {
	texts [][]byte
	first []int        // by file: the number of its first piece, and after the last the number of all
	asked atomic.Int64 // pieces
	ask   func(piece []byte)
}

// How far and in what portions a Lead asks.
const (
	leadPiece = 128 << 10 // Linux passes over what goes beyond its own read-ahead, which is seldom less than that
	leadBytes = 32 << 20  // what a disk of 3 GB/s delivers in 10 ms
	leadGrows = 4 << 20   // at a time at most, so that nobody asks for long before it works
)

// NewLead is a Lead over files that are mapped. Of one that came from afar nothing is to
// be asked for: it is in memory.
func (s *System) NewLead(paths []string, mapped [][]byte) *Lead {
	texts := slices.Clone(mapped)
	for i, path := range paths {
		if s.Fetches(path) {
			texts[i] = nil
		}
	}
	return newLead(texts)
}

func newLead(texts [][]byte) *Lead {
	l := &Lead{texts: texts, first: []int{0}, ask: willNeed}
	n := 0
	for _, text := range texts {
		n += (len(text) + leadPiece - 1) / leadPiece
		l.first = append(l.first, n)
	}
	return l
}

// Reach says that a file is going to be searched from offset at on.
func (l *Lead) Reach(file, at int) {
	end := int64(min(l.first[file]+(at+leadBytes)/leadPiece, l.first[len(l.texts)]))
	for range leadGrows / leadPiece {
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
func (l *Lead) piece(n int) []byte {
	file := sort.SearchInts(l.first, n+1) - 1 // the last that begins at n or before
	text := l.texts[file]
	from := (n - l.first[file]) * leadPiece
	return text[from:min(from+leadPiece, len(text))]
}

// willNeed asks for the pages of a piece of a mapping, which begins with one.
func willNeed(piece []byte) {
	_ = unix.Madvise(piece, unix.MADV_WILLNEED) // without it they are read all the same, only later
}
