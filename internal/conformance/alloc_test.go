package conformance

import (
	"path/filepath"
	"runtime"
	"testing"

	"tfr-build/pipeline"
)

// maxAllocs is how many allocations a whole run may make, whatever its rows.
const maxAllocs = 10_000

// TestAllocationsOfRun counts the allocations of whole runs. Ten times the rows
// take hardly more of them: there are more blocks, but nothing is allocated for
// a row.
func TestAllocationsOfRun(t *testing.T) {
	few, many := 10_000, 100_000
	for _, name := range []string{"csv", "jsonl"} {
		f := formOf(name)
		t.Run(name, func(t *testing.T) {
			a, b := allocations(t, f, few), allocations(t, f, many)
			t.Logf("%d rows: %d allocations; %d rows: %d", few, a, many, b)
			if b > maxAllocs {
				t.Errorf("%d rows take %d allocations, want at most %d", many, b, maxAllocs)
			}
			if grown, allowed := b-a, (many-few)/100; grown > allowed {
				t.Errorf("%d more rows take %d more allocations, want at most %d", many-few, grown, allowed)
			}
		})
	}
}

// allocations counts those of a build of so many rows.
func allocations(t *testing.T, f *form, rows int) int {
	t.Helper()
	dir := t.TempDir()
	file := f.lay(t, dir, rows)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	build(t, file, filepath.Join(dir, "out"), pipeline.Run{})
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs)
}
