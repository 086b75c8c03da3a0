package sink_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

func sidecarIn(dir string) *sink.Sidecar { return sidecarOf(filepath.Join(dir, "list")) }

func replace(ctx context.Context, s *sink.Stage, b *sink.Sidecar, text string) error {
	return s.ReplaceSidecar(ctx, b, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// TestSidecar checks which files next to the dataset may be replaced and removed.
func TestSidecar(t *testing.T) {
	for _, test := range []struct {
		name string
		lay  func(t *testing.T, path string)
		ours bool
	}{
		{"nothing", func(*testing.T, string) {}, true},
		{"an older one", func(t *testing.T, path string) { write(t, path, "reject old") }, true},
		{"an empty file", func(t *testing.T, path string) { write(t, path, "") }, true},
		{"another file", func(t *testing.T, path string) { write(t, path, "mine") }, false},
		{"a directory", func(t *testing.T, path string) { write(t, path+"/mine", "reject old") }, false},
		{"a link to an older one", func(t *testing.T, path string) {
			write(t, path+".far", "reject old")
			replaceByLink(t, path, path+".far")
		}, false},
		{"a pipe", replaceByPipe, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, place := range []string{"", "other/folder"} {
				s, output := open(t, vfs.OS(), sink.Options{Sync: true})
				defer s.Close()
				b := sidecarIn(filepath.Join(filepath.Dir(output), place))
				if place == "" || test.name != "nothing" {
					write(t, b.Path+"x", "") // makes the directory
				}
				test.lay(t, b.Path)
				text := "reject new\n" + strings.Repeat("x", 1<<20)
				err := replace(t.Context(), s, b, text)
				if test.ours {
					if got, _ := os.ReadFile(b.Path); err != nil || string(got) != text {
						t.Errorf("%d bytes, %v", len(got), err)
					}
				} else if !errors.Is(err, sink.ErrNotOwned) {
					t.Errorf("%v", err)
				}
				if err := s.RemoveSidecar(b); err != nil {
					t.Error(err)
				}
				if _, err := os.Lstat(b.Path); errors.Is(err, os.ErrNotExist) != test.ours {
					t.Errorf("after it was removed: %v", err)
				}
				if err := s.RemoveSidecar(b); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A sidecar file that cannot be written leaves the old one, and no temporary file.
func TestSidecarErrors(t *testing.T) {
	var fail string
	in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if fail == op.Kind+" "+strings.TrimPrefix(filepath.Ext(op.Name), ".") {
			return syscall.EIO
		}
		return nil
	})
	s, output := open(t, in, sink.Options{Sync: true})
	defer s.Close()
	dir := filepath.Join(filepath.Dir(output), "other")
	b := sidecarIn(dir)
	write(t, b.Path, "reject old")
	for _, fail = range []string{
		"create tmp", "writeat tmp", "sync tmp", "close tmp", "lstat tmp", "open tmp", "read tmp", "rename tmp",
		"remove tmp", "lstat rejects", "open rejects", "read rejects", "close rejects",
	} {
		var refused *sink.OutputError
		if err := replace(t.Context(), s, b, "reject new"); !errors.Is(err, syscall.EIO) || !errors.As(err, &refused) {
			t.Errorf("%s: %v", fail, err)
		}
		if got := fmt.Sprint(tree(t, dir)); got != "map[list.rejects:reject old]" {
			t.Errorf("%s: %s", fail, got)
		}
	}
	for _, fail = range []string{"lstat rejects", "remove rejects", "remove tmp"} {
		if err := s.RemoveSidecar(b); !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v", fail, err)
		}
	}
	fail = ""
	wrong := errors.New("wrong")
	if err := s.ReplaceSidecar(t.Context(), b, func(io.Writer) error { return wrong }); err != wrong {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := replace(ctx, s, b, "reject new"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if got := fmt.Sprint(tree(t, dir)); got != "map[list.rejects:reject old]" {
		t.Errorf("%s", got)
	}
}

// Temporary files of a killed run are removed. Files of another output or program stay.
func TestSidecarKeepsOtherFiles(t *testing.T) {
	disk := vfstest.NewMem("/disk", "/other")
	j := full.with("list.rejects")
	j.halt(t, disk, "/other/list.rejects") // its staging directory is .list.rejects.tfr
	theirs := keys(treeIn(t, disk, "/other"))
	for n := 0; ; n++ {
		after := copyOf(disk)
		in := vfstest.NewInject(after, vfstest.From(n, vfstest.ErrStopped))
		s, err := sink.Open(over(in), out, full.opt)
		if err == nil {
			_ = s.Begin(nil)
			_ = replace(t.Context(), s, sidecarIn("/other"), "reject new")
			_ = s.Close()
		}
		ended := n >= len(in.Ops())
		s, err = sink.Open(over(after), out, full.opt)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.RemoveSidecar(sidecarIn("/other")), s.Close()); err != nil {
			t.Fatal(err)
		}
		if got := keys(treeIn(t, after, "/other")); got != theirs {
			t.Fatalf("operation %d: there is %s", n, got)
		}
		if ended {
			return
		}
	}
}
