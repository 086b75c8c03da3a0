// Package garbage collects what a step has left before the next step needs memory:
//
//	planning ─► garbage.Collect ─► workers ─► garbage.Collect ─► report
package garbage

import (
	"runtime/debug"
	"runtime/metrics"
)

// enough is the size of a heap, in bytes, from which on a collection pays: it takes a millisecond or more, as
// long as the build of a small dataset.
const enough = 16 << 20

// Collect collects garbage and returns its memory to the system, unless the heap is small. A step that needs
// much memory at its end would otherwise need it besides what the step before it has left.
func Collect() {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	if metrics.Read(heap); heap[0].Value.Uint64() >= enough {
		debug.FreeOSMemory()
	}
}
