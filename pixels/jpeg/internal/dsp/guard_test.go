//go:build unix

package dsp

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// guarded is two slices of n bytes: one begins right after memory that cannot be
// read or written, the other ends right before such.
func guarded(t testing.TB, n int) [2][]byte {
	t.Helper()
	page := os.Getpagesize()
	size := (n + page - 1) / page * page
	m, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(m) })
	for _, wall := range [][]byte{m[:page], m[page+size:]} {
		if err := unix.Mprotect(wall, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return [2][]byte{m[page:][:n:n], m[page+size-n:][:n:n]}
}
