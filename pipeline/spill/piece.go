package spill

import (
	"context"
	"sync"
	"sync/atomic"

	"tfr-build/pipeline/rows"
	"tfr-build/sources/table"
)

// A Piece is rows of one file: those that begin in From … To-1.
type Piece struct {
	File int   `json:"file"`
	From int64 `json:"from,omitempty"`
	To   int64 `json:"to,omitempty"` // 0 for the end of the file
}

// IsWhole reports whether the piece is the whole file.
func (p *Piece) IsWhole() bool { return p.From == 0 && p.To == 0 }

// Pieces cuts the input into parts of about size bytes, each for one scan: several
// files, or a piece of one whose rows are told by what stands around them. Each is in
// one part whole or in several in a row.
func Pieces(set *rows.Set, size int64) [][]Piece {
	var parts [][]Piece
	var part []Piece
	filled := int64(0)
	add := func(p Piece, n int64) {
		part = append(part, p)
		if filled += n; filled >= size {
			parts, part, filled = append(parts, part), nil, filled%size // else files below size make half as many
		}
	}
	for file := range set.Files() {
		src, local := set.File(file)
		bytes := src.Listing().Files[local].Size
		if bytes <= size || !src.Cuts(local) {
			add(Piece{File: file}, bytes)
			continue
		}
		n := (bytes + size - 1) / size
		for i := range n - 1 {
			add(Piece{file, bytes * i / n, bytes * (i + 1) / n}, size)
		}
		add(Piece{File: file, From: bytes * (n - 1) / n}, size)
	}
	if len(part) > 0 {
		parts = append(parts, part)
	}
	return parts
}

// stepSize is how much of a file a worker reads at a time; farSize how much where each
// time is a request to a store.
const (
	stepSize = 1 << 20
	farSize  = 8 << 20
)

// A step is what a worker does at a time: a stretch of a piece, or a file whose rows
// can only be read one after another.
type step struct {
	piece  *opened
	number int // of the stretch
	lo, hi int64
}

// An opened piece is one whose stretches are handed out.
type opened struct {
	Piece
	src        *rows.Source
	local      int
	stretches  *table.Stretches // nil for rows that are read one after another
	first, end int64
	size       int64 // of a stretch

	// Turns hold, each in turn, where the rows of the stretches before end. One after
	// another is handed out, so that there are never more in flight than workers.
	turns []chan int64
	left  atomic.Int64 // stretches that are not done
}

// A handout hands out steps, in order.
type handout struct {
	set     *rows.Set
	size    int64 // of a step
	far     int64 // likewise, of what comes from afar
	workers int

	mu     sync.Mutex
	pieces []Piece
	piece  *opened // that is being handed out; nil for none
	number int     // of its next stretch
}

// next is the next step; nil after the last.
func (h *handout) next() (*step, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.piece == nil {
		if len(h.pieces) == 0 {
			return nil, nil
		}
		p, err := h.open(h.pieces[0])
		if err != nil {
			return nil, err
		}
		h.pieces = h.pieces[1:]
		if p.stretches == nil {
			return &step{piece: p}, nil
		}
		if p.first < p.end {
			h.piece, h.number = p, 0
		} else if err := p.stretches.Close(); err != nil {
			return nil, err
		}
	}
	p := h.piece
	lo := p.first + int64(h.number)*p.size
	s := &step{p, h.number, lo, min(lo+p.size, p.end)}
	if h.number++; s.hi == p.end {
		h.piece = nil
	}
	return s, nil
}

// open opens a piece.
func (h *handout) open(p Piece) (*opened, error) {
	o := &opened{Piece: p, size: h.size}
	o.src, o.local = h.set.File(p.File)
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
	if o.stretches.IsFar() {
		o.size = h.far
	}
	o.left.Store((o.end - o.first + o.size - 1) / o.size)
	o.turns = make([]chan int64, h.workers+1)
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

// settle finds the rows of a stretch, when it is its turn.
func (s *step) settle(ctx context.Context, st *table.Stretch) error {
	turns := s.piece.turns
	select {
	case from := <-turns[s.number%len(turns)]:
		next, err := st.Settle(from)
		if err != nil {
			return err
		}
		turns[(s.number+1)%len(turns)] <- next // empty: who used it before is through
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// done closes the file after its last stretch.
func (p *opened) done() error {
	if p.left.Add(-1) > 0 {
		return nil
	}
	return p.stretches.Close()
}
