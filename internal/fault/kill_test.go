package fault

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
)

// finishers is how many shards a run brings to the disk next to those that its
// workers encode.
const finishers = 2

// kill runs the job until the process ends before its operation n, and returns
// the operations that were done; killed is false where there are not so many.
func (l *laid) kill(t testing.TB, disk vfs.FS, n int, how string) (done []vfstest.Op, killed bool) {
	t.Helper()
	ops, err := l.build(t, disk, vfstest.From(n, vfstest.ErrStopped))
	if len(ops) > n { // what the dead say counts for nothing
		return ops[:n], true
	}
	if err != nil {
		t.Fatalf("%s: a run that was to be killed before operation %d ended: %v", how, n, err)
	}
	return ops, false
}

// TestKilledBeforeEachOperation kills each job before one in three of its operations, or
// before each in a torture.
func TestKilledBeforeEachOperation(t *testing.T) {
	for _, i := range someJobs(0) {
		t.Run(jobs[i].name, func(t *testing.T) {
			t.Parallel()
			l := jobs[i].lay(t)
			step := testenv.Times(389, 3, 1)
			n := testenv.First(i, step)
			for l.killedBefore(t, n) {
				n += step
			}
			if n < l.total/2 || l.total < 150 {
				t.Errorf("killed before %d operations of %d", n, l.total)
			}
		})
	}
}

func (l *laid) killedBefore(t *testing.T, n int) bool {
	t.Helper()
	l.run.Workers = 1 + n%3
	disk := copyOf(l.before)
	how := fmt.Sprintf("killed before operation %d", n)
	done, killed := l.kill(t, disk, n, how)
	if !killed {
		return false
	}
	if n > 0 {
		how += ", after " + done[n-1].String()
	}
	l.expectOldOrNew(t, disk, how)
	ops := l.finish(t, disk, how)
	if again := intersect(made(done), made(ops)); len(again) > l.run.Workers+finishers {
		t.Errorf("%s: %d workers, and made again: %v", how, l.run.Workers, again)
	}
	return true
}

// TestKilledAgainAndAgain kills runs that resume killed runs.
func TestKilledAgainAndAgain(t *testing.T) {
	for _, i := range someJobs(1) {
		t.Run(jobs[i].name, func(t *testing.T) {
			t.Parallel()
			l := jobs[i].lay(t)
			for seed := range uint64(testenv.Times(1, 10, 1_000)) {
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				disk := copyOf(l.before)
				how := fmt.Sprintf("seed %d, killed before operations", seed)
				for range 5 {
					n := r.IntN(l.total)
					l.run.Workers = 1 + r.IntN(3)
					how += fmt.Sprint(" ", n)
					finished := journalled(t, disk)
					done, _ := l.kill(t, disk, n, how)
					notAgain(t, finished, done, how)
					l.expectOldOrNew(t, disk, how)
				}
				l.finish(t, disk, how)
			}
		})
	}
}

// TestKilledThenChanged kills a run of a job and changes its config: the next run
// reuses nothing of it.
func TestKilledThenChanged(t *testing.T) {
	for _, i := range someJobs(2) {
		t.Run(jobs[i].name, func(t *testing.T) {
			t.Parallel()
			l := jobs[i].lay(t)
			l.run.Overwrite = true // of the other dataset, where it is published by then
			other := *l
			changed := "seed: 3\nversion: 2.0.0\n"
			if l.more != nil { // the base has rows of this seed
				changed = "description: other\nversion: 2.0.0\n"
			}
			other.cfg = load(t, l.dir, "other.yaml", changed+l.config)
			step := testenv.Times(787, 11, 1)
			for n := testenv.First(i, step); n < l.total; n += step {
				disk := copyOf(l.before)
				how := fmt.Sprintf("killed before operation %d, and the config changed", n)
				other.kill(t, disk, n, how)
				l.expectNext(t, disk, how)
			}
		})
	}
}
