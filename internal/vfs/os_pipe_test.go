package vfs

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// Nobody writes to the pipe: opening it in the usual way would never end.
func TestOpenDoesNotWaitForPipes(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pipe, "/dev/zero"} {
		if f, err := OS().Open(name); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}
