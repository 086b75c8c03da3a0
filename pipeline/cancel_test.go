package pipeline

import (
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/pool"
	"tfr-build/internal/testenv"
)

// TestSpillingOfArraysIsCounted checks that spilling rows of arrays looks at the context now and
// then: the distance is measured in bytes, not in row numbers.
func TestSpillingOfArraysIsCounted(t *testing.T) {
	file := filetest.NPYFortran("|u1", "(3000, 1024)", strings.Repeat("x", 3000*1024))
	dir := testenv.Directory(t, map[string]string{"x.npy": file})
	cfg := load(t, dir, "name: it\noutput: out\nsource: {arrays: {columns: {x: x.npy}}}\nfeatures: {x: {raw: true}}\n")
	progress := &Progress{}
	j, err := prepare(t.Context(), cfg, &Run{Workers: 1, Memory: plenty, Progress: progress})
	if err != nil {
		t.Fatal(err)
	}
	defer j.set.Release()
	if _, err := newUnwritten(j).pass.countSpilled(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := progress.State(); s.Phase != pool.CountingRows || s.Done < s.Total-2<<20 || s.Total != 3000*1024 {
		t.Errorf("%s: %d of %d bytes", s.Phase, s.Done, s.Total)
	}
}
