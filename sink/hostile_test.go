package sink_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/store"
	"tfr-build/internal/vfs"
	"tfr-build/sink"
)

// Links, pipes, and names in a staging directory do not lead outside of it.
func TestHostileStagingDirectory(t *testing.T) {
	for _, test := range []struct {
		name string
		lay  func(t *testing.T, staging, victim string)
	}{
		{"data/ is a link", func(t *testing.T, staging, victim string) { replaceByLink(t, staging+"/data", victim) }},
		{"rejects/ is a link", func(t *testing.T, staging, victim string) {
			replaceByLink(t, staging+"/rejects", victim)
		}},
		{"statistics/ is a link", func(t *testing.T, staging,
			victim string) {
			replaceByLink(t, staging+"/statistics", victim)
		}},
		{"spill/ is a link", func(t *testing.T, staging, victim string) {
			replaceByLink(t, staging+"/spill", victim)
			write(t, staging+"/data/train-00000-of-00003", "damaged, so that runs are needed")
		}},
		{"data/ is a file", func(t *testing.T, staging, victim string) {
			if err := os.RemoveAll(staging + "/data"); err != nil {
				t.Fatal(err)
			}
			write(t, staging+"/data", "")
		}},
		{"a shard is a link", func(t *testing.T, staging, victim string) {
			replaceByLink(t, staging+"/data/train-00000-of-00003", victim+"/train-00000-of-00003")
		}},
		{"the directory of runs is a link", func(t *testing.T, staging, victim string) {
			replaceByLink(t, staging+"/spill/runs", victim)
			write(t, staging+"/data/train-00000-of-00003", "damaged, so that runs are needed")
		}},
		{"a directory of shards is a link", func(t *testing.T, staging,
			victim string) {
			replaceByLink(t, staging+"/data/train", victim)
		}},
		{"a directory of rejects is a link", func(t *testing.T, staging,
			victim string) {
			replaceByLink(t, staging+"/rejects/test", victim)
		}},
		{"a directory of shards is a file", func(t *testing.T, staging, _ string) {
			if err := os.RemoveAll(staging + "/data/train"); err != nil {
				t.Fatal(err)
			}
			write(t, staging+"/data/train", "")
		}},
		{"a shard in a directory is a link", func(t *testing.T, staging, victim string) {
			replaceByLink(t, staging+"/data/train/part-00000", victim+"/part-00000")
		}},
		{"the job is a pipe", func(t *testing.T, staging, _ string) { replaceByPipe(t, staging+"/job.json") }},
		{"the plan is a pipe", func(t *testing.T, staging, _ string) { replaceByPipe(t, staging+"/plan") }},
		{"the plan is a link", func(t *testing.T, staging, victim string) {
			replaceByLink(t, staging+"/plan", victim+"/plan")
		}},
		{"the journal is a pipe", func(t *testing.T, staging, _ string) { replaceByPipe(t, staging+"/journal") }},
		{"a shard is a pipe", func(t *testing.T, staging,
			_ string) {
			replaceByPipe(t, staging+"/data/train-00000-of-00003")
		}},
		{"the state is a pipe", func(t *testing.T, staging, _ string) { replaceByPipe(t, staging+"/state.json") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			output, victim := filepath.Join(t.TempDir(), "out"), t.TempDir()
			j := full
			j.directories = strings.Contains(test.name, "directory")
			j.opt.Sync = false
			j.halt(t, vfs.OS(), output)
			for name, text := range tree(t, staging(output)) { // the same files, to be mistaken for ours
				if !strings.HasSuffix(name, "/") {
					write(t, filepath.Join(victim, filepath.Base(name)), text)
				}
			}
			before := tree(t, victim)
			test.lay(t, staging(output), victim)
			if _, err := sink.Inspect(store.OS(), output); err != nil {
				t.Error(err)
			}
			j.mustBuild(t, output)
			if after := tree(t, victim); fmt.Sprint(after) != fmt.Sprint(before) {
				t.Errorf("%s became %s", names(before), names(after))
			}
			j.wantAt(t, output)
			for name := range tree(t, output) {
				if info, err := os.Lstat(filepath.Join(output, name)); err != nil ||
					!info.IsDir() && !info.Mode().IsRegular() {
					t.Errorf("%s: %v, %v", name, info.Mode(), err)
				}
			}
			wantStaging(t, output, "lock state.json")
		})
	}
}

func replaceByLink(t *testing.T, name, to string) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(name), os.Symlink(to, name)); err != nil {
		t.Fatal(err)
	}
}

func replaceByPipe(t *testing.T, name string) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(name), syscall.Mkfifo(name, 0o666)); err != nil {
		t.Fatal(err)
	}
	// A test that waits for a pipe fails after this time.
	timer := time.AfterFunc(5*time.Second, func() {
		if f, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			t.Errorf("%s was waited for", name)
			f.Close()
		}
	})
	t.Cleanup(func() { timer.Stop() })
}
