package vfstest

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/vfs"
)

func TestRootOfMem(t *testing.T) {
	disk := NewMem("rel/sub", "/abs", "/")
	for name, err := range map[string]error{
		"remove":   disk.Remove("/"),
		"rename":   disk.Rename("/", "/to"),
		"to":       disk.Rename("/abs", "/"),
		"exchange": disk.Exchange("/abs", "/"),
	} {
		if !errors.Is(err, syscall.EBUSY) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := disk.Mkdir("/"); !errors.Is(err, syscall.EEXIST) {
		t.Error(err)
	}
	for _, root := range []string{"/", ".", "..", "abs/../.."} {
		if mount, err := disk.IsMount(root); err != nil || !mount {
			t.Errorf("%s is not the root: %v", root, err)
		}
	}
	if err := disk.Rename("rel/sub", "/rel/other"); err != nil {
		t.Error(err)
	}
	if got := listing(t, disk, "."); got != "abs/\nrel/\nrel/other/\n" {
		t.Error(got)
	}
	info, err := disk.Stat("/abs")
	if err != nil || info.Sys() != nil || !info.ModTime().Equal(time.Unix(0, 0)) {
		t.Errorf("%v, %v", info, err)
	}
}

func wantFree(t *testing.T, disk *Mem, want int64) {
	t.Helper()
	if n, err := disk.Free("/"); err != nil || n != want {
		t.Errorf("%d bytes are free, %v; want %d", n, err, want)
	}
}

// small returns a disk of 100 bytes with one open file.
func small(t *testing.T) (*Mem, vfs.File) {
	t.Helper()
	disk := NewMem()
	disk.SetCapacity(100)
	f, err := disk.Create("/f")
	if err != nil {
		t.Fatal(err)
	}
	return disk, f
}

func TestFullDisk(t *testing.T) {
	disk, f := small(t)
	if n, err := f.Write([]byte(strings.Repeat("x", 60))); n != 60 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	wantFree(t, disk, 40)
	if n, err := f.Write([]byte(strings.Repeat("y", 60))); n != 40 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a write that does not fit: %d, %v", n, err)
	}
	if n, err := f.WriteAt([]byte("over"), 1000); n != 0 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a write beyond: %d, %v", n, err)
	}
	if n, err := f.WriteAt([]byte("over"), 50); n != 4 || err != nil {
		t.Errorf("a write over what is there: %d, %v", n, err)
	}
	for _, err := range []error{f.Allocate(101), f.Truncate(101)} {
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("more than there is: %v", err)
		}
	}
	wantFree(t, disk, 0)
	disk.SetCapacity(-1)
	wantFree(t, disk, 0)
}

func TestFreedSpace(t *testing.T) {
	disk, f := small(t)
	if err := f.Allocate(70); err != nil {
		t.Error(err)
	}
	wantFree(t, disk, 30)
	if err := put(disk, "/g", strings.Repeat("g", 30)); err != nil {
		t.Error(err)
	}
	if _, err := f.Write([]byte(strings.Repeat("f", 70))); err != nil {
		t.Errorf("what was allocated: %v", err)
	}
	wantFree(t, disk, 0)
	if err := errors.Join(disk.Rename("/g", "/f"), f.Truncate(20)); err != nil {
		t.Error(err)
	}
	wantFree(t, disk, 50)
	if err := errors.Join(f.Allocate(60), f.Truncate(20), f.Close()); err != nil {
		t.Error(err)
	}
	wantFree(t, disk, 70) // /f is /g now, and what it was is gone with its last reader
	wantFree(t, disk.Crash(Crash{Keep: 1, Names: NamesKept}), 70)
	if err := disk.Remove("/f"); err != nil {
		t.Error(err)
	}
	wantFree(t, disk, 100)
}

func TestLocksInMem(t *testing.T) {
	disk := NewMem()
	held, locked, err := disk.Lock("/lock")
	if err != nil || !locked {
		t.Fatal(err)
	}
	if f, locked, err := disk.Lock("/lock"); f != nil || locked || !errors.Is(err, vfs.ErrLocked) {
		t.Errorf("a second lock: %v", err)
	}
	reader, err := disk.Open("/lock")
	if err != nil {
		t.Fatalf("a lock does not prevent reading: %v", err)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := disk.Lock("/lock"); !errors.Is(err, vfs.ErrLocked) {
		t.Errorf("the lock went when somebody else closed the file: %v", err)
	}
	after := disk.Crash(Crash{Keep: 1, Names: NamesKept})
	if f, _, err := after.Lock("/lock"); err != nil {
		t.Errorf("after a crash: %v", err)
	} else if _, err := f.Write([]byte("me")); err != nil {
		t.Error(err)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := disk.Lock("/lock"); err != nil {
		t.Errorf("after the holder closed it: %v", err)
	}
}

func TestConcurrentUseOfMem(t *testing.T) {
	disk := NewMem("/d")
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for j := range 50 {
				name := fmt.Sprintf("/d/%d-%d", i, j%5)
				if err := savedAs(name).do(disk); err != nil {
					t.Error(err)
				}
				disk.Crash(Crash{Seed: uint64(j), Keep: 0.5, Names: NamesEach})
			}
		})
	}
	all.Wait()
	left := disk.Crash(Crash{})
	for i := range 20 {
		name := fmt.Sprintf("/d/%d-%d", i/5, i%5)
		if data, err := ReadFile(left, name); err != nil || string(data) != string(newText) {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
}

// BenchmarkMem does what a small job does: 500 operations, a few KiB in each of
// 30 files.
func BenchmarkMem(b *testing.B) {
	data, back := make([]byte, 2<<10), make([]byte, 2<<10)
	for b.Loop() {
		disk := NewMem("/disk/out")
		for i := range 30 {
			name := fmt.Sprintf("/disk/out/%d", i)
			f, err := disk.Create(name + ".tmp")
			if err != nil {
				b.Fatal(err)
			}
			for j := range 4 {
				if _, err := f.WriteAt(data, int64(j)<<11); err != nil {
					b.Fatal(err)
				}
			}
			for range 4 {
				if _, err := io.ReadFull(f, back); err != nil {
					b.Fatal(err)
				}
			}
			_, err = f.Stat()
			err = errors.Join(err, f.Sync(), f.Close(), disk.Rename(name+".tmp", name), disk.SyncDir("/disk/out"))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := disk.Stat(name); err != nil {
				b.Fatal(err)
			}
		}
	}
}
