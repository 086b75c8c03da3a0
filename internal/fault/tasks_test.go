package fault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tfr-build/internal/exit"
	"tfr-build/internal/filetest"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/pipeline"
	shared "tfr-build/pipeline/work"
	"tfr-build/sink"
)

// taskJobs are jobs that tasks make, of several scans each, except jobs with files as rows.
var taskJobs = []job{
	{name: "tasks: csv in source order", config: csvSource + "order: source\nshards: 4\n" + someColumns,
		input: equalTables},
	{name: "tasks: csv, quarantine and classes",
		config: csvSource + "split: {column: vendor}\nshards: 2\nindex: true\n" + quarantine + autoClasses,
		input:  largeTables},
	{name: "tasks: csv, stratified groups", config: csvSource +
		"split: {folds: 2, by: distance, stratify: vendor}\nshards: 2\n" + quarantine + autoClasses,
		input: largeTables},
	{name: "tasks: jsonl, cut", config: "source: {jsonl: {files: 'in/*.jsonl'}}\nshards: 5\ncompression: gzip\n" +
		quarantine + "features: {id: int64, vendor: {classes: auto}}\n", input: largeLines},
	{name: "tasks: gzip, ordered by a key",
		config: "source: {csv: {files: 'in/*.gz'}}\norder_key: distance\nlimit: {train: 900}\nshards: 3\ndigest: " +
			"sha256\n" + quarantine + someColumns, input: largeZipped},
	{name: "tasks: parquet", config: "source: {parquet: {files: in/rides.parquet}}\nshards: 3\nfeatures: {VendorID: " +
		"{}, PULocationID: {}}\n", input: rides},
	{name: "tasks: dedupe", config: "source: {csv: {files: 'in/*.gz'}}\ndedupe: {by: [distance, vendor]}\nshards: 3\n" +
		quarantine + someColumns, input: largeZipped},
	{name: "tasks: lists and joins", config: csvSource + "split: {column: vendor}\nshards: 2\n" + quarantine +
		joinedColumns, input: joinedTables(largeTables)},
	{name: "tasks: limited by value", config: csvSource + "limit: {train: {rows: 150, per: vendor}}\nshards: 3\n" +
		quarantine + autoClasses, input: largeTables},
	{name: "tasks: groups", config: "source: {csv: {files: 'in/*.gz'}}\nshards: 3\n" + quarantine + ofGroups +
		sharesOfGroups, input: largeZipped},
	{name: "tasks: directory",
		config: "source: {folder: {dir: in, extensions: [txt]}}\nshards: 4\nfeatures: {content: bytes, path: string}\n",
		input:  texts},
}

// equalTables are two tables of one length: a scan of one has as many bytes as that of the
// other.
func equalTables(t testing.TB, dir string) {
	write(t, dir, "in/a.csv", table(1000, 800, nothing))
	write(t, dir, "in/b.csv", table(2000, 800, nothing))
}

func largeTables(t testing.TB, dir string) {
	write(t, dir, "in/a.csv", table(0, 700, everyThird))
	write(t, dir, "in/b.csv", table(2000, 900, nothing))
}

func largeZipped(t testing.TB, dir string) {
	for name, first := range map[string]int{"in/a.csv.gz": 0, "in/b.csv.gz": 1000, "in/c.csv.gz": 2000} {
		write(t, dir, name, []byte(filetest.Gzip(string(table(first, 500, everyThird)))))
	}
}

func largeLines(t testing.TB, dir string) {
	var b bytes.Buffer
	for i := range 2000 {
		fmt.Fprintf(&b, "{\"id\": %d, \"vendor\": %q, \"note\": %q}\n", i, vendors[i%len(vendors)],
			strings.Repeat("é", i%20))
	}
	write(t, dir, "in/a.jsonl", b.Bytes())
}

func rides(t testing.TB, dir string) {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "taxi", "yellow_tripdata.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "in/rides.parquet", data)
}

// A tasked job is one that tasks make: the disk as it is from moment to moment, and what
// it is to come to.
type tasked struct {
	*laid
	moments []*vfstest.Mem
	out     contents
}

// workDir is the work directory.
var workDir = sink.WorkPath(output)

var allTasked struct {
	sync.Mutex
	by map[string]*tasked
}

// layTasks lays a job that tasks make, and keeps the disk after the plan, after some scans,
// after all of them, after the merge, after some write tasks, and after all of these.
func layTasks(t testing.TB, j *job) *tasked {
	t.Helper()
	allTasked.Lock()
	defer allTasked.Unlock()
	if k := allTasked.by[j.name]; k != nil {
		return k
	}
	dir, err := os.MkdirTemp(inputs, "")
	if err != nil {
		t.Fatal(err)
	}
	j.input(t, dir)
	k := &tasked{laid: &laid{job: j, dir: dir}}
	k.run = pipeline.Run{Workers: 2, Memory: pipeline.MinMemory, Output: output, Tasks: 4}
	k.cfg = load(t, dir, "dataset.yaml", j.config)
	whole := vfstest.NewMem(work)
	k.mustBuild(t, whole)
	k.out = k.published(t, whole)
	disk := vfstest.NewMem(work)
	if err := k.plan(t.Context(), disk); err != nil {
		t.Fatal(err)
	}
	k.moments = append(k.moments, copyOf(disk))
	phases := []shared.Phase{shared.Scan, shared.Merge, shared.Write}
	if strings.Contains(j.config, "group:") {
		phases = slices.Insert(phases, 1, shared.Group)
	}
	if strings.Contains(j.config, "dedupe") {
		phases = append([]shared.Phase{shared.Compare, shared.Match}, phases...)
	}
	for _, phase := range phases {
		for i := range 2 {
			if (phase == shared.Match || phase == shared.Merge) && i > 0 {
				continue
			}
			if err := k.do(t.Context(), disk, phase, shared.Share{Index: i, Of: 2}); err != nil {
				t.Fatalf("%s, %s: %v", j.name, phase, err)
			}
			k.moments = append(k.moments, copyOf(disk))
		}
	}
	if allTasked.by == nil {
		allTasked.by = map[string]*tasked{}
	}
	allTasked.by[j.name] = k
	return k
}

func (k *tasked) plan(ctx context.Context, disk vfs.FS) error {
	run := k.run
	run.Storage = store.Over(disk)
	_, err := pipeline.PlanTasks(ctx, k.cfg, run, workDir)
	return err
}

func (k *tasked) do(ctx context.Context, disk vfs.FS, phase shared.Phase, share shared.Share) error {
	tasks, err := pipeline.OpenTasks(ctx, pipeline.Run{Workers: 2, Memory: pipeline.MinMemory,
		Storage: store.Over(disk)}, workDir)
	if err != nil {
		return err
	}
	defer tasks.Close()
	_, err = tasks.Do(ctx, phase, share)
	return err
}

// published are the dataset and its rejects.
func (k *tasked) published(t testing.TB, disk vfs.FS) contents {
	all := contentsOf(t, disk, work)
	maps.DeleteFunc(all, func(path, _ string) bool { return strings.HasPrefix(path, hidden) })
	return all
}

// rest does all phases as an engine does: from the first on, again and again while a task
// asks for it. The error is that after which an engine gives up.
func (k *tasked) rest(ctx context.Context, disk vfs.FS, plans bool) (err error) {
	const most = 12
	for range most {
		if err = k.doPhases(ctx, disk, plans); err == nil || exit.Hopeless(err) {
			return err
		}
	}
	return err
}

func (k *tasked) doPhases(ctx context.Context, disk vfs.FS, plans bool) error {
	if plans {
		if err := k.plan(ctx, disk); err != nil {
			return err
		}
	}
	for _, phase := range pipeline.Phases() {
		if err := k.do(ctx, disk, phase, shared.Share{Of: 1}); err != nil {
			return err
		}
	}
	return nil
}

// A damage is bytes that say what is done to the files of a work directory.
type damage []byte

// next takes a number below n.
func (d *damage) next(n int) int {
	v := 0
	for range 2 {
		if len(*d) > 0 {
			v = v<<8 | int((*d)[0])
			*d = (*d)[1:]
		}
	}
	return v % max(1, n)
}

// apply damages the files of the staging directory, and says how.
func (d *damage) apply(t testing.TB, disk *vfstest.Mem) (done []string) {
	files := contentsOf(t, disk, hidden)
	lasting := d.next(4) == 0 // also what no task makes again
	maps.DeleteFunc(files, func(path, _ string) bool {
		base := filepath.Base(path)
		return strings.HasSuffix(path, "/") || base == "lock" || !lasting && (base == "plan" || base == "claim")
	})
	names := slices.Sorted(maps.Keys(files))
	for len(*d) > 0 && len(done) < 4 && len(names) > 0 {
		how, name, other := d.next(8), names[d.next(len(names))], names[d.next(len(names))]
		data := []byte(files[name])
		at := d.next(len(data) + 1)
		said := fmt.Sprintf("%s of %d bytes, at %d: ", name, len(data), at)
		switch {
		case how <= 1 && at < len(data):
			data[at] ^= 1 << d.next(8)
			said += "a bit flipped"
		case how == 2:
			data, said = data[:at], said+"cut"
		case how == 3:
			data, said = append(data, make([]byte, 1+d.next(3))...), said+"longer"
		case how == 4:
			files[other], data = string(data), []byte(files[other])
			put(t, disk, other, files[other])
			said += "swapped with " + other
		case how == 5:
			data, said = []byte(files[other]), said+"a copy of "+other
		case how == 6:
			clear(data[at:min(len(data), at+1+d.next(64))])
			said += "zeros"
		default:
			data = append(data[:at:at], data[min(len(data), at+1+d.next(8)):]...)
			said += "bytes gone"
		}
		files[name] = string(data)
		put(t, disk, name, files[name])
		done = append(done, said)
	}
	return done
}

func put(t testing.TB, disk vfs.FS, name, data string) {
	t.Helper()
	err := disk.Remove(name)
	f, created := disk.Create(name)
	if err = errors.Join(err, created); err == nil {
		_, err = f.Write([]byte(data))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// An outcome is how the tasks of a damaged work directory ended.
type outcome string

// try damages a job at a moment, does the rest, and wants the bytes of a build that
// nothing disturbed, or a refusal, no dataset, and the same bytes once it was given up and
// planned again. plans says that the tasks are planned again each time, as by task all.
func (k *tasked) try(t *testing.T, moment int, plans bool, d damage) (outcome, error) {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), patience, errors.New("it hangs"))
	defer cancel()
	disk := copyOf(k.moments[moment])
	done := d.apply(t, disk)
	wrong := func(format string, args ...any) (outcome, error) {
		return "wrong", fmt.Errorf("%s, at moment %d, planned again %t, %q: %w", k.name, moment, plans, done,
			fmt.Errorf(format, args...))
	}
	err := k.rest(ctx, disk, plans)
	got := k.published(t, disk)
	if len(got) > 0 && !maps.Equal(got, k.out) {
		return wrong("another dataset, after %v", err)
	}
	if err == nil {
		if len(got) == 0 {
			return wrong("no dataset")
		}
		return "published", nil
	}
	code := exit.Code(err)
	if exit.Hopeless(err) {
		code = exit.NoRetry
	}
	if code == exit.Failed || ctx.Err() != nil {
		return wrong("it ends with %d, %T: %w", code, err, err)
	}
	if notYet, early := errors.AsType[*pipeline.NotYetError](err); early && (plans || notYet.Phase != "") {
		return wrong("it is done again for ever: %w", err)
	}
	if err := pipeline.CleanTasks(ctx, pipeline.Run{Storage: store.Over(disk), Output: output}, workDir); err != nil {
		return wrong("it is not cleaned: %w", err)
	}
	if err := k.rest(ctx, disk, true); err != nil {
		return wrong("planned anew: %w", err)
	}
	if got := k.published(t, disk); !maps.Equal(got, k.out) {
		return wrong("planned anew, another dataset")
	}
	return outcome(fmt.Sprintf("refused with %d", code)), nil
}

// TestDamagedTasks damages what tasks tell one another, and what they have made, at random
// moments.
func TestDamagedTasks(t *testing.T) {
	for i := range taskJobs {
		layTasks(t, &taskJobs[i])
	}
	var mu sync.Mutex
	outcomes := map[outcome]int{}
	t.Run("all", func(t *testing.T) {
		inGroups(t, testenv.Times(5, 100, 12_000), func(t *testing.T, seed uint64) {
			r := rand.New(rand.NewPCG(seed, 28))
			k := layTasks(t, &taskJobs[r.IntN(len(taskJobs))])
			d := make(damage, 2+10*(1+r.IntN(3)))
			for i := range d {
				d[i] = byte(r.Uint32())
			}
			what, err := k.try(t, r.IntN(len(k.moments)), r.IntN(2) == 0, d)
			if err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			mu.Lock()
			defer mu.Unlock()
			outcomes[what]++
		})
	})
	t.Logf("%v", outcomes)
}
