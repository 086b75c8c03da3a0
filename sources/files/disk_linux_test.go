package files

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestLocalReadAheadOnDisk requests files whose pages are not in memory, and waits until they
// are. It includes files that cannot be opened.
func TestLocalReadAheadOnDisk(t *testing.T) {
	dir := t.TempDir()
	s := newLocalReadAhead(dir, false)
	blocks := int64(0)
	s.fromDisk = func() int64 { // as if the disk were read from
		blocks += 100
		return blocks
	}
	s.Helps(3)
	const pages = 40 // more than one stretch
	var paths []string
	for _, name := range []string{"a", "gone", "b"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, pages*os.Getpagesize()), 0o600); err != nil {
			t.Fatal(err)
		}
		listed, err := local{}.stat(name, path)
		if err != nil {
			t.Fatal(err)
		}
		s.Add(&listed)
		if name == "gone" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		drop(t, path)
		if resident(t, path) > 0 {
			t.Skip("the file system keeps its pages")
		}
		paths = append(paths, path)
	}
	s.Start()
	for _, path := range paths {
		arrives(t, path, pages)
	}
}

// arrives waits until a number of pages of a file are in memory.
func arrives(t *testing.T, path string, pages int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); resident(t, path) < pages; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d of %d pages are there", resident(t, path), pages)
		}
	}
}

// drop removes the pages of a file from memory.
func drop(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		if err = f.Sync(); err == nil {
			err = unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// resident returns how many pages of a file are in memory.
func resident(t *testing.T, path string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var stat unix.Cachestat_t
	if err := unix.Cachestat(uint(f.Fd()), &unix.CachestatRange{}, &stat, 0); err != nil {
		t.Skip(err) // before Linux 6.5
	}
	return int(stat.Cache)
}
