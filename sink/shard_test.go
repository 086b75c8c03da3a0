package sink_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"

	"go.uber.org/goleak"
)

// open begins a dataset in a new directory.
func open(t *testing.T, fsys vfs.FS, opt sink.Options) (s *sink.Stage, output string) {
	t.Helper()
	output = filepath.Join(t.TempDir(), "out")
	s, err := sink.Open(over(fsys), output, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Begin(nil); err != nil {
		t.Fatal(err)
	}
	return s, output
}

func TestBytesDoNotDependOnWorkers(t *testing.T) {
	for _, compression := range []sink.Compression{sink.None, sink.Gzip, sink.Zlib} {
		j := job{tag: "x", shards: 3, blocks: testenv.Times(16, 40, 40), compression: compression,
			delay: 200 * time.Microsecond}
		var first map[string]string
		var sums []sink.Sum
		for _, j.workers = range []int{1, 2, 3, 8} {
			output := filepath.Join(t.TempDir(), "out")
			got := j.mustBuild(t, output)
			files := tree(t, output)
			if first == nil {
				first, sums = files, got
			}
			for name, text := range first {
				if files[name] != text || len(files) != len(first) {
					t.Errorf("%s, %d workers: %s differs", compression, j.workers, name)
				}
			}
			for k, sum := range got {
				if sum != sums[k] {
					t.Errorf("%s, %d workers: %+v, not %+v", compression, j.workers, sum, sums[k])
				}
				wantSum(t, sum, []byte(files[j.shardName(k)]))
			}
		}
		if compression == sink.None {
			for k := range j.shards {
				if first[j.shardName(k)] != string(j.content(k)) {
					t.Errorf("shard %d is not its blocks in order", k)
				}
			}
		}
	}
}

func TestCancelLeavesNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	output := filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stopped")
	j := job{tag: "x", shards: 2, blocks: 200, workers: 4, delay: 300 * time.Microsecond}
	time.AfterFunc(5*time.Millisecond, func() { cancel(stop) })
	if _, err := j.build(ctx, vfs.OS(), output); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	wantAbsent(t, output)
	wantStaging(t, output, "lock")
}

func TestBlockWaitsForItsTurn(t *testing.T) {
	s, _ := open(t, vfs.OS(), sink.Options{})
	defer s.Close()
	sh, err := s.CreateShard("a", sink.ShardOptions{Blocks: 2})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := sh.WriteBlock(ctx, 1, []byte("b"), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("block 1 without block 0: %v", err)
	}
	if last, err := sh.WriteBlock(t.Context(), 0, []byte("a"), nil); err != nil || last {
		t.Errorf("block 0: %v, %v", last, err)
	}
	if _, err := sh.Finish(t.Context(), sink.About{}); err == nil ||
		!strings.Contains(err.Error(), "1 blocks are not written") {
		t.Errorf("finished without block 1: %v", err)
	}
	if err := s.WriteFile("_tfr/manifest.json", nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(nil); err == nil || !strings.Contains(err.Error(), "a was begun and not finished") {
		t.Errorf("committed without a shard: %v", err)
	}
}

func TestNothingIsWrittenAfterTheContextIsDone(t *testing.T) {
	in := vfstest.NewInject(vfs.OS(), nil)
	s, _ := open(t, in, sink.Options{})
	defer s.Close()
	sh, err := s.CreateShard("a", sink.ShardOptions{Blocks: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sh.WriteBlock(ctx, 0, []byte("a"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	for _, op := range in.Ops() {
		if op.Kind == "writeat" && filepath.Base(op.Name) == ".a.tmp" {
			t.Error(op)
		}
	}
}

func TestWriteErrorNamesTheOffset(t *testing.T) {
	in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if op.Kind == "writeat" && op.Off == 600_000+512<<10 {
			return syscall.ENOSPC
		}
		return nil
	})
	s, output := open(t, in, sink.Options{})
	defer s.Close()
	sh, err := s.CreateShard("a", sink.ShardOptions{Blocks: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		_, err = sh.WriteBlock(t.Context(), i, make([]byte, 600_000), nil)
	}
	want := "writing " + staging(output) + "/data/.a.tmp at byte 1124288: no space left on device"
	if err == nil || err.Error() != want || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestInvalidNames(t *testing.T) {
	s, output := open(t, vfs.OS(), sink.Options{})
	defer s.Close()
	for _, name := range []string{"", ".", "..", "../a", "/a", ".a", "a\x00", `a\b`, "a/",
		strings.Repeat("a", sink.MaxName+1)} {
		if _, err := s.CreateShard(name, sink.ShardOptions{}); !errors.Is(err, sink.ErrName) {
			t.Errorf("shard %q: %v", name, err)
		}
		if err := s.WriteFile(name, nil); !errors.Is(err, sink.ErrName) {
			t.Errorf("file %q: %v", name, err)
		}
	}
	for _, name := range []string{"a/b/c", "a//b", "a/..", "./a", ".a/b", "_tfr/a", "_a/b", "a/.b", `a\b/c`,
		strings.Repeat("a", sink.MaxName+1) + "/b"} {
		if _, err := s.CreateShard(name, sink.ShardOptions{}); !errors.Is(err, sink.ErrName) {
			t.Errorf("shard %q: %v", name, err)
		}
	}
	for _, name := range []string{"_tfr/../a", "_tfr//a", "_tfr/.a", "_tfr/"} {
		if err := s.WriteFile(name, nil); !errors.Is(err, sink.ErrName) {
			t.Errorf("file %q: %v", name, err)
		}
	}
	if err := s.WriteFile("a", nil); err != nil {
		t.Error(err)
	}
	if _, err := s.CreateShard("a", sink.ShardOptions{}); !errors.Is(err, os.ErrExist) {
		t.Errorf("a second file of one name: %v", err)
	}
	if err := s.WriteFile("a", nil); !errors.Is(err, os.ErrExist) {
		t.Errorf("a second file of one name: %v", err)
	}
	wantStaging(t, output, "data/ data/a job.json journal lock rejects/ statistics/")
}

func TestAllocations(t *testing.T) {
	const blocks = 250 // a million rows
	s, _ := open(t, vfs.OS(), sink.Options{})
	defer s.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	sh, err := s.CreateShard("a", sink.ShardOptions{Blocks: blocks})
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 1000)
	for i := range blocks {
		if _, err := sh.WriteBlock(t.Context(), i, data, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := sh.Finish(t.Context(), sink.About{}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > blocks+100 {
		t.Errorf("%d allocations for %d blocks", n, blocks)
	}
}
