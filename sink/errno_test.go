package sink_test

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
	"testing"

	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

var errnos = []syscall.Errno{
	syscall.ENOSPC, syscall.EIO, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE, syscall.EACCES,
	syscall.EROFS, syscall.ESTALE, syscall.EXDEV, syscall.EINTR,
}

// Any operation fails with any error, once or from then on. The run reports the error with its
// number and path, or recovers. The output stays complete. The next run makes the same files
// durably, no shard twice, and does not trust files whose sync failed.
func TestEveryErrorOfEveryOperation(t *testing.T) {
	for k, c := range crashCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tries := torture(1, len(errnos))
			for n, ended := begin(k), false; !ended; n += stride() {
				for i := range tries {
					errno := errnos[(n+i)%len(errnos)]
					ended = c.fail(t, n, errno, vfstest.Once) || c.fail(t, n, errno, vfstest.From)
				}
			}
		})
	}
}

func (c *crashCase) fail(t *testing.T, n int, errno syscall.Errno, then func(int, error) hookFunc) (ended bool) {
	t.Helper()
	disk := copyOf(c.disk)
	r := &attempt{job: c.job, disk: disk}
	warned := false
	r.opt.Warn = func(string) { warned = true }
	in := c.over(disk, then(n, errno))
	err := r.build(t.Context(), in, out)
	ops := in.Ops()
	if n >= len(ops) {
		return true
	}
	what := fmt.Sprintf("operation %d, %s, %v", n, ops[n], errno)
	var refused *sink.OutputError
	switch hint := slices.Contains([]string{"allocate", "dropcache"}, ops[n].Kind); {
	case err == nil && !r.isIn(disk, out):
		t.Errorf("%s: success without a dataset", what)
	case err == nil && !hint && !warned && !(ops[n].Kind == "syncdir" && errno == syscall.EACCES):
		t.Errorf("%s: it was not reported", what)
	case err != nil && (!errors.As(err, &refused) || !errors.Is(err, errno) || refused.Path == ""):
		t.Errorf("%s: it is reported as %v", what, err)
	}
	c.atEveryInstant(t, what, disk)
	c.finish(t, what, disk, r)
	c.outlasts(t, what, disk)
	return false
}
