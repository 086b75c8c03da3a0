package sink_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

func TestDatasetIsNotReplacedWithoutOverwrite(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	small.mustBuild(t, output)
	_, err := small.with("newer").build(t.Context(), vfs.OS(), output)
	if !errors.Is(err, sink.ErrDataset) || err.Error() != output+" holds a dataset already" {
		t.Errorf("%v", err)
	}
	small.wantAt(t, output)
	wantStaging(t, output, "lock state.json")
}

// Commit detects files that appeared at the output since Open.
func TestNewFilesAtTheOutputAreNotReplaced(t *testing.T) {
	for name, want := range map[string]error{"mine": sink.ErrInTheWay, "_tfr/manifest.json": sink.ErrDataset} {
		s, output := open(t, vfs.OS(), sink.Options{})
		text := "mine"
		if errors.Is(want, sink.ErrDataset) {
			text = small.manifest()
		}
		write(t, filepath.Join(output, name), text)
		if err := s.WriteFile("_tfr/manifest.json", nil); err != nil {
			t.Fatal(err)
		}
		if err := s.Commit(nil); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if got := tree(t, output)[name]; got != text {
			t.Errorf("%s is %q now", name, got)
		}
	}
}

// The file appears between the last check of an empty directory and the rename.
func TestDirectoryFilledBeforeTheRename(t *testing.T) {
	var output string
	in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if op.Kind == "rename" && op.To == output {
			write(t, filepath.Join(output, "mine"), "mine")
		}
		return nil
	})
	s, output2 := open(t, in, sink.Options{})
	output = output2
	if err := os.Mkdir(output, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := s.WriteFile(sink.ManifestName, []byte(small.manifest())); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(nil); !errors.Is(err, sink.ErrInTheWay) {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := names(tree(t, output)); got != "mine" {
		t.Errorf("the directory has %s", got)
	}
}

func TestOnlyWhatWasWrittenIsCommitted(t *testing.T) {
	s, output := open(t, vfs.OS(), sink.Options{})
	defer s.Close()
	for _, name := range []string{"_tfr/manifest.json", "a"} {
		if err := s.WriteFile(name, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, stray := range []string{"stray", ".b.tmp", "_tfr/stray", "folder/stray", "_tfr/folder/stray"} {
		write(t, filepath.Join(staging(output), "data", stray), "")
	}
	if err := s.Commit([]byte("state")); err != nil {
		t.Fatal(err)
	}
	if got := names(tree(t, output)); got != "_tfr/ _tfr/manifest.json a" {
		t.Errorf("the dataset has %s", got)
	}
}

func TestMissingFileIsDetected(t *testing.T) {
	s, output := open(t, vfs.OS(), sink.Options{})
	for _, name := range []string{"a", "b"} {
		if err := s.WriteFile(name, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(staging(output), "data", "a")); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(nil); err == nil || !strings.HasSuffix(err.Error(), "2 files were written, 1 are there") {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	wantAbsent(t, output)
}

// Overwrites on a file system that cannot exchange directories, stopped at each step.
func TestInterruptedOverwriteIsRepaired(t *testing.T) {
	for _, moved := range []string{"nothing", "the old", "both", "the old, and an empty directory came"} {
		t.Run(moved, func(t *testing.T) {
			output := filepath.Join(t.TempDir(), "out")
			small.with("old").mustBuild(t, output)
			want, found := "old", sink.Dataset
			old := filepath.Join(staging(output), "old")
			if moved != "nothing" {
				if err := os.Rename(output, old); err != nil {
					t.Fatal(err)
				}
			}
			switch moved {
			case "both":
				want = "new"
				other := filepath.Join(t.TempDir(), "out")
				small.with("new").mustBuild(t, other)
				if err := os.Rename(other, output); err != nil {
					t.Fatal(err)
				}
			case "the old, and an empty directory came":
				if err := os.Mkdir(output, 0o777); err != nil {
					t.Fatal(err)
				}
			}
			var warned []string
			opt := small.opt
			opt.Warn = func(m string) { warned = append(warned, m) }
			s, err := sink.Open(store.OS(), output, opt)
			if err != nil {
				t.Fatal(err)
			}
			if s.Found() != found {
				t.Errorf("found %v", s.Found())
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			small.with(want).wantAt(t, output)
			wantStaging(t, output, "lock state.json")
			if back := strings.HasPrefix(moved, "the old"); (len(warned) == 1) != back {
				t.Errorf("warnings %q", warned)
			}
		})
	}
}

// If the second of two renames fails, the old dataset is restored.
func TestFailedOverwriteIsUndone(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	small.with("old").mustBuild(t, output)
	backToo := false
	in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		switch {
		case op.Kind == "exchange":
			return errors.ErrUnsupported
		case op.Kind == "rename" && op.To == output && (backToo || filepath.Base(op.Name) == "data"):
			return syscall.EIO
		}
		return nil
	})
	var warned []string
	j := small.overwriting()
	j.opt.Warn = func(m string) { warned = append(warned, m) }
	if _, err := j.build(t.Context(), in, output); !errors.Is(err, syscall.EIO) {
		t.Errorf("%v", err)
	}
	small.with("old").wantAt(t, output)
	if got := stagingFiles(t, output); got != "data job.json journal lock rejects state.json statistics" {
		t.Errorf("the staging directory has %s", got)
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "cannot exchange directories") {
		t.Errorf("warnings %q", warned)
	}
	backToo = true
	if _, err := j.build(t.Context(), in, output); !errors.Is(err, syscall.EIO) {
		t.Errorf("%v", err)
	}
	wantAbsent(t, output) // and it says so
	if len(warned) != 3 || !strings.Contains(warned[2], "the next run puts it back") {
		t.Errorf("warnings %q", warned)
	}
	s, err := sink.Open(store.OS(), output, j.opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	small.with("old").wantAt(t, output)
	j.mustBuild(t, output)
	j.wantAt(t, output)
	wantStaging(t, output, "lock state.json")
}

// stagingFiles lists the names in the staging directory, without subdirectories.
func stagingFiles(t *testing.T, output string) string {
	t.Helper()
	entries, err := os.ReadDir(staging(output))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

// A missing feature of the file system causes a warning and no error.
func TestFileSystemsWithoutFeatures(t *testing.T) {
	for kind, want := range map[string]string{
		"syncdir":  "does not sync directories",
		"exchange": "cannot exchange directories",
		"allocate": "",
	} {
		output := filepath.Join(t.TempDir(), "out")
		small.with("old").mustBuild(t, output)
		in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
			if op.Kind == kind {
				return errors.ErrUnsupported
			}
			return nil
		})
		var warned []string
		j := small.overwriting()
		j.opt.Warn = func(m string) { warned = append(warned, m) }
		if _, err := j.build(t.Context(), in, output); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		small.wantAt(t, output)
		wantStaging(t, output, "lock state.json")
		if got := strings.Join(warned, "\n"); len(warned) > 1 || !strings.Contains(got, want) ||
			(got == "") != (want == "") {
			t.Errorf("%s: warnings %q", kind, warned)
		}
	}
}

func TestAcrossFileSystems(t *testing.T) {
	in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if op.Kind == "rename" && filepath.Base(op.To) == "out" {
			return syscall.EXDEV
		}
		return nil
	})
	output := filepath.Join(t.TempDir(), "out")
	_, err := small.build(t.Context(), in, output)
	if !errors.Is(err, syscall.EXDEV) || !strings.Contains(err.Error(), "the staging directory next to it") {
		t.Errorf("%v", err)
	}
	if errors.Is(err, fs.ErrExist) {
		t.Error("it passes for something in the way")
	}
}

// A file that a user put into a dataset is not lost with it.
func TestUnknownFilesInADatasetStay(t *testing.T) {
	for name, kept := range map[string]bool{"notes.txt": true, "sub/model.ckpt": true, "_tfr/mine": true,
		".DS_Store": false, "_tfr/__pycache__/reader.pyc": false} {
		output := filepath.Join(t.TempDir(), "out")
		small.with("old").mustBuild(t, output)
		write(t, filepath.Join(output, name), "mine")
		before := tree(t, output)
		_, err := small.overwriting().build(t.Context(), vfs.OS(), output)
		if kept != errors.Is(err, sink.ErrUnknownFile) {
			t.Errorf("%s: %v", name, err)
		}
		if kept && !maps.Equal(tree(t, output), before) {
			t.Errorf("%s: the dataset changed", name)
		}
		if kept && !strings.Contains(err.Error(), "holds "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
