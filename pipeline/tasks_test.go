package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/pipeline/work"
	"tfr-build/sink"
	"tfr-build/sources/files"
)

// A lateFS is a shared directory as some systems have it: nothing can be locked, and a listing
// does not have the newest files.
type lateFS struct {
	vfs.FS
	late *late
}

// A late is the state that several lateFS of one directory share.
type late struct {
	mu   sync.Mutex
	made map[string]time.Time
}

const lateBy = 20 * time.Millisecond

func (l *late) note(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made[name] = time.Now()
}

func (l lateFS) Create(name string) (vfs.File, error) {
	l.late.note(name)
	return l.FS.Create(name)
}

func (l lateFS) Rename(from, to string) error {
	l.late.note(to)
	return l.FS.Rename(from, to)
}

func (l lateFS) Lock(name string) (vfs.File, bool, error) {
	f, err := l.Edit(name)
	if errors.Is(err, fs.ErrNotExist) {
		if f, err = l.FS.Create(name); errors.Is(err, fs.ErrExist) {
			f, err = l.Edit(name)
		}
	}
	return f, false, err
}

func (l lateFS) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := l.FS.ReadDir(name)
	var list []fs.DirEntry
	l.late.mu.Lock()
	defer l.late.mu.Unlock()
	for _, e := range all {
		if time.Since(l.late.made[filepath.Join(name, e.Name())]) > lateBy {
			list = append(list, e)
		}
	}
	return list, err
}

// taskFiles are the files of a small dataset.
func taskFiles(t *testing.T) (dir string) {
	var text strings.Builder
	text.WriteString("id,part\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "%d,%s\n", i, []string{"train", "val"}[i%2])
	}
	return testenv.Directory(t, map[string]string{"a.csv": text.String(), "b.csv": text.String()})
}

const taskConfig = "name: d\noutput: out\nsource: {csv: {files: '*.csv'}}\nsplit: {column: part}\nfeatures: {id: " +
	"int64}\nshards: 3\nindex: true\n"

// TestTasksWithoutLocks runs processes that all do every task at once, in a shared directory
// without locks and with late listings. Failed tasks are tried again.
func TestTasksWithoutLocks(t *testing.T) {
	dir := taskFiles(t)
	want := tree(t, mustBuild(t, load(t, dir, taskConfig), ways[0]))
	for range testenv.Times(1, 20, 200) {
		shared := &late{made: map[string]time.Time{}}
		parent := t.TempDir()
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() { allTasks(t, dir, parent, lateFS{vfs.OS(), shared}) })
		}
		group.Wait()
		if got := tree(t, filepath.Join(parent, "out")); got != want {
			t.Errorf("other bytes:\n%s\nwant\n%s", got, want)
		}
	}
}

// allTasks does all tasks, and tries again what fails as engines do.
func allTasks(t *testing.T, dir, parent string, fsys vfs.FS) {
	run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(parent, "out"), Storage: store.Over(fsys)}
	w := filepath.Join(parent, "w")
	again := func(what string, do func() error) {
		var err error
		var all []error
		for range 100 {
			if err = do(); err == nil {
				return
			}
			all = append(all, err)
			time.Sleep(lateBy / 4)
		}
		t.Errorf("%s: %v\n%v", what, err, errors.Join(all...))
	}
	again("plan", func() error {
		_, err := PlanTasks(t.Context(), load(t, dir, taskConfig), run, w)
		return err
	})
	for _, phase := range Phases() {
		again(string(phase), func() error {
			tasks, err := OpenTasks(t.Context(), Run{Workers: 1, Memory: plenty, Storage: store.Over(fsys)}, w)
			if err != nil {
				return err
			}
			defer tasks.Close()
			_, err = tasks.Do(t.Context(), phase, work.Share{Of: 1})
			return err
		})
	}
}

// TestTasksClaim checks that no other process can use an output that tasks have claimed, until the
// tasks are given up.
func TestTasksClaim(t *testing.T) {
	dir := taskFiles(t)
	parent := t.TempDir()
	run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(parent, "out")}
	w := filepath.Join(parent, "w")
	if _, err := PlanTasks(t.Context(), load(t, dir, taskConfig), run, w); err != nil {
		t.Fatal(err)
	}
	var claimed *TasksError
	if _, err := Build(t.Context(), load(t, dir, taskConfig), run); !errors.As(err, &claimed) || claimed.Work != w {
		t.Errorf("a build: %v", err)
	}
	if _, err := PlanTasks(t.Context(), load(t, dir, taskConfig+"seed: 7\n"), run, w+"2"); !errors.As(err, &claimed) ||
		claimed.Work != w {
		t.Errorf("another plan: %v", err)
	}
	if entries, err := os.ReadDir(w + "2"); err == nil {
		t.Errorf("it left %v", entries)
	}
	if _, err := sink.Join(store.OS(), run.Output, sink.Options{Claim: []byte("{}")}); err == nil {
		t.Error("a task of other tasks joined them")
	}
	if err := CleanTasks(t.Context(), Run{}, w); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), load(t, dir, taskConfig), run); err != nil {
		t.Error(err)
	}
}

// TestTasksByAnotherPath uses another path of the work directory than the plan, as on a machine
// that mounts it elsewhere.
func TestTasksByAnotherPath(t *testing.T) {
	dir, parent := taskFiles(t), t.TempDir()
	run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(parent, "out")}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(parent, link); err != nil {
		t.Fatal(err)
	}
	for _, w := range []string{filepath.Join(parent, "w"), filepath.Join(link, "w")} {
		p, err := PlanTasks(t.Context(), load(t, dir, taskConfig), run, w)
		if err != nil || p.Before != strings.HasPrefix(w, link) {
			t.Fatalf("%s: %+v, %v", w, p, err)
		}
	}
	for _, phase := range Phases() {
		tasks, err := OpenTasks(t.Context(), Run{Workers: 1, Memory: plenty}, filepath.Join(link, "w"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tasks.Do(t.Context(), phase, work.Share{Of: 1}); err != nil {
			t.Fatal(err)
		}
		tasks.Close()
	}
}

// TestTasksOfInputThatChanges changes one file of the input between phases, also a file that most
// tasks do not read: nothing is published.
func TestTasksOfInputThatChanges(t *testing.T) {
	const text = "name: d\noutput: out\nsource:\n  csv: {files: t.csv}\n  load: {f: {path: '{id}.bin', dir: files, " +
		"as: bytes}}\n" +
		"  join: [{csv: {files: side.csv}, on: id}]\nfeatures: {f: bytes, x: int64}\n"
	for _, name := range []string{"", "t.csv", "side.csv", "files/b.bin"} {
		for _, before := range []work.Phase{work.Merge, work.Commit} {
			dir := testenv.Directory(t, map[string]string{
				"t.csv": "id\na\nb\n", "side.csv": "id,x\na,1\nb,2\n", "files/a.bin": "one", "files/b.bin": "two",
			})
			run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")}
			w := filepath.Join(t.TempDir(), "w")
			_, err := PlanTasks(t.Context(), load(t, dir, text), run, w)
			for _, phase := range Phases() {
				if phase == before && name != "" {
					testenv.Put(t, filepath.Join(dir, name), "id,x\na,1\nb,3\n#\n")
				}
				if err == nil {
					err = oneTask(t, w, phase)
				}
			}
			_, missing := os.Stat(run.Output)
			if errors.Is(err, files.ErrChanged) != (name != "") || (missing == nil) != (name == "") {
				t.Errorf("%q changed before %s: %v, %v", name, before, err, missing)
			}
		}
	}
}

func oneTask(t *testing.T, w string, phase work.Phase) error {
	tasks, err := OpenTasks(t.Context(), Run{Workers: 1, Memory: plenty}, w)
	if err != nil {
		return err
	}
	defer tasks.Close()
	_, err = tasks.Do(t.Context(), phase, work.Share{Of: 1})
	return err
}
