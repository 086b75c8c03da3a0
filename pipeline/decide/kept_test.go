package decide

import (
	"bytes"
	"errors"
	"testing"
)

// TestKept keeps digests after skipped rows. Another process reads them, unless they are damaged.
func TestKept(t *testing.T) {
	one, two, three := bytes.Repeat([]byte{1}, KeptSize), bytes.Repeat([]byte{2}, KeptSize),
		bytes.Repeat([]byte{3}, KeptSize)
	kept := MergeKept(one, append(bytes.Clone(two), three...))
	if want := bytes.Join([][]byte{one, two, three}, nil); !bytes.Equal(kept, want) ||
		!bytes.Equal(MergeKept(want, nil), want) ||
		!bytes.Equal(MergeKept(append(bytes.Clone(one), three...), two), want) {
		t.Fatalf("merged to %x", kept)
	}
	f := &memoryFile{}
	w := &Writer{File: f}
	_, err := w.Begin()
	if err = errors.Join(err, w.Add(7, 5), w.Keep(kept)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Begin(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Add(9, 1), w.Keep(nil)); err != nil {
		t.Fatal(err)
	}
	s, err := w.Finish()
	if err != nil || s.Check(2) != nil {
		t.Fatal(err, s.Check(2))
	}
	s.Open(f)
	for i, want := range [][]byte{kept, nil} {
		if got, err := s.Lists[i].ReadKept(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("list %d keeps %x (%v), want %x", i, got, err, want)
		}
	}
	if skips, err := s.Cursor().Rule(9); err != nil || skips != 1 {
		t.Errorf("the row at 9 is skipped by rule %d (%v)", skips, err)
	}
	at := s.Lists[0].Kept.Offset
	f.data[at] ^= 1
	if _, err := s.Lists[0].ReadKept(); !errors.Is(err, errDiffers) {
		t.Errorf("damaged: %v", err)
	}
	f.data = f.data[:at]
	if _, err := s.Lists[0].ReadKept(); !errors.Is(err, errDiffers) {
		t.Errorf("cut off: %v", err)
	}
	s.Lists[0].Kept.Bytes = 5
	if s.Check(2) == nil {
		t.Error("a part of a digest is valid")
	}
}
