package sink_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

func TestSpillFiles(t *testing.T) {
	for _, scratch := range []string{"", "made/scratch"} {
		opt := sink.Options{Sync: true}
		if scratch != "" {
			opt.Scratch = filepath.Join(t.TempDir(), scratch)
		}
		s, output := open(t, vfs.OS(), opt)
		for range 2 { // what is left is removed at the end
			dir, err := s.SpillDirectory()
			if err != nil {
				t.Fatal(err)
			}
			if write(t, filepath.Join(dir, "00"), "rows"); (filepath.Dir(dir) == staging(output)) != (scratch == "") {
				t.Errorf("the directory is %s", dir)
			}
			if scratch == "" {
				continue
			}
			if err := s.DropSpillFiles(); err != nil {
				t.Error(err)
			}
			if left := names(tree(t, opt.Scratch)); left != "" {
				t.Errorf("%s is left after dropping", left)
			}
		}
		if err := s.WriteFile(sink.ManifestName, nil); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Commit(nil), s.Close()); err != nil {
			t.Fatal(err)
		}
		if got := names(tree(t, output)); got != "_tfr/ _tfr/manifest.json" {
			t.Errorf("the dataset has %s", got)
		}
		wantStaging(t, output, "lock state.json")
		if scratch != "" {
			if left := names(tree(t, opt.Scratch)); left != "" {
				t.Errorf("%s is left in the scratch directory", left)
			}
		}
	}
}

// Two outputs with one name may share a scratch directory. A foreign directory in it stays.
func TestScratchIsShared(t *testing.T) {
	scratch := t.TempDir()
	opt := sink.Options{Scratch: scratch}
	a, _ := open(t, vfs.OS(), opt)
	b, _ := open(t, vfs.OS(), opt)
	for _, s := range []*sink.Stage{a, b} {
		if _, err := s.SpillDirectory(); err != nil {
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
	if _, err := d.SpillDirectory(); !errors.Is(err, sink.ErrUnknownStage) {
		t.Errorf("%v", err)
	}
}

// Spill files of an older version are removed instead of resumed, here and under Scratch.
func TestSpillFilesOfAnOlderVersion(t *testing.T) {
	opt := sink.Options{Scratch: t.TempDir()}
	output := filepath.Join(t.TempDir(), "out")
	for _, left := range []bool{true, false} {
		s, err := sink.Open(store.OS(), output, opt)
		if err != nil {
			t.Fatal(err)
		}
		if s.Leftovers() != nil {
			t.Errorf("left %+v", s.Leftovers())
		}
		if got := names(tree(t, staging(output))); got != "lock" {
			t.Errorf("after opening there is %s", got)
		}
		if err := s.Begin(nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.SpillDirectory(); err != nil {
			t.Fatal(err)
		}
		for name := range tree(t, opt.Scratch) {
			if strings.Contains(name, "parts") {
				t.Errorf("there is %s", name)
			}
		}
		entries, err := os.ReadDir(opt.Scratch)
		if err != nil || len(entries) != 1 {
			t.Fatal(entries, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if !left {
			break
		}
		write(t, filepath.Join(opt.Scratch, entries[0].Name(), "lock"), "tfr-build\nhost\n1\n\n")
		write(t, filepath.Join(opt.Scratch, entries[0].Name(), "parts", "part-0"), "rows")
		write(t, filepath.Join(staging(output), "parts", "part-0"), "rows")
		write(t, filepath.Join(staging(output), "plan"), "{}")
		write(t, filepath.Join(staging(output), "journal"),
			"9e54b2ab {\"plan\":\"1821e3c3732893afbaf897235c16946e35938fe902e8723c8de1dfded073e874\"}\n")
	}
}
