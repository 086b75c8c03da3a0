package sink_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// torture multiplies the repetitions of random tests.
func torture(n, more int) int { return testenv.Times(n, n, n*more) }

// stride is 1, or more for a sample of all operations. Every error of errnos is in it.
func stride() int { return testenv.Times(97, 1, 1) }

// begin is the first operation in the sample of case k. Similar cases are stopped at different
// operations.
func begin(k int) int { return 4 * k % stride() }

// A crashCase is a job that is stopped at each of its operations in turn, on a
// disk in memory.
type crashCase struct {
	name string
	job  job
	disk *vfstest.Mem // the disk before the job
	old  bool         // the dataset "old" is at the output
	lack func(vfstest.Op) error
	wild bool   // the journal may name files that are not durable, because the run had no Sync
	then string // Scratch of the run that completes a stopped one; "-": none
}

const out = "/disk/sub/out"

// full uses all features of a job.
var full = job{tag: "new", shards: 3, blocks: 2, workers: 1, rejects: true, runs: 2, plans: true,
	opt: sink.Options{Sync: true}}

func crashCases(t *testing.T) []crashCase {
	t.Helper()
	apart := full
	apart.opt.Scratch = "/scratch/sub"
	old := vfstest.NewMem("/disk", "/scratch")
	if _, err := full.with("old").build(t.Context(), old, out); err != nil {
		t.Fatal(err)
	}
	return []crashCase{
		{name: "fresh", job: full, disk: vfstest.NewMem("/disk")},
		{name: "with scratch", job: apart, disk: vfstest.NewMem("/disk", "/scratch")},
		{name: "with scratch, then without", job: apart, disk: vfstest.NewMem("/disk", "/scratch"), then: "-"},
		{name: "with scratch, then with another", job: apart, disk: vfstest.NewMem("/disk", "/scratch"),
			then: "/scratch/else"},
		{name: "overwrite", job: full.overwriting(), disk: old, old: true},
		{name: "overwrite in two steps", job: full.overwriting(), disk: old, old: true, lack: noExchange},
		{name: "in directories, with indexes", job: full.inDirectories().withIndexes(), disk: vfstest.NewMem("/disk")},
	}
}

// copyOf returns a copy of the disk on which everything is durable.
func copyOf(disk *vfstest.Mem) *vfstest.Mem {
	return disk.Crash(vfstest.Crash{Keep: 1, Names: vfstest.NamesKept})
}

// over returns the disk through the case's file system, with an injected error.
func (c *crashCase) over(disk *vfstest.Mem, fail hookFunc) *vfstest.Inject {
	return vfstest.NewInject(disk, func(i int, op vfstest.Op) error {
		if err := fail(i, op); err != nil || c.lack == nil {
			return err
		}
		return c.lack(op)
	})
}

// stop runs the job until it is stopped before operation n. ended reports that the job has
// fewer operations.
func (c *crashCase) stop(t *testing.T, disk *vfstest.Mem, n int) (r *attempt, ended bool) {
	t.Helper()
	r = &attempt{job: c.job, disk: disk}
	in := c.over(disk, vfstest.From(n, vfstest.ErrStopped))
	err := r.build(t.Context(), in, out)
	if ended = n >= len(in.Ops()); ended && err != nil {
		t.Fatalf("without a fault: %v", err)
	}
	return r, ended
}

// finish runs the job to its end, after stopped runs, and checks the result.
func (c *crashCase) finish(t *testing.T, what string, disk *vfstest.Mem, before ...*attempt) {
	t.Helper()
	r := &attempt{job: c.job, disk: disk}
	if c.then != "" {
		r.opt.Scratch = strings.TrimPrefix(c.then, "-")
	}
	if err := r.build(t.Context(), c.over(disk, vfstest.From(1<<30, nil)), out); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if !r.isIn(disk, out) {
		t.Errorf("%s: at the output there is %v", what, keys(treeIn(t, disk, out)))
	}
	if got := keys(treeIn(t, disk, staging(out))); got != "lock state.json" {
		t.Errorf("%s: the staging directory has %s", what, got)
	}
	if got := treeIn(t, disk, path.Dir(out)); got["out.rejects"] != r.allRejects() || len(got) != len(r.files())+3 {
		t.Errorf("%s: next to the output, found %s", what, keys(got))
	}
	for _, scratch := range []string{"/scratch/sub", "/scratch/else"} {
		entries, err := disk.ReadDir(scratch)
		if len(entries) > 0 && !c.wild || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: in the scratch directory there is %v, %v", what, entries, err)
		}
	}
	if len(r.remade) > 0 && !c.wild {
		t.Errorf("%s: %v were not as they were", what, r.remade)
	}
	for _, earlier := range before {
		if earlier.planned && r.resumed && !r.found && !c.wild {
			t.Errorf("%s: the plan was made again", what)
		}
		for name := range earlier.kept {
			if slices.Contains(r.made, name) {
				t.Errorf("%s: %s was made again, which an earlier run kept", what, name)
			}
		}
		for _, name := range earlier.made {
			if slices.Contains(r.made, name) {
				t.Errorf("%s: %s was made again", what, name)
			}
		}
	}
}

// atEveryInstant checks that the output is the old dataset or the new one, complete. If
// directories cannot be exchanged, the output may be absent, with the complete old dataset in
// the staging directory.
func (c *crashCase) atEveryInstant(t *testing.T, what string, disk *vfstest.Mem) {
	t.Helper()
	there := treeIn(t, disk, out)
	switch {
	case c.job.isIn(disk, out), c.old && c.job.with("old").isIn(disk, out):
	case !c.old && len(there) == 0:
	case c.lack != nil && len(there) == 0 && c.job.with("old").isIn(disk, staging(out)+"/old"):
	default:
		t.Errorf("%s: at the output there is %s", what, keys(there))
	}
}

// A run is killed before any operation. The next run makes the same files, and no shard twice.
func TestKilledAtEveryOperation(t *testing.T) {
	for k, c := range crashCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for n := begin(k); ; n += stride() {
				disk := copyOf(c.disk)
				r, ended := c.stop(t, disk, n)
				what := fmt.Sprintf("killed at operation %d", n)
				c.atEveryInstant(t, what, disk)
				c.finish(t, what, disk, r)
				if ended {
					t.Logf("%d operations", n)
					if n < 190 {
						t.Errorf("only %d operations", n)
					}
					return
				}
			}
		})
	}
}

// A randomCrash is any loss of power.
func randomCrash(r *rand.Rand) vfstest.Crash {
	return vfstest.Crash{
		Seed: r.Uint64(), Keep: float64(r.IntN(5)) / 4, Garbage: r.IntN(2) == 0,
		Names: []vfstest.Names{vfstest.NamesLost, vfstest.NamesKept, vfstest.NamesPrefix, vfstest.NamesEach}[r.IntN(4)],
	}
}

// The power is lost at any operation. The next run makes the same files, makes no finished
// shard again, and its result survives another power loss.
func TestPowerLossAtEveryOperation(t *testing.T) {
	for k, c := range crashCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, uint64(k)))
			for n, ended := begin(k), false; !ended; n += stride() {
				disk := copyOf(c.disk)
				var r *attempt
				r, ended = c.stop(t, disk, n)
				for range testenv.Times(2, 4, 120) {
					c.losePower(t, fmt.Sprintf("operation %d", n), disk, random, r)
				}
			}
		})
	}
}

func (c *crashCase) losePower(t *testing.T, what string, disk *vfstest.Mem, random *rand.Rand, before ...*attempt) {
	t.Helper()
	crash := randomCrash(random)
	what = fmt.Sprintf("%s, %+v", what, crash)
	after := disk.Crash(crash)
	if c.wild {
		c.clearGarbage(t, what, after)
	}
	c.atEveryInstant(t, what, after)
	c.finish(t, what, after, before...)
	c.outlasts(t, what, after)
}

// outlasts checks that the result is durable.
func (c *crashCase) outlasts(t *testing.T, what string, disk *vfstest.Mem) {
	t.Helper()
	safe := disk.Crash(vfstest.Crash{})
	if !c.job.isIn(safe, out) || treeIn(t, safe, path.Dir(out))["out.rejects"] != c.job.allRejects() {
		t.Errorf("%s: what was built is not durable: %s", what, keys(treeIn(t, safe, path.Dir(out))))
	}
}

// clearGarbage does what the message of ErrUnknownStage asks of users. It is for runs without Sync,
// after which a lock or a sidecar file may have lost its content.
func (c *crashCase) clearGarbage(t *testing.T, what string, disk *vfstest.Mem) {
	t.Helper()
	rejects := treeIn(t, disk, path.Dir(out))["out.rejects"]
	if rejects != "" && !strings.HasPrefix(rejects, "reject ") {
		if err := disk.Remove(out + ".rejects"); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, above := range []string{path.Dir(out), c.job.opt.Scratch} {
		entries, err := disk.ReadDir(above)
		if err != nil {
			continue
		}
		for _, e := range entries {
			dir := path.Join(above, e.Name())
			if !e.IsDir() || !strings.HasSuffix(dir, ".tfr") ||
				strings.HasPrefix(treeIn(t, disk, dir)["lock"], "tfr-build\n") {
				continue
			}
			if err := vfs.RemoveAll(disk, dir); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}

// Several runs are killed one after another, and then the power is lost.
func TestKilledAgainAndAgain(t *testing.T) {
	for k, c := range crashCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(2, uint64(k)))
			for range torture(150, 50) / stride() {
				disk := copyOf(c.disk)
				var runs []*attempt
				var at []int
				for range 1 + random.IntN(4) {
					at = append(at, random.IntN(270))
					r, _ := c.stop(t, disk, at[len(at)-1])
					runs = append(runs, r)
					c.atEveryInstant(t, fmt.Sprintf("killed at %v", at), disk)
				}
				c.losePower(t, fmt.Sprintf("killed at %v", at), disk, random, runs...)
			}
		})
	}
}

// A run with Sync makes the files of a run without Sync durable.
func TestUnsyncedFilesAreSyncedLater(t *testing.T) {
	for k, c := range crashCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			careless := c
			careless.job.opt.Sync, c.wild = false, true
			random := rand.New(rand.NewPCG(3, uint64(k)))
			for n, ended := begin(k), false; !ended; n += stride() {
				disk := copyOf(c.disk)
				var r *attempt
				if r, ended = careless.stop(t, disk, n); ended {
					break // it ended without a promise
				}
				what := fmt.Sprintf("operation %d", n)
				if c.job.isIn(disk, out) {
					continue // as it did here, except what it was made of
				}
				c.finish(t, what, disk, r)
				c.outlasts(t, what, disk)
				disk = copyOf(c.disk)
				careless.stop(t, disk, n)
				between, _ := c.stop(t, disk, random.IntN(200))
				c.losePower(t, what, disk, random, between)
			}
		})
	}
}

// Shards that a run reuses from a run without Sync survive a power loss.
func TestReusedFilesAreDurable(t *testing.T) {
	careless := full
	careless.opt.Sync = false
	c := crashCase{job: full, wild: true}
	for n, ended := 0, false; !ended; n += testenv.Times(11, 1, 1) {
		disk := vfstest.NewMem("/disk")
		careless.halt(t, disk, out)
		var r *attempt
		r, ended = c.stop(t, disk, n)
		c.finish(t, fmt.Sprintf("operation %d", n), disk.Crash(vfstest.Crash{}), r)
	}
}

// treeIn returns the files below dir and their content.
func treeIn(t *testing.T, fsys vfs.FS, dir string) map[string]string {
	t.Helper()
	files, err := filesIn(fsys, dir)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func filesIn(fsys vfs.FS, dir string) (map[string]string, error) {
	files := map[string]string{}
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return files, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if e.IsDir() {
			below, err := filesIn(fsys, name)
			if err != nil {
				return nil, err
			}
			for rel, text := range below {
				files[path.Join(e.Name(), rel)] = text
			}
			continue
		}
		text, err := vfstest.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		files[e.Name()] = string(text)
	}
	return files, nil
}

func keys(files map[string]string) string {
	return strings.Join(slices.Sorted(maps.Keys(files)), " ")
}

// isIn reports whether the output is the job's complete dataset, without other files.
func (j job) isIn(fsys vfs.FS, output string) bool {
	files, err := filesIn(fsys, output)
	return err == nil && maps.Equal(files, j.files())
}
