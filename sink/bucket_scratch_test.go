package sink_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/bucket"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// joinAndClose has a process of the tasks come and go.
func joinAndClose(fsys vfs.FS, j *job, process string) error {
	s, err := sink.Join(over(fsys), inBucket, j.by(process))
	if err != nil {
		return err
	}
	return s.Close()
}

// TestTasksWithOneScratchDirectoryLeaveEachOtherAlone has a second process of the tasks come
// and go before each operation of the first on the local disk, with the same -scratch.
func TestTasksWithOneScratchDirectoryLeaveEachOtherAlone(t *testing.T) {
	s := newStore(t)
	o := s.at(t)
	j := job{tag: "x", shards: 1, blocks: 1, workers: 1}.scratch(t.TempDir())
	o.claim(t, &j)
	between := 0
	in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		between++
		if err := joinAndClose(o.fs, &j, "second"); err != nil {
			t.Errorf("before %v: the second process: %v", op, err)
		}
		return nil
	})
	first := reaching(t.Context(), in, bucket.Options{})
	defer first.Close()
	if err := joinAndClose(first, &j, "first"); err != nil {
		t.Errorf("the first process: %v", err)
	}
	if between < 10 {
		t.Errorf("the second process came %d times", between)
	}
	if left := names(tree(t, j.opt.Scratch)); left != "" {
		t.Errorf("the scratch directory has %s", left)
	}
}

// TestTasksRemoveFilesOfAKilledTask kills a process of the tasks at each operation on its own
// directory. The next process removes the directory, unless that has no lock yet.
func TestTasksRemoveFilesOfAKilledTask(t *testing.T) {
	s := newStore(t)
	o := s.at(t)
	j := job{tag: "x", shards: 1, blocks: 1, workers: 1}.scratch(t.TempDir())
	o.claim(t, &j)
	for n, ended := 0, false; !ended; n++ {
		in := vfstest.NewInject(vfs.OS(), vfstest.From(n, vfstest.ErrStopped))
		killed := reaching(t.Context(), in, bucket.Options{})
		ended = joinAndClose(killed, &j, "killed") == nil
		killed.Close()
		if err := joinAndClose(o.fs, &j, "next"); err != nil {
			t.Errorf("after one that was killed at operation %d: %v", n, err)
		}
		entries, err := os.ReadDir(j.opt.Scratch)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			_, err := os.Lstat(filepath.Join(j.opt.Scratch, e.Name(), "lock"))
			if !strings.HasSuffix(e.Name(), ".tmp") || !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("killed at operation %d, it left %s, %v", n, e.Name(), err)
			}
			if err := os.RemoveAll(filepath.Join(j.opt.Scratch, e.Name())); err != nil {
				t.Error(err)
			}
		}
	}
}

// On a file system without locks, no directory is removed, because its process may be alive.
func TestTasksWithoutLocksRemoveNothing(t *testing.T) {
	s := newStore(t)
	o := s.at(t)
	j := job{tag: "x", shards: 1, blocks: 1, workers: 1}.scratch(t.TempDir())
	o.claim(t, &j)
	fsys := reaching(t.Context(), lockless{vfs.OS()}, bucket.Options{})
	defer fsys.Close()
	first, err := sink.Join(over(fsys), inBucket, j.by("first"))
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if err := joinAndClose(fsys, &j, "second"); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(j.opt.Scratch); len(entries) != 1 {
		t.Errorf("the directory of the first process is not there: %v, %v", entries, err)
	}
}

// lockless is a file system without working locks.
type lockless struct{ vfs.FS }

func (l lockless) Lock(name string) (vfs.File, bool, error) {
	f, err := l.FS.Edit(name)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = l.FS.Create(name)
	}
	return f, false, err
}
