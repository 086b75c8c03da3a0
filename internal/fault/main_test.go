package fault

import (
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"
)

// heap is what the tests may take before garbage is collected. A build makes
// garbage of megabytes in a millisecond, and keeps nothing.
const heap = 512 << 20

// TestMain sees that no goroutine is left when all runs have ended.
func TestMain(m *testing.M) {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(heap)
	goleak.VerifyTestMain(m)
}
