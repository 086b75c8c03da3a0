package fault

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// anyCrash is a random kind of power loss.
func anyCrash(r *rand.Rand) vfstest.Crash {
	return vfstest.Crash{
		Seed: r.Uint64(), Keep: []float64{0, 0.25, 0.5, 0.75, 1}[r.IntN(5)],
		Garbage: r.IntN(2) == 0, Names: vfstest.Names(r.IntN(4)),
	}
}

// layAll lays all jobs, or those of a sample.
func layAll(t *testing.T) (all []*laid) {
	t.Helper()
	for _, i := range someJobs(0) {
		all = append(all, jobs[i].lay(t))
	}
	return all
}

// inGroups runs test for seeds from 0 on, in a few groups next to one another.
func inGroups(t *testing.T, seeds int, test func(t *testing.T, seed uint64)) {
	const groups = 4
	for g := range groups {
		t.Run(fmt.Sprint(g), func(t *testing.T) {
			t.Parallel()
			for seed := g; seed < seeds; seed += groups {
				test(t, uint64(seed))
			}
		})
	}
}

// TestPowerLoss has the power go at random operations of random jobs, and of the
// runs that resume them. Shards with a line of the journal that is durable are
// not made again.
func TestPowerLoss(t *testing.T) {
	all := layAll(t)
	inGroups(t, testenv.Times(3, 400, 100_000), func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		l := *all[r.IntN(len(all))]
		disk := copyOf(l.before)
		how := fmt.Sprintf("seed %d, %s, the power went before operations", seed, l.name)
		sure := map[string]bool{}
		for range 1 + r.IntN(2) {
			l.run.Workers = 1 + r.IntN(3)
			n := r.IntN(l.total)
			if r.IntN(5) == 0 {
				n = r.IntN(30) // where the hidden directory is made
			}
			how += fmt.Sprint(" ", n)
			done, _ := l.kill(t, disk, n, how)
			notAgain(t, sure, done, how)
			sure = journalled(t, disk.Crash(vfstest.Crash{}))
			disk = disk.Crash(anyCrash(r))
			l.expectOldOrNew(t, disk, how)
		}
		notAgain(t, sure, l.finish(t, disk, how), how)
	})
}

// TestPowerLossWithoutSync is the same for runs that sync nothing: what was not
// published yet is still made whole. What was may be damaged, or no dataset any
// more, and the directory that runs work in may be one that no process knows.
func TestPowerLossWithoutSync(t *testing.T) {
	all := layAll(t)
	inGroups(t, testenv.Times(2, 200, 10_000), func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		l := *all[r.IntN(len(all))]
		l.run.Sync = false
		disk := copyOf(l.before)
		n := r.IntN(l.total)
		how := fmt.Sprintf("seed %d, %s, the power went before operation %d", seed, l.name, n)
		l.kill(t, disk, n, how)
		c := anyCrash(r)
		if r.IntN(2) == 0 {
			c.Names = vfstest.NamesKept // names outlive what they name
		}
		disk = disk.Crash(c)
		if is := contentsOf(t, disk, output); len(is) > 0 && !maps.Equal(is, l.old) {
			return
		}
		if l.hasNobodys(t, disk) {
			return
		}
		switch _, err := l.build(t, copyOf(disk), nil); {
		case errors.Is(err, sink.ErrUnknownStage), errors.Is(err, sink.ErrNotOwned), errors.Is(err, sink.ErrInTheWay):
		case err != nil:
			t.Fatalf("%s: the next run: %v", how, err)
		default:
			l.expectNext(t, disk, how)
		}
	})
}

// hasNobodys reports whether what was removed of an older version came back without
// its lock: no one knows the directory then, and it stays.
func (l *laid) hasNobodys(t *testing.T, disk vfs.FS) bool {
	is := contentsOf(t, disk, work)
	return slices.ContainsFunc(l.older, func(version string) bool {
		directory := sink.StagingPath(work + "/out-" + version)
		_, hasLock := is[directory+"/lock"]
		return len(contentsOf(t, disk, directory)) > 0 && !hasLock
	})
}
