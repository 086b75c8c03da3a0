package sink_test

import (
	"context"
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

func both([]byte) ([]bool, error) { return []bool{true, true}, nil }

// Values of Scratch: the spill files are in the staging directory, or in another one.
var scratches = []string{"", "/scratch"}

func TestReopenRuns(t *testing.T) {
	for _, scratch := range scratches {
		j := full
		j.opt.Scratch = scratch
		disk := vfstest.NewMem("/disk", "/scratch")
		j.halt(t, disk, out)
		s := j.resumed(t, disk)
		var noted string
		runs, note, err := s.ReopenSpillFiles(t.Context(), func(note []byte) ([]bool, error) {
			noted = string(note)
			return []bool{true, false}, nil
		}, j.wantRuns)
		if err != nil || len(runs) != 2 || runs[1] != nil || string(note) != `{"runs":true}` || noted != string(note) {
			t.Fatalf("%v, %s, %v", runs, note, err)
		}
		if err := j.wantRuns(runs); err != nil {
			t.Error(err)
		}
		more, err := s.CreateSpillFile("more") // what a run that is too large is divided into
		if err != nil {
			t.Fatal(err)
		}
		if _, err := more.WriteAt([]byte("x"), 0); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if got := runFiles(t, disk); got != "run-0" { // no shard needs the other
			t.Errorf("after another stop there is %q", got)
		}
	}
}

// If a spill file is missing or has changed, all are written again, and nothing is left of the old
// ones.
func TestChangedSpillFiles(t *testing.T) {
	for _, scratch := range scratches {
		for name, change := range map[string]func([]byte) []byte{
			"flipped": flip, "cut": cut, "longer": longer, "missing": nil,
			"another number is needed": func(b []byte) []byte { return b },
		} {
			j := full
			j.opt.Scratch = scratch
			disk := vfstest.NewMem("/disk", "/scratch")
			j.halt(t, disk, out)
			var file string
			for at := range treeIn(t, disk, "/") {
				if path.Base(at) == "run-1" {
					file = "/" + at
				}
			}
			if change != nil {
				edit(t, disk, file, change)
			} else if err := disk.Remove(file); err != nil {
				t.Fatal(err)
			}
			needs := both
			if strings.HasPrefix(name, "another") {
				needs = func([]byte) ([]bool, error) { return []bool{true}, nil }
			}
			var warned []string
			j.opt.Warn = func(m string) { warned = append(warned, m) }
			s := j.resumed(t, disk)
			runs, _, err := s.ReopenSpillFiles(t.Context(), needs, j.wantRuns)
			if runs != nil || err != nil || len(warned) != 1 || !strings.Contains(warned[0], "written again") {
				t.Errorf("%s: %v, %v, warnings %q", name, runs, err, warned)
			}
			if got := runFiles(t, disk); got != "" {
				t.Errorf("%s: there is %s", name, got)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			r := &attempt{job: j}
			if err := r.build(t.Context(), disk, out); err != nil || len(r.made) > 0 {
				t.Errorf("%s: %v, made %v", name, err, r.made)
			}
		}
	}
}

// A run that is stopped while it reopens spill files leaves them for the next run.
func TestSpillFilesSurviveAStopDuringReopening(t *testing.T) {
	wrong := errors.New("wrong")
	for _, scratch := range scratches {
		j := full
		j.opt.Scratch = scratch
		disk := vfstest.NewMem("/disk", "/scratch")
		j.halt(t, disk, out)
		ctx, cancel := context.WithCancel(t.Context())
		for want, needs := range map[error]func([]byte) ([]bool, error){
			context.Canceled: func(note []byte) ([]bool, error) { cancel(); return both(note) },
			wrong:            func([]byte) ([]bool, error) { return nil, wrong },
		} {
			s := j.resumed(t, disk)
			if _, _, err := s.ReopenSpillFiles(ctx, needs, j.wantRuns); !errors.Is(err, want) {
				t.Errorf("%v", err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if got := runFiles(t, disk); got != "run-0 run-1" {
				t.Errorf("after %v there is %q", want, got)
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
			runs, _, err := s.ReopenSpillFiles(t.Context(), both, j.wantRuns)
			if taken := runs != nil; err != nil || taken != (scratch == then) {
				t.Errorf("from %q to %q: %v, %v", scratch, then, runs, err)
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
		if _, err := r.takeRuns(t.Context(), s); err != nil {
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
			if _, _, err := s.ReopenSpillFiles(t.Context(), both, j.wantRuns); err != nil {
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
		if _, err := s.CreateSpillFile("run-0"); err != nil || gone == 0 {
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
