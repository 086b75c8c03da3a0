package files

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
)

// A slow store fetches an object when the test allows it.
type slow struct {
	mu      sync.Mutex
	begun   []string
	release chan struct{}
}

func (s *slow) fetch(buf []byte, path string, listed *File) ([]byte, error) {
	s.mu.Lock()
	s.begun = append(s.begun, path)
	s.mu.Unlock()
	<-s.release
	if path == "bad" {
		return buf, errors.New("no")
	}
	return append(buf, path...), nil
}

func (s *slow) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.begun)
}

// TestFetcher fetches in order, within both limits. A file that was not added is fetched at once.
func TestFetcher(t *testing.T) {
	s := &slow{release: make(chan struct{})}
	a := newFetcher(s.fetch)
	defer a.close()
	name := func(i int) string { return fmt.Sprint(i) }
	small, half := &File{Size: 1}, &File{Size: maxBytes / 2}
	for i := range 200 {
		a.add(name(i), small)
	}
	if a.inFlight != maxInFlight {
		t.Errorf("%d in flight, want %d", a.inFlight, maxInFlight)
	}
	close(s.release)
	for _, i := range []int{199, 0, 1, 150} { // one before its turn, too
		if got, err := a.read(nil, name(i), small); string(got) != name(i) || err != nil {
			t.Errorf("read %d: %q, %v", i, got, err)
		}
	}
	for i := range 200 {
		if i > 1 && i != 150 && i != 199 {
			_, _ = a.read(nil, name(i), small)
		}
	}
	a.busy.Wait()
	if a.bytes != 0 || len(a.files) != 0 || s.count() != 200 {
		t.Errorf("%d bytes held, %d objects; %d fetched", a.bytes, len(a.files), s.count())
	}
	for _, path := range []string{"a", "b", "c", "bad"} {
		a.add(path, half)
	}
	a.busy.Wait()
	if n := s.count() - 200; n != 2 {
		t.Errorf("%d objects of half the bytes that may be held are fetched", n)
	}
	for _, path := range []string{"c", "a", "b"} {
		if got, err := a.read(nil, path, half); string(got) != path || err != nil {
			t.Errorf("read %s: %q, %v", path, got, err)
		}
	}
	if _, err := a.read(nil, "bad", half); err == nil || a.bytes != 0 {
		t.Errorf("an object that cannot be read: %v; %d bytes held", err, a.bytes)
	}
}

// TestFetcherShared reads an object twice that was added twice, in parallel with others that
// reuse its buffer.
func TestFetcherShared(t *testing.T) {
	s := &slow{release: make(chan struct{})}
	close(s.release)
	a := newFetcher(s.fetch)
	defer a.close()
	f := &File{Size: 3}
	a.add("one", f)
	a.add("one", f)
	first, _ := a.read(nil, "one", f)
	second, _ := a.read(nil, "one", f)
	for _, path := range []string{"two", "six"} {
		a.add(path, f)
		second, _ = a.read(second[:0], path, f)
	}
	if string(first) != "one" || string(second) != "six" || !slices.Contains(s.begun, "one") || s.count() != 3 {
		t.Errorf("%q %q after %v", first, second, s.begun)
	}
}
