package runstate

import (
	"context"
	"errors"
	"testing"

	"tfr-build/internal/pool"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/plan"
)

// TestListingOfLoadPathsIsCanceled checks that listing the directories of files that rows name
// ends with the context.
func TestListingOfLoadPathsIsCanceled(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "a\nx/1\n", "in/x/1": "1", "in/x/2": "2"})
	const text = "name: it\noutput: out\nsource: {csv: {files: t.csv}}\nload: {pic: {path: '{a}', dir: in, as: " +
		"bytes}}\nfeatures: {pic: {type: bytes}}\n"
	in, _ := inputsOf(t, dir, text, false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := NewInputs(ctx, setOf(t, dir, text), nil, plan.Base{}, nil, nil, false)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("listing them: %v", err)
	}
	if _, err := in.Read(ctx, &pool.Pool{Workers: 1, Changed: in.Changed}, false); !errors.Is(err, context.Canceled) {
		t.Errorf("listing them again: %v", err)
	}
	if err := in.FirstChanged(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("looking for the first that changed: %v", err)
	}
}
