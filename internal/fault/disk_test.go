package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
)

// copyOf is another disk with the same on it, durably, where nothing is open or
// locked.
func copyOf(disk *vfstest.Mem) *vfstest.Mem {
	return disk.Crash(vfstest.Crash{Keep: 1, Names: vfstest.NamesKept})
}

// contents are the files below a directory, by path; directories end with a slash.
type contents map[string]string

func contentsOf(t testing.TB, disk vfs.FS, dir string) contents {
	t.Helper()
	c := contents{}
	entries, err := disk.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return c
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			c[path+"/"] = ""
			maps.Copy(c, contentsOf(t, disk, path))
			continue
		}
		if e.Type() == fs.ModeSymlink {
			target, err := disk.Readlink(path)
			if err != nil {
				t.Fatal(err)
			}
			c[path] = "-> " + target
			continue
		}
		data, err := vfstest.ReadFile(disk, path)
		if err != nil {
			t.Fatal(err)
		}
		c[path] = string(data)
	}
	return c
}

// realContents are the files below a directory of the real disk, as if it were the
// directory that jobs work in.
func realContents(t testing.TB, dir string) contents {
	t.Helper()
	c := contents{}
	for path, text := range contentsOf(t, vfs.OS(), dir) {
		c[work+strings.TrimPrefix(path, dir)] = text
	}
	return c
}

// below are the contents of a directory of c, without the directory.
func (c contents) below(dir string) contents {
	part := maps.Clone(c)
	maps.DeleteFunc(part, func(path, _ string) bool { return !strings.HasPrefix(path, dir+"/") || path == dir+"/" })
	return part
}

// published are the contents without the hidden directories.
func (c contents) published() contents {
	part := maps.Clone(c)
	maps.DeleteFunc(part, func(path, _ string) bool { return strings.HasPrefix(path, work+"/.out") })
	return part
}

// difference names what is not the same in two contents.
func (c contents) difference(other contents) string {
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(c)) {
		switch text, ok := other[path]; {
		case !ok:
			fmt.Fprintf(&b, "\n%s is missing", path)
		case text != c[path]:
			fmt.Fprintf(&b, "\n%s differs", path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(other)) {
		if _, ok := c[path]; !ok {
			fmt.Fprintf(&b, "\n%s is new", path)
		}
	}
	return b.String()
}

// journalled are the shards that the journal in the hidden directory has a line of,
// up to the first line that is not whole.
func journalled(t testing.TB, disk vfs.FS) map[string]bool {
	t.Helper()
	shards := map[string]bool{}
	data, err := vfstest.ReadFile(disk, filepath.Join(hidden, "journal"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		sum, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if sum != fmt.Sprintf("%08x", crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli))) {
			break
		}
		var entry struct{ Shard struct{ Name string } }
		if err := json.Unmarshal([]byte(text), &entry); err != nil {
			t.Fatal(err)
		}
		if entry.Shard.Name != "" {
			shards[entry.Shard.Name] = true
		}
	}
	return shards
}

// made are the shards that were begun in a run.
func made(ops []vfstest.Op) map[string]bool {
	shards := map[string]bool{}
	for _, op := range ops {
		name, inData := strings.CutPrefix(op.Name, hidden+"/data/")
		directory, base := filepath.Split(name)
		isShard := slices.ContainsFunc([]string{".train-", ".test-", ".part-"},
			func(p string) bool { return strings.HasPrefix(base, p) })
		if op.Kind == "create" && inData && isShard {
			shards[directory+strings.TrimSuffix(base[1:], ".tmp")] = true
		}
	}
	return shards
}

// intersect returns the names in both sets.
func intersect(a, b map[string]bool) map[string]bool {
	names := maps.Clone(a)
	maps.DeleteFunc(names, func(name string, _ bool) bool { return !b[name] })
	return names
}

// notAgain fails the test when a run made shards that were finished.
func notAgain(t testing.TB, finished map[string]bool, ops []vfstest.Op, how string) {
	t.Helper()
	if again := intersect(finished, made(ops)); len(again) > 0 {
		t.Fatalf("%s: made again: %q", how, slices.Sorted(maps.Keys(again)))
	}
}

// expectOldOrNew fails the test unless what is published at the output is what was
// there before the job, or all of what it makes. Only where directories cannot be
// exchanged may there be nothing in between, with the old dataset set aside.
func (l *laid) expectOldOrNew(t testing.TB, disk vfs.FS, how string) {
	t.Helper()
	is := contentsOf(t, disk, output)
	aside := contentsOf(t, disk, hidden+"/old")
	switch {
	case maps.Equal(is, l.old), maps.Equal(is, l.want.below(output)):
	case l.unsupported != nil && len(is) == 0 && len(aside) == len(l.old):
	default:
		t.Fatalf("%s: at the output is neither the old nor the new dataset: %d files", how, len(is))
	}
}

// finish runs the job undisturbed on a disk that an earlier run left, and fails
// the test unless it comes to what it is to come to, and durably. What the
// journal had a line of is not made again.
func (l *laid) finish(t testing.TB, disk *vfstest.Mem, how string) (ops []vfstest.Op) {
	t.Helper()
	finished := journalled(t, disk)
	ops = l.expectNext(t, disk, how)
	notAgain(t, finished, ops, how)
	after := contentsOf(t, disk.Crash(vfstest.Crash{}), work)
	if d := l.want.published().difference(after.published()); d != "" {
		t.Fatalf("%s: the next run said it was done, and the power went:%s", how, d)
	}
	return ops
}

// expectNext runs the job undisturbed on a disk that an earlier run left, and fails
// the test when the disk then is another one than after an only run.
func (l *laid) expectNext(t testing.TB, disk *vfstest.Mem, how string) []vfstest.Op {
	t.Helper()
	ops, err := l.build(t, disk, nil)
	if err != nil {
		t.Fatalf("%s: the next run: %v", how, err)
	}
	if d := l.want.difference(contentsOf(t, disk, work)); d != "" {
		t.Fatalf("%s: the next run left another disk:%s", how, d)
	}
	return ops
}
