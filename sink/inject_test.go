package sink_test

import (
	"errors"
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

// An errorCase is a job that is stopped at each of its operations in turn.
type errorCase struct {
	name string
	old  bool                      // a dataset is at the output
	lack func(op vfstest.Op) error // returns errors of features that the file system does not have
	lay  func(*testing.T, string)  // creates other files
	job  job                       // without shards: small
	then func(int, error) hookFunc // vfstest.Once or vfstest.From
}

type hookFunc = func(int, vfstest.Op) error

var faultCases = []errorCase{
	{name: "fresh, once", then: vfstest.Once},
	{name: "fresh, from then on", then: vfstest.From},
	{name: "overwrite, once", old: true, then: vfstest.Once},
	{name: "overwrite, from then on", old: true, then: vfstest.From},
	{name: "overwrite in two steps, once", old: true, lack: noExchange, then: vfstest.Once},
	{name: "overwrite in two steps, from then on", old: true, lack: noExchange, then: vfstest.From},
	{name: "after a killed run, once", old: true, lay: killedRun, then: vfstest.Once},
	{name: "in directories, once", job: small.inDirectories(), then: vfstest.Once},
	{name: "in directories, overwrite, from then on", job: small.inDirectories(), old: true, then: vfstest.From},
	{name: "after an overwrite interrupted, once", old: true, lack: noExchange, lay: movedAway, then: vfstest.Once},
	{name: "after an overwrite interrupted, from then on", old: true, lack: noExchange, lay: movedAway,
		then: vfstest.From},
}

func noExchange(op vfstest.Op) error {
	if op.Kind == "exchange" {
		return errors.ErrUnsupported
	}
	return nil
}

func killedRun(t *testing.T, output string) {
	write(t, filepath.Join(staging(output), "data", ".a.tmp"), "half")
	write(t, filepath.Join(staging(output), "data", "sub", "b"), "whole")
	write(t, filepath.Join(staging(output), ".state.json.tmp"), "ha")
}

func movedAway(t *testing.T, output string) {
	if err := os.Rename(output, filepath.Join(staging(output), "old")); err != nil {
		t.Fatal(err)
	}
}

// Any operation fails, with one of two errors in turn. The output is unchanged or the complete
// new dataset, the run reports the error, and the next run succeeds. Syncs are recorded and not
// done, which does not change the visible files.
func TestEveryOperationFails(t *testing.T) {
	for k, c := range faultCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := begin(k)
			for c.stopAt(t, n, [...]syscall.Errno{syscall.ENOSPC, syscall.EIO}[n%2]) {
				n += stride()
			}
			if n < 60 {
				t.Errorf("only %d operations", n)
			}
		})
	}
}

// stopAt fails operation n. It reports whether the job has that many.
func (c errorCase) stopAt(t *testing.T, n int, errno syscall.Errno) bool {
	output := filepath.Join(t.TempDir(), "sub", "out")
	if c.job.shards == 0 {
		c.job = small
	}
	before, after := c.job.with("old"), c.job.overwriting()
	if c.old {
		before.opt.Sync = false
		before.mustBuild(t, output)
	}
	if c.lay != nil {
		c.lay(t, output)
	}
	warned := false
	after.opt.Warn = func(string) { warned = true }
	fail := c.then(n, errno)
	in := vfstest.NewInject(vfs.OS(), func(i int, op vfstest.Op) error {
		if err := fail(i, op); err != nil {
			return err
		}
		if op.Kind == "sync" || op.Kind == "syncdir" {
			return vfstest.ErrSkip
		}
		if c.lack != nil {
			return c.lack(op)
		}
		return nil
	})
	_, err := after.build(t.Context(), in, output)
	ops := in.Ops()
	if n >= len(ops) {
		if err != nil {
			t.Fatalf("without a fault: %v", err)
		}
		return false
	}
	c.check(t, outcome{output, before, after, ops, n, errno, err, warned})
	return true
}

// An outcome is the result of a job with one injected error.
type outcome struct {
	output        string
	before, after job
	ops           []vfstest.Op
	n             int
	errno         syscall.Errno
	err           error
	warned        bool
}

func (c errorCase) check(t *testing.T, o outcome) {
	t.Helper()
	op := o.ops[o.n]
	var refused *sink.OutputError
	switch quiet := op.Kind == "allocate"; {
	case o.err == nil && !quiet && !o.warned:
		t.Errorf("operation %d, %s: %v was not reported", o.n, op, o.errno)
	case o.err == nil && !o.after.isAt(t, o.output):
		t.Errorf("operation %d, %s: success without a dataset", o.n, op)
	case o.err != nil && (!errors.As(o.err, &refused) || !errors.Is(o.err, o.errno) || refused.Path == ""):
		t.Errorf("operation %d, %s: %v is reported as %v", o.n, op, o.errno, o.err)
	}
	if !c.oldOrNew(t, o) {
		t.Errorf("operation %d, %s: at the output there is %s", o.n, op, names(tree(t, o.output)))
	}
	opt := o.before.opt
	opt.Warn = nil
	s, err := sink.Open(store.OS(), o.output, opt) // a run that finds the output up to date, or gives up
	if err != nil {
		t.Fatalf("operation %d, %s: the next run: %v", o.n, op, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if c.old && !o.before.isAt(t, o.output) && !o.after.isAt(t, o.output) {
		t.Errorf("operation %d, %s: a dataset was lost", o.n, op)
	}
	o.after.opt.Sync = false
	o.after.mustBuild(t, o.output)
	o.after.wantAt(t, o.output)
	wantStaging(t, o.output, "lock state.json")
}

// oldOrNew reports whether the output is unchanged or is the new dataset. If directories cannot
// be exchanged, the old dataset may be in the staging directory.
func (c errorCase) oldOrNew(t *testing.T, o outcome) bool {
	switch {
	case o.after.isAt(t, o.output), c.old && o.before.isAt(t, o.output):
		return true
	case c.lack != nil && len(tree(t, o.output)) == 0:
		return o.before.isAt(t, filepath.Join(staging(o.output), "old"))
	default:
		return !c.old && len(tree(t, o.output)) == 0
	}
}

// A failed sync is not retried, and no dependent step follows.
func TestFailedSyncIsNotRetried(t *testing.T) {
	for _, kind := range []string{"sync", "syncdir"} {
		for nth := 0; ; nth++ {
			n, failed := 0, ""
			in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
				if op.Kind != kind {
					return nil
				}
				if n++; n == nth+1 {
					failed = op.Name
					return syscall.EIO
				}
				return nil
			})
			output := filepath.Join(t.TempDir(), "out")
			var warned []string
			j := small
			j.opt.Warn = func(m string) { warned = append(warned, m) }
			_, err := j.build(t.Context(), in, output)
			if failed == "" {
				break
			}
			if err == nil && kind == "syncdir" && len(warned) == 1 &&
				strings.Contains(warned[0], "the dataset is complete") {
				j.wantAt(t, output) // and durable: what it was made of may come back, and is removed again
				continue
			}
			if !errors.Is(err, syscall.EIO) || n != nth+1 {
				t.Errorf("%s %d of %s: %v after %d of them", kind, nth, filepath.Base(failed), err, n)
			}
			if kind == "sync" {
				wantAbsent(t, output)
			}
		}
	}
}
