package vfstest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
)

// allCrashes returns several crashes of each kind.
func allCrashes(each int) (all []Crash) {
	for _, names := range []Names{NamesLost, NamesKept, NamesPrefix, NamesEach} {
		for _, keep := range []float64{0, 0.5, 1} {
			for _, garbage := range []bool{false, true} {
				for seed := range each {
					all = append(all, Crash{Seed: uint64(seed), Keep: keep, Garbage: garbage, Names: names})
				}
			}
		}
	}
	return all
}

// Two texts of several blocks in which no byte is zero and none is the same.
var oldText, newText = bytes.Repeat([]byte("old"), 3000), bytes.Repeat([]byte("new!"), 4000)

// outcome describes the file /d/f after a crash.
func outcome(t *testing.T, disk vfs.FS) string {
	t.Helper()
	data, err := ReadFile(disk, "/d/f")
	switch {
	case errors.Is(err, syscall.ENOENT):
		return "none"
	case err != nil:
		t.Fatal(err)
	case bytes.Equal(data, oldText):
		return "old"
	case bytes.Equal(data, newText):
		return "new"
	}
	return "damaged"
}

// A save is a way to write newText to /d/f, step by step.
type save []func(vfs.FS) error

func (s save) do(fsys vfs.FS) error {
	for _, step := range s {
		if err := step(fsys); err != nil {
			return err
		}
	}
	return nil
}

// written opens a file in some way and writes newText, synced or not.
func written(open func(vfs.FS) (vfs.File, error), synced bool) func(vfs.FS) error {
	return func(fsys vfs.FS) error {
		f, err := open(fsys)
		if err != nil {
			return err
		}
		_, err = f.WriteAt(newText, 0)
		if err == nil && synced {
			err = f.Sync()
		}
		return errors.Join(err, f.Close())
	}
}

func created(name string) func(vfs.FS) (vfs.File, error) {
	return func(fsys vfs.FS) (vfs.File, error) { return fsys.Create(name) }
}

func edited(name string) func(vfs.FS) (vfs.File, error) {
	return func(fsys vfs.FS) (vfs.File, error) { return fsys.Edit(name) }
}

func renamed(from, to string) func(vfs.FS) error {
	return func(fsys vfs.FS) error { return fsys.Rename(from, to) }
}

func exchanged(a, b string) func(vfs.FS) error {
	return func(fsys vfs.FS) error { return fsys.Exchange(a, b) }
}

func synced(dir string) func(vfs.FS) error {
	return func(fsys vfs.FS) error { return fsys.SyncDir(dir) }
}
func made(dir string) func(vfs.FS) error { return func(fsys vfs.FS) error { return fsys.Mkdir(dir) } }
func removed(name string) func(vfs.FS) error {
	return func(fsys vfs.FS) error { return fsys.Remove(name) }
}

// savedAs is the complete protocol.
func savedAs(name string) save {
	return save{written(created(name+".tmp"), true), renamed(name+".tmp", name), synced(filepath.Dir(name))}
}

// saves has the possible results after a crash for each way. All of them occur.
var saves = []struct {
	name string
	save save
	want string
}{
	{"the whole protocol", savedAs("/d/f"), "new"},
	{"no sync of the directory", save{written(created("/d/t"), true), renamed("/d/t", "/d/f")}, "new old"},
	{"no sync of the file", save{written(created("/d/t"), false), renamed("/d/t", "/d/f"), synced("/d")},
		"damaged new"},
	{"no sync", save{written(created("/d/t"), false), renamed("/d/t", "/d/f")}, "damaged new old"},
	{"the directory is synced too early", save{written(created("/d/t"), true), synced("/d"), renamed("/d/t", "/d/f")},
		"new old"},
	{"in place", save{written(edited("/d/f"), true)}, "new"},
	{"in place, no sync", save{written(edited("/d/f"), false)}, "damaged new old"},
	{"removed first", save{removed("/d/f"), written(created("/d/f"), true)}, "new none old"},
	{"removed first, then all is synced", save{removed("/d/f"), written(created("/d/f"), true), synced("/d")}, "new"},
	{"from another directory", save{written(created("/e/t"), true), renamed("/e/t", "/d/f"), synced("/d"),
		synced("/e")}, "new"},
	{"from another directory, one is synced", save{written(created("/e/t"), true), renamed("/e/t", "/d/f"),
		synced("/d")}, "new old"},
	{"from another directory, the other is synced",
		save{written(created("/e/t"), true), renamed("/e/t", "/d/f"), synced("/e")}, "new old"},
	{"exchanged", save{written(created("/e/f"), true), synced("/e"), exchanged("/e", "/d"), synced("/")}, "new"},
	{"exchanged, no sync", save{written(created("/e/f"), true), synced("/e"), exchanged("/e", "/d")}, "new old"},
	{"exchanged, no sync inside", save{written(created("/e/f"), true), exchanged("/e", "/d"), synced("/")}, "new none"},
	{"a new directory", save{removed("/d/f"), removed("/d"), made("/d"), written(created("/d/f"), true), synced("/d")},
		"new none old"},
	{"a new directory, all synced", save{removed("/d/f"), removed("/d"), made("/d"), written(created("/d/f"), true),
		synced("/d"), synced("/")}, "new"},
}

// before returns a disk with oldText in /d/f.
func before(t *testing.T) *Mem {
	t.Helper()
	disk := NewMem("/d", "/e")
	if err := put(disk, "/d/f", string(oldText)); err != nil {
		t.Fatal(err)
	}
	return disk.Crash(Crash{Keep: 1, Names: NamesKept})
}

func TestCrash(t *testing.T) {
	for _, test := range saves {
		disk := before(t)
		if err := test.save.do(disk); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		seen := map[string]Crash{}
		for _, c := range allCrashes(testenv.Times(20, 50, 2000)) {
			seen[outcome(t, disk.Crash(c))] = c
		}
		if got := strings.Join(slices.Sorted(maps.Keys(seen)), " "); got != test.want {
			t.Errorf("%s leaves %s; want %s: %+v", test.name, got, test.want, seen)
		}
		if got := outcome(t, disk); got != "new" {
			t.Errorf("%s: without a crash it is %s", test.name, got)
		}
	}
}

// TestProtocolAtEveryInstant checks that the complete protocol leaves the old or the new file at
// every instant.
func TestProtocolAtEveryInstant(t *testing.T) {
	whole := savedAs("/d/f")
	count := NewLog(before(t))
	if err := whole.do(count); err != nil {
		t.Fatal(err)
	}
	for n := range count.Ops() {
		disk := before(t)
		if err := whole.do(NewInject(disk, From(n, ErrStopped))); !errors.Is(err, ErrStopped) {
			t.Fatalf("stopped at operation %d: %v", n, err)
		}
		for _, c := range allCrashes(several(50, 1000)) {
			if got := outcome(t, disk.Crash(c)); got != "old" && got != "new" {
				t.Fatalf("stopped at operation %d: %s after %+v", n, got, c)
			}
		}
	}
}

// TestRepeatedSync checks that a failed sync loses the bytes, even if it is repeated. A sync that
// was never begun, because the process stopped, does not.
func TestRepeatedSync(t *testing.T) {
	for fault, want := range map[error]string{
		syscall.EIO: "damaged", // the length is that of the new text, and the bytes are not there
		ErrStopped:  "new",
		ErrSkip:     "new",
	} {
		failing := func(_ int, op Op) error {
			if op.Kind == "sync" {
				return fault
			}
			return nil
		}
		for name, over := range map[string]func(vfs.FS) vfs.FS{
			"an injector":            func(fsys vfs.FS) vfs.FS { return NewInject(fsys, failing) },
			"an injector over a log": func(fsys vfs.FS) vfs.FS { return NewInject(NewLog(fsys), failing) },
			"a log over an injector": func(fsys vfs.FS) vfs.FS { return NewLog(NewInject(fsys, failing)) },
		} {
			disk := before(t)
			if err := written(edited("/d/f"), true)(over(disk)); !errors.Is(err, fault) && fault != ErrSkip {
				t.Fatalf("%s, %v: %v", name, fault, err)
			}
			if err := disk.SyncDir("/d/f"); err != nil {
				t.Fatal(err)
			}
			if got := outcome(t, disk.Crash(Crash{})); got != want {
				t.Errorf("%s, %v: %s, want %s", name, fault, got, want)
			}
			if got := outcome(t, disk); got != "new" {
				t.Errorf("%s, %v: without a crash %s", name, fault, got)
			}
		}
	}
}

// TestAppendedLinesThatWereSynced checks that synced appends remain, even if later ones are lost.
func TestAppendedLinesThatWereSynced(t *testing.T) {
	disk := NewMem("/d")
	f, err := disk.Create("/d/journal")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	tails := map[string]bool{}
	for i := range 300 {
		line := fmt.Sprintf("line %d %s\n", i, strings.Repeat("x", i%50))
		if _, err := f.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		for _, c := range []Crash{{Garbage: true}, {Keep: 0.5, Garbage: true}, {Keep: 0.5}, {Keep: 1}} {
			c.Names, c.Seed = NamesKept, uint64(i)
			left, err := ReadFile(disk.Crash(c), "/d/journal")
			tail, intact := strings.CutPrefix(string(left), all.String())
			if err != nil || !intact {
				t.Fatalf("line %d: %q was lost, %v", i, all.String(), err)
			}
			switch {
			case tail == line:
				tails["whole"] = true
			case tail == "":
				tails["none"] = true
			case strings.Trim(tail, "\x00") == "":
				tails["zeros"] = true
			default:
				tails["garbage"] = true
			}
		}
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		all.WriteString(line)
	}
	if len(tails) != 4 {
		t.Errorf("only %v was seen after the synced lines", tails)
	}
}

// TestUnsyncedTruncations has the possible contents of a truncated file after a crash.
func TestUnsyncedTruncations(t *testing.T) {
	disk := before(t)
	f, err := disk.Edit("/d/f")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(5), f.Truncate(20)); err != nil {
		t.Fatal(err)
	}
	lengths := map[int]bool{}
	for _, c := range allCrashes(30) {
		data, err := ReadFile(disk.Crash(c), "/d/f")
		if err != nil {
			t.Fatal(err)
		}
		lengths[len(data)] = true
		if c.Keep == 1 && !bytes.Equal(data, append([]byte("oldol"), make([]byte, 15)...)) {
			t.Fatalf("all was kept and it is %q", data)
		}
		if len(data) > 20 && !bytes.Equal(data[20:], oldText[20:]) {
			t.Fatalf("beyond what was written since it is %q", data[20:])
		}
	}
	if !lengths[5] || !lengths[20] || !lengths[len(oldText)] {
		t.Errorf("lengths %v", lengths)
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	data, err := ReadFile(disk.Crash(Crash{}), "/d/f")
	if want := append([]byte("oldol"), make([]byte, 15)...); err != nil || !bytes.Equal(data, want) {
		t.Errorf("synced it is %q, %v", data, err)
	}
}

// somethingSynced syncs a directory or a file, or nothing.
func somethingSynced(r *rand.Rand, disk *Mem) {
	few := []string{"/", "/a", "/b", "/a/a", "/a/b", "/b/a", "/b/b"}
	_ = disk.SyncDir(few[r.IntN(len(few))]) // what may not be there
}

// TestCrashesThatLoseNothing checks two rules. A crash that keeps everything loses nothing, and
// when everything is synced, no crash loses anything.
func TestCrashesThatLoseNothing(t *testing.T) {
	for seed := range testenv.Times(20, 300, 10_000) {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		disk := NewMem()
		for range 80 {
			step(r, true)(place{disk, "/"})
			somethingSynced(r, disk)
		}
		want := listing(t, disk, "/")
		if got := listing(t, disk.Crash(Crash{Keep: 1, Names: NamesKept}), "/"); got != want {
			t.Fatalf("seed %d: all is kept, and of\n%s\nis left\n%s", seed, want, got)
		}
		syncAll(t, disk, "/")
		if len(disk.pending) > 0 {
			t.Fatalf("seed %d: all directories are synced and %d changes are not", seed, len(disk.pending))
		}
		if got := listing(t, disk.Crash(Crash{}), "/"); got != want {
			t.Fatalf("seed %d: all is synced, and of\n%s\nis left\n%s", seed, want, got)
		}
	}
}

// syncAll syncs all files and directories.
func syncAll(t *testing.T, disk *Mem, dir string) {
	t.Helper()
	entries, err := disk.ReadDir(dir)
	if err := errors.Join(err, disk.SyncDir(dir)); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if e.IsDir() {
			syncAll(t, disk, name)
		} else if err := disk.SyncDir(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMovesLoseNothing moves durable files and their directories and removes empty directories.
// No file may be lost or duplicated.
func TestMovesLoseNothing(t *testing.T) {
	few := []string{"/a", "/b", "/c", "/a/a", "/a/b", "/b/a", "/c/a", "/a/a/a", "/a/b/a", "/b/a/b",
		"/a/file", "/b/file", "/c/file"}
	for seed := range testenv.Times(8, 150, 10_000) {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		disk := NewMem("/a/a", "/b/a", "/c")
		for i, dir := range []string{"/", "/a", "/a/a", "/b", "/b/a", "/c"} {
			if err := put(disk, filepath.Join(dir, "file"), fmt.Sprint("file ", i)); err != nil {
				t.Fatal(err)
			}
		}
		syncAll(t, disk, "/")
		want := contents(t, disk)
		for range 30 {
			from, to := few[r.IntN(len(few))], few[r.IntN(len(few))]
			switch info, err := disk.Stat(to); { // any possible operation
			case err != nil:
				_ = disk.Rename(from, to)
			case info.IsDir() && r.IntN(2) == 0:
				_ = disk.Remove(to)
			default:
				_ = disk.Exchange(from, to)
			}
			somethingSynced(r, disk)
			for i := range 4 {
				c := Crash{Seed: r.Uint64(), Names: Names(i)}
				if got := contents(t, disk.Crash(c)); got != want {
					t.Fatalf("seed %d: %s after %+v, not %s", seed, got, c, want)
				}
			}
		}
	}
}

// A file that moved into a directory is not lost with the directory.
func TestMovesIntoADirectoryThatIsLost(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range allCrashes(50) {
		disk := before(t)
		if err := (save{made("/n"), made("/n/n"), renamed("/d/f", "/n/n/f")}).do(disk); err != nil {
			t.Fatal(err)
		}
		left := disk.Crash(c)
		if got := contents(t, left); got != string(oldText) {
			t.Fatalf("%.30q is left after %+v", got, c)
		}
		seen[outcome(t, left)] = true
	}
	if !seen["old"] || !seen["none"] {
		t.Errorf("only %v was seen", seen)
	}
}

// contents returns the texts of all files, sorted.
func contents(t *testing.T, fsys vfs.FS) string {
	t.Helper()
	var texts []string
	for line := range strings.Lines(listing(t, fsys, "/")) {
		if _, text, isFile := strings.Cut(line, ` "`); isFile {
			texts = append(texts, strings.TrimSuffix(text, "\"\n"))
		}
	}
	slices.Sort(texts)
	return strings.Join(texts, ", ")
}

// What comes first is kept first by a journal, and anything by chance.
func TestNamesSurviveACrash(t *testing.T) {
	disk := NewMem()
	for _, dir := range []string{"/0", "/1", "/2"} {
		if err := disk.Mkdir(dir); err != nil {
			t.Fatal(err)
		}
	}
	for names, want := range map[Names]string{
		NamesLost: "none", NamesKept: "012", NamesPrefix: "0 01 012 none", NamesEach: "0 01 012 02 1 12 2 none",
	} {
		seen := map[string]bool{}
		for seed := range uint64(100) {
			left := listing(t, disk.Crash(Crash{Seed: seed, Names: names}), "/")
			seen[cmp.Or(strings.ReplaceAll(left, "/\n", ""), "none")] = true
		}
		if got := strings.Join(slices.Sorted(maps.Keys(seen)), " "); got != want {
			t.Errorf("mode %d leaves %q", names, got)
		}
	}
}

// What is durable takes along what it depends on, though not all of that was
// synced.
func TestChangesThatASyncMakesDurable(t *testing.T) {
	for name, test := range map[string]struct {
		save save
		want string
	}{
		"a name that a file was moved away from": {
			save{renamed("/d/f", "/e/f"), made("/d/f"), synced("/d")}, "d/\nd/f/\ne/\ne/f \"old\"\n",
		},
		"a directory that a file was moved out of": {
			save{renamed("/d/f", "/e/f"), removed("/d"), synced("/")}, "e/\ne/f \"old\"\n",
		},
		"a directory that another replaced": {
			save{renamed("/d/f", "/e/f"), renamed("/e", "/d"), synced("/")}, "d/\nd/f \"old\"\n",
		},
		"a directory that changed places with its own": {
			save{
				made("/d/sub"), synced("/d"), renamed("/d/sub", "/e/sub"), renamed("/d", "/e/sub/d"),
				renamed("/e/sub", "/sub"), synced("/"), synced("/e"),
			}, "e/\nsub/\nsub/d/\nsub/d/f \"old\"\n",
		},
	} {
		disk := NewMem("/d", "/e")
		if err := put(disk, "/d/f", "old"); err != nil {
			t.Fatal(err)
		}
		syncAll(t, disk, "/")
		if err := test.save.do(disk); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := listing(t, disk.Crash(Crash{}), "/"); got != test.want {
			t.Errorf("%s: %s; want %s", name, got, test.want)
		}
	}
}

func TestCrashIsASnapshot(t *testing.T) {
	disk := before(t)
	if err := written(edited("/d/f"), false)(disk); err != nil {
		t.Fatal(err)
	}
	c := Crash{Seed: 7, Keep: 0.5, Garbage: true, Names: NamesEach}
	one, two := disk.Crash(c), disk.Crash(c)
	same := listing(t, one, "/")
	if listing(t, two, "/") != same {
		t.Error("the same crash left something else")
	}
	c.Seed++
	if listing(t, disk.Crash(c), "/") == same {
		t.Error("another seed left the same")
	}
	if err := errors.Join(put(one, "/d/f", "changed"), one.Remove("/e")); err != nil {
		t.Fatal(err)
	}
	if listing(t, two, "/") != same || outcome(t, disk) != "new" {
		t.Error("what is left is not apart from what it comes from")
	}
}

// A stop is the end of a process: it writes nothing, not even half.
func TestErrStoppedWritesNothing(t *testing.T) {
	disk := NewMem()
	f, err := NewInject(disk, From(1, ErrStopped)).Create("/f")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := f.Write([]byte("text")); n != 0 || !errors.Is(err, ErrStopped) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if got := listing(t, disk, "/"); got != "f \"\"\n" {
		t.Errorf("%s is left", got)
	}
}

func BenchmarkCrash(b *testing.B) {
	disk := NewMem("/d")
	for i := range 20 {
		if err := put(disk, fmt.Sprint("/d/", i), string(oldText)); err != nil {
			b.Fatal(err)
		}
	}
	for i := range b.N {
		disk.Crash(Crash{Seed: uint64(i), Keep: 0.5, Garbage: true, Names: NamesEach})
	}
}
