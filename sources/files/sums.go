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
	all map[*File][sha256.Size]byte
	new []*File // since the last Take
}

// NewSums returns Sums of no file.
func NewSums() *Sums { return &Sums{all: map[*File][sha256.Size]byte{}} }

// Of returns the SHA-256 of a listed file; nil if it was not read completely.
func (s *Sums) Of(listed *File) []byte {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if sum, ok := s.all[listed]; ok {
		return sum[:]
	}
	return nil
}

// Set records the SHA-256 of a listed file.
func (s *Sums) Set(listed *File, sum []byte) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.all[listed]; !ok {
		s.all[listed] = [sha256.Size]byte(sum)
		s.new = append(s.new, listed)
	}
}

// Take returns the files whose SHA-256 was recorded since the last call.
func (s *Sums) Take() (list []*File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, s.new = s.new, nil
	return list
}

// Add records the SHA-256 of a listed file with its content, and returns it; nil if s is nil.
func (s *Sums) Add(listed *File, content []byte) []byte {
	if s == nil {
		return nil
	}
	known := s.Of(listed)
	if known == nil {
		sum := sha256.Sum256(content)
		known = sum[:]
		s.Set(listed, known)
	}
	return known
}

// Watch returns a reader of a listed file that records its SHA-256, if it is read to its end.
func (s *Sums) Watch(listed *File, file io.Reader) io.Reader {
	if s == nil || s.Of(listed) != nil {
		return file
	}
	return &watched{file, s, listed, sha256.New(), 0}
}

type watched struct {
	io.Reader
	sums   *Sums
	listed *File
	hash   hash.Hash
	read   int64
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.hash.Write(p[:n])
	if w.read += int64(n); n > 0 && w.read == w.listed.Size {
		w.sums.Set(w.listed, w.hash.Sum(nil))
	}
	return n, err
}
