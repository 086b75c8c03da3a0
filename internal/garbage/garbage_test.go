package garbage

import (
	"runtime"
	"testing"
)

// TestCollect collects a large heap, and leaves a small one alone.
func TestCollect(t *testing.T) {
	collections := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		before := m.NumForcedGC
		Collect()
		runtime.ReadMemStats(&m)
		return m.NumForcedGC - before
	}
	if n := collections(); n != 0 {
		t.Errorf("%d collections of a small heap, expected none", n)
	}
	large := make([]byte, 2*enough)
	if n := collections(); n != 1 {
		t.Errorf("%d collections of a large heap, expected one", n)
	}
	runtime.KeepAlive(large)
}
