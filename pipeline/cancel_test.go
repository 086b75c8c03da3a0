package pipeline

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/pool"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/runstate"
)

// TestListingOfLoadedFilesIsCancelled checks that listing the directories of files that rows name
// ends with the context.
func TestListingOfLoadedFilesIsCancelled(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"t.csv": "a\nx/1\n", "in/x/1": "1", "in/x/2": "2"} {
		testenv.Put(t, filepath.Join(dir, name), text)
	}
	cfg := load(t, dir, "name: it\noutput: out\nsource: {csv: {files: t.csv}}\nload: {pic: {path: '{a}', dir: in, as: bytes}}\nfeatures: {pic: {type: bytes}}\n")
	j, err := prepare(t.Context(), cfg, &Run{Workers: 1, Memory: plenty})
	if err != nil {
		t.Fatal(err)
	}
	defer j.set.Release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := runstate.NewInputs(ctx, j.set, nil, false); !errors.Is(err, context.Canceled) {
		t.Errorf("listing them: %v", err)
	}
	if _, err := j.inputs.Read(ctx, j.pool, false); !errors.Is(err, context.Canceled) {
		t.Errorf("listing them again: %v", err)
	}
	if err := j.inputs.FirstChanged(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("looking for the first that changed: %v", err)
	}
}

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
	if _, err := newPass(j).countSpilled(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := progress.State(); s.Phase != pool.CountingRows || s.Done < s.Total-2<<20 || s.Total != 3000*1024 {
		t.Errorf("%s: %d of %d bytes", s.Phase, s.Done, s.Total)
	}
}
