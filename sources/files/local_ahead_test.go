package files

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
)

// opened records what a localReadAhead opens; no file exists.
type opened struct {
	mu    sync.Mutex
	names []string
}

func (o *opened) open(name string) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.names = append(o.names, name)
	return -1, errors.New("not there")
}

// landed waits for all batches of a localReadAhead.
func (s *localReadAhead) landed() {
	for range aheadFlying {
		s.inFlight <- struct{}{}
	}
	for range aheadFlying {
		<-s.inFlight
	}
}

// TestLocalReadAhead expects batches by inode while the process reads from a disk, and nothing
// else.
func TestLocalReadAhead(t *testing.T) {
	var o opened
	blocks := int64(0)
	s := newLocalReadAhead("", false)
	s.open, s.fromDisk = o.open, func() int64 { return blocks }
	batch := func(names string) string {
		helps := s.Helps(len(names))
		for i, name := range names {
			s.Add(&File{Name: string(name), Size: int64(i), Inode: uint64('z' - name)})
		}
		s.Start()
		s.landed()
		defer func() { o.names = nil }()
		if names != "" && helps != (len(o.names) > 0) {
			t.Errorf("%s: it is said to help: %v", names, helps)
		}
		return fmt.Sprint(o.names)
	}
	for _, tt := range []struct {
		read  int64
		names string
		want  string
	}{
		{0, "abc", "[]"}, // all was there, and nothing is kept for the next
		{8, "dfe", "[f e d]"},
		{0, "ghi", "[]"},
		{1, "", "[]"},
		{1, "jk", "[]"}, // as writing has some read
		{2, "lm", "[m l]"},
	} {
		if s.Helps(0) {
			t.Error("it is said to help where nothing was read")
		}
		blocks += tt.read
		if got := batch(tt.names); got != tt.want {
			t.Errorf("%d blocks, %s: %s, want %s", tt.read, tt.names, got, tt.want)
		}
	}
}

// TestLocalReadAheadIsBounded expects that batches are skipped while others are in flight.
func TestLocalReadAheadIsBounded(t *testing.T) {
	var o opened
	hold := make(chan struct{})
	blocks := int64(0)
	s := newLocalReadAhead("", false)
	s.open = func(name string) (int, error) {
		<-hold
		return o.open(name)
	}
	s.fromDisk = func() int64 {
		blocks++
		return blocks
	}
	for i := range 3 * aheadFlying {
		s.Helps(1)
		s.Add(&File{Name: fmt.Sprint(i)})
		s.Start()
	}
	close(hold)
	s.landed()
	slices.Sort(o.names)
	if len(o.names) != aheadFlying || o.names[0] != "0" {
		t.Errorf("opened %v", o.names)
	}
}

// TestReadFromDisk counts up.
func TestReadFromDisk(t *testing.T) {
	if a, b := readFromDisk(), readFromDisk(); a < 0 || b < a {
		t.Errorf("%d, then %d", a, b)
	}
}
