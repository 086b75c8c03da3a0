package sink_test

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// runFiles lists all spill files on the disk.
func runFiles(t *testing.T, disk *vfstest.Mem) string {
	t.Helper()
	var list []string
	for name := range treeIn(t, disk, "/") {
		if strings.HasPrefix(path.Base(name), "run-") {
			list = append(list, path.Base(name))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// resumed opens a stage on the leftovers of a stopped run and resumes it.
func (j job) resumed(t *testing.T, disk vfs.FS) *sink.Stage {
	t.Helper()
	s, err := sink.Open(over(disk), out, j.opt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Resume(t.Context(), sink.XXH128); err != nil {
		t.Fatal(err)
	}
	return s
}

// Values of Scratch: the spill files are in the staging directory, or in another one.
var scratches = []string{"", "/scratch"}

// TestSpillDirectory resumes a run: its directory has what stays, and loses the rest. The next run finds it again,
// also if this one is stopped.
func TestSpillDirectory(t *testing.T) {
	for _, scratch := range scratches {
		for name, stay := range map[string]string{"run-0 run-1": "runs", "": "others"} {
			j := full
			j.opt.Scratch = scratch
			disk := vfstest.NewMem("/disk", "/scratch")
			j.halt(t, disk, out)
			for range 2 {
				s := j.resumed(t, disk)
				dir, err := s.SpillDirectory(stay)
				if err == nil {
					err = disk.Mkdir(dir + "/" + "more")
				}
				if again, failed := s.SpillDirectory(stay); err != nil || failed != nil || again != dir {
					t.Fatalf("%s, %v, then %s, %v", dir, err, again, failed)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				if got := runFiles(t, disk); got != name {
					t.Errorf("with %s in %q there is %q", stay, scratch, got)
				}
			}
			r := &attempt{job: j}
			if err := r.build(t.Context(), disk, out); err != nil || len(r.made) > 0 {
				t.Errorf("%v, made %v", err, r.made)
			}
		}
	}
}

// Spill files are removed with their run, even if the directory for them has changed since.
func TestSpillFilesAreRemoved(t *testing.T) {
	for _, scratch := range scratches {
		for _, then := range []string{"", "/scratch", "/else"} {
			for name, drop := range map[string]func(s *sink.Stage) error{
				"dropped": func(s *sink.Stage) error { return s.DropSpillFiles() },
				"begun":   func(s *sink.Stage) error { return s.Begin([]byte("another job")) },
				"given up": func(s *sink.Stage) error {
					_, err := s.Resume(t.Context(), sink.XXH128)
					return errors.Join(err, s.Drop())
				},
			} {
				j := full
				j.opt.Scratch = scratch
				disk := vfstest.NewMem("/disk", "/scratch", "/else")
				j.halt(t, disk, out)
				j.opt.Scratch = then
				s, err := sink.Open(over(disk), out, j.opt)
				if err != nil {
					t.Fatal(err)
				}
				if err := errors.Join(drop(s), s.Close()); err != nil {
					t.Error(err)
				}
				if got := runFiles(t, disk); got != "" {
					t.Errorf("%s, from %q to %q: there is %s", name, scratch, then, got)
				}
			}
			j := full
			j.opt.Scratch = scratch
			disk := vfstest.NewMem("/disk", "/scratch", "/else")
			j.halt(t, disk, out)
			j.opt.Scratch = then
			s := j.resumed(t, disk)
			if _, err := s.SpillDirectory("runs"); err != nil {
				t.Errorf("from %q to %q: %v", scratch, then, err)
			}
			if got := runFiles(t, disk); (got != "") != (scratch == then) {
				t.Errorf("from %q to %q: there is %s", scratch, then, got)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// Drop removes the spill files that this run recorded itself.
func TestDropRemovesTheSpillFilesOfThisRun(t *testing.T) {
	for _, scratch := range scratches {
		j := full
		j.opt.Scratch = scratch
		disk := vfstest.NewMem("/disk", "/scratch")
		s, err := sink.Open(over(disk), out, j.opt)
		if err != nil {
			t.Fatal(err)
		}
		r := &attempt{job: j}
		if err := r.start(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if _, err := r.takeRuns(disk, s); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Drop(), s.Close()); err != nil {
			t.Error(err)
		}
		if got := keys(treeIn(t, disk, staging(out))) + runFiles(t, disk); got != "lock" {
			t.Errorf("there is %s", got)
		}
	}
}

// A journal that names a directory of others as that of the spill files does not cause its
// removal.
func TestUnknownSpillFilesStay(t *testing.T) {
	theirs := full
	theirs.opt.Scratch = "/scratch"
	disk := vfstest.NewMem("/disk", "/other", "/scratch", "/mine/spill")
	theirs.halt(t, disk, "/other/out")
	full.halt(t, disk, "/other/out2")
	var apart string
	for name := range treeIn(t, disk, "/scratch") {
		apart = "/scratch/" + path.Dir(path.Dir(name)) + "/spill"
		if strings.Contains(name, "spill") {
			apart = "/scratch/" + path.Dir(name)
			break
		}
	}
	f, err := disk.Create("/mine/spill/mine")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	before := keys(treeIn(t, disk, "/other")) + keys(treeIn(t, disk, "/scratch")) + keys(treeIn(t, disk, "/mine"))
	for _, dir := range []string{apart, "/other/.out2.tfr/spill", "/mine/spill", "/mine", "/", "..", "relative/spill",
		"/scratch/../mine/spill"} {
		after := copyOf(disk)
		full.halt(t, after, out)
		sink.NoteRuns(t, after, staging(out), dir)
		var warned []string
		j := full
		j.opt.Warn = func(m string) { warned = append(warned, m) }
		s := j.resumed(t, after)
		if err := s.DropSpillFiles(); err != nil {
			t.Error(err)
		}
		if len(warned) != 1 || !strings.Contains(warned[0], "spill files of a stopped run are left in "+dir) {
			t.Errorf("%s: warnings %q", dir, warned)
		}
		if got := keys(treeIn(t, after, "/other")) + keys(treeIn(t, after, "/scratch")) +
			keys(treeIn(t, after, "/mine")); got != before {
			t.Errorf("%s: there is %s", dir, got)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Files of other programs in the directory for spill files stay, with the directory.
func TestUnknownFilesInScratchStay(t *testing.T) {
	for _, then := range []string{"", "/scratch"} {
		j := full
		j.opt.Scratch = "/scratch"
		disk := vfstest.NewMem("/disk", "/scratch")
		j.halt(t, disk, out)
		entries, err := disk.ReadDir("/scratch")
		if err != nil || len(entries) != 1 {
			t.Fatal(entries, err)
		}
		own := "/scratch/" + entries[0].Name()
		j.opt.Scratch = then
		s := j.resumed(t, disk)
		if then != "" {
			if _, err := s.SpillDirectory("runs"); err != nil {
				t.Error(err)
			}
		}
		f, err := disk.Create(own + "/mine")
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Close(), s.Drop(), s.Close()); err != nil {
			t.Error(err)
		}
		if got := keys(treeIn(t, disk, own)); got != "lock mine" {
			t.Errorf("there is %q", got)
		}
	}
}

// The directory for spill files is found again through a link to the output.
func TestScratchOfALinkedOutput(t *testing.T) {
	base := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(base, "real"), 0o777),
		os.Symlink("real", filepath.Join(base, "link"))); err != nil {
		t.Fatal(err)
	}
	j := full
	j.opt.Sync, j.opt.Scratch = false, filepath.Join(base, "scratch")
	j.halt(t, vfs.OS(), filepath.Join(base, "link", "out"))
	j.opt.Scratch = ""
	j.mustBuild(t, filepath.Join(base, "real", "out"))
	if left := names(tree(t, filepath.Join(base, "scratch"))); left != "" {
		t.Errorf("there is %s", left)
	}
}

// A process that locks the directory for spill files while its last holder removes it creates
// it again.
func TestScratchIsRemovedWhileItIsLocked(t *testing.T) {
	for _, kind := range []string{"lstat", "lock"} {
		disk := vfstest.NewMem("/disk", "/scratch")
		j := small
		j.opt.Scratch = "/scratch"
		gone := 0
		in := vfstest.NewInject(disk, func(_ int, op vfstest.Op) error {
			if op.Kind == kind && strings.HasPrefix(op.Name, "/scratch/.out-") && gone < 2 {
				gone++
				own := "/" + strings.Join(strings.Split(op.Name, "/")[1:3], "/")
				if err := vfs.RemoveAll(disk, own); err != nil {
					return err
				}
			}
			return nil
		})
		s, err := sink.Open(over(in), out, j.opt)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Begin(nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.SpillDirectory(); err != nil || gone == 0 {
			t.Errorf("%s: %v, gone %d times", kind, err, gone)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Spill files in a directory that is locked, of another run, or unreadable do not stop a run.
func TestSpillFilesThatCannotBeRemoved(t *testing.T) {
	j := full
	j.opt.Scratch = "/scratch"
	disk := vfstest.NewMem("/disk", "/scratch")
	j.halt(t, disk, out)
	entries, err := disk.ReadDir("/scratch")
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	own := "/scratch/" + entries[0].Name()
	for name, lay := range map[string]func(disk *vfstest.Mem, op vfstest.Op) error{
		"locked":         nil,
		"of another run": func(disk *vfstest.Mem, _ vfstest.Op) error { return nil },
		"broken": func(_ *vfstest.Mem, op vfstest.Op) error {
			if op.Name == own {
				return syscall.EIO
			}
			return nil
		},
		"undeletable": func(_ *vfstest.Mem, op vfstest.Op) error {
			if op.Kind == "remove" && path.Base(op.Name) == "run-0" {
				return syscall.EACCES
			}
			return nil
		},
	} {
		after := copyOf(disk)
		switch name {
		case "locked":
			f, _, err := after.Lock(own + "/lock")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
		case "of another run":
			edit(t, after, own+"/lock", func([]byte) []byte { return []byte("mine") })
		}
		in := vfstest.NewInject(after, func(_ int, op vfstest.Op) error {
			if lay == nil {
				return nil
			}
			return lay(after, op)
		})
		var warned []string
		k := full
		k.opt.Warn = func(m string) { warned = append(warned, m) }
		s := k.resumed(t, in)
		if err := errors.Join(s.DropSpillFiles(), s.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(warned) != 1 || !strings.Contains(warned[0], "are left in "+own+"/spill") {
			t.Errorf("%s: warnings %q", name, warned)
		}
	}
}
