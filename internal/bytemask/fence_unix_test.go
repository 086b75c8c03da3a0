//go:build unix

package bytemask

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// newFence returns n bytes, at most a page, between pages that cannot be read. The bytes end at the
// start of such a page, so a read beyond their end fails, even if the front is cut off.
func newFence(t testing.TB, n int) []byte {
	t.Helper()
	page := os.Getpagesize()
	all, err := unix.Mmap(-1, 0, 3*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	for _, wall := range [][]byte{all[:page], all[2*page:]} {
		if err := unix.Mprotect(wall, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = unix.Munmap(all) })
	return all[2*page-n : 2*page : 2*page]
}
