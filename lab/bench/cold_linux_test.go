package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestFilesThatStayInMemoryAreNotCold(t *testing.T) {
	if err := unix.Cachestat(0, &unix.CachestatRange{}, &unix.Cachestat_t{}, 0); errors.Is(err, unix.ENOSYS) {
		t.Skip("before Linux 6.5 nothing can look")
	}
	b, dir := &bench{}, t.TempDir()
	path := filepath.Join(dir, "mapped")
	if err := os.WriteFile(path, make([]byte, 1<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	mapped, err := syscall.Mmap(int(f.Fd()), 0, 1<<20, syscall.PROT_READ, syscall.MAP_SHARED|syscall.MAP_POPULATE)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.chill([]string{dir}); err == nil {
		t.Error("a file that is mapped was treated as cold")
	}
	if err := syscall.Munmap(mapped); err != nil {
		t.Fatal(err)
	}
	if system := thisMachine(dir).Files; system != "ext4" && system != "xfs" {
		return // of others, such as those in memory, nothing is forgotten
	}
	if err := b.chill([]string{dir}); err != nil {
		t.Errorf("a file that no process has: %v", err)
	}
}
