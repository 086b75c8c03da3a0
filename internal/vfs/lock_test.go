package vfs

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	f, locked, err := OS().Lock(name)
	if err != nil || !locked {
		t.Fatalf("locked %v, %v", locked, err)
	}
	if _, _, err := OS().Lock(name); !errors.Is(err, ErrLocked) {
		t.Errorf("a second lock: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, _, err = OS().Lock(name); err != nil {
		t.Fatalf("after the holder closed it: %v", err)
	}
	f.Close()
	link := name + ".link"
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	if _, _, err := OS().Lock(link); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("a lock that is a link: %v", err)
	}
}

// TestLockFileReplaced removes the file before it is locked: it is locked again.
func TestLockFileReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	for _, test := range []struct {
		replaced int // times
		remade   bool
		want     error
	}{
		{1, true, nil}, {3, false, nil}, {1000, true, ErrLocked},
	} {
		opened := 0
		f, _, err := lock(name, func() (*os.File, error) {
			f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
			if opened++; err == nil && opened <= test.replaced {
				err = os.Remove(name)
				if test.remade {
					write(t, name, "another")
				}
			}
			return f, err
		})
		if !errors.Is(err, test.want) {
			t.Errorf("replaced %d times: %v", test.replaced, err)
		}
		if err != nil {
			continue
		}
		if opened != test.replaced+1 || !sameFile(f.(*osFile).File, name) {
			t.Errorf("replaced %d times: the lock is the %dth file opened", test.replaced, opened)
		}
		f.Close()
		if sameFile(f.(*osFile).File, name) {
			t.Error("a closed file is the one that has a name")
		}
	}
}

func TestLockResult(t *testing.T) {
	for answer, want := range map[error]struct {
		locked bool
		err    error
	}{
		nil:              {true, nil},
		unix.EWOULDBLOCK: {false, ErrLocked},
		unix.ENOLCK:      {false, nil},
		unix.ENOTSUP:     {false, nil},
		unix.ENOSYS:      {false, nil},
		unix.EIO:         {false, unix.EIO},
		unix.EBADF:       {false, unix.EBADF},
	} {
		if locked, err := lockResult(answer); locked != want.locked || err != want.err {
			t.Errorf("%v: %v, %v", answer, locked, err)
		}
	}
}
