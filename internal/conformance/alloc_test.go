package conformance

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
)

// maxAllocs is how many allocations a complete run may make next to those of a run of a
// hundred rows, whatever its rows, where their values are not counted. A hundred rows
// fill the first records of a report.
const maxAllocs = 6_000

// TestAllocationsOfRun counts the allocations of complete runs; a sample has those of CSV. Many more rows
// take hardly more of them: there are more blocks, but nothing is allocated for
// a row, and what is counted of values has its full size after a few thousand.
func TestAllocationsOfRun(t *testing.T) {
	few, many := 10_000, testenv.Times(25_000, 100_000, 100_000)
	for _, name := range []string{"csv", "jsonl"}[:testenv.Times(1, 2, 2)] {
		f := formOf(name)
		t.Run(name, func(t *testing.T) {
			a, b := allocations(t, f, few, ""), allocations(t, f, many, "")
			t.Logf("%d rows: %d allocations; %d rows: %d", few, a, many, b)
			hundred, n := allocations(t, f, 100, "statistics: false\n"), allocations(t, f, many, "statistics: false\n")
			t.Logf("100 rows without statistics: %d allocations; %d rows: %d", hundred, many, n)
			if n-hundred > maxAllocs {
				t.Errorf("%d rows take %d allocations and 100 rows %d, want at most %d more", many, n,
					hundred, maxAllocs)
			}
			if grown, allowed := b-a, (many-few)/100; grown > allowed {
				t.Errorf("%d more rows take %d more allocations, want at most %d", many-few, grown, allowed)
			}
		})
	}
}

// allocations counts those of a build of so many rows, with some more keys of the
// config.
func allocations(t *testing.T, f *form, rows int, more string) int {
	t.Helper()
	dir := t.TempDir()
	file := f.lay(t, dir, rows)
	config, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, append(config, more...), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	build(t, file, filepath.Join(dir, "out"), pipeline.Run{})
	runtime.ReadMemStats(&after)
	return int(after.Mallocs - before.Mallocs)
}
