package task

import (
	"testing"

	"tfr-build/internal/prefetch"
	"tfr-build/pipeline/rows"
)

// TestPrefetchRest calls prefetchRest for rows that are short, that have no text, and beyond the last.
func TestPrefetchRest(t *testing.T) {
	w := Worker{work: &Work{lines: 4}}
	for _, size := range []int{0, 1, prefetch.Line - 1, prefetch.Line, prefetch.Line + 1, 9 * prefetch.Line} {
		w.next = append(w.next, rows.Row{Data: make([]byte, size)})
	}
	for i := range len(w.next) + 1 {
		w.prefetchRest(i)
	}
}
