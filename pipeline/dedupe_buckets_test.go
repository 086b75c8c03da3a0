package pipeline

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tfr-build/internal/buckettest"
	"tfr-build/internal/filetest"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
)

// copiesDir returns a directory with n files of one size; one in ten is a copy of the file before.
func copiesDir(t *testing.T, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "in")
	for i := range n {
		content := i
		if i%10 == 9 {
			content--
		}
		testenv.Put(t, filepath.Join(dir, fmt.Sprintf("class%d/%04d.bin", i%3, i)),
			fmt.Sprintf("content %04d", content))
	}
	return dir
}

// A waitingStore is slow: to open a file for the first time takes until some are opened at once.
type waitingStore struct {
	store.Reader
	mu      sync.Mutex
	opened  map[string]bool
	waiting int
	most    int           // number of files that were opened at once
	enough  chan struct{} // closed when several files wait
}

const severalFiles = 16

func (w *waitingStore) Open(name string) (store.File, error) {
	w.mu.Lock()
	first := strings.HasSuffix(name, ".bin") && !w.opened[name]
	if first {
		w.opened[name] = true
		w.waiting++
		if w.most = max(w.most, w.waiting); w.waiting == severalFiles {
			close(w.enough)
			w.enough = make(chan struct{})
			w.waiting = 0
		}
	}
	enough := w.enough
	w.mu.Unlock()
	if first {
		select {
		case <-enough:
		case <-time.After(100 * time.Millisecond): // the last files, or no read-ahead
			w.mu.Lock()
			w.waiting = max(0, w.waiting-1)
			w.mu.Unlock()
		}
	}
	return w.Reader.Open(name)
}

// TestComparingReadsAhead compares files in a slow store. Many are requested at once, although one
// worker reads them.
func TestComparingReadsAhead(t *testing.T) {
	dir := copiesDir(t, 10*severalFiles)
	cfg := load(t, t.TempDir(),
		"name: d\noutput: out\nsource: {folder: {dir: s3://data/in}}\nwhere: 'class != \"class0\"'\ndedupe: {by: "+
			"[content]}\nfeatures: {content: bytes}\n")
	slow := &waitingStore{Reader: zipStore(t, dir), opened: map[string]bool{}, enough: make(chan struct{})}
	run := Run{Workers: 1, Memory: plenty}
	run.Storage = store.OS().With("s3", slow)
	p, err := MakePlan(t.Context(), cfg, run)
	if err != nil {
		t.Fatal(err)
	}
	if slow.most < severalFiles || p.Skipped["dedupe"] == 0 {
		t.Errorf("%d files were opened at once, %v were skipped", slow.most, p.Skipped)
	}
}

// TestDuplicatesInBuckets has input and output in buckets, or locally. The dataset and the list of
// duplicates, which is always local, are the same.
func TestDuplicatesInBuckets(t *testing.T) {
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	buckettest.Env(t, g.URL)
	n := testenv.Times(60, 400, 400)
	dir := copiesDir(t, n)
	testenv.Put(t, filepath.Join(dir, "t.csv"), rowsCSV(n))
	testenv.Put(t, filepath.Join(dir, "t.csv.gz"), filetest.Gzip(rowsCSV(n)))
	upload(t, dir, "s3://data/in")
	for name, text := range testenv.Some(1, 3, map[string]string{
		"files": "source: {folder: {dir: DIR, include: ['class*/*']}}\ndedupe: {by: [content], duplicates: " +
			"LIST}\nfeatures: {content: bytes, class: string}\n",
		"csv": "source: {csv: {files: DIR/t.csv}}\nsplit: {column: part}\ndedupe: {by: [user], prefer: [test], " +
			"duplicates: LIST}\nfeatures: {id: int64}\n",
		"gzip": "source: {csv: {files: DIR/t.csv.gz}}\ndedupe: {by: [user, part], duplicates: LIST}\nfeatures: {id: " +
			"int64}\n",
	}) {
		config := func(dir, list string) string {
			return "name: d\noutput: out\n" + strings.NewReplacer("DIR", dir, "LIST", list).Replace(text)
		}
		local := t.TempDir()
		want := strings.ReplaceAll(tree(t, mustBuild(t, load(t, local, config(dir, "d.jsonl")), ways[1])), dir,
			"s3://data/in")
		list := string(read(t, local, "d.jsonl"))
		if n := strings.Count(list, "\n"); n < 5 {
			t.Fatalf("%s: the list has %d rows", name, n)
		}
		lists := t.TempDir()
		for i, w := range []way{ways[1], ways[5]} { // in memory, and streamed
			cfg := load(t, t.TempDir(), config("s3://data/in", filepath.Join(lists, fmt.Sprint(i))))
			run := w.run(fmt.Sprintf("s3://data/%s-%d/out", name, i))
			run.Scratch = t.TempDir()
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatal(err)
			}
			if got := tree(t, filepath.Join(g.Dir, strings.TrimPrefix(run.Output, "s3://"))); got != want {
				t.Errorf("%s, %+v: got\n%s\nwant\n%s", name, w, got, want)
			}
			if got := string(read(t, lists, fmt.Sprint(i))); got != list {
				t.Errorf("%s, %+v: the list is\n%s\nexpected\n%s", name, w, got, list)
			}
		}
		work := "s3://data/work-" + name
		run := ways[1].run("s3://data/tasks-" + name + "/out")
		run.Scratch, run.Tasks = t.TempDir(), 3
		cfg := load(t, t.TempDir(), config("s3://data/in", filepath.Join(lists, "tasks")))
		if _, err := PlanTasks(t.Context(), cfg, run, work); err != nil {
			t.Fatal(err)
		}
		for _, phase := range Phases() {
			if err := oneTask(t, work, phase); err != nil {
				t.Fatalf("%s, %s: %v", name, phase, err)
			}
		}
		if got := tree(t, filepath.Join(g.Dir, strings.TrimPrefix(run.Output, "s3://"))); got != want {
			t.Errorf("%s, tasks: got\n%s\nwant\n%s", name, got, want)
		}
		if got := string(read(t, lists, "tasks")); got != list {
			t.Errorf("%s, tasks: the list is\n%s\nexpected\n%s", name, got, list)
		}
	}
}
