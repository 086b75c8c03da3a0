package conformance

import (
	"runtime/debug"
	"testing"

	"tfr-build/internal/testenv"
)

// TestMain has garbage collected less often: a build makes megabytes of it in a
// millisecond, and keeps little.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	testenv.Main(m)
}
