package vfstest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
)

// The tests of this file compare Mem with the real file system: all operations must have the same
// results and errors, and leave the same files.

// A place is a directory of a file system in which a test works.
type place struct {
	vfs.FS
	dir string
}

// at returns the path of a name in the directory. An empty name stays empty.
func (p place) at(name string) string {
	if name == "" {
		return ""
	}
	return filepath.Join(p.dir, name)
}

// says formats a result and an error without the path of the place.
func (p place) says(result any, err error) string {
	text := fmt.Sprint(result)
	if err != nil {
		text = fmt.Sprint(result, " error: ", vfs.Cause(err))
	}
	return strings.ReplaceAll(text, p.dir, "DIR")
}

// hint is says for an operation that a file system may not support.
func (p place) hint(err error) string {
	if errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return p.says("hint", err)
}

// fill creates the files that every case begins with.
func (p place) fill(t *testing.T) place {
	t.Helper()
	for _, name := range []string{"empty", "full", "full/sub"} {
		if err := p.Mkdir(p.at(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"f", "full/g"} {
		if err := put(p, p.at(name), "text of "+name); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"link": "f", "into": "full", "dangling": "none", "loop": "loop"} {
		if err := p.Symlink(target, p.at(name)); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// put writes a file, a new one or over another.
func put(fsys vfs.FS, name, text string) error {
	f, err := fsys.Create(name)
	if errors.Is(err, os.ErrExist) {
		f, err = fsys.Edit(name)
	}
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(text))
	return errors.Join(err, f.Truncate(int64(len(text))), f.Close())
}

// listing lists a directory, one line per name. Directories end in "/"; files are followed by
// their content.
func listing(t *testing.T, fsys vfs.FS, dir string) string {
	t.Helper()
	var b strings.Builder
	var list func(dir, under string)
	list = func(dir, under string) {
		entries, err := fsys.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			if e.IsDir() {
				fmt.Fprintf(&b, "%s%s/\n", under, e.Name())
				list(name, under+e.Name()+"/")
				continue
			}
			if e.Type() == os.ModeSymlink {
				target, err := fsys.Readlink(name)
				fmt.Fprintf(&b, "%s%s leads to %q (%v)\n", under, e.Name(), target, err)
				continue
			}
			text, err := ReadFile(fsys, name)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s%s %q\n", under, e.Name(), text)
		}
	}
	list(dir, "")
	return b.String()
}

// onBoth runs a case on the real file system and on a Mem, and compares the results and the
// files.
func onBoth(t *testing.T, name string, do func(place) string) {
	t.Helper()
	var says [2]string
	for i, p := range []place{{vfs.OS(), t.TempDir()}, {NewMem("/tmp/mem"), "/tmp/mem"}} {
		says[i] = do(p.fill(t))
		says[i] += "\n" + listing(t, p, p.dir)
	}
	if says[0] != says[1] {
		t.Fatalf("%s: the real file system says\n%s\nthe model\n%s", name, says[0], says[1])
	}
}

// opened closes a file that was opened, and says whether it was.
func (p place) opened(f vfs.File, err error) string {
	if err != nil {
		return p.says("", err)
	}
	return p.says(f.Name(), f.Close())
}

var onNames = map[string]func(p place, name string) string{
	"create": func(p place, name string) string { return p.opened(p.Create(name)) },
	"open":   func(p place, name string) string { return p.opened(p.Open(name)) },
	"edit":   func(p place, name string) string { return p.opened(p.Edit(name)) },
	"mkdir":  func(p place, name string) string { return p.says("", p.Mkdir(name)) },
	"remove": func(p place, name string) string { return p.says("", p.Remove(name)) },
	"readdir": func(p place, name string) string {
		var names []string
		entries, err := p.ReadDir(name)
		for _, e := range entries {
			info, err := e.Info()
			names = append(names, fmt.Sprint(e.Name(), e.Type(), e.IsDir(), info.Name(), info.IsDir(), err))
		}
		return p.says(names, err)
	},
	"stat": func(p place, name string) string {
		info, err := p.Stat(name)
		return p.says(describe(info), err)
	},
	"lstat": func(p place, name string) string {
		info, err := p.Lstat(name)
		return p.says(describe(info), err)
	},
	"symlink": func(p place, name string) string {
		return p.says("", p.Symlink("full", name)) + p.says(p.Readlink(name))
	},
	"readlink": func(p place, name string) string { return p.says(p.Readlink(name)) },
	"resolve":  func(p place, name string) string { return p.says(p.Resolve(name)) },
	"ismount":  func(p place, name string) string { return p.says(p.IsMount(name)) },
	"syncdir":  func(p place, name string) string { return p.says("", p.SyncDir(name)) },
	"lock": func(p place, name string) string {
		f, locked, err := p.Lock(name)
		if err != nil {
			return p.says(locked, err)
		}
		_, again, err := p.Lock(name)
		return p.says(fmt.Sprint(locked, again, f.Name(), f.Close()), err)
	},
	"free": func(p place, name string) string {
		n, err := p.Free(name)
		return p.says(n > 0, err)
	},
}

func describe(info os.FileInfo) string {
	switch {
	case info == nil:
		return "nothing"
	case info.IsDir():
		return fmt.Sprint(info.Name(), info.Mode().Type())
	default:
		return fmt.Sprint(info.Name(), info.Mode().Type(), info.Size())
	}
}

// someNames are of every kind of thing that can have a name or can not.
var someNames = []string{
	"link", "into", "into/g", "into/none", "dangling", "dangling/x", "loop", "loop/x", "link/x",
	"f", "empty", "full", "full/g", "full/sub", "none", "none/x", "f/x", "full/x", "empty/x/", "full//sub/../g",
	"", "nul\x00", strings.Repeat("n", 256), strings.Repeat("n", 255), "none/" + strings.Repeat("n", 256),
}

func TestNamesInMem(t *testing.T) {
	for op, do := range onNames {
		for _, name := range someNames {
			onBoth(t, fmt.Sprintf("%s %q", op, name), func(p place) string { return do(p, p.at(name)) })
		}
	}
}

func TestPairsOfNamesInMem(t *testing.T) {
	exchanges := canExchange(t)
	pairs := []string{"link", "into/g", "f", "empty", "full", "full/g", "full/sub", "full/sub/x", "none",
		"none/x", "f/x", "", "nul\x00"}
	for _, a := range pairs {
		for _, b := range pairs {
			onBoth(t, fmt.Sprintf("rename %q %q", a, b), func(p place) string {
				return p.says("", p.Rename(p.at(a), p.at(b)))
			})
			onBoth(t, fmt.Sprintf("link %q %q", a, b), func(p place) string {
				linked := p.says("", p.Link(p.at(a), p.at(b)))
				return linked + p.says("", put(p, p.at(b), "changed")) + p.says("", p.Remove(p.at(a)))
			})
			if exchanges {
				onBoth(t, fmt.Sprintf("exchange %q %q", a, b), func(p place) string {
					return p.says("", p.Exchange(p.at(a), p.at(b)))
				})
			}
		}
	}
}

// canExchange reports whether the real file system exchanges names.
func canExchange(t *testing.T) bool {
	p := place{vfs.OS(), t.TempDir()}.fill(t)
	return p.Exchange(p.at("f"), p.at("full/g")) == nil
}

// A fileCase opens a file in some way.
type fileCase struct {
	name string
	open func(p place) (vfs.File, error)
}

var someFiles = []fileCase{
	{"a new file", func(p place) (vfs.File, error) { return p.Create(p.at("new")) }},
	{"a file for reading", func(p place) (vfs.File, error) { return p.Open(p.at("f")) }},
	{"a file for editing", func(p place) (vfs.File, error) { return p.Edit(p.at("f")) }},
	{"a directory", func(p place) (vfs.File, error) { return p.Open(p.at("full")) }},
	{"a file that is removed", func(p place) (vfs.File, error) {
		f, err := p.Edit(p.at("f"))
		return f, errors.Join(err, p.Remove(p.at("f")))
	}},
	{"a file that is replaced", func(p place) (vfs.File, error) {
		f, err := p.Edit(p.at("f"))
		return f, errors.Join(err, p.Rename(p.at("full/g"), p.at("f")))
	}},
	{"a closed file", func(p place) (vfs.File, error) {
		f, err := p.Open(p.at("f"))
		return f, errors.Join(err, f.Close())
	}},
}

var onFiles = map[string]func(p place, f vfs.File) string{
	"name":          func(p place, f vfs.File) string { return p.says(f.Name(), nil) },
	"read 3":        func(p place, f vfs.File) string { return p.read(3, f.Read) },
	"read 0":        func(p place, f vfs.File) string { return p.read(0, f.Read) },
	"read 100":      func(p place, f vfs.File) string { return p.read(100, f.Read) },
	"readat 1 2":    func(p place, f vfs.File) string { return p.readAt(f, 1, 2) },
	"readat 1 0":    func(p place, f vfs.File) string { return p.readAt(f, 1, 0) },
	"readat 0 100":  func(p place, f vfs.File) string { return p.readAt(f, 0, 100) },
	"readat 100 1":  func(p place, f vfs.File) string { return p.readAt(f, 100, 1) },
	"readat -1 1":   func(p place, f vfs.File) string { return p.readAt(f, -1, 1) },
	"write":         func(p place, f vfs.File) string { return p.says(f.Write([]byte("WRITE"))) },
	"writeat 1":     func(p place, f vfs.File) string { return p.says(f.WriteAt([]byte("AT"), 1)) },
	"writeat 5000":  func(p place, f vfs.File) string { return p.says(f.WriteAt([]byte("FAR"), 5000)) },
	"writeat -1":    func(p place, f vfs.File) string { return p.says(f.WriteAt([]byte("AT"), -1)) },
	"writeat none":  func(p place, f vfs.File) string { return p.says(f.WriteAt(nil, 20)) },
	"truncate 2":    func(p place, f vfs.File) string { return p.says("", f.Truncate(2)) },
	"truncate 4100": func(p place, f vfs.File) string { return p.says("", f.Truncate(4100)) },
	"truncate -1":   func(p place, f vfs.File) string { return p.says("", f.Truncate(-1)) },
	"sync":          func(p place, f vfs.File) string { return p.says("", f.Sync()) },
	"allocate 9000": func(p place, f vfs.File) string { return p.hint(f.Allocate(9000)) },
	"allocate -1":   func(p place, f vfs.File) string { return p.hint(f.Allocate(-1)) },
	"dropcache":     func(p place, f vfs.File) string { return p.hint(f.DropCache()) },
	"close":         func(p place, f vfs.File) string { return p.says("", f.Close()) },
	"stat": func(p place, f vfs.File) string {
		info, err := f.Stat()
		return p.says(describe(info), err)
	},
}

func (p place) read(n int, read func([]byte) (int, error)) string {
	data := make([]byte, n)
	n, err := read(data)
	return p.says(fmt.Sprintf("%q", data[:n]), err)
}

func (p place) readAt(f vfs.File, off int64, n int) string {
	return p.read(n, func(data []byte) (int, error) { return f.ReadAt(data, off) })
}

func TestFilesInMem(t *testing.T) {
	ops := slices.Sorted(maps.Keys(onFiles))
	for _, file := range someFiles {
		for _, op := range ops {
			file.onBoth(t, op)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range several(50, 20_000) {
		four := make([]string, 4)
		for i := range four {
			four[i] = ops[r.IntN(len(ops))]
		}
		someFiles[r.IntN(len(someFiles))].onBoth(t, four...)
	}
}

// onBoth opens a file and does some things with it.
func (c fileCase) onBoth(t *testing.T, ops ...string) {
	t.Helper()
	onBoth(t, fmt.Sprintf("%s: %q", c.name, ops), func(p place) string {
		f, err := c.open(p)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var said []string
		for _, op := range ops {
			said = append(said, onFiles[op](p, f))
		}
		said = append(said, p.read(9, f.Read), p.readAt(f, 0, 9000))
		return strings.Join(said, "\n")
	})
}

// several is how often something is done: n times, or many.
func several(n, many int) int { return testenv.Times(n, n, many) }

// A step is one random operation on few names, so that they often meet.
func step(r *rand.Rand, exchanges bool) func(p place) string {
	few := []string{"a", "b", "a/a", "a/b", "b/a", "b/b", "a/a/a", "a/b/a", "b/a/b"}
	a, b := few[r.IntN(len(few))], few[r.IntN(len(few))]
	text := strings.Repeat(a, r.IntN(3000))
	steps := []func(p place) string{
		func(p place) string { return "mkdir " + a + p.says("", p.Mkdir(p.at(a))) },
		func(p place) string { return "put " + a + p.says("", put(p, p.at(a), text)) },
		func(p place) string { return "remove " + a + p.says("", p.Remove(p.at(a))) },
		func(p place) string { return "rename " + a + " " + b + p.says("", p.Rename(p.at(a), p.at(b))) },
	}
	if exchanges {
		steps = append(steps, func(p place) string {
			return "exchange " + a + " " + b + p.says("", p.Exchange(p.at(a), p.at(b)))
		})
	}
	return steps[r.IntN(len(steps))]
}

func TestManyStepsInMem(t *testing.T) {
	exchanges := canExchange(t)
	for seed := range several(50, 5000) {
		r := rand.New(rand.NewPCG(uint64(seed), 0))
		real, model := place{vfs.OS(), t.TempDir()}, place{NewMem("/tmp/mem"), "/tmp/mem"}
		for range 60 {
			do := step(r, exchanges)
			if a, b := do(real), do(model); a != b {
				t.Fatalf("seed %d: the real file system says\n%s\nthe model\n%s", seed, a, b)
			}
		}
		if a, b := listing(t, real, real.dir), listing(t, model, model.dir); a != b {
			t.Fatalf("seed %d: the real file system has\n%s\nthe model\n%s", seed, a, b)
		}
	}
}
