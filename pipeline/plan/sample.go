package plan

import (
	"cmp"
	"math"
	"slices"
)

// SampleRows is the number of rows of a split that are measured to estimate the size of records.
// The rows with the lowest keys are a fair sample, and always the same one.
const SampleRows = 1024

// SampleMade is that number if each row costs the conversion of an image.
const SampleMade = 64

// MeanOf returns the mean of the known sizes.
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

// A Sample collects the rows with the lowest keys.
type Sample struct {
	size  int // number of rows
	rows  []Sampled
	limit uint64 // rows with a higher key are not among the lowest
}

// A Sampled is a row of a sample.
type Sampled struct {
	Key     uint64 `json:"key"`
	Size    Size   `json:"size"`
	Record  []byte `json:"record,omitempty"` // see CopyIfSmall
	IsEmpty bool   `json:"empty,omitempty"`  // the record is empty, not large; as a slice, both are stored as nil
}

// maxSampled is the size of the largest record whose values become candidates.
const maxSampled = 4096

// CopyIfSmall returns a copy of a record in a sample, for its values; nil if the record is large, but not if it is
// empty.
func CopyIfSmall(record []byte) []byte {
	if len(record) > maxSampled {
		return nil
	}
	return append([]byte{}, record...) // not bytes.Clone, whose result may be nil
}

// NewSample returns an empty sample of at most size rows.
func NewSample(size int) Sample { return Sample{size: size, limit: math.MaxUint64} }

// Takes reports whether a row with a key may be among the lowest.
func (s *Sample) Takes(key uint64) bool { return key <= s.limit }

// Add adds a row, with the result of CopyIfSmall for its record.
func (s *Sample) Add(key uint64, size Size, record []byte) {
	s.add(Sampled{key, size, record, record != nil && len(record) == 0})
}

func (s *Sample) add(r Sampled) {
	s.rows = append(s.rows, r)
	if len(s.rows) >= 2*s.size {
		s.trim()
	}
}

// trim removes the rows that are not in the sample.
func (s *Sample) trim() {
	slices.SortFunc(s.rows, func(a, b Sampled) int { return cmp.Compare(a.Key, b.Key) })
	if len(s.rows) >= s.size {
		clear(s.rows[s.size:]) // frees their records
		s.rows = s.rows[:s.size]
		s.limit = s.rows[s.size-1].Key
	}
}

// Rows returns the rows of the sample, sorted by key.
func (s *Sample) Rows() []Sampled {
	s.trim()
	return s.rows
}

// Merge adds the rows of a sample of other rows.
func (s *Sample) Merge(rows []Sampled) {
	for _, r := range rows {
		if s.Takes(r.Key) {
			s.add(r)
		}
	}
}

// Records returns the records of the sample that were kept.
func (s *Sample) Records() (list [][]byte) {
	s.trim()
	for _, r := range s.rows {
		if r.Record != nil || r.IsEmpty {
			list = append(list, r.Record)
		}
	}
	return list
}

// Mean returns the mean size of the sample.
func (s *Sample) Mean() Size {
	s.trim()
	sizes := make([]Size, len(s.rows))
	for i, r := range s.rows {
		sizes[i] = r.Size
	}
	return MeanOf(sizes)
}
