package sink_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"tfr-build/internal/store"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// with returns the job with another tag, so with other bytes.
func (j job) with(tag string) job { j.tag = tag; return j }

func (j job) overwriting() job { j.opt.Overwrite = true; return j }

func (j job) inDirectories() job { j.directories = true; return j }

func TestExistingOutputs(t *testing.T) {
	for _, test := range []struct {
		name  string
		lay   func(t *testing.T, output string)
		found sink.Found
		want  error // of Open
	}{
		{"nothing", func(*testing.T, string) {}, sink.Absent, nil},
		{"no parents", func(t *testing.T, output string) {
			if err := os.Remove(filepath.Dir(output)); err != nil {
				t.Fatal(err)
			}
		}, sink.Absent, nil},
		{"an empty directory", func(t *testing.T, output string) {
			if err := os.Mkdir(output, 0o777); err != nil {
				t.Fatal(err)
			}
		}, sink.Empty, nil},
		{"a dataset", func(t *testing.T, output string) { write(t, output+"/_tfr/manifest.json", small.manifest()) },
			sink.Dataset, nil},
		{"a manifest of others", func(t *testing.T, output string) { write(t, output+"/_tfr/manifest.json", "{}") },
			sink.Foreign, sink.ErrInTheWay},
		{"a file", func(t *testing.T, output string) { write(t, output, "mine") }, sink.Foreign, sink.ErrInTheWay},
		{"foreign files", func(t *testing.T, output string) { write(t, output+"/mine", "mine") }, sink.Foreign,
			sink.ErrInTheWay},
		{"a hidden file", func(t *testing.T, output string) { write(t, output+"/.mine", "mine") }, sink.Foreign,
			sink.ErrInTheWay},
		{"a file where a directory would be", func(t *testing.T, output string) { write(t, output+"/_tfr", "mine") },
			sink.Foreign, sink.ErrInTheWay},
		{"a manifest that is a directory", func(t *testing.T,
			output string) {
			write(t, output+"/_tfr/manifest.json/mine", "mine")
		}, sink.Foreign, sink.ErrInTheWay},
		{"a manifest that is a link", func(t *testing.T, output string) {
			write(t, output+"/_tfr/mine", "mine")
			if err := os.Symlink("mine", output+"/_tfr/manifest.json"); err != nil {
				t.Fatal(err)
			}
		}, sink.Foreign, sink.ErrInTheWay},
	} {
		t.Run(test.name, func(t *testing.T) {
			output := filepath.Join(t.TempDir(), "parent", "out")
			if err := os.Mkdir(filepath.Dir(output), 0o777); err != nil {
				t.Fatal(err)
			}
			test.lay(t, output)
			before := tree(t, filepath.Dir(output))
			v, err := sink.Inspect(store.OS(), output)
			if err != nil || v.Found != test.found || v.Path != output || v.State != nil {
				t.Errorf("peek: %+v, %v", v, err)
			}
			if after := tree(t, filepath.Dir(output)); names(after) != names(before) {
				t.Errorf("peek changed %s to %s", names(before), names(after))
			}
			s, err := sink.Open(store.OS(), output, small.opt)
			if !errors.Is(err, test.want) {
				t.Fatalf("open: %v", err)
			}
			if err != nil {
				if !strings.HasPrefix(err.Error(), output+" ") {
					t.Errorf("the message does not begin with the path: %v", err)
				}
				if after := tree(t, filepath.Dir(output)); names(after) != names(before) {
					t.Errorf("a refused open changed %s to %s", names(before), names(after))
				}
				return
			}
			if s.Found() != test.found || s.Path() != output {
				t.Errorf("%v at %s", s.Found(), s.Path())
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			wantStaging(t, output, "lock")
			small.overwriting().mustBuild(t, output)
			small.wantAt(t, output)
		})
	}
}

func TestOutputsWithoutAName(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Symlink("/", "root"); err != nil {
		t.Fatal(err)
	}
	for _, output := range []string{"", ".", "..", "/", "a/..", "../..", "root"} {
		if _, err := sink.Open(store.OS(), output, sink.Options{}); !errors.Is(err, sink.ErrName) {
			t.Errorf("open %q: %v", output, err)
		}
		if _, err := sink.Inspect(store.OS(), output); !errors.Is(err, sink.ErrName) {
			t.Errorf("peek %q: %v", output, err)
		}
	}
	if got := names(tree(t, ".")); got != "root" {
		t.Errorf("there is %s", got)
	}
}

func TestMountPointIsRejected(t *testing.T) {
	if _, err := sink.Open(store.OS(), "/dev", sink.Options{}); !errors.Is(err, sink.ErrMountPoint) {
		t.Errorf("%v", err)
	}
}

func TestRelativeOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	small.mustBuild(t, "a/b/../out")
	small.wantAt(t, "a/out")
	wantStaging(t, "a/out", "lock state.json")
}

func TestLinkedOutput(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("far/away/out", link); err != nil { // to nothing, at first
		t.Fatal(err)
	}
	output := filepath.Join(dir, "far", "away", "out")
	for _, tag := range []string{"new", "newer"} {
		j := small.with(tag).overwriting()
		j.mustBuild(t, link)
		j.wantAt(t, output)
		if to, err := os.Readlink(link); err != nil || to != "far/away/out" {
			t.Errorf("the link leads to %s, %v", to, err)
		}
		wantStaging(t, output, "lock state.json")
		wantAbsent(t, staging(link))
	}
	v, err := sink.Inspect(store.OS(), link)
	if err != nil || v.Found != sink.Dataset || v.Path != output || string(v.State) != "state of newer" {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestStateOfTheLastCommit(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	for _, tag := range []string{"first", "second"} {
		j := small.with(tag).overwriting()
		j.mustBuild(t, output)
		s, err := sink.Open(store.OS(), output, j.opt)
		if err != nil {
			t.Fatal(err)
		}
		state, err := s.State()
		if err != nil || string(state) != "state of "+tag || s.Found() != sink.Dataset {
			t.Errorf("%q, %v", state, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		j.wantAt(t, output) // opening it did no harm
	}
}

func TestReserve(t *testing.T) {
	s, output := open(t, vfs.OS(), sink.Options{})
	defer s.Close()
	if err := s.Reserve(1); err != nil {
		t.Error(err)
	}
	err := s.Reserve(1 << 62)
	var full *sink.OutputError
	if !errors.As(err, &full) || full.Path != output || !errors.Is(err, syscall.ENOSPC) ||
		!strings.HasSuffix(err.Error(), output+": no space left on device") {
		t.Errorf("%v", err)
	}
}

func TestParentsThatCannotBeCreated(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "")
	_, err := sink.Open(store.OS(), filepath.Join(dir, "file", "sub", "out"), sink.Options{})
	var refused *sink.OutputError
	if !errors.As(err, &refused) || !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("%v", err)
	}
	if got := names(tree(t, dir)); got != "file" {
		t.Errorf("there is %s", got)
	}
}

// Names derived from an output are not too long, are valid UTF-8 if the output is, and differ
// between outputs.
func TestLongNames(t *testing.T) {
	seen := map[string]bool{}
	for n := 240; n <= sink.MaxName; n++ {
		for _, last := range []string{"a", "b"} {
			name := filepath.Base(sink.StagingPath("/disk/" + strings.Repeat("é", n/2) + strings.Repeat("x", n%2) +
				last))
			if len(name) > sink.MaxName || !utf8.ValidString(name) || seen[name] {
				t.Errorf("of %d bytes: %d, %q", n+1, len(name), name)
			}
			seen[name] = true
		}
	}
	if got := sink.StagingPath("/disk/" + strings.Repeat("x", 250)); got != "/disk/."+strings.Repeat("x", 250)+".tfr" {
		t.Errorf("what fits became %s", got)
	}
	j, disk, output := full, vfstest.NewMem("/disk"), "/disk/"+strings.Repeat("x", sink.MaxName)
	j.rejects, j.opt.Scratch = false, "/disk/scratch"
	j.halt(t, disk, output)
	s, err := sink.Open(over(disk), output, j.opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.RemoveSidecar(sidecarOf(output)), s.Close()); err != nil {
		t.Errorf("removing what can have no name: %v", err)
	}
	if _, err := j.build(t.Context(), disk, output); err != nil || !j.isIn(disk, output) {
		t.Errorf("at the output there is %s, %v", keys(treeIn(t, disk, output)), err)
	}
}
