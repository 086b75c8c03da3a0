package files

import (
	"crypto/sha256"
	"hash"
	"io"
	"sync"
)

// Sums has the SHA-256 of files that were read completely. The nil Sums records nothing.
type Sums struct {
	mu  sync.Mutex
	all map[Key][sha256.Size]byte
	new []Key // since the last Take
}

// A Key identifies a file by its listing or its path. Files that are rows are many, and have no path until it is made;
// files that rows name are in no listing that their reader knows.
type Key struct {
	Listed *File
	Path   string // if Listed is nil
}

// NewSums returns Sums of no file.
func NewSums() *Sums { return &Sums{all: map[Key][sha256.Size]byte{}} }

// Of returns the SHA-256 of a file; nil if it was not read completely.
func (s *Sums) Of(key Key) []byte {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if sum, ok := s.all[key]; ok {
		return sum[:]
	}
	return nil
}

// Set records the SHA-256 of a file.
func (s *Sums) Set(key Key, sum []byte) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.all[key]; !ok {
		s.all[key] = [sha256.Size]byte(sum)
		s.new = append(s.new, key)
	}
}

// Take returns the files whose SHA-256 was recorded since the last call.
func (s *Sums) Take() (list []Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, s.new = s.new, nil
	return list
}

// Add records the SHA-256 of a file with its content, and returns it; nil if s is nil.
func (s *Sums) Add(key Key, content []byte) []byte {
	if s == nil {
		return nil
	}
	known := s.Of(key)
	if known == nil {
		sum := sha256.Sum256(content)
		known = sum[:]
		s.Set(key, known)
	}
	return known
}

// Watch returns a reader of a file with a size that records its SHA-256, if it is read to its end.
func (s *Sums) Watch(key Key, size int64, file io.Reader) io.Reader {
	if s == nil || s.Of(key) != nil {
		return file
	}
	return &watched{file, s, key, size, sha256.New()}
}

type watched struct {
	io.Reader
	sums *Sums
	key  Key
	left int64 // bytes that were not read
	hash hash.Hash
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.hash.Write(p[:n])
	if w.left -= int64(n); n > 0 && w.left == 0 {
		w.sums.Set(w.key, w.hash.Sum(nil))
	}
	return n, err
}
