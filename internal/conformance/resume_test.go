package conformance

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// TestRecordsResume stops a run of each kind of record and source at some places, with and
// without spill files, and lets the next one go on: with what is kept the dataset is
// the same.
func TestRecordsResume(t *testing.T) {
	for i, f := range slices.Concat(recordForms, laterForms) {
		if i%testenv.Times(6, 1, 1) != 0 {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			dir := t.TempDir()
			file := f.lay(t, dir, 600)
			build(t, file, filepath.Join(dir, "want"), pipeline.Run{})
			want := list(t, filepath.Join(dir, "want"))
			memory := int64([]int{plenty, little}[i%2])
			run := pipeline.Run{Workers: 2, Memory: memory, Output: filepath.Join(dir, "out")}
			cfg, err := config.Load(file)
			if err != nil {
				t.Fatal(err)
			}
			total := operations(t, cfg, run)
			for n := total / 3; n < total; n += max(1, total/testenv.Times(1, 7, 20)) {
				run.Output = filepath.Join(t.TempDir(), "out")
				ctx, cancel := context.WithCancel(t.Context())
				run.Storage = store.Over(vfstest.NewInject(vfs.OS(), stops[0].hook(n, cancel)))
				_, err := pipeline.Build(ctx, cfg, run)
				cancel()
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Fatalf("stopped at operation %d of %d: %v", n, total, err)
				}
				run.Storage = nil
				if _, err := pipeline.Build(t.Context(), cfg, run); err != nil {
					t.Fatal(err)
				}
				sameFiles(t, want, run.Output, "after a stopped run")
			}
		})
	}
}
