package arrays

import (
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
)

// TestAllocs reads rows without allocations.
func TestAllocs(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"a.npy": filetest.NPY("|u1", "(2, 3)", "abcdef"), "b.npy": filetest.NPY(">i4", "(2, 1)", zeros(8)),
		"c.npy": filetest.NPY("<U2", "(2, 2)", zeros(32)),
		"d.npy": filetest.NPY("<i8", "(2,)", zeros(16)), "e.npy": filetest.NPY("|b1", "(2,)", zeros(2)),
		"f.npy": filetest.NPY("|S2", "(2,)", "abcd"),
	})
	in := mustOpen(t, dir, "a.npy", "b.npy", "c.npy", "d.npy", "e.npy", "f.npy")
	if _, err := in.Find(1); err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	s, vals := in.newScanner(t)
	record := make([]byte, in.size)
	for _, data := range [][]byte{nil, record} {
		allocs := testing.AllocsPerRun(100, func() {
			if _, err := s.Scan(0, 1, data, vals); err != nil {
				t.Error(err)
			}
		})
		if allocs != 0 {
			t.Errorf("%v allocations a row", allocs)
		}
	}
}
