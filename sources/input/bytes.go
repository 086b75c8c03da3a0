package input

// Bytes is memory for the files of a row. As in a Room, it does not move before Reset. All of it is used again, so that
// a large row is in memory once. The zero Bytes are ready.
type Bytes struct {
	chunks [][]byte // with the lengths that are in use
	size   int      // of all chunks
}

// The size of the smallest chunk, and of the largest one for several files.
const (
	minBytes = 64 << 10
	maxBytes = 4 << 20
)

// Take returns an empty slice with room for n bytes.
func (m *Bytes) Take(n int) []byte {
	best, unused := -1, len(m.chunks)
	for i, c := range m.chunks {
		switch free := cap(c) - len(c); {
		case free < n && len(c) == 0:
			unused = i
		case free >= n && (best < 0 || free < cap(m.chunks[best])-len(m.chunks[best])):
			best = i
		}
	}
	if best < 0 {
		best = unused
		m.replace(best, n)
	}
	c := m.chunks[best]
	m.chunks[best] = c[:len(c)+n]
	return c[len(c) : len(c) : len(c)+n]
}

// Copy returns a copy of text.
func (m *Bytes) Copy(text []byte) []byte { return append(m.Take(len(text)), text...) }

// replace makes a chunk for n bytes the i-th, in place of one that is too small. Files of similar rows fit into it.
func (m *Bytes) replace(i, n int) {
	if i == len(m.chunks) {
		m.chunks = append(m.chunks, nil)
	}
	m.size -= cap(m.chunks[i])
	files := max(1, min(m.size, maxBytes)/max(1, n))
	m.chunks[i] = make([]byte, 0, max(minBytes, files*(n+n/16)))
	m.size += cap(m.chunks[i])
}

// Reset makes all memory available again.
func (m *Bytes) Reset() {
	for i, c := range m.chunks {
		m.chunks[i] = c[:0]
	}
}
