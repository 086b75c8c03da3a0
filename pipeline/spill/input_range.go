package spill

import (
	"context"
	"sync"
	"sync/atomic"

	"tfr-build/pipeline/rows"
	"tfr-build/sources/table"
)

// A InputRange is a range of one file: the rows that begin in From … To-1.
type InputRange struct {
	File int   `json:"file"`
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"` // 0 for the end of the file
}

// IsComplete reports whether the piece is the complete file.
func (p *InputRange) IsComplete() bool { return p.From == 0 && p.To == 0 }

// InputRanges splits the input into parts of about size bytes, one for each scan. A part is several
// files, or a range of a file whose rows can be found from any offset. The pieces of a file are in
// one part or in consecutive parts.
func InputRanges(set *rows.Set, size int64) [][]InputRange {
	var parts [][]InputRange
	var part []InputRange
	filled := int64(0)
	add := func(p InputRange, n int64) {
		part = append(part, p)
		if filled += n; filled >= size {
			// The excess counts for the next part. Else files a little smaller than size would
			// make half as many parts.
			parts, part, filled = append(parts, part), nil, filled%size
		}
	}
	for file := range set.Files() {
		src, local := set.File(file)
		bytes := src.Listing().Files[local].Size
		if bytes <= size || !src.Cuts(local) {
			add(InputRange{File: file}, bytes)
			continue
		}
		n := (bytes + size - 1) / size
		for i := range n - 1 {
			add(InputRange{file, bytes * i / n, bytes * (i + 1) / n}, size)
		}
		add(InputRange{File: file, From: bytes * (n - 1) / n}, size)
	}
	if len(part) > 0 {
		parts = append(parts, part)
	}
	return parts
}

// stepSize is the number of bytes that a worker reads per step; remoteStepSize is the same if each
// step is a request to a store.
const (
	stepSize       = 1 << 20
	remoteStepSize = 8 << 20
)

// A step is the work that a worker does at a time: a range of a piece, or a file whose rows can
// only be read in sequence.
type step struct {
	piece  *openRange
	number int // of the range
	lo, hi int64
}

// An openRange is a piece whose ranges are assigned to workers.
type openRange struct {
	InputRange
	src        *rows.Source
	local      int
	stretches  *table.Stretches // nil if rows are read in sequence
	first, end int64
	size       int64 // bytes per range

	// Each range receives from its channel where the rows of the range before end. Ranges are
	// assigned in order, so there are never more in flight than workers.
	turns  []chan int64
	undone atomic.Int64 // number of unfinished ranges
}

// A stepQueue assigns steps to workers, in order.
type stepQueue struct {
	set        *rows.Set
	size       int64 // bytes per step
	remoteSize int64 // the same, for remote files
	workers    int

	mu     sync.Mutex
	pieces []InputRange
	piece  *openRange // being assigned; nil for none
	number int        // of its next range
}

// next returns the next step; nil after the last.
func (q *stepQueue) next() (*step, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.piece == nil {
		if len(q.pieces) == 0 {
			return nil, nil
		}
		p, err := q.open(q.pieces[0])
		if err != nil {
			return nil, err
		}
		q.pieces = q.pieces[1:]
		if p.stretches == nil {
			return &step{piece: p}, nil
		}
		if p.first < p.end {
			q.piece, q.number = p, 0
		} else if err := p.stretches.Close(); err != nil {
			return nil, err
		}
	}
	p := q.piece
	lo := p.first + int64(q.number)*p.size
	s := &step{p, q.number, lo, min(lo+p.size, p.end)}
	if q.number++; s.hi == p.end {
		q.piece = nil
	}
	return s, nil
}

// open opens a piece and computes its ranges.
func (q *stepQueue) open(p InputRange) (*openRange, error) {
	o := &openRange{InputRange: p, size: q.size}
	o.src, o.local = q.set.File(p.File)
	var err error
	if o.stretches, err = o.src.Stretches(o.local); o.stretches == nil {
		return o, err
	}
	begin, end := o.stretches.Bounds()
	o.first, o.end = max(begin, p.From), end
	if p.To > 0 {
		o.end = min(end, p.To)
	}
	if o.first >= o.end {
		return o, nil
	}
	if o.stretches.IsRemote() {
		o.size = q.remoteSize
	}
	o.undone.Store((o.end - o.first + o.size - 1) / o.size)
	o.turns = make([]chan int64, q.workers+1)
	for i := range o.turns {
		o.turns[i] = make(chan int64, 1)
	}
	if o.first == begin {
		o.turns[0] <- begin
	} else {
		o.turns[0] <- -1
	}
	return o, nil
}

// findRows finds the rows of a range, once the range before has found its own.
func (s *step) findRows(ctx context.Context, st *table.Stretch) error {
	turns := s.piece.turns
	select {
	case from := <-turns[s.number%len(turns)]:
		next, err := st.FindRows(from)
		if err != nil {
			return err
		}
		turns[(s.number+1)%len(turns)] <- next // never blocks: the last value was received
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// done closes the file after the last range.
func (p *openRange) done() error {
	if p.undone.Add(-1) > 0 {
		return nil
	}
	return p.stretches.Close()
}
