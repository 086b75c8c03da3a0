package testenv

import (
	"os"
	"runtime"
	"slices"
	"strings"
)

// Test binaries have a memory profile, which the runtime walks at the end of each garbage collection. That took 15 % of
// the processor time of the tests of package pipeline.
func init() {
	isMemProfile := func(arg string) bool { return strings.HasPrefix(arg, "-test.memprofile") }
	if !slices.ContainsFunc(os.Args, isMemProfile) {
		runtime.MemProfileRate = 0
	}
}
