package fault

import (
	"os"
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"

	"tfr-build/internal/testenv"
)

// heap is the size of the heap before garbage is collected. A build makes
// garbage of megabytes in a millisecond, and keeps nothing.
const heap = 512 << 20

// inputs is the directory of the inputs of jobs.
var inputs string

// TestMain sees that no goroutine is left when all runs have ended.
func TestMain(m *testing.M) {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(heap)
	var err error
	if inputs, err = os.MkdirTemp("", "tfr-build-fault"); err != nil {
		panic(err) // no test exists yet that could fail
	}
	goleak.VerifyTestMain(testenv.InMemory(m), goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(inputs)
		os.Exit(code)
	}))
}
