package sink_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

func TestNoFileStaysOpen(t *testing.T) {
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			return 0 // where open files cannot be counted, none are
		}
		return len(entries)
	}
	before := count()
	for n := range 200 {
		output := filepath.Join(t.TempDir(), "out")
		in := vfstest.NewInject(vfs.OS(), vfstest.Once(n, syscall.EIO))
		j := small
		j.opt.Sync = false
		if _, err := j.build(t.Context(), in, output); err == nil && n >= len(in.Ops()) {
			break
		}
	}
	runtime.GC()
	if after := count(); after > before+3 {
		t.Errorf("%d files were open, now %d", before, after)
	}
}

// A canceled context stops many waiting workers at once, at any operation.
func TestCancelAtEveryOperation(t *testing.T) {
	j := small
	j.workers, j.opt.Sync = 3, false
	for n := 0; ; n += testenv.Times(7, 1, 1) {
		ctx, cancel := context.WithCancel(t.Context())
		in := vfstest.NewInject(vfs.OS(), func(i int, _ vfstest.Op) error {
			if i == n {
				cancel()
			}
			return nil
		})
		output := filepath.Join(t.TempDir(), "out")
		_, err := j.build(ctx, in, output)
		cancel()
		if n >= len(in.Ops()) {
			break
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("operation %d: %v", n, err)
		}
		if err == nil && !j.isAt(t, output) || err != nil && len(tree(t, output)) != 0 {
			t.Errorf("operation %d: %v, and there is %s", n, err, names(tree(t, output)))
		}
		if !resumable(t, output) {
			t.Errorf("operation %d: the staging directory has %s", n, names(tree(t, staging(output))))
		}
		if err != nil {
			j.mustBuild(t, output)
			j.wantAt(t, output)
		}
	}
}

// Errors of operations that the small job does not reach.
func TestErrorsOfOtherOperations(t *testing.T) {
	for _, test := range []struct {
		name string
		fail func(op vfstest.Op) error
		do   func(t *testing.T, s *sink.Stage) error
		want error
	}{
		{"the head of a zlib shard", at("writeat", ".a.tmp"), func(t *testing.T, s *sink.Stage) error {
			_, err := s.CreateShard("a", sink.ShardOptions{Compression: sink.Zlib})
			return err
		}, syscall.EIO},
		{"the directory for runs", at("mkdir", "spill"), createRun, syscall.EIO},
		{"the directory above the runs", at("mkdir", "scratch"), createRun, syscall.EIO},
		{"a small file that was lost", func(op vfstest.Op) error {
			if op.Kind == "writeat" && filepath.Base(op.Name) == ".a.tmp" {
				return vfstest.ErrSkip
			}
			return nil
		}, func(t *testing.T, s *sink.Stage) error { return s.WriteFile("a", []byte("a")) }, sink.ErrDiffers},
	} {
		in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error { return test.fail(op) })
		s, output := open(t, in, sink.Options{Scratch: filepath.Join(t.TempDir(), "scratch")})
		var refused *sink.OutputError
		if err := test.do(t, s); !errors.Is(err, test.want) || !errors.As(err, &refused) {
			t.Errorf("%s: %v", test.name, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		wantStaging(t, output, "lock")
	}
}

// at returns a function that fails an operation on files of one name.
func at(kind, base string) func(vfstest.Op) error {
	return func(op vfstest.Op) error {
		if op.Kind == kind && filepath.Base(op.Name) == base {
			return syscall.EIO
		}
		return nil
	}
}

func createRun(_ *testing.T, s *sink.Stage) error {
	_, err := s.SpillDirectory()
	return err
}

func TestWrongCompressor(t *testing.T) {
	s, _ := open(t, vfs.OS(), sink.Options{})
	defer s.Close()
	sh, err := s.CreateShard("a", sink.ShardOptions{Blocks: 1, Compression: sink.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	c, err := sink.NewCompressor(sink.Zlib)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sh.WriteBlock(t.Context(), 0, []byte("a"), c); err == nil ||
		!strings.Contains(err.Error(), "compressing a: ") {
		t.Errorf("%v", err)
	}
}

// A canceled run stops writing a long sidecar file.
func TestCancelWhileASidecarFileIsWritten(t *testing.T) {
	s, output := open(t, vfs.OS(), sink.Options{})
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	const before, after = 1 << 20, 64 << 20
	wrote := 0
	err := s.ReplaceSidecar(ctx, sidecarOf(output), func(w io.Writer) error {
		for wrote < before+after {
			n, err := w.Write(make([]byte, 1000))
			if wrote += n; err != nil {
				return err
			}
			if wrote >= before {
				cancel()
			}
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || wrote > before+1<<20 {
		t.Errorf("%v, after %d bytes", err, wrote)
	}
	wantAbsent(t, output+".rejects")
}
