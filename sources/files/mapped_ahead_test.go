package files

import (
	"sync"
	"testing"
)

// TestMappedReadAhead expects that each byte of all files is requested once, in order. A request
// is limited in its distance from the search, and in its size.
func TestMappedReadAhead(t *testing.T) {
	texts := [][]byte{make([]byte, 3*mappedPiece+1), nil, make([]byte, mappedPiece), {}, make([]byte, mappedBytes+9*mappedGrows)}
	l := newMappedReadAhead(texts)
	asked := 0
	l.request = func(piece []byte) { asked += len(piece) }
	before := 0 // bytes of the files before
	for file, text := range texts {
		for at := 0; at < len(text); at += mappedPiece / 2 {
			was := asked
			l.Advance(file, at)
			if asked-was > mappedGrows {
				t.Fatalf("%d bytes are asked for at a time", asked-was)
			}
			if ahead := asked - before - at; ahead > mappedBytes+len(texts)*mappedPiece {
				t.Fatalf("file %d, %d: %d bytes ahead", file, at, ahead)
			}
			if asked < min(before+at+mappedPiece, before+len(text)) {
				t.Fatalf("file %d, %d: not even what is next is asked for", file, at)
			}
		}
		before += len(text)
	}
	if asked != before {
		t.Errorf("%d bytes asked for of %d", asked, before)
	}
	l.Advance(len(texts)-1, before)
	if asked != before {
		t.Error("some is asked for twice")
	}
}

// TestMappedReadAheadPieces expects pieces that begin with a page, from several goroutines.
func TestMappedReadAheadPieces(t *testing.T) {
	texts := [][]byte{make([]byte, 5*mappedPiece+7), make([]byte, 2*mappedPiece)}
	l := newMappedReadAhead(texts)
	var mu sync.Mutex
	seen := map[*byte]int{}
	l.request = func(piece []byte) {
		mu.Lock()
		defer mu.Unlock()
		seen[&piece[0]] += len(piece)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() { l.Advance(i%2, 0) })
	}
	all.Wait()
	for file, text := range texts {
		for at := 0; at < len(text); at += mappedPiece {
			if got, want := seen[&text[at]], min(mappedPiece, len(text)-at); got != want {
				t.Errorf("file %d, %d: %d bytes asked for, want %d", file, at, got, want)
			}
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d pieces", len(seen))
	}
}

// TestMappedReadAheadFails has memory that does not begin with a page, which the system refuses.
func TestMappedReadAheadFails(t *testing.T) {
	text := make([]byte, 2*mappedPiece)[1:]
	l := newMappedReadAhead([][]byte{text})
	l.Advance(0, 0)
	if l.requested.Load() != 2 {
		t.Errorf("%d pieces asked for", l.requested.Load())
	}
	newMappedReadAhead(nil)
	newMappedReadAhead([][]byte{nil}).Advance(0, 0)
}
