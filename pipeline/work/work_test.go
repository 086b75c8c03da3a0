package work

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tfr-build/internal/bucket"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/internal/store/storetest"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/spill"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

func TestShareOf(t *testing.T) {
	for _, test := range []struct {
		name      string
		index, of int
		env       map[string]string
		want      Share
		failure   string
	}{
		{"nothing said", -1, -1, nil, Share{0, 1}, ""},
		{"said", 2, 4, nil, Share{2, 4}, ""},
		{"given in an array", 1, 2, map[string]string{"SLURM_ARRAY_TASK_ID": "7"}, Share{1, 2}, ""},
		{"slurm from 0", -1, -1, map[string]string{"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "8",
			"SLURM_ARRAY_TASK_MIN": "0"}, Share{3, 8}, ""},
		{"slurm from 1", -1, -1, map[string]string{"SLURM_ARRAY_TASK_ID": "8", "SLURM_ARRAY_TASK_COUNT": "8",
			"SLURM_ARRAY_TASK_MIN": "1"}, Share{7, 8}, ""},
		{"slurm in steps", -1, -1, map[string]string{"SLURM_ARRAY_TASK_ID": "30", "SLURM_ARRAY_TASK_COUNT": "4",
			"SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_STEP": "10"}, Share{2, 4}, ""},
		{"slurm with holes", -1, -1, map[string]string{"SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_COUNT": "3",
			"SLURM_ARRAY_TASK_MIN": "1"}, Share{}, "found index 8 of 3"},
		{"slurm, a part again", -1, 8, map[string]string{"SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_COUNT": "1",
			"SLURM_ARRAY_TASK_MIN": "5"}, Share{5, 8}, ""},
		{"kubernetes", -1, 10, map[string]string{"JOB_COMPLETION_INDEX": "9"}, Share{9, 10}, ""},
		{"kubernetes that says how many", -1, -1, map[string]string{"JOB_COMPLETION_INDEX": "0",
			"JOB_COMPLETIONS": "3"}, Share{0, 3}, ""},
		{"kubernetes that does not", -1, -1, map[string]string{"JOB_COMPLETION_INDEX": "0"}, Share{},
			"of how many processes is this the one of index 0?"},
		{"aws", -1, -1, map[string]string{"AWS_BATCH_JOB_ARRAY_INDEX": "2", "AWS_BATCH_JOB_ARRAY_SIZE": "5"},
			Share{2, 5}, ""},
		{"gcp", -1, -1, map[string]string{"BATCH_TASK_INDEX": "1", "BATCH_TASK_COUNT": "2"}, Share{1, 2}, ""},
		{"no number", -1, -1, map[string]string{"AWS_BATCH_JOB_ARRAY_INDEX": "x"}, Share{},
			`AWS_BATCH_JOB_ARRAY_INDEX="x" is not a number`},
		{"too high", 4, 4, nil, Share{}, "found index 4 of 4"},
		{"of how many", 1, -1, nil, Share{}, "of how many"},
		{"which", -1, 3, nil, Share{}, "which of the 3 processes is this?"},
	} {
		got, err := ShareOf(test.index, test.of, func(name string) (string, bool) {
			v, ok := test.env[name]
			return v, ok
		})
		if got != test.want || (err == nil) != (test.failure == "") || err != nil &&
			!strings.HasPrefix(err.Error(), test.failure) {
			t.Errorf("%s: %v, %v; want %v, %q", test.name, got, err, test.want, test.failure)
		}
	}
}

// TestTasks checks that each task is in exactly one share.
func TestTasks(t *testing.T) {
	for _, of := range []int{1, 2, 3, 10} {
		var all []int
		for i := range of {
			all = append(all, Share{i, of}.Tasks(7)...)
		}
		if slices.Sort(all); !slices.Equal(all, []int{0, 1, 2, 3, 4, 5, 6}) {
			t.Errorf("of %d: %v", of, all)
		}
	}
}

// eachStore runs a test in an empty directory of the file system, and in empty ones of other stores.
func eachStore(t *testing.T, test func(t *testing.T, open func() *Directory)) {
	t.Helper()
	t.Run("folder", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "w")
		test(t, func() *Directory { return opened(t, store.OS(), dir) })
	})
	t.Run("bucket", func(t *testing.T) {
		g := buckettest.Start(t)
		g.Bucket(t, "data")
		buckettest.Env(t, g.Proxy(t).URL)
		test(t, func() *Directory {
			storage := objects.Reach(t.Context(), store.OS(), bucket.Options{})
			t.Cleanup(storage.Close)
			return opened(t, storage, "s3://data/some/w")
		})
	})
	t.Run("memory", func(t *testing.T) {
		storage := store.OS().With("s3", new(storetest.Memory))
		test(t, func() *Directory { return opened(t, storage, "s3://data/some/w") })
	})
}

func opened(t *testing.T, storage *store.Storage, dir string) *Directory {
	t.Helper()
	f, err := NewDirectory(storage, dir, t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestPutNew puts a new file from many goroutines at once: exactly one succeeds.
func TestPutNew(t *testing.T) { eachStore(t, putNew) }

func putNew(t *testing.T, open func() *Directory) {
	var group sync.WaitGroup
	var mu sync.Mutex
	var winner string
	for range 8 {
		group.Go(func() {
			f := open()
			if err := f.Make(); err != nil {
				t.Error(err)
			}
			err := f.PutNew("plan/plan", []byte(f.Attempt()))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && winner == "":
				winner = f.Attempt()
			case err == nil:
				t.Error("two have put it")
			case !errors.Is(err, ErrExist):
				t.Error(err)
			}
		})
	}
	group.Wait()
	f := open()
	if got, err := f.Get("plan/plan"); err != nil || string(got) != winner || winner == "" {
		t.Errorf("%q, %v, want %q", got, err, winner)
	}
	if left, err := f.List("tmp"); err != nil || len(left) > 0 {
		t.Errorf("%q is left, %v", left, err)
	}
	if err := f.Clear(); err != nil {
		t.Error(err)
	}
	if got, err := f.Get("plan/plan"); got != nil || err != nil {
		t.Errorf("%q is there, %v", got, err)
	}
}

func TestDirectory(t *testing.T) { eachStore(t, directory) }

func directory(t *testing.T, open func() *Directory) {
	f := open()
	if got, err := f.Get("done/x"); got != nil || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := f.Put("done/x", nil); err == nil {
		t.Error("it was put into a directory that is not there: what comes late would leave it")
	}
	if err := errors.Join(f.Make(), f.PutNew("plan/plan", []byte("plan"))); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "a", "bc"} {
		if err := f.Put("done/x", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Get("done/x"); got == nil || string(got) != text || err != nil {
			t.Errorf("%q, %v, want %q", got, err, text)
		}
	}
	if err := errors.Join(f.Remove("done/x"), f.Remove("done/x")); err != nil {
		t.Error(err)
	}
	if got, err := f.Get("done/x"); got != nil || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := errors.Join(f.Put("committed", []byte("a")), f.Clear("committed")); err != nil {
		t.Error(err)
	}
	if got, err := f.Get("committed"); string(got) != "a" || err != nil {
		t.Errorf("what was to stay is %q, %v", got, err)
	}
}

// TestRun writes a spill file out of order, and reads it in another process.
func TestRun(t *testing.T) { eachStore(t, run) }

func run(t *testing.T, open func() *Directory) {
	f := open()
	if err := errors.Join(f.Make(), f.PutNew("plan/plan", []byte("plan"))); err != nil {
		t.Fatal(err)
	}
	r, err := f.CreateSpillFile(Scan, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, off := range []int64{4, 0, 2} {
		if _, err := r.WriteAt([]byte("ab"), off); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := f.List("runs"); len(left) > 0 || err != nil {
		t.Errorf("a run that is not whole has the name %q, %v", left, err)
	}
	name, err := r.Finish()
	if err != nil || r.Size() != 6 {
		t.Fatal(err)
	}
	if r, err = f.CreateSpillFile(Scan, 4); err != nil {
		t.Fatal(err)
	}
	_, err = r.WriteAt([]byte("second"), 0)
	second, err2 := r.Finish()
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	other := open()
	defer other.Close()
	for range 3 { // in turns
		got, of := make([]byte, 4), make([]byte, 6)
		if _, err := other.SpillFile(Scan, 3, name).ReadAt(got, 1); err != nil || string(got) != "baba" {
			t.Errorf("%q, %v", got, err)
		}
		if _, err := other.SpillFile(Scan, 4, second).ReadAt(of, 0); err != nil || string(of) != "second" {
			t.Errorf("%q, %v", of, err)
		}
	}
	if r, err = other.CreateSpillFile(Scan, 4); err != nil { // as it was damaged
		t.Fatal(err)
	}
	_, err = r.WriteAt([]byte("again!"), 0)
	again, err2 := r.Finish()
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if r, err = other.CreateSpillFile(Scan, 4); err != nil {
		t.Fatal(err)
	}
	of := make([]byte, 6)
	if _, err := other.SpillFile(Scan, 4, again).ReadAt(of, 0); err != nil || string(of) != "again!" {
		t.Errorf("%q, %v", of, err)
	}
	_, err = r.WriteAt([]byte("remade"), 0)
	if again, err2 = r.Finish(); errors.Join(err, err2) != nil {
		t.Fatal(err, err2)
	}
	if _, err := other.SpillFile(Scan, 4, again).ReadAt(of, 0); err != nil || string(of) != "remade" {
		t.Errorf("of a run that was made again: %q, %v", of, err)
	}
	if err := f.Remove(name); err != nil {
		t.Fatal(err)
	}
	var damaged *DamagedError
	if _, err := other.SpillFile(Scan, 3, name).ReadAt(make([]byte, 1), 0); !errors.As(err, &damaged) ||
		damaged.Task != 3 {
		t.Errorf("a run that is gone: %v", err)
	}
	if r, err = f.CreateSpillFile(Scan, 4); err != nil {
		t.Fatal(err)
	}
	r.Discard()
	if left, err := f.List("tmp"); len(left) > 0 || err != nil {
		t.Errorf("%q is left, %v", left, err)
	}
	if err := f.Clear(); err != nil {
		t.Fatal(err)
	}
	late, err := f.CreateSpillFile(Scan, 5)
	if err == nil {
		_, err = late.Finish()
	}
	if err == nil {
		t.Error("a run that came late was left")
	}
}

// TestPlan stores and reads a plan and its notes.
func TestPlan(t *testing.T) {
	f := opened(t, store.OS(), t.TempDir())
	if p, err := ReadPlan(f); p != nil || err != nil {
		t.Errorf("%v, %v", p, err)
	}
	p := &Plan{
		Output: "/out", Config: config.Text{File: "/c.yaml", Text: "x\n\x01", Env: map[string]string{"A": "b"}},
		Job: plan.Job{ConfigDigest: "1"}, Listings: []*input.Listing{{Label: "a",
			Files: []files.File{{Name: "a.csv", Size: 3}}}}, In: f,
	}
	text, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Make(), PutPlan(f, text)); err != nil {
		t.Fatal(err)
	}
	q, err := ReadPlan(f)
	if err != nil || q.Digest() != p.Digest() || !q.SamePlan(p) || q.Config.Text != p.Config.Text ||
		q.Listings[0].Files[0] != p.Listings[0].Files[0] {
		t.Fatalf("%+v, %v", q, err)
	}
	if n, err := q.Note(Scan, 3); n != nil || err != nil {
		t.Errorf("%v, %v", n, err)
	}
	if err := p.Done(Scan, 3, &Note{Rows: 7, File: "runs/3-x", Scanned: &spill.Run{}}); err != nil {
		t.Fatal(err)
	}
	if n, err := q.Note(Scan, 3); err != nil || n == nil || n.Rows != 7 {
		t.Errorf("%v, %v", n, err)
	}
	err = q.Ready(Scan, 5)
	if err == nil || err.Error() != "not yet: 1 of 5 scan tasks are done" {
		t.Error(err)
	}
	q.digest = "another"
	if n, err := q.Note(Scan, 3); n != nil || err != nil {
		t.Errorf("that of another plan is taken: %v, %v", n, err)
	}
	kept, err := f.Get("done/scan-3")
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{kept[:len(kept)-3], append(slices.Clone(kept[:12]), kept[13:]...), {},
		[]byte("x")} {
		if err := f.Put("done/scan-3", damaged); err != nil {
			t.Fatal(err)
		}
		if n, err := p.Note(Scan, 3); n != nil || err != nil {
			t.Errorf("%q is treated as a note: %v, %v", damaged, n, err)
		}
	}
}

// TestPlanWithABase stores a plan with the listings of the new files and of all files. One that lacks a listing is
// damaged.
func TestPlanWithABase(t *testing.T) {
	named := func(names ...string) *input.Listing {
		l := &input.Listing{Label: "a"}
		for _, name := range names {
			l.Files = append(l.Files, files.File{Name: name, Size: 3})
		}
		return l
	}
	news, all := []*input.Listing{named("b"), named()}, []*input.Listing{named("a", "b"), named("c")}
	for _, c := range []struct {
		base      plan.Base
		all, want []*input.Listing
	}{{plan.Base{}, nil, news}, {plan.Base{Path: "out/1", Digest: "ab"}, all, all},
		{plan.Base{Path: "out/1"}, all[:1], nil}} {
		text, err := (&Plan{Job: plan.Job{Base: c.base}, Listings: news, All: c.all}).Encode()
		if err != nil {
			t.Fatal(err)
		}
		p, err := parsePlan(text)
		if c.want == nil {
			if err == nil {
				t.Errorf("%d listings: %+v", len(news)+len(c.all), p)
			}
			continue
		}
		if err != nil || len(p.Listings) != len(news) || len(p.Listings[0].Files) != 1 ||
			len(p.Listed()) != len(c.want) {
			t.Fatalf("%+v, %v", p, err)
		}
		for i, l := range p.Listed() {
			if !slices.Equal(l.Files, c.want[i].Files) {
				t.Errorf("%v, want %v", l.Files, c.want[i].Files)
			}
		}
	}
}

// TestPhases counts the finished tasks of phases.
func TestPhases(t *testing.T) {
	f := opened(t, store.OS(), t.TempDir())
	p := &Plan{digest: "d", In: f}
	if err := f.Make(); err != nil {
		t.Fatal(err)
	}
	done := func(ks ...int) {
		for _, k := range ks {
			if err := p.Done(Write, k, &Note{Rows: int64(k)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	done(0, 2, 10)
	if err := f.Put("done/write-x", nil); err != nil {
		t.Fatal(err)
	}
	named, n, err := p.Named(Write, 4)
	if err != nil || n != 2 || !slices.Equal(named, []bool{true, false, true, false}) {
		t.Errorf("%v, %d, %v", named, n, err)
	}
	var early *NotYetError
	if err := p.Ready(Write, 4); !errors.As(err, &early) || early.Done != 2 || early.Of != 4 {
		t.Error(err)
	}
	done(1, 3)
	if err := p.Ready(Write, 4); err != nil {
		t.Error(err)
	}
	late := &Plan{digest: "d", In: opened(t, store.Over(lateFS{vfs.OS()}), f.Path())}
	if err := late.Ready(Write, 4); err != nil {
		t.Errorf("where a listing is late: %v", err)
	}
	var rows []int64
	each := func() error {
		rows = nil
		return p.Each(Write, 4, func(k int, n *Note) error {
			rows = append(rows, int64(k), n.Rows)
			return nil
		})
	}
	if err := each(); err != nil || !slices.Equal(rows, []int64{0, 0, 1, 1, 2, 2, 3, 3}) {
		t.Errorf("%v, %v", rows, err)
	}
	if err := f.Put("done/write-2", []byte("damaged")); err != nil {
		t.Fatal(err)
	}
	if err := each(); !errors.As(err, &early) || early.Done != 3 {
		t.Errorf("one is damaged: %v", err)
	}
}

// A lateFS lists nothing.
type lateFS struct{ vfs.FS }

func (lateFS) ReadDir(string) ([]fs.DirEntry, error) { return nil, nil }

// TestClearKeepsFilesOfOthers uses a work directory that already has directories with the same names.
func TestClearKeepsFilesOfOthers(t *testing.T) {
	dir := t.TempDir()
	var others []string
	for _, name := range []string{"tmp/mine", "runs/a/b", "done/notes.txt", "plan/b.txt", "faults/1"} {
		others = append(others, filepath.Join(dir, name))
		testenv.Put(t, filepath.Join(dir, name), "mine")
	}
	f, err := NewDirectory(store.OS(), dir, "", false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := errors.Join(f.Make(), f.Put("done/scan-0", nil), f.Put("faults/scan-1", nil)); err != nil {
		t.Fatal(err)
	}
	spilled := filepath.Join(dir, "runs", "scan-0-0123456789abcdef")
	testenv.Put(t, spilled, "")
	if err := f.Clear(); err != nil {
		t.Fatal(err)
	}
	for _, name := range others {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{filepath.Join(dir, "done/scan-0"), filepath.Join(dir, "faults/scan-1"), spilled} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s remains", name)
		}
	}
}
