package sink_test

import (
	"errors"
	"fmt"
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

func TestLocked(t *testing.T) {
	s, output := open(t, vfs.OS(), sink.Options{})
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	var locked *sink.LockedError
	_, err = small.build(t.Context(), vfs.OS(), output)
	if !errors.As(err, &locked) || locked.PID != os.Getpid() || locked.Host != host {
		t.Errorf("%v", err)
	}
	if want := fmt.Sprintf("%s/lock is locked by process %d on %s", staging(output), os.Getpid(),
		host); err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if got := names(tree(t, staging(output))); got != "data/ job.json journal lock rejects/ statistics/" {
		t.Errorf("the run that was refused left %s", got)
	}
	if err := os.Truncate(filepath.Join(staging(output), "lock"), 10); err != nil { // not signed yet
		t.Fatal(err)
	}
	_, err = small.build(t.Context(), vfs.OS(), output)
	if !errors.As(err, &locked) || locked.PID != 0 || err.Error() != staging(output)+"/lock is locked by another run" {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	small.mustBuild(t, output)
}

// TestStagingDirectoryOwnership checks which directories are treated as staging directories of
// tfr-build.
func TestStagingDirectoryOwnership(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		ours  bool
	}{
		{"nothing", map[string]string{}, true},
		{"an empty lock", map[string]string{"lock": ""}, true},
		{"a lock cut short", map[string]string{"lock": "tfr-"}, true},
		{"a lock without its newline", map[string]string{"lock": "tfr-build"}, true},
		{"a lock", map[string]string{"lock": "tfr-build\nhost\n1\n"}, true},
		{"what a killed run left", map[string]string{"lock": "tfr-build\nhost\n1\n", "data/a": "", "data/.b.tmp": "",
			"spill/0": "", "plan": ""}, true},
		{"another lock", map[string]string{"lock": "mine\n"}, false},
		{"a longer line", map[string]string{"lock": "tfr-builder\n"}, false},
		{"no lock", map[string]string{"mine": ""}, false},
		{"an empty lock and more", map[string]string{"lock": "", "mine": ""}, false},
		{"a lock cut short and more", map[string]string{"lock": "tfr-build", "mine": ""}, false},
		{"a lock that is a directory", map[string]string{"lock/mine": ""}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			output := filepath.Join(t.TempDir(), "out")
			if err := os.Mkdir(staging(output), 0o777); err != nil {
				t.Fatal(err)
			}
			for name, text := range test.files {
				write(t, filepath.Join(staging(output), name), text)
			}
			before := names(tree(t, staging(output)))
			_, peeked := sink.Inspect(store.OS(), output)
			_, err := small.build(t.Context(), vfs.OS(), output)
			if test.ours {
				if err != nil || peeked != nil {
					t.Fatal(err, peeked)
				}
				small.wantAt(t, output)
				wantStaging(t, output, "lock state.json")
				return
			}
			if !errors.Is(err, sink.ErrUnknownStage) || !errors.Is(peeked, sink.ErrUnknownStage) {
				t.Errorf("open: %v; peek: %v", err, peeked)
			}
			wantStaging(t, output, before)
			wantAbsent(t, output)
		})
	}
}

func TestLinkOrFileAsStagingDirectoryIsNotOwned(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	if err := os.Symlink(t.TempDir(), staging(output)); err != nil {
		t.Fatal(err)
	}
	if _, err := small.build(t.Context(), vfs.OS(), output); !errors.Is(err, sink.ErrUnknownStage) {
		t.Errorf("a link: %v", err)
	}
	output += "2"
	write(t, staging(output), "mine")
	if _, err := small.build(t.Context(), vfs.OS(), output); !errors.Is(err, sink.ErrUnknownStage) {
		t.Errorf("a file: %v", err)
	}
}

// The first line of a lock stays while the rest is rewritten.
func TestWritingTheHolderKeepsTheOwnership(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	small.mustBuild(t, output)
	in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if op.Kind == "writeat" || op.Kind == "truncate" {
			return syscall.EIO
		}
		return nil
	})
	if _, err := small.build(t.Context(), in, output); !errors.Is(err, syscall.EIO) {
		t.Errorf("%v", err)
	}
	text, err := os.ReadFile(filepath.Join(staging(output), "lock"))
	if err != nil || !strings.HasPrefix(string(text), "tfr-build\n") {
		t.Errorf("%q, %v", text, err)
	}
}

// TestFullDiskAtTheLock runs out of space for the lock of a new staging directory: the directory does not stay.
func TestFullDiskAtTheLock(t *testing.T) {
	for _, kind := range []string{"lock", "writeat"} {
		output := filepath.Join(t.TempDir(), "out")
		in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
			if op.Kind == kind {
				return syscall.ENOSPC
			}
			return nil
		})
		if _, err := small.build(t.Context(), in, output); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", kind, err)
		}
		if got := names(tree(t, filepath.Dir(output))); got != "" {
			t.Errorf("%s: the run left %s", kind, got)
		}
	}
}

// unlocked is a file system without locks.
type unlocked struct{ vfs.FS }

func (u unlocked) Lock(name string) (vfs.File, bool, error) {
	f, _, err := u.FS.Lock(name)
	return f, false, err
}

func TestWithoutLocks(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	var warned []string
	j := small
	j.opt.Warn = func(m string) { warned = append(warned, m) }
	if _, err := j.build(t.Context(), unlocked{vfs.OS()}, output); err != nil {
		t.Fatal(err)
	}
	j.wantAt(t, output)
	if len(warned) != 1 || !strings.Contains(warned[0], "has no locks") {
		t.Errorf("warnings %q", warned)
	}
}
