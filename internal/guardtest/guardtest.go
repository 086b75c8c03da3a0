// Package guardtest allocates memory between guard pages, so that a test crashes if code reads or
// writes outside of it.
package guardtest

// Memory is memory between two guard pages. On systems without mmap, it has no guard pages.
type Memory struct{ inside []byte }

// First returns the first n bytes. Accesses before them crash.
func (m Memory) First(n int) []byte { return m.inside[:n:n] }

// Last returns the last n bytes. Accesses behind them crash, also within the slice's capacity.
func (m Memory) Last(n int) []byte { return m.inside[len(m.inside)-n:] }
