package input

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"tfr-build/sources/files"
)

func TestCodes(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"changed":     {files.ErrChanged, "INPUT_CHANGED"},
		"denied":      {&os.PathError{Op: "open", Path: "x", Err: unix.EACCES}, "NOT_READABLE"},
		"gone":        {unix.ENOENT, "NOT_FOUND"},
		"not regular": {files.ErrNotRegular, "NOT_REGULAR"},
		"other":       {unix.EIO, ""},
	} {
		e := &Error{Path: "x", Err: tt.err}
		if got := e.Code(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
