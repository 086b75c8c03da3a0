package plan

import (
	"bytes"
	"cmp"
	"math"
	"slices"
)

// SampleRows is how many rows of a split say how large its records are: those
// of the lowest keys, a fair sample and the same every time.
const SampleRows = 1024

// SampleMade is how many where each costs the conversion of an image.
const SampleMade = 64

// MeanOf is the mean of the sizes that say something.
func MeanOf(sizes []Size) (m Size) {
	good := uint64(0)
	for _, s := range sizes {
		if s.Record > 0 {
			m.Record, m.Raw = m.Record+s.Record, m.Raw+s.Raw
			good++
		}
	}
	if good > 0 {
		m.Record, m.Raw = m.Record/good, m.Raw/good
	}
	return m
}

// A Sample gathers the rows of the lowest keys as they come by.
type Sample struct {
	size  int // rows
	rows  []Sampled
	limit uint64 // keys above it are not among the lowest
}

// A Sampled is a row of a sample.
type Sampled struct {
	Key    uint64 `json:"key"`
	Size   Size   `json:"size"`
	Record []byte `json:"record,omitempty"` // see Kept
}

// maxKept is the size of the largest record of a sample whose values count.
const maxKept = 4096

// Kept is a copy of a record of a sample, whose values are candidates; nil of a large
// one.
func Kept(record []byte) []byte {
	if len(record) > maxKept {
		return nil
	}
	return bytes.Clone(record)
}

// NewSample has no row yet, and will have at most size.
func NewSample(size int) Sample { return Sample{size: size, limit: math.MaxUint64} }

// Takes reports whether a row of that key may be among the lowest.
func (s *Sample) Takes(key uint64) bool { return key <= s.limit }

// Add adds a row, with its record if that is kept.
func (s *Sample) Add(key uint64, size Size, record []byte) {
	s.rows = append(s.rows, Sampled{key, size, record})
	if len(s.rows) >= 2*s.size {
		s.cut()
	}
}

// cut drops what is beyond the sample.
func (s *Sample) cut() {
	slices.SortFunc(s.rows, func(a, b Sampled) int { return cmp.Compare(a.Key, b.Key) })
	if len(s.rows) >= s.size {
		clear(s.rows[s.size:]) // their records may go
		s.rows = s.rows[:s.size]
		s.limit = s.rows[s.size-1].Key
	}
}

// Rows are the rows of the sample, by their keys.
func (s *Sample) Rows() []Sampled {
	s.cut()
	return s.rows
}

// Merge adds the rows of a sample of other rows.
func (s *Sample) Merge(rows []Sampled) {
	for _, r := range rows {
		if s.Takes(r.Key) {
			s.Add(r.Key, r.Size, r.Record)
		}
	}
}

// Records are the records of the sample that were kept.
func (s *Sample) Records() (list [][]byte) {
	s.cut()
	for _, r := range s.rows {
		if r.Record != nil {
			list = append(list, r.Record)
		}
	}
	return list
}

// Mean is the mean of the sample.
func (s *Sample) Mean() Size {
	s.cut()
	sizes := make([]Size, len(s.rows))
	for i, r := range s.rows {
		sizes[i] = r.Size
	}
	return MeanOf(sizes)
}
