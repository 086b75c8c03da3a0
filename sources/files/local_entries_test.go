package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tfr-build/internal/testenv"
)

// TestEachEntry compares directories with package os. They have names of every length, more
// entries than one call reads, and entries of every type. The directory stays open.
func TestEachEntry(t *testing.T) {
	for _, n := range []int{0, 1, testenv.Times(700, 5_000, 50_000)} {
		dir := t.TempDir()
		for i := range n {
			name := filepath.Join(dir, fmt.Sprint(i, strings.Repeat("-", i%249)))
			var err error
			switch i % 50 {
			case 0:
				err = os.Mkdir(name, 0o777)
			case 1:
				err = os.Symlink("nowhere", name)
			case 2:
				err = unix.Mkfifo(name, 0o666)
			default:
				err = os.WriteFile(name, nil, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		var want, got []string
		list, err := os.ReadDir(dir)
		for _, e := range list {
			want = append(want, fmt.Sprint(e.Name(), e.IsDir(), e.Type()&fs.ModeSymlink != 0))
		}
		f, errOpen := openDir(dir)
		if err := errors.Join(err, errOpen); err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		err = eachEntry(int(f.Fd()), func(name string, mode uint32) {
			got = append(got, fmt.Sprint(name, mode == unix.S_IFDIR, mode == unix.S_IFLNK))
			// The type on file systems that do not store it in directories, and on other systems than Linux.
			if typed, err := entryMode(int(f.Fd()), name); err != nil || typed == 0 || typed != mode {
				t.Errorf("%s has the type %o, and as an entry %o; %v", name, typed, mode, err)
			}
		})
		slices.Sort(got)
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d entries: %d, %v", n, len(got), err)
		}
		if _, err := f.Stat(); err != nil {
			t.Errorf("the directory is closed: %v", err)
		}
	}
}

// TestEntryThatIsGone looks for the type of an entry that was removed meanwhile, and of one in a file.
func TestEntryThatIsGone(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a": ""})
	d, errDir := openDir(dir)
	f, errFile := openFile(filepath.Join(dir, "a"))
	if err := errors.Join(errDir, errFile); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	defer f.Close()
	if mode, err := entryMode(int(d.Fd()), "b"); mode != 0 || err != nil {
		t.Errorf("%o, %v", mode, err)
	}
	if _, err := entryMode(int(f.Fd()), "a"); err != unix.ENOTDIR {
		t.Errorf("%v", err)
	}
}

// TestEachEntryOfAFile expects an error.
func TestEachEntryOfAFile(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := eachEntry(int(f.Fd()), func(string, uint32) {}); err != unix.ENOTDIR {
		t.Errorf("%v", err)
	}
}
