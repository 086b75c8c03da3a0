//go:build unix

package guardtest

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// New returns at least n bytes, in complete pages, until the test ends.
func New(t testing.TB, n int) Memory {
	t.Helper()
	page := os.Getpagesize()
	size := (n + page - 1) / page * page
	all, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(all) })
	for _, guard := range [][]byte{all[:page], all[page+size:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return Memory{all[page : page+size]}
}
