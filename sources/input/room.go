package input

import (
	"runtime"

	"tfr-build/schema"
)

// A Room is memory for the elements of a row's lists. What it gives stays where it is until
// Reset, for lists refer to it: of memory that is moved when it grows, all would be kept
// that it ever was. The zero Room is ready.
type Room struct {
	chunks [][]schema.Value
	next   int            // of chunks, that is not begun
	free   []schema.Value // of the chunk before it
}

// The elements of a chunk, at first and at most, and how many chunks outlast a row.
const (
	leastChunk = 64
	mostChunk  = 16 << 10
	keptChunks = 12
)

// Take returns memory for n elements, which hold anything. A list that is a good part of a
// chunk has memory of its own: less than that is lost at the end of each chunk.
func (r *Room) Take(n int) []schema.Value {
	if n > len(r.free) {
		if n > mostChunk/4 {
			return NewElements(n)
		}
		r.begin(n)
	}
	list := r.free[:n:n]
	r.free = r.free[n:]
	return list
}

// begin begins a chunk of at least n elements.
func (r *Room) begin(n int) {
	for r.next < len(r.chunks) {
		r.free = r.chunks[r.next]
		if r.next++; n <= len(r.free) {
			return
		}
	}
	size := leastChunk
	if last := len(r.chunks) - 1; last >= 0 {
		size = min(2*len(r.chunks[last]), mostChunk)
	}
	for size < 4*n {
		size = min(2*size, mostChunk)
	}
	r.free = make([]schema.Value, size)
	r.chunks = append(r.chunks, r.free)
	r.next++
}

// Reset takes back what was given.
func (r *Room) Reset() {
	if len(r.chunks) > keptChunks {
		clear(r.chunks[keptChunks:])
		r.chunks = r.chunks[:keptChunks]
	}
	if r.next, r.free = 0, nil; len(r.chunks) > 0 {
		r.next, r.free = 1, r.chunks[0]
	}
}

// manyElements take so much memory that what was there before them has to go first.
const manyElements = 1 << 20

// NewElements returns memory for n elements. Before many are made, those of the row before
// are collected: the collector would begin when there are both, which are most of the memory.
func NewElements(n int) []schema.Value {
	if n >= manyElements {
		runtime.GC()
	}
	return make([]schema.Value, n)
}
