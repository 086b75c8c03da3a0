package sink_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

func TestParts(t *testing.T) {
	for _, scratch := range []string{"", "made/scratch"} {
		opt := sink.Options{Sync: true}
		if scratch != "" {
			opt.Scratch = filepath.Join(t.TempDir(), scratch)
		}
		s, output := open(t, vfs.OS(), opt)
		p, err := s.CreatePart("00")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.CreatePart("00"); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a second part of one name: %v", err)
		}
		for _, text := range []string{"one", "", "two"} {
			if n, err := p.Write([]byte(text)); n != len(text) || err != nil {
				t.Fatal(n, err)
			}
		}
		got := make([]byte, 6)
		if n, err := p.ReadAt(got, 0); n != 6 || err != nil || string(got) != "onetwo" || p.Size() != 6 {
			t.Errorf("%q of %d, %v", got[:n], p.Size(), err)
		}
		if n, err := p.ReadAt(got, 3); n != 3 || err != io.EOF {
			t.Errorf("over the end: %d, %v", n, err)
		}
		if err := p.Remove(); err != nil {
			t.Error(err)
		}
		for range 2 { // the name is free again, and what is left is removed at the end
			if p, err = s.CreatePart("00"); err != nil {
				t.Fatal(err)
			}
			if _, err := s.CreatePart("01"); err != nil && !errors.Is(err, fs.ErrExist) {
				t.Fatal(err)
			}
			if err := p.Remove(); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.WriteFile(sink.ManifestName, nil); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Commit(nil), s.Close()); err != nil {
			t.Fatal(err)
		}
		if got := names(tree(t, output)); got != "_tfr/ _tfr/manifest.json" {
			t.Errorf("the dataset holds %s", got)
		}
		wantHidden(t, output, "lock state.json")
		if scratch != "" {
			for name := range tree(t, opt.Scratch) {
				if !strings.HasPrefix(name, ".out-") || !strings.HasSuffix(name, ".tfr/") && !strings.HasSuffix(name, ".tfr/lock") {
					t.Errorf("%s is left in the scratch folder", name)
				}
			}
		}
	}
}

// Two outputs of one name may share a scratch folder; a folder there that is not
// ours is left alone.
func TestScratchIsShared(t *testing.T) {
	scratch := t.TempDir()
	opt := sink.Options{Scratch: scratch}
	a, _ := open(t, vfs.OS(), opt)
	b, _ := open(t, vfs.OS(), opt)
	for _, s := range []*sink.Stage{a, b} {
		if _, err := s.CreatePart("00"); err != nil {
			t.Error(err)
		}
		defer s.Close()
	}
	c, _ := open(t, vfs.OS(), opt)
	defer c.Close()
	entries, err := os.ReadDir(scratch)
	if err != nil || len(entries) != 2 {
		t.Fatal(entries, err)
	}
	in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if op.Kind == "lstat" && strings.HasPrefix(op.Name, scratch) {
			write(t, filepath.Join(op.Name, "mine"), "mine")
		}
		return nil
	})
	d, _ := open(t, in, opt)
	defer d.Close()
	if _, err := d.CreatePart("00"); !errors.Is(err, sink.ErrForeign) {
		t.Errorf("%v", err)
	}
}

func TestErrorsOfParts(t *testing.T) {
	var fail string
	in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if op.Kind == fail {
			return syscall.EIO
		}
		return nil
	})
	s, _ := open(t, in, sink.Options{})
	defer s.Close()
	p, err := s.CreatePart("00")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Write([]byte("0123")); err != nil {
		t.Fatal(err)
	}
	var at *sink.OutputError
	fail = "write"
	if n, err := p.Write([]byte("4567")); n != 2 || !errors.As(err, &at) || at.Offset != 4 || p.Size() != 6 {
		t.Errorf("write: %d, %v", n, err)
	}
	fail = "readat"
	if _, err := p.ReadAt(make([]byte, 2), 1); !errors.As(err, &at) || at.Offset != 1 || at.Op != "reading" {
		t.Errorf("read: %v", err)
	}
	for _, fail = range []string{"close", "remove"} {
		if p, err = s.CreatePart("1" + fail); err != nil {
			t.Fatal(err)
		}
		if err := p.Remove(); !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v", fail, err)
		}
	}
	fail = ""
}
