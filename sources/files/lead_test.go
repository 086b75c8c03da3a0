package files

import (
	"sync"
	"testing"
)

// TestLead asks for each byte of all files once, in order, at most so far beyond what is
// searched and so much at a time.
func TestLead(t *testing.T) {
	texts := [][]byte{make([]byte, 3*leadPiece+1), nil, make([]byte, leadPiece), {}, make([]byte, leadBytes+9*leadGrows)}
	l := newLead(texts)
	asked := 0
	l.ask = func(piece []byte) { asked += len(piece) }
	before := 0 // bytes of the files before
	for file, text := range texts {
		for at := 0; at < len(text); at += leadPiece / 2 {
			was := asked
			l.Reach(file, at)
			if asked-was > leadGrows {
				t.Fatalf("%d bytes are asked for at a time", asked-was)
			}
			if ahead := asked - before - at; ahead > leadBytes+len(texts)*leadPiece {
				t.Fatalf("file %d, %d: %d bytes ahead", file, at, ahead)
			}
			if asked < min(before+at+leadPiece, before+len(text)) {
				t.Fatalf("file %d, %d: not even what is next is asked for", file, at)
			}
		}
		before += len(text)
	}
	if asked != before {
		t.Errorf("%d bytes asked for of %d", asked, before)
	}
	l.Reach(len(texts)-1, before)
	if asked != before {
		t.Error("some is asked for twice")
	}
}

// TestLeadPieces asks for pieces of mappings that begin with a page, whichever goroutine
// asks.
func TestLeadPieces(t *testing.T) {
	texts := [][]byte{make([]byte, 5*leadPiece+7), make([]byte, 2*leadPiece)}
	l := newLead(texts)
	var mu sync.Mutex
	seen := map[*byte]int{}
	l.ask = func(piece []byte) {
		mu.Lock()
		defer mu.Unlock()
		seen[&piece[0]] += len(piece)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() { l.Reach(i%2, 0) })
	}
	all.Wait()
	for file, text := range texts {
		for at := 0; at < len(text); at += leadPiece {
			if got, want := seen[&text[at]], min(leadPiece, len(text)-at); got != want {
				t.Errorf("file %d, %d: %d bytes asked for, want %d", file, at, got, want)
			}
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d pieces", len(seen))
	}
}

// TestLeadFails asks for what the system refuses: memory that begins with no page.
func TestLeadFails(t *testing.T) {
	text := make([]byte, 2*leadPiece)[1:]
	l := newLead([][]byte{text})
	l.Reach(0, 0)
	if l.asked.Load() != 2 {
		t.Errorf("%d pieces asked for", l.asked.Load())
	}
	newLead(nil)
	newLead([][]byte{nil}).Reach(0, 0)
}
