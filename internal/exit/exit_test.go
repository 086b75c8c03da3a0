package exit

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"tfr-build/internal/bug"
	"tfr-build/internal/store"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A full disk may be retried; errors of the config or of rows may not.
func TestErrorsWorthARetry(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("anything else"), false},
		{&store.WriteError{Err: syscall.ENOSPC}, false},
		{&pipeline.NotYetError{}, false},
		{&input.Error{Path: "a.csv", Err: syscall.EIO}, false},
		{&input.Error{Path: "a.csv", Err: fmt.Errorf("now: %w", files.ErrChanged)}, true},
		{&config.Problems{}, true},
		{&pipeline.BrokenError{Err: errors.New("damaged")}, true},
		{&pipeline.RowsError{}, true},
		{&input.Error{Path: "a.parquet", Err: bug.Errorf("broken")}, true},
	} {
		if got := Hopeless(c.err); got != c.want {
			t.Errorf("%T %v: %v", c.err, c.err, got)
		}
	}
}

// A bug is not an error of the input that was read, nor of its rows.
func TestBugs(t *testing.T) {
	err := &input.Error{Path: "a.parquet", Err: bug.Errorf("broken")}
	if got := Code(err); got != Failed {
		t.Errorf("exit code %d", got)
	}
	if got := err.Code(); got != "INTERNAL" {
		t.Errorf("code %s", got)
	}
}
