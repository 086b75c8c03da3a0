package sink_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// versionsOf are versions in a directory, v1.0.0 and so on.
func versionsOf(dir string, keep int) *sink.Versions {
	return &sink.Versions{Dir: dir, Before: "v", Dataset: "d", Link: "current", Keep: keep,
		Sidecars: func(output string) []*sink.Sidecar {
			return []*sink.Sidecar{{Path: output + ".rejects", What: "rejects",
				IsOwn: func(head []byte) bool { return string(head) == "ours" }}}
		}}
}

// version publishes a dataset of one shard, and then sets the link and removes older versions.
func version(t *testing.T, fsys vfs.FS, vs *sink.Versions, number string, opt sink.Options) (removed []string,
	err error) {
	t.Helper()
	output := filepath.Join(vs.Dir, "v"+number)
	s, err := sink.Open(over(fsys), output, opt)
	if err != nil {
		return nil, err
	}
	if s.Found() != sink.Dataset {
		err = publishVersion(t, s, number)
	}
	if err == nil {
		_, err = vs.PointTo(s)
	}
	if err == nil {
		removed, err = vs.RemoveOlder(s)
	}
	return removed, errors.Join(err, s.Close())
}

func publishVersion(t *testing.T, s *sink.Stage, number string) error {
	if err := s.Begin([]byte("job")); err != nil {
		return err
	}
	sh, err := s.CreateShard("train", sink.ShardOptions{Blocks: 1})
	if err != nil {
		return err
	}
	if _, err := sh.WriteBlock(t.Context(), 0, []byte("shard of "+number), nil); err != nil {
		return err
	}
	sum, err := sh.Finish(t.Context(), sink.About{})
	if err != nil {
		return err
	}
	manifest := fmt.Sprintf(`{"tool": "tfr-build", "name": "d", "version": %q, "splits": [{"shards": [{"name": %q}]}]}`,
		number, sum.Name)
	for _, f := range [][2]string{{sink.ManifestName, manifest}, {"_SUCCESS", "done"}} {
		if err := s.WriteFile(f[0], []byte(f[1])); err != nil {
			return err
		}
	}
	return s.Commit([]byte("state"))
}

// mustVersion publishes a version and returns the names of those that were removed.
func mustVersion(t *testing.T, vs *sink.Versions, number string) string {
	t.Helper()
	removed, err := version(t, vfs.OS(), vs, number, sink.Options{})
	if err != nil {
		t.Fatalf("%s: %v", number, err)
	}
	var list []string
	for _, path := range removed {
		list = append(list, filepath.Base(path))
	}
	return strings.Join(list, " ")
}

func namesOf(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

// TestVersions checks that older versions are removed by number, with their sidecar files.
func TestVersions(t *testing.T) {
	dir := t.TempDir()
	vs := versionsOf(dir, 2)
	for _, step := range [][2]string{{"1.9.0", ""}, {"1.10.0", ""}, {"1.11.0", "v1.9.0"}, {"1.2.0", ""},
		{"1.12.0", "v1.10.0 v1.2.0"}} {
		write(t, filepath.Join(dir, "v"+step[0]+".rejects"), "ours")
		if got := mustVersion(t, vs, step[0]); got != step[1] {
			t.Errorf("%s: removed %q, want %q", step[0], got, step[1])
		}
		if got, err := os.Readlink(filepath.Join(dir, "current")); got != "v"+step[0] {
			t.Errorf("%s: the link leads to %q, %v", step[0], got, err)
		}
	}
	if got, want := namesOf(t,
		dir), ".v1.11.0.tfr .v1.12.0.tfr current v1.11.0 v1.11.0.rejects v1.12.0 v1.12.0.rejects"; got != want {
		t.Errorf("there is %s\nwant     %s", got, want)
	}
	if got := mustVersion(t, vs, "1.11.0"); got != "" {
		t.Errorf("going back removed %s", got)
	}
	if got, _ := os.Readlink(filepath.Join(dir, "current")); got != "v1.11.0" {
		t.Errorf("after going back the link leads to %q", got)
	}
}

// TestVersionsThatStay checks that foreign, linked, and needed directories are not removed.
func TestVersionsThatStay(t *testing.T) {
	for name, lay := range map[string]func(t *testing.T, vs *sink.Versions, dir string){
		"a file of others": func(t *testing.T, _ *sink.Versions, dir string) { write(t, dir+"/v1.0.0/notes", "mine") },
		"another link":     func(t *testing.T, _ *sink.Versions, dir string) { link(t, "v1.0.0", dir+"/stable") },
		"a link to a file": func(t *testing.T, _ *sink.Versions, dir string) {
			link(t, dir+"/v1.0.0/train", dir+"/rows")
		},
		"a link through others": func(t *testing.T, _ *sink.Versions, dir string) {
			link(t, dir+"/v1.0.0", dir+"/away/to")
			link(t, "away/to", dir+"/stable")
		},
		"no manifest": func(t *testing.T, _ *sink.Versions, dir string) {
			remove(t, dir+"/v1.0.0/_tfr/manifest.json")
		},
		"another name": func(_ *testing.T, vs *sink.Versions, _ string) { vs.Dataset = "other" },
		"another version": func(t *testing.T, _ *sink.Versions, dir string) {
			write(t, dir+"/v1.0.0/_tfr/manifest.json", `{"tool": "tfr-build", "name": "d", "version": "7.0.0"}`)
		},
		"needed": func(_ *testing.T, vs *sink.Versions, dir string) {
			vs.Stays = func(p string) bool { return p == dir+"/v1.0.0" }
		},
		"claimed": func(t *testing.T, _ *sink.Versions, dir string) { write(t, dir+"/.v1.0.0.tfr/claim", "tasks") },
		"stopped": func(t *testing.T, _ *sink.Versions, dir string) { write(t, dir+"/.v1.0.0.tfr/journal", "run") },
		"foreign": func(t *testing.T, _ *sink.Versions, dir string) { write(t, dir+"/.v1.0.0.tfr/lock", "of others") },
		"locked": func(t *testing.T, _ *sink.Versions, dir string) {
			s, err := sink.Open(store.OS(), dir+"/v1.0.0", sink.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
		},
		"all":         func(_ *testing.T, vs *sink.Versions, _ string) { vs.Keep = 0 },
		"keep enough": func(_ *testing.T, vs *sink.Versions, _ string) { vs.Keep = 3 },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(dir+"/away", 0o777); err != nil {
				t.Fatal(err)
			}
			vs := versionsOf(dir, 2)
			mustVersion(t, vs, "1.0.0")
			mustVersion(t, vs, "1.1.0")
			lay(t, vs, dir)
			before := list(t, dir, "v1.0.0", ".v1.0.0.tfr")
			if got := mustVersion(t, vs, "1.2.0"); got != "" {
				t.Errorf("removed %s", got)
			}
			if got := list(t, dir, "v1.0.0", ".v1.0.0.tfr"); got != before {
				t.Errorf("it has now %s\nand had %s", got, before)
			}
		})
	}
}

// list names the files in directories of dir, without locks.
func list(t *testing.T, dir string, directories ...string) string {
	t.Helper()
	var all []string
	for _, name := range directories {
		for _, file := range strings.Fields(names(tree(t, filepath.Join(dir, name)))) {
			all = append(all, name+"/"+file)
		}
	}
	return strings.Join(all, " ")
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

// TestVersionsWithoutLocks checks that all versions stay, because a run may be working on any
// of them.
func TestVersionsWithoutLocks(t *testing.T) {
	dir := t.TempDir()
	vs := versionsOf(dir, 1)
	mustVersion(t, vs, "1.0.0")
	var warned []string
	removed, err := version(t, unlocked{vfs.OS()}, vs, "1.1.0",
		sink.Options{Warn: func(m string) { warned = append(warned, m) }})
	if err != nil || removed != nil || !slices.ContainsFunc(warned,
		func(m string) bool { return strings.Contains(m, "older versions stay") }) {
		t.Errorf("removed %q, %v, warned %q", removed, err, warned)
	}
}

// TestLinkNameIsTaken checks that a foreign file under the name of the link stays.
func TestLinkNameIsTaken(t *testing.T) {
	for name, lay := range map[string]func(t *testing.T, path string){
		"a file":                  func(t *testing.T, path string) { write(t, path, "text") },
		"a directory":             func(t *testing.T, path string) { write(t, path+"/file", "text") },
		"a link elsewhere":        func(t *testing.T, path string) { link(t, "/elsewhere/v1.0.0", path) },
		"a link to no version":    func(t *testing.T, path string) { link(t, "v1.0", path) },
		"a link into a version":   func(t *testing.T, path string) { link(t, "v1.0.0/_tfr", path) },
		"a link to a zero before": func(t *testing.T, path string) { link(t, "v1.0.01", path) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			vs := versionsOf(dir, 1)
			lay(t, filepath.Join(dir, "current"))
			before := fmt.Sprint(names(tree(t, dir)))
			if err := vs.Check(store.OS().Local(), filepath.Join(dir, "v1.0.0")); !errors.Is(err, sink.ErrNotOwned) {
				t.Errorf("Check: %v", err)
			}
			if _, err := version(t, vfs.OS(), vs, "1.0.0", sink.Options{}); !errors.Is(err, sink.ErrNotOwned) {
				t.Errorf("PointTo: %v", err)
			}
			if after := fmt.Sprint(names(tree(t, dir))); !strings.Contains(after, before) {
				t.Errorf("there was %s, and is %s", before, after)
			}
		})
	}
	dir := t.TempDir()
	link(t, "elsewhere", filepath.Join(dir, "v1.0.0"))
	if err := versionsOf(dir, 1).Check(store.OS().Local(), filepath.Join(dir, "v1.0.0")); !errors.Is(err,
		sink.ErrNotOwned) {
		t.Errorf("a version that is a link: %v", err)
	}
}

// TestReadersOfVersions checks that a reader keeps the version that it has opened. A path
// through the link always leads to a complete version.
func TestReadersOfVersions(t *testing.T) {
	dir := t.TempDir()
	vs := versionsOf(dir, 2)
	mustVersion(t, vs, "1.0.0")
	older, err := os.Open(filepath.Join(dir, "current", "train"))
	if err != nil {
		t.Fatal(err)
	}
	defer older.Close()
	ended, seen := make(chan struct{}), make(chan string)
	go func() {
		defer close(seen)
		for last := ""; ; {
			text, err := os.ReadFile(filepath.Join(dir, "current", "train"))
			if now := fmt.Sprint(string(text), err); now != last {
				last = now
				seen <- now
			}
			select {
			case <-ended:
				return
			default:
			}
		}
	}()
	go func() {
		defer close(ended)
		for _, number := range []string{"1.1.0", "1.2.0", "1.3.0"} {
			if _, err := version(t, vfs.OS(), vs, number, sink.Options{}); err != nil {
				t.Error(err)
			}
		}
	}()
	want := []string{"shard of 1.0.0<nil>", "shard of 1.1.0<nil>", "shard of 1.2.0<nil>", "shard of 1.3.0<nil>"}
	for got := range seen {
		if !slices.Contains(want, got) {
			t.Errorf("through the link: %s", got)
		}
	}
	if text, err := io.ReadAll(older); string(text) != "shard of 1.0.0" || err != nil {
		t.Errorf("the file that was open: %q, %v", text, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "current", "train")); string(text) != "shard of 1.3.0" {
		t.Errorf("through the link in the end: %q, %v", text, err)
	}
}

// TestVersionsStoppedAnywhere stops the update of versions before each operation, by a kill and
// by a power loss. The link always leads to a complete dataset, and each existing version is
// complete. The next run has the result of an undisturbed run.
func TestVersionsStoppedAnywhere(t *testing.T) {
	const dir = "/disk"
	vs := versionsOf(dir, 2)
	before := vfstest.NewMem(dir)
	for _, number := range []string{"1.0.0", "1.1.0"} {
		if _, err := version(t, before, vs, number, sink.Options{Sync: true}); err != nil {
			t.Fatal(err)
		}
	}
	before = before.Crash(vfstest.Crash{Keep: 1, Names: vfstest.NamesKept})
	whole := vfstest.Crash{Keep: 1, Names: vfstest.NamesKept}
	disk := before.Crash(whole)
	if _, err := version(t, disk, vs, "1.2.0", sink.Options{Sync: true}); err != nil {
		t.Fatal(err)
	}
	want := diskTree(t, disk, dir)
	if !strings.Contains(want, "current ─► v1.2.0") || strings.Contains(want, "1.0.0") {
		t.Fatalf("undisturbed it leaves\n%s", want)
	}
	for n := 0; ; n += testenv.Times(11, 1, 1) {
		disk := before.Crash(whole)
		stop := vfstest.NewInject(disk, vfstest.From(n, vfstest.ErrStopped))
		_, _ = version(t, stop, vs, "1.2.0", sink.Options{Sync: true}) // what the dead say counts for nothing
		if len(stop.Ops()) <= n {
			break
		}
		op := stop.Ops()[n]
		for how, c := range map[string]vfstest.Crash{
			"killed": whole, "names lost": {}, "names each": {Seed: uint64(n), Names: vfstest.NamesEach},
			"names kept": {Names: vfstest.NamesKept},
		} {
			left := disk.Crash(c)
			at := fmt.Sprintf("%s before operation %d, %s", how, n, op)
			wholeVersions(t, left, dir, at)
			if _, err := version(t, left, vs, "1.2.0", sink.Options{Sync: true}); err != nil {
				t.Fatalf("%s: the next run: %v", at, err)
			}
			if got := diskTree(t, left, dir); got != want {
				t.Fatalf("%s: the next run leaves\n%s\nwant\n%s", at, got, want)
			}
		}
	}
}

// wholeVersions fails the test unless the link leads to an existing version, and each version
// is complete.
func wholeVersions(t *testing.T, fsys vfs.FS, dir, how string) {
	t.Helper()
	if text, err := vfstest.ReadFile(fsys, dir+"/current/train"); err != nil ||
		!strings.HasPrefix(string(text), "shard of ") {
		t.Errorf("%s: through the link: %q, %v", how, text, err)
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "v") {
			continue
		}
		for _, name := range []string{"train", "_SUCCESS", sink.ManifestName} {
			if text, err := vfstest.ReadFile(fsys, filepath.Join(dir, e.Name(), name)); err != nil || len(text) == 0 {
				t.Errorf("%s: %s/%s: %q, %v", how, e.Name(), name, text, err)
			}
		}
	}
}

// diskTree lists a directory, with the text of its files, except locks.
func diskTree(t *testing.T, fsys vfs.FS, dir string) string {
	t.Helper()
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			b.WriteString(path + "/\n" + diskTree(t, fsys, path))
		case e.Type() != 0:
			target, err := fsys.Readlink(path)
			fmt.Fprintf(&b, "%s ─► %s %v\n", path, target, err)
		case e.Name() != "lock":
			text, err := vfstest.ReadFile(fsys, path)
			fmt.Fprintf(&b, "%s %q %v\n", path, text, err)
		}
	}
	return b.String()
}
