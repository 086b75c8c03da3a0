package pipeline

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"tfr-build/order"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// sampleRows is how many rows of a split say how large its records are: those
// of the lowest keys, a fair sample and the same every time.
const sampleRows = 1024

// A rowSize is what a row of the sample says of its split.
type rowSize struct {
	record uint64 // bytes of its record; 0 of files and of bad rows, which say nothing
	raw    uint64 // bytes of its text
}

// measure encodes a row of a sample.
func (w *worker) measure(r *row) (rowSize, error) {
	s := w.j.files[r.file].source
	if !s.Spec().Kind.IsTable() || r.bad != "" {
		return rowSize{}, nil
	}
	payload, err := w.encode(w.buf[:0], r)
	if err != nil {
		if bad := new(schema.RowError); errors.As(err, &bad) {
			err = nil
		}
		return rowSize{}, err
	}
	return rowSize{uint64(len(payload) + tfrecord.Overhead), uint64(w.readers[s.number].Size())}, nil
}

// means are the mean sizes of a sample's good rows.
func means(rows []rowSize) (m rowSize) {
	good := uint64(0)
	for _, r := range rows {
		if r.record > 0 {
			m.record, m.raw = m.record+r.record, m.raw+r.raw
			good++
		}
	}
	if good > 0 {
		m.record, m.raw = m.record/good, m.raw/good
	}
	return m
}

// sampleOf measures the rows of the lowest keys of an index.
func (w *worker) sampleOf(x *order.Index, split uint8) (rowSize, error) {
	places := x.Sample(sampleRows)
	rows := make([]rowSize, len(places))
	for i, p := range places {
		r := w.j.rowAt(p, split)
		var err error
		if rows[i], err = w.measure(&r); err != nil {
			return rowSize{}, err
		}
	}
	return means(rows), nil
}

// A sample gathers the rows of the lowest keys as they come by.
type sample struct {
	rows  []sampledRow
	limit uint64 // keys above it are of no use
}

type sampledRow struct {
	key  uint64
	size rowSize
}

func newSample() sample { return sample{limit: math.MaxUint64} }

func (s *sample) wants(key uint64) bool { return key <= s.limit }

func (s *sample) add(key uint64, size rowSize) {
	s.rows = append(s.rows, sampledRow{key, size})
	if len(s.rows) >= 2*sampleRows {
		s.cut()
	}
}

// cut drops what is beyond the sample.
func (s *sample) cut() {
	slices.SortFunc(s.rows, func(a, b sampledRow) int { return cmp.Compare(a.key, b.key) })
	if len(s.rows) >= sampleRows {
		s.rows = s.rows[:sampleRows]
		s.limit = s.rows[sampleRows-1].key
	}
}

func (s *sample) means() rowSize {
	s.cut()
	rows := make([]rowSize, len(s.rows))
	for i, r := range s.rows {
		rows[i] = r.size
	}
	return means(rows)
}
