//go:build unix

package guardtest

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestGuardPages writes all bytes, and then the byte after them, which must crash.
func TestGuardPages(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	page := os.Getpagesize()
	for _, size := range []int{1, page, page + 1} {
		m := New(t, size)
		first, last := m.First(size), m.Last(size)
		for i := range size {
			first[i], last[i] = 1, 1
		}
		if !crashes(func() { last[:size+1][size] = 1 }) {
			t.Errorf("%d bytes: the byte after them can be written", size)
		}
	}
}

// crashes reports whether f accesses memory that it may not access.
func crashes(f func()) (crashed bool) {
	defer func() { crashed = recover() != nil }()
	f()
	return false
}
