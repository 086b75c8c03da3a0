package pipeline

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/filetest"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/work"
)

// stopLate builds until so many shards are finished, and then stops. Two more shards may be in
// progress, next to the one being written. So a config must have at least three more, or the build
// may end before it is stopped.
func stopLate(t *testing.T, cfg *config.Config, run Run, shards int) {
	t.Helper()
	finished := 0
	stopped := false
	run.Storage = store.Over(vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if base := filepath.Base(op.Name); op.Kind == "syncdir" &&
			(base == "statistics" || !cfg.Statistics.On && base == "data") {
			finished++
		}
		if stopped = stopped || finished >= shards; stopped && op.Kind == "create" {
			return vfstest.ErrStopped
		}
		return nil
	}))
	if _, err := Build(t.Context(), cfg, run); !errors.Is(err, vfstest.ErrStopped) {
		t.Fatalf("the run was to be stopped: %v", err)
	}
}

// TestStoppedTwice stops a build that resumes before it writes: it says that the shards of the first one are kept.
func TestStoppedTwice(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(300)})
	cfg := load(t, dir, "name: d\noutput: out\nshards: 8\nsource: {csv: {files: a.csv}}\n"+tableFeatures)
	run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "out"), Sync: true}
	stopLate(t, cfg, run, 3)
	ctx, cancel := context.WithCancel(t.Context())
	run.didStep = func(phase work.Phase) {
		if phase == work.Merge {
			cancel()
		}
	}
	var said []string
	run.Inform = func(text string) { said = append(said, text) }
	if _, err := Build(ctx, cfg, run); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if last := said[len(said)-1]; !strings.HasSuffix(last, " shards finished and kept: the same command resumes with "+
		"them") {
		t.Errorf("said %q", said)
	}
}

// TestResume stops a build, changes something, and builds again. Finished shards are reused if no
// relevant change was made; otherwise the build says why not.
func TestResume(t *testing.T) {
	const base = "name: d\noutput: out\nshards: 8\nsource: {csv: {files: a.csv}}\nfeatures: {id: int64, text: {type: " +
		"bytes, missing: omit}}\n"
	touch := func(dir string) {
		later := time.Now().Add(time.Hour)
		os.Chtimes(filepath.Join(dir, "a.csv"), later, later)
	}
	// swap changes a byte and keeps size, time and inode.
	swap := func(dir string) {
		name := filepath.Join(dir, "a.csv")
		info, _ := os.Stat(name)
		f, _ := os.OpenFile(name, os.O_RDWR, 0)
		f.WriteAt([]byte("9"), int64(len("id,part,user,x,text\r\n")))
		f.Close()
		os.Chtimes(name, info.ModTime(), info.ModTime())
	}
	// age begins the journal as an older version did, so that no finished shard is known.
	age := func(dir string) {
		name := filepath.Join(dir, ".out.tfr", "journal")
		text, _ := os.ReadFile(name)
		job, rest, _ := strings.Cut(string(text), "\n")
		const planned = `{"planned":{}}`
		sum := crc32.Checksum([]byte(planned), crc32.MakeTable(crc32.Castagnoli))
		testenv.Put(t, name, fmt.Sprintf("%s\n%08x %s\n%s", job, sum, planned, rest))
	}
	hashed := func(r *Run) { r.HashInputs = true }
	for i, test := range []struct {
		name   string
		config string
		first  func(*Run)
		change func(dir string)
		second func(*Run)
		want   string // what is said; empty for nothing about a stopped run
	}{
		{name: "nothing", want: "resumes a stopped run: "},
		{name: "the way of the run", second: func(r *Run) { r.Workers, r.Chunk = 3, 500 }, want: "resumes"},
		{name: "through parts", second: func(r *Run) { r.Memory = 0 }, want: "resumes"},
		{name: "max_errors", config: base + "on_error: skip\nmax_errors: 3\n", want: "resumes"},
		{name: "the seed", config: base + "seed: 5\n", want: "the config changed"},
		{name: "on_error", config: base + "on_error: quarantine\n", want: "the config changed"},
		{name: "a condition", config: base + "where: 'id != \"7\"'\n", want: "the config changed"},
		{name: "a limit", config: base + "limit: {train: 2000}\n", want: "the config changed"},
		{name: "a time", change: touch, want: "the input changed, or was touched"},
		{name: "a byte, unseen", change: swap, want: "resumes"},
		{name: "a byte, hashed", first: hashed, change: swap, second: hashed,
			want: "the contents of the input changed"},
		{name: "hashed now", second: hashed, want: "it did not hash the contents"},
		{name: "hashed before", first: hashed, want: "resumes"},
		{name: "a journal of another version", change: age, want: "another version of tfr-build wrote its journal"},
		{name: "fresh", second: func(r *Run) { r.Fresh = true }, want: ""},
	} {
		if i%testenv.Times(4, 1, 1) != 0 {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(3000)})
			first := base
			if strings.Contains(test.config, "max_errors") {
				first += "on_error: skip\nmax_errors: 2\n"
			}
			var said []string
			run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "out"), Sync: true,
				Inform: func(text string) { said = append(said, text) }}
			begun := run
			if test.first != nil {
				test.first(&begun)
			}
			stopLate(t, load(t, dir, first), begun, 2)
			said = nil
			if test.change != nil {
				test.change(dir)
			}
			if test.second != nil {
				test.second(&run)
			}
			if test.config == "" {
				test.config = first
			}
			cfg := load(t, dir, test.config)
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatal(err)
			}
			ok := !slices.ContainsFunc(said, func(text string) bool {
				return !strings.HasPrefix(text,
					"records without a value")
			})
			if test.want != "" {
				ok = slices.ContainsFunc(said, func(text string) bool { return strings.Contains(text, test.want) })
			}
			if !ok {
				t.Errorf("said %q, want %q", said, test.want)
			}
			if test.name != "a byte, unseen" && tree(t, run.Output) != tree(t, mustBuild(t, cfg, ways[0])) {
				t.Error("the dataset is not that of a run that was not stopped")
			}
		})
	}
}

// TestStartsOverAfterAnUnseenChange stops a build and changes the input, but not its size, time,
// and inode. If the plan or the finished shards show the change, the build starts over and says
// why.
func TestStartsOverAfterAnUnseenChange(t *testing.T) {
	replace := func(old, text string) func(string) string {
		return func(data string) string { return strings.ReplaceAll(data, old, text) }
	}
	blankLast := func(data string) string {
		start := strings.LastIndex(data, "\n499,") + 1
		return data[:start] + strings.Repeat("\n", len(data)-start)
	}
	for name, test := range testenv.Some(0, 3, map[string]struct {
		more    string // of the config
		change  func(data string) string
		lose    bool // the plan of the stopped run
		spilled bool
	}{
		"values":                        {change: replace("word", "WORD")},
		"values, without the plan":      {change: replace("word", "WORD"), lose: true},
		"fewer rows":                    {change: blankLast},
		"fewer rows, and no statistics": {more: "statistics: false\n", change: blankLast},
		"class names":                   {change: replace(",u7,", ",v7,")},
		"class names, spilled":          {change: replace(",u7,", ",v7,"), spilled: true},
		"class names, without the plan": {change: replace(",u7,", ",v7,"), lose: true},
		"another split": {more: "split: {column: part}\n", change: replace(",dev,", ",dav,"),
			lose: true},
	}) {
		t.Run(name, func(t *testing.T) {
			before := rowsCSV(500)
			dir := testenv.Directory(t, map[string]string{"a.csv": before})
			cfg := load(t, dir, "name: d\noutput: out\nshards: 8\nsource: {csv: {files: a.csv}}\nfeatures: {id: "+
				"int64, user: {classes: auto}, text: {type: bytes, missing: omit}}\n"+test.more)
			var said []string
			run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "out"), Sync: true,
				Inform: func(text string) { said = append(said, text) }}
			if test.spilled {
				run.Memory = MinMemory
			}
			stopLate(t, cfg, run, 2)
			rewriteUnseen(t, filepath.Join(dir, "a.csv"), test.change(before))
			if test.lose {
				testenv.Put(t, filepath.Join(dir, ".out.tfr", "plan"), "{}")
			}
			said = nil
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatal(err)
			}
			want := "the contents of the input changed"
			if test.lose {
				want = "its plan cannot be read"
			}
			if !slices.ContainsFunc(said, func(text string) bool { return strings.Contains(text, want) }) {
				t.Errorf("said %q, expected %q", said, want)
			}
			if tree(t, run.Output) != tree(t, mustBuild(t, cfg, ways[0])) {
				t.Error("the dataset is not that of a run that was not stopped")
			}
		})
	}
}

// rewriteUnseen writes other text of the same size, and preserves time and inode.
func rewriteUnseen(t *testing.T, name, text string) {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil || info.Size() != int64(len(text)) {
		t.Fatal(info.Size(), len(text), err)
	}
	testenv.Put(t, name, text)
	if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
}

// TestResumeThroughPartitions stops a build with spill files at every step. A sample has some of
// the datasets.
func TestResumeThroughPartitions(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv.gz": filetest.Gzip(rowsCSV(5000)), "b.csv": rowsCSV(2000)})
	for name, more := range map[string]string{
		"shuffled": "", "source": "order: source\n", "one key": "order_key: k\nset: {k: same}\n",
		"auto": "", "splits": "split: {column: part}\n",
		"shaped":        "derive: {y: 'x * 2'}\nwhere: 'y > 0.3'\nsample: 90%\nlimit: {train: 3500}\n",
		"dedupe":        "dedupe: {by: [user, part]}\n",
		"groups":        "group: {by: user, sort: id, windows: {length: 3, last: keep}}\n",
		"limited":       "limit: {train: {rows: 150, per: user}}\norder_key: user\n",
		"auto, limited": "limit: {train: 4500}\norder: source\n",
	} {
		if !testenv.Exhaustive() && !slices.Contains([]string{"limited", "groups"}, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			features := "features: {id: int64, text: {type: bytes, missing: omit}}\n"
			if name == "groups" {
				features = "features: {id: int64, text: {type: bytes, missing: {default: none}}}\n"
			}
			if strings.HasPrefix(name, "auto") {
				features = "features: {id: int64, user: {classes: auto}}\n"
			}
			cfg := load(t, dir, "name: d\noutput: out\nshards: 4\n"+
				"source: {csv: {files: [a.csv.gz, b.csv]}}\n"+more+features)
			want := tree(t, mustBuild(t, cfg, ways[0]))
			mem := func() *vfstest.Mem { return vfstest.NewMem("/d") }
			run := Run{Workers: 2, Output: "/d/out", Sync: true, runLimit: 100_000}
			log := vfstest.NewLog(mem())
			run.Storage = store.Over(log)
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatal(err)
			}
			kept, times := 0, testenv.Times(4, 40, 40)
			for i := range times {
				// Most operations spill rows. Stops are closer together at the end, where shards are finished.
				left := float64(times-i) / float64(times+1)
				n := int(float64(len(log.Ops())) * (1 - left*left))
				under := mem()
				begun := vfstest.NewLog(vfstest.NewInject(under, vfstest.From(n, vfstest.ErrStopped)))
				run.Storage = store.Over(begun)
				_, err := Build(t.Context(), cfg, run)
				if err == nil && len(begun.Ops()) <= n {
					continue // rows that others spill make more operations in one run and fewer in another
				}
				if !errors.Is(err, vfstest.ErrStopped) {
					t.Fatalf("stopped at %d: %v", n, err)
				}
				again := vfstest.NewLog(under)
				run.Storage = store.Over(again)
				run.Inform = func(string) { kept++ }
				if _, err := Build(t.Context(), cfg, run); err != nil {
					t.Fatalf("after a stop at %d: %v", n, err)
				}
				run.Inform = nil
				if got := treeIn(t, under, "/d/out"); got != want {
					t.Fatalf("after a stop at %d the dataset is another one:\n%s\nwant\n%s", n, got, want)
				}
				if entries, err := under.ReadDir("/d/.out.tfr"); err != nil || len(entries) != 2 {
					t.Errorf("after a stop at %d: %v, %v are left", n, entries, err)
				}
			}
			if kept == 0 {
				t.Error("nothing was ever kept")
			}
		})
	}
}

// TestBudgetOfAResumedBuild exceeds max_errors while spilled rows are written. The same command
// exceeds it again, although it resumes with the spill file.
func TestBudgetOfAResumedBuild(t *testing.T) {
	var b strings.Builder
	b.WriteString("id\n")
	for i := range 10_000 {
		if i%50 == 0 {
			b.WriteString("bad\n")
		} else {
			fmt.Fprintf(&b, "%d\n", i)
		}
	}
	dir := testenv.Directory(t, map[string]string{"a.csv.gz": filetest.Gzip(b.String())})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv.gz}}\nfeatures: {id: int64}\nshards: "+
		"4\non_error: skip\nmax_errors: 10\n")
	run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(dir, "out")}
	for range 3 {
		_, err := Build(t.Context(), cfg, run)
		var many *TooManyError
		if !errors.As(err, &many) {
			t.Fatalf("a build with 200 invalid rows, of which 10 are accepted: %v", err)
		}
		if _, err := os.Stat(run.Output); err == nil {
			t.Fatal("a dataset was published")
		}
	}
}
