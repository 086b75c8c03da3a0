package fault

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
	read "tfr-build/sources/input"
)

// A refusal is what a disk says instead of doing what it is asked to do.
type refusal struct {
	name  string
	err   error
	kinds []string // of operations; empty: all
}

var refusals = []refusal{
	{name: "ENOSPC", err: syscall.ENOSPC},
	{name: "EDQUOT", err: syscall.EDQUOT},
	{name: "EIO", err: syscall.EIO},
	{name: "EMFILE", err: syscall.EMFILE},
	{name: "ENFILE", err: syscall.ENFILE},
	{name: "EACCES", err: syscall.EACCES},
	{name: "EROFS", err: syscall.EROFS},
	{name: "ESTALE", err: syscall.ESTALE},
	{name: "EXDEV", err: syscall.EXDEV},
	{name: "EINTR", err: syscall.EINTR},
	{"short write", io.ErrShortWrite, []string{"write", "writeat"}},
	{"error on close", syscall.EDQUOT, []string{"close"}},
	{"error on sync of a file", syscall.EIO, []string{"sync"}},
	{"error on sync of a directory", syscall.EIO, []string{"syncdir"}},
}

func (f *refusal) meets(op vfstest.Op) bool {
	return len(f.kinds) == 0 || slices.Contains(f.kinds, op.Kind)
}

// from is the refusal of operation n, and with lasting of all that follow which
// it meets. met is the operation that was refused first.
func (f *refusal) from(n int, lasting bool, met *vfstest.Op) func(int, vfstest.Op) error {
	return func(i int, op vfstest.Op) error {
		if i < n || i > n && !lasting || !f.meets(op) {
			return nil
		}
		if met.Kind == "" {
			*met = op
		}
		return f.err
	}
}

// isQuiet reports whether the first operation that is refused, of those from n on,
// may be so without a word: a hint, or the end of reading a file.
func isQuiet(ops []vfstest.Op, n int, met vfstest.Op) bool {
	if met.Kind != "close" {
		return slices.Contains([]string{"allocate", "dropcache"}, met.Kind)
	}
	for n < len(ops)-1 && ops[n] != met {
		n++
	}
	for _, op := range slices.Backward(ops[:n]) {
		if op.Name == met.Name && slices.Contains([]string{"open", "create", "edit", "lock"}, op.Kind) {
			return op.Kind == "open"
		}
	}
	return false
}

// isOfOthers reports whether a directory above the output may not be read: then no
// run has made it, and its names are not the run's to make durable.
func (f *refusal) isOfOthers(met vfstest.Op) bool {
	return f.err == syscall.EACCES && met.Kind == "syncdir" &&
		strings.HasPrefix(output, strings.TrimSuffix(met.Name, "/")+"/")
}

// TestEveryRefusal refuses each operation of a job in many ways, once and from
// then on. A sample has every third way.
func TestEveryRefusal(t *testing.T) {
	job := &jobs[slices.IndexFunc(jobs, func(j job) bool { return j.name == "overwrite" })]
	l := job.lay(t)
	for way := 0; way < 2*len(refusals); way += testenv.Times(3, 1, 1) {
		f, lasting := &refusals[way/2], way%2 == 1
		t.Run(fmt.Sprintf("%s, lasting %t", f.name, lasting), func(t *testing.T) {
			t.Parallel()
			l := *l
			step := testenv.Times(79*len(refusals), 31, 1)
			for n := testenv.First(way, step); l.refused(t, f, n, lasting); n += step {
			}
		})
	}
}

// TestRefusals refuses one operation in seven of each job, in ways that take turns: each
// operation in all ways in a torture.
func TestRefusals(t *testing.T) {
	for _, i := range someJobs(2) {
		t.Run(jobs[i].name, func(t *testing.T) {
			t.Parallel()
			l := jobs[i].lay(t)
			more := true
			step := testenv.Times(389, 7, 1)
			for n := testenv.First(i, step); more; n += step {
				for way := range testenv.Times(1, 1, 2*len(refusals)) {
					way = (n + way) % (2 * len(refusals))
					more = l.refused(t, &refusals[way/2], n, way%2 == 1)
				}
			}
		})
	}
}

// refused runs the job over a disk that refuses operation n; it reports whether
// there is one.
func (l *laid) refused(t *testing.T, f *refusal, n int, lasting bool) bool {
	t.Helper()
	l.run.Workers = 1 + n%3
	disk := copyOf(l.before)
	var met vfstest.Op
	warned := false
	l.run.Warn = func(string) { warned = true }
	ops, err := l.build(t, disk, f.from(n, lasting, &met))
	l.run.Warn = nil
	if met.Kind == "" {
		if err != nil {
			t.Fatalf("nothing was refused: %v", err)
		}
		return n < len(ops)
	}
	how := fmt.Sprintf("%s of operation %d, %s", f.name, n, met)
	is := contentsOf(t, disk, work)
	switch d := l.want.published().difference(is.published()); {
	case err == nil && d != "":
		t.Errorf("%s: success with other files:%s", how, d)
	case err == nil && !warned && !isQuiet(ops, n, met) && !f.isOfOthers(met):
		t.Errorf("%s: was not reported", how)
	case err != nil:
		if in := new(read.Error); l.more == nil || !errors.As(err, &in) || !errors.Is(in, f.err) { // of the base
			expectReported(t, f, &met, err, how)
		}
		l.expectOldOrNew(t, disk, how)
	}
	syncedOnce(t, ops, f, n, how)
	l.finish(t, disk, how)
	return true
}

// expectReported fails the test unless an error says what was refused, where and why.
func expectReported(t *testing.T, f *refusal, met *vfstest.Op, err error, how string) {
	t.Helper()
	var reported *sink.OutputError
	switch {
	case !errors.As(err, &reported) || !errors.Is(reported, f.err):
		t.Errorf("%s: is reported as %T: %v", how, err, err)
	case reported.Path == "" || reported.Op == "":
		t.Errorf("%s: is reported without a place: %v", how, err)
	case reported.Path == met.Name && !isLock(met.Name) && reported.Offset < 0 &&
		slices.Contains([]string{"write", "writeat", "readat"}, met.Kind):
		t.Errorf("%s: is reported without the byte: %v", how, err)
	}
}

// syncedOnce fails the test when a file that could not be synced is synced once
// more or gets its name.
func syncedOnce(t *testing.T, ops []vfstest.Op, f *refusal, n int, how string) {
	t.Helper()
	if n >= len(ops) || ops[n].Kind != "sync" || !f.meets(ops[n]) {
		return
	}
	for _, op := range ops[n+1:] {
		if op.Name == ops[n].Name && (op.Kind == "sync" || op.Kind == "rename") {
			t.Errorf("%s: and then %s", how, op)
		}
	}
}

// TestRefusalsUpToDate refuses operations of a run that finds its dataset up to
// date: it says so or what was refused, and touches nothing.
func TestRefusalsUpToDate(t *testing.T) {
	l := jobs[0].lay(t)
	l.before = copyOf(l.before)
	l.mustBuild(t, l.before)
	for _, l.run.Fresh = range []bool{false, true} {
		for i := range refusals {
			step := testenv.Times(29, 3, 1)
			for n := testenv.First(i, step); l.refusedUpToDate(t, &refusals[i], n); n += step {
			}
		}
	}
}

func (l *laid) refusedUpToDate(t *testing.T, f *refusal, n int) bool {
	t.Helper()
	disk := copyOf(l.before)
	var met vfstest.Op
	ops, err := l.build(t, disk, f.from(n, true, &met))
	if met.Kind == "" {
		return n < len(ops)
	}
	how := fmt.Sprintf("%s of operation %d, %s", f.name, n, met)
	if err != nil {
		expectReported(t, f, &met, err, how)
	}
	if !maps.Equal(l.want.published(), contentsOf(t, disk, work).published()) {
		t.Errorf("%s: the dataset was touched", how)
	}
	return true
}
