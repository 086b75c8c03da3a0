package fault

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// isLock reports whether an operation is on a lock. What a lock says is for
// people, and is not read back.
// isLock is true also for the lock of an older version, which says as little.
func isLock(name string) bool {
	directory, base := path.Split(name)
	return strings.HasSuffix(directory, ".tfr/") && (base == "lock" || base == ".lock.tmp")
}

// writes are the places in ops of those that write.
func writes(ops []vfstest.Op) []int {
	var places []int
	for i, op := range ops {
		if strings.HasPrefix(op.Kind, "write") && !isLock(op.Name) {
			places = append(places, i)
		}
	}
	return places
}

// expectCaught fails the test unless a run over a disk that lied ended with an error
// that says so and left published what was there, or the lie changed nothing that is
// published: only the next run reads a journal, and has to make the same dataset, and
// the zeros at the end of a tar archive are there as soon as the file has its length.
func (l *laid) expectCaught(t *testing.T, disk *vfstest.Mem, err error, how string) {
	t.Helper()
	is := contentsOf(t, disk, work)
	switch {
	case err == nil:
		if d := l.want.published().difference(is.published()); d != "" {
			t.Errorf("%s: was not found, and other files are published:%s", how, d)
		}
	case !errors.Is(err, sink.ErrDiffers):
		t.Errorf("%s: is reported as %v", how, err)
	default:
		if d := l.old.difference(is.below(output)); d != "" {
			t.Errorf("%s: was found, and another dataset is published:%s", how, d)
		}
	}
	l.expectNext(t, disk, how)
}

// TestSkippedWrites has one write in three, or each in a torture, report success and do
// nothing.
func TestSkippedWrites(t *testing.T) {
	for _, i := range someJobs(1) {
		t.Run(jobs[i].name, func(t *testing.T) {
			t.Parallel()
			l := jobs[i].lay(t)
			l.run.Workers = 1
			places := writes(l.mustBuild(t, copyOf(l.before)))
			step := testenv.Times(61, 3, 1)
			for at := testenv.First(i, step); at < len(places); at += step {
				n := places[at]
				disk := copyOf(l.before)
				ops, err := l.build(t, disk, vfstest.Once(n, vfstest.ErrSkip))
				if isLock(ops[n].Name) || !strings.HasPrefix(ops[n].Kind, "write") {
					continue // operations come in another order every time
				}
				l.expectCaught(t, disk, err, fmt.Sprintf("operation %d, %s, was skipped", n, ops[n]))
			}
		})
	}
}

// A flipping disk flips one bit of one write.
type flipping struct {
	vfs.FS
	write atomic.Int64 // how many come before it; negative: it was done
	seed  uint64
	name  atomic.Pointer[string] // of the file whose bit was flipped
}

func (f *flipping) Create(name string) (vfs.File, error) { return f.open(f.FS.Create(name)) }
func (f *flipping) Edit(name string) (vfs.File, error)   { return f.open(f.FS.Edit(name)) }

func (f *flipping) open(file vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	return &flippingFile{file, f}, nil
}

type flippingFile struct {
	vfs.File
	disk *flipping
}

func (f *flippingFile) Write(p []byte) (int, error) { return f.File.Write(f.flip(p)) }
func (f *flippingFile) WriteAt(p []byte, off int64) (int, error) {
	return f.File.WriteAt(f.flip(p), off)
}

func (f *flippingFile) flip(p []byte) []byte {
	if len(p) == 0 || f.disk.write.Add(-1) != -1 {
		return p
	}
	name := f.Name()
	f.disk.name.Store(&name)
	r := rand.New(rand.NewPCG(f.disk.seed, 0))
	p = slices.Clone(p)
	p[r.IntN(len(p))] ^= 1 << r.IntN(8)
	return p
}

// TestFlippedBits flips bits of one write in three, or of each in a torture, on its way to
// the disk.
func TestFlippedBits(t *testing.T) {
	for _, i := range someJobs(2) {
		t.Run(jobs[i].name, func(t *testing.T) {
			t.Parallel()
			l := jobs[i].lay(t)
			for seed := range uint64(testenv.Times(1, 1, 100)) {
				step := testenv.Times(61, 3, 1)
				for n := testenv.First(i, step); l.flipped(t, n, seed); n += step {
				}
			}
		})
	}
}

// flipped runs the job over a disk that flips a bit of write n; it reports
// whether there are so many.
func (l *laid) flipped(t *testing.T, n int, seed uint64) bool {
	t.Helper()
	disk := copyOf(l.before)
	flips := &flipping{FS: disk, seed: seed}
	flips.write.Store(int64(n))
	_, err := l.build(t, flips, nil)
	name := flips.name.Load()
	if name == nil {
		return false
	}
	l.expectCaught(t, disk, err, fmt.Sprintf("seed %d, a bit was flipped in write %d, of %s", seed, n, *name))
	return true
}

// TestLiesBeforeAKill kills runs after their disk lied about a line of the
// journal: the next run trusts no line that is not whole.
func TestLiesBeforeAKill(t *testing.T) {
	for _, i := range someJobs(0) {
		t.Run(jobs[i].name, func(t *testing.T) {
			t.Parallel()
			l := jobs[i].lay(t)
			l.run.Workers = 1
			for seed := range uint64(testenv.Times(2, 25, 2_000)) {
				r := rand.New(rand.NewPCG(seed, 0))
				disk := copyOf(l.before)
				flips := &flipping{FS: disk, seed: seed}
				flips.write.Store(int64(r.IntN(20)))
				n := r.IntN(l.total)
				l.build(t, flips, vfstest.From(n, vfstest.ErrStopped))
				how := fmt.Sprintf("seed %d, a bit was flipped, and the run killed before operation %d", seed, n)
				l.expectOldOrNew(t, disk, how)
				l.mustBuild(t, disk)
				if d := l.want.published().difference(contentsOf(t, disk, work).published()); d != "" {
					t.Errorf("%s: the next run left other files:%s", how, d)
				}
			}
		})
	}
}
