package pipeline

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
)

// TestTouchedInput checks that a dataset is up to date if its input was only touched and contents
// are compared, also if the new times cannot be stored. The stored state is durable, or as before.
func TestTouchedInput(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "t.csv")
	testenv.Put(t, table, "a\n1\n2\n")
	cfg := load(t, dir, "name: it\noutput: out\nsource: {csv: {files: t.csv}}\nfeatures: {a: int64}\n")
	disk := vfstest.NewMem("/disk")
	run := Run{Workers: 1, Memory: plenty, Output: "/disk/out", HashInputs: true, Sync: true}
	build := func(fsys vfs.FS, hash bool) (upToDate bool, err error) {
		run := run
		run.Storage, run.HashInputs = store.Over(fsys), hash
		result, err := Build(t.Context(), cfg, run)
		return err == nil && result.UpToDate, err
	}
	touch := func() {
		t.Helper()
		at := time.Now().Add(-time.Hour)
		if err := os.Chtimes(table, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := build(disk, true); err != nil {
		t.Fatal(err)
	}
	touch()
	if _, err := build(disk, false); err == nil || !strings.Contains(err.Error(), "touched") {
		t.Errorf("without hashing: %v", err)
	}
	readOnly := vfstest.NewInject(disk, func(_ int, op vfstest.Op) error {
		if op.Kind == "lock" {
			return syscall.EROFS
		}
		return nil
	})
	if same, err := build(readOnly, true); !same {
		t.Errorf("on a disk that cannot be written: %v", err)
	}
	var noted *vfstest.Mem
	for n := 0; noted == nil; n += testenv.Times(11, 1, 1) {
		at := disk.Crash(vfstest.Crash{Keep: 1, Names: vfstest.NamesKept})
		in := vfstest.NewInject(at, vfstest.From(n, vfstest.ErrStopped))
		_, err := build(in, true)
		if n >= len(in.Ops()) {
			noted = at
		}
		for _, after := range []*vfstest.Mem{at, at.Crash(vfstest.Crash{})} {
			if same, err := build(after, true); !same {
				t.Errorf("stopped at operation %d: then %v", n, err)
			}
		}
		if noted == nil && err != nil && !errors.Is(err, vfstest.ErrStopped) {
			t.Errorf("stopped at operation %d: %v", n, err)
		}
	}
	if same, err := build(noted.Crash(vfstest.Crash{}), false); !same {
		t.Errorf("the times were not noted: %v", err)
	}
}
