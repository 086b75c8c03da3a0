package vfstest

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/vfs"
)

// tour calls every method of an FS and of a File once.
func tour(fsys vfs.FS, dir string) map[string]error {
	errs := map[string]error{}
	at := func(name string) string { return filepath.Join(dir, name) }
	_, errs["free"] = fsys.Free(dir)
	_, errs["resolve"] = fsys.Resolve(dir)
	_, errs["ismount"] = fsys.IsMount(dir)
	errs["mkdir"] = fsys.Mkdir(at("d"))
	if lock, _, err := fsys.Lock(at("lock")); err == nil {
		lock.Close()
	} else {
		errs["lock"] = err
	}
	if f, err := fsys.Create(at("a")); err == nil {
		errs["allocate"] = f.Allocate(4096)
		_, errs["write"] = f.Write([]byte("0123"))
		_, errs["writeat"] = f.WriteAt([]byte("4567"), 4)
		errs["truncate"] = f.Truncate(6)
		errs["sync"] = f.Sync()
		errs["dropcache"] = f.DropCache()
		_, errs["fstat"] = f.Stat()
		errs["close"] = f.Close()
	} else {
		errs["create"] = err
	}
	if f, err := fsys.Edit(at("a")); err == nil {
		_, errs["readat"] = f.ReadAt(make([]byte, 2), 0)
		_, errs["read"] = f.Read(make([]byte, 2))
		f.Close()
	} else {
		errs["edit"] = err
	}
	if f, err := fsys.Open(at("a")); err == nil {
		f.Close()
	} else {
		errs["open"] = err
	}
	_, errs["stat"] = fsys.Stat(at("a"))
	_, errs["lstat"] = fsys.Lstat(at("a"))
	_, errs["readdir"] = fsys.ReadDir(dir)
	errs["rename"] = fsys.Rename(at("a"), at("b"))
	errs["exchange"] = fsys.Exchange(at("b"), at("d"))
	errs["syncdir"] = fsys.SyncDir(dir)
	errs["remove"] = fsys.Remove(at("b"))
	return errs
}

const wantTour = `free /
resolve /
ismount /
mkdir /d
lock /lock
close /lock
create /a
allocate /a 4096
write /a 4
writeat /a 4 4
truncate /a 6
sync /a
dropcache /a
fstat /a
close /a
edit /a
readat /a 0 2
read /a 2
close /a
open /a
close /a
stat /a
lstat /a
readdir /
rename /a /b
exchange /b /d
syncdir /
remove /b
`

func TestInjectRecordsEveryOperation(t *testing.T) {
	dir := t.TempDir()
	in := NewInject(vfs.OS(), nil)
	for kind, err := range tour(in, dir) {
		if err != nil && !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	var got strings.Builder
	for _, op := range in.Ops() {
		fmt.Fprintln(&got, strings.ReplaceAll(strings.ReplaceAll(op.String(), dir+"/", "/"), dir, "/"))
	}
	if got.String() != wantTour {
		t.Errorf("got\n%swant\n%s", got.String(), wantTour)
	}
}

func TestInjectFailsEveryOperation(t *testing.T) {
	kinds := map[string]bool{}
	for i := range strings.Count(wantTour, "\n") {
		in := NewInject(vfs.OS(), Once(i, syscall.EIO))
		errs := tour(in, t.TempDir())
		op := in.Ops()[i]
		kinds[op.Kind] = true
		if op.Kind == "close" && errs["close"] == nil {
			continue // the tour checks one close only
		}
		if err := errs[op.Kind]; !errors.Is(err, syscall.EIO) {
			t.Errorf("operation %d, %s: %v", i, op, err)
		}
	}
	if len(kinds) != 25 {
		t.Errorf("%d kinds of operations", len(kinds))
	}
}

func TestInjectFrom(t *testing.T) {
	in := NewInject(vfs.OS(), From(2, syscall.ENOSPC))
	dir := t.TempDir()
	for i := range 4 {
		err := in.Mkdir(filepath.Join(dir, fmt.Sprint(i)))
		if failed := errors.Is(err, syscall.ENOSPC); failed != (i >= 2) {
			t.Errorf("operation %d: %v", i, err)
		}
	}
}

func TestInjectedErrorsOfFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	var fault error
	in := NewInject(vfs.OS(), func(int, Op) error { return fault })
	f, err := in.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	fault = syscall.ENOSPC
	if n, err := f.WriteAt([]byte("0123"), 0); n != 2 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%d bytes, %v", n, err)
	}
	var at *fs.PathError
	if err := f.Truncate(0); !errors.As(err, &at) || at.Path != name {
		t.Errorf("truncate: %v", err)
	}
	fault = ErrSkip
	if n, err := f.WriteAt([]byte("0123"), 0); n != 4 || err != nil {
		t.Errorf("skipped write: %d, %v", n, err)
	}
	if err := errors.Join(f.Truncate(0), f.Sync(), in.SyncDir("none")); err != nil {
		t.Error(err)
	}
	if _, err := f.Stat(); err != ErrSkip {
		t.Errorf("skipped stat: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if got, err := ReadFile(vfs.OS(), name); err != nil || string(got) != "01" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	fault = nil
	if err := f.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("close after a close that was skipped: %v", err)
	}
}
