package pipeline

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/runstate"
)

// Whoever lists the folders of files that rows name hears that the run is to end.
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
	if _, err := runstate.NewInputs(ctx, j.set, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("listing them: %v", err)
	}
	if _, err := j.inputs.Read(ctx, j.pool, false); !errors.Is(err, context.Canceled) {
		t.Errorf("listing them again: %v", err)
	}
	if err := j.inputs.FirstChanged(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("looking for the first that changed: %v", err)
	}
}
