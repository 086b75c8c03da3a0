package fault

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// A circumstance is a condition that must not change any byte.
type circumstance struct {
	Workers, Procs, Chunk int
	Memory                int64
	Zone                  int // hours east of Greenwich
	Umask                 int
	Relative, Sync, Slow  bool
	Killed                int // how often before it goes through
	seed                  uint64
}

func anyCircumstance(r *rand.Rand) circumstance {
	return circumstance{
		Workers: []int{1, 2, 3, 4, 7, 8, 16}[r.IntN(7)], Procs: []int{1, 2, 4}[r.IntN(3)],
		Chunk: []int{0, 7, 100, 5_003}[r.IntN(4)], Memory: []int64{plenty, little}[r.IntN(2)],
		Zone: r.IntN(25) - 12, Umask: []int{0, 0o022, 0o077}[r.IntN(3)],
		Relative: r.IntN(2) == 0, Sync: r.IntN(4) == 0, Slow: r.IntN(3) == 0, Killed: max(0, r.IntN(5)-2),
		seed: r.Uint64(),
	}
}

// TestSameBytesUnderAnyCircumstance builds each job on the real disk, from a copy
// of its input whose files came in another order, with other times. The dataset
// and its rejects are those of the disk in memory, byte for byte.
func TestSameBytesUnderAnyCircumstance(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, i := range someJobs(1) {
		l := jobs[i].lay(t)
		for n := range testenv.Times(1, 6, 30) {
			c := anyCircumstance(r)
			t.Run(fmt.Sprintf("%s, %d", l.name, n), func(t *testing.T) {
				t.Logf("%+v", c)
				l.sameUnder(t, c)
			})
		}
	}
}

func (l *laid) sameUnder(t *testing.T, c circumstance) {
	r := rand.New(rand.NewPCG(c.seed, 0))
	from, to := filepath.Join(t.TempDir(), "elsewhere"), t.TempDir()
	copyInput(t, r, l.dir, from)
	c.takeEffect(t)
	file := filepath.Join(from, "dataset.yaml")
	run := pipeline.Run{Workers: c.Workers, Memory: c.Memory, Chunk: c.Chunk,
		Output: filepath.Join(to, filepath.Base(output)), Sync: c.Sync}
	if c.Relative {
		t.Chdir(from)
		file, run.Output = "dataset.yaml", filepath.Join("..", filepath.Base(to), filepath.Base(output))
		if err := os.Rename(to, filepath.Join(filepath.Dir(from), filepath.Base(to))); err != nil {
			t.Fatal(err)
		}
		to = filepath.Join(filepath.Dir(from), filepath.Base(to))
	}
	cfg, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if l.more != nil { // the base exists
		placeReal(t, l.before, to)
	}
	for killed := range c.Killed + 1 {
		run.Storage = store.Over(vfstest.NewInject(vfs.OS(), c.hook(r, killed < c.Killed)))
		if _, err = pipeline.Build(t.Context(), cfg, run); err == nil {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	want := l.want.published()
	for _, version := range l.older { // which are not here, but for a base
		if l.more != nil {
			break
		}
		maps.DeleteFunc(want, func(path, _ string) bool { return strings.HasPrefix(path, work+"/out-"+version) })
	}
	if d := want.difference(realContents(t, to).published()); d != "" {
		t.Errorf("other files:%s", d)
	}
}

// placeReal writes what is on a disk to a directory of the real one.
func placeReal(t *testing.T, disk vfs.FS, to string) {
	t.Helper()
	for path, text := range contentsOf(t, disk, work) {
		name := strings.TrimPrefix(path, work)
		if strings.HasSuffix(path, "/") {
			continue
		}
		if target, isLink := strings.CutPrefix(text, "-> "); !isLink {
			write(t, to, name, []byte(text))
		} else if err := os.Symlink(target, filepath.Join(to, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// takeEffect sets what is the whole process's, for the time of a test.
func (c *circumstance) takeEffect(t *testing.T) {
	procs, zone, umask := runtime.GOMAXPROCS(c.Procs), time.Local, unix.Umask(c.Umask)
	time.Local = time.FixedZone("", c.Zone*3600)
	t.Cleanup(func() {
		runtime.GOMAXPROCS(procs)
		time.Local = zone
		unix.Umask(umask)
	})
}

// hook is a disk that takes its time, and perhaps stops.
func (c *circumstance) hook(r *rand.Rand, stops bool) func(int, vfstest.Op) error {
	last := r.IntN(200)
	return func(i int, _ vfstest.Op) error {
		if stops && i >= last {
			return vfstest.ErrStopped
		}
		if c.Slow && r.IntN(4) == 0 {
			time.Sleep(time.Duration(r.IntN(1_000)) * time.Microsecond)
		}
		return nil
	}
}

// copyInput copies a directory, its files in any order, with any times.
func copyInput(t *testing.T, r *rand.Rand, from, to string) {
	t.Helper()
	var names []string
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(path, from))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names {
		data, err := os.ReadFile(from + name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, to, name, data)
		when := time.Unix(r.Int64N(2_000_000_000), r.Int64N(1_000_000_000))
		if err := os.Chtimes(to+name, when, when); err != nil {
			t.Fatal(err)
		}
	}
}
