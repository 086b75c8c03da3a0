// Package room has the memory for the lists of one row after another.
package room

import "tfr-build/schema"

// A Room is memory for the elements of a row's lists. The memory does not move before Reset,
// because lists refer to it. If it moved when it grows, all earlier copies would stay in use. The
// zero Room is ready.
type Room struct {
	chunks [][]schema.Value
	next   int            // index of the first chunk that is not used yet
	free   []schema.Value // rest of the chunk before it
}

// The number of elements of the first chunk and of the largest one, and how many chunks Reset
// keeps.
const (
	minChunk   = 64
	maxChunk   = 16 << 10
	keptChunks = 12
)

// Take returns memory for n elements with arbitrary content. A list that does not fit into the rest
// of the current chunk gets its own memory if it is large. Large is more than a quarter of the
// largest chunk, so at most that is lost at the end of each chunk.
func (r *Room) Take(n int) []schema.Value {
	if n > len(r.free) {
		if n > maxChunk/4 {
			return make([]schema.Value, n)
		}
		r.startChunk(n)
	}
	list := r.free[:n:n]
	r.free = r.free[n:]
	return list
}

// startChunk makes a chunk of at least n elements the current one.
func (r *Room) startChunk(n int) {
	for r.next < len(r.chunks) {
		r.free = r.chunks[r.next]
		if r.next++; n <= len(r.free) {
			return
		}
	}
	size := minChunk
	if last := len(r.chunks) - 1; last >= 0 {
		size = min(2*len(r.chunks[last]), maxChunk)
	}
	for size < 4*n {
		size = min(2*size, maxChunk)
	}
	r.free = make([]schema.Value, size)
	r.chunks = append(r.chunks, r.free)
	r.next++
}

// Reset makes all memory available again.
func (r *Room) Reset() {
	if len(r.chunks) > 0 { // else a row needs no call
		r.reset()
	}
}

func (r *Room) reset() {
	if len(r.chunks) > keptChunks {
		clear(r.chunks[keptChunks:])
		r.chunks = r.chunks[:keptChunks]
	}
	r.next, r.free = 1, r.chunks[0]
}
