package sink_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// halt runs the job until only the commit is missing, and stops.
func (j job) halt(t *testing.T, fsys vfs.FS, output string) {
	t.Helper()
	s, err := sink.Open(over(fsys), output, j.opt)
	if err != nil {
		t.Fatal(err)
	}
	r := &attempt{job: j}
	if err := r.start(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if _, err := r.takeRuns(fsys, s); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.writeShards(t.Context(), s), s.Close()); err != nil {
		t.Fatal(err)
	}
}

// edit changes a file on a disk.
func edit(t *testing.T, fsys vfs.FS, name string, change func([]byte) []byte) {
	t.Helper()
	data, err := vfstest.ReadFile(fsys, name)
	if err == nil {
		err = fsys.Remove(name)
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := fsys.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Write(change(data))
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func flip(b []byte) []byte   { b[len(b)/2] ^= 4; return b }
func cut(b []byte) []byte    { return b[:len(b)-1] }
func longer(b []byte) []byte { return append(b, 0) }

// Finished shards of a stopped run are reused if they are unchanged, and made again otherwise.
// The dataset is the same.
func TestResume(t *testing.T) {
	const shard, rejects = "/data/train-00001-of-00003", "/rejects/train-00001-of-00003"
	const statistics = "/statistics/train-00001-of-00003"
	const index = "/data/_tfr/index/train-00001-of-00003.idx"
	remove := func(b []byte) []byte { return nil }
	full := full.withIndexes()
	for _, test := range []struct {
		name   string
		file   string
		change func([]byte) []byte // nil: it is removed
		kept   int
	}{
		{"nothing", "/lock", func(b []byte) []byte { return b }, 3},
		{"one bit of a shard", shard, flip, 2},
		{"a shard cut", shard, cut, 2},
		{"an empty shard", shard, remove, 2},
		{"a shard with a byte more", shard, longer, 2},
		{"a missing shard", shard, nil, 2},
		{"one bit of rejects", rejects, flip, 2},
		{"rejects cut", rejects, cut, 2},
		{"rejects with a byte more", rejects, longer, 2},
		{"missing rejects", rejects, nil, 2},
		{"one bit of statistics", statistics, flip, 2},
		{"missing statistics", statistics, nil, 2},
		{"one bit of an index", index, flip, 2},
		{"an index cut", index, cut, 2},
		{"a missing index", index, nil, 2},
		{"a missing journal", "/journal", nil, -1},
		{"a journal cut", "/journal", cut, 2},
		{"a journal damaged in the middle", "/journal", flip, 1},
		{"a missing job", "/job.json", nil, -1},
		{"another job", "/job.json", flip, -1},
		{"a job that is too long", "/job.json", func([]byte) []byte { return make([]byte, 2<<20) }, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			disk := vfstest.NewMem("/disk")
			full.halt(t, disk, out)
			if test.change == nil {
				if err := disk.Remove(staging(out) + test.file); err != nil {
					t.Fatal(err)
				}
			} else {
				edit(t, disk, staging(out)+test.file, test.change)
			}
			var warned []string
			r := &attempt{job: full}
			r.opt.Warn = func(m string) { warned = append(warned, m) }
			if err := r.build(t.Context(), disk, out); err != nil {
				t.Fatal(err)
			}
			if len(r.kept) != max(0, test.kept) || len(r.made) != 3-max(0, test.kept) {
				t.Errorf("kept %d, made %v", len(r.kept), r.made)
			}
			said := strings.Contains(strings.Join(warned, "\n"), "train-00001-of-00003 of the stopped run is made "+
				"again: ")
			if isFile := strings.Contains(test.file, "train"); said != isFile {
				t.Errorf("warnings %q", warned)
			}
			if !r.isIn(disk, out) || keys(treeIn(t, disk, staging(out))) != "lock state.json" {
				t.Errorf("there is %s", keys(treeIn(t, disk, "/disk")))
			}
		})
	}
}

// Unfinished files in the staging directory are removed.
func TestResumeRemovesUnfinishedFiles(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	full.halt(t, vfs.OS(), output)
	want := names(tree(t, staging(output)))
	for _, stray := range []string{
		"data/.a.tmp", "data/stray", "data/folder/stray", "data/_tfr/manifest.json", "rejects/stray", "rejects/.a.tmp",
		"statistics/stray",
		"rejects/train-00000-of-00003", ".journal.tmp", ".state.json.tmp", "gone/stray", "stray",
	} {
		write(t, filepath.Join(staging(output), stray), "x")
	}
	s, err := sink.Open(store.OS(), output, full.opt)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := s.Resume(t.Context(), sink.XXH128)
	if err != nil || len(kept) != 3 {
		t.Error(kept, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	wantStaging(t, output, want)
}

// A run that is refused leaves all files unchanged.
func TestRefusedResumeKeepsAllFiles(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	full.halt(t, vfs.OS(), output)
	want := names(tree(t, staging(output)))
	ended, end := context.WithCancel(t.Context())
	end()
	for _, ctx := range []context.Context{ended, t.Context()} {
		s, err := sink.Open(store.OS(), output, full.opt)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Resume(ctx, sink.XXH128)
		if ctx.Err() != nil && !errors.Is(err, context.Canceled) ||
			ctx.Err() == nil && !errors.Is(err, sink.ErrDataset) {
			t.Errorf("%v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		wantStaging(t, output, want)
		write(t, filepath.Join(output, sink.ManifestName), small.manifest()) // for the second
	}
}

// Inspect reports a stopped run, even after its dataset was published.
func TestInspectReportsAStoppedRun(t *testing.T) {
	disk := vfstest.NewMem("/disk")
	peek := func(want bool) {
		t.Helper()
		if v, err := sink.Inspect(over(disk), out); err != nil || v.Unfinished != want {
			t.Errorf("%+v, %v", v, err)
		}
	}
	peek(false)
	full.halt(t, disk, out)
	peek(true)
	c := crashCase{job: full}
	for n := 0; ; n++ {
		again := copyOf(disk)
		_, ended := c.stop(t, again, n)
		if v, err := sink.Inspect(over(again), out); err != nil || !full.isIn(again, out) || v.Unfinished {
			if ended {
				t.Errorf("%+v, %v", v, err)
			}
			continue
		}
		if left := keys(treeIn(t, again, staging(out))); left != "lock state.json" {
			t.Errorf("operation %d: %s", n, left)
		}
		if ended {
			return
		}
	}
}

// If the new dataset was published and then removed by hand, only a complete old dataset is
// restored, at any step of its removal.
func TestOldDatasetIsRestoredCompletelyOrNotAtAll(t *testing.T) {
	c := crashCases(t)[3]
	for n, ended := 0, false; !ended; n += testenv.Times(7, 1, 1) {
		disk := copyOf(c.disk)
		if _, ended = c.stop(t, disk, n); !c.job.isIn(disk, out) {
			continue
		}
		for seed := range uint64(20) {
			after := disk.Crash(vfstest.Crash{Seed: seed, Keep: 1, Names: vfstest.NamesEach})
			if !c.job.isIn(after, out) {
				continue
			}
			if err := vfs.RemoveAll(after, out); err != nil {
				t.Fatal(err)
			}
			s, err := sink.Open(over(after), out, c.job.opt)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if got := treeIn(t, after, out); len(got) > 0 && !c.job.with("old").isIn(after, out) {
				t.Errorf("operation %d: %s came back", n, keys(got))
			}
		}
	}
}

// A file that a user adds to the old dataset during a run is not lost.
func TestUnknownFileAddedDuringARun(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	small.with("old").mustBuild(t, output)
	in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if op.Kind == "mkdir" && filepath.Base(op.Name) == "_tfr" {
			write(t, filepath.Join(output, "mine"), "mine")
		}
		return nil
	})
	if _, err := small.overwriting().build(t.Context(), in, output); !errors.Is(err, sink.ErrUnknownFile) {
		t.Errorf("%v", err)
	}
	if got := tree(t, output); got["mine"] != "mine" {
		t.Errorf("there is %s", names(got))
	}
}

// A manifest that is too large is not read to find unknown files.
func TestHugeManifestIsNotRead(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	manifest := filepath.Join(output, sink.ManifestName)
	write(t, manifest, small.manifest())
	if err := os.Truncate(manifest, 64<<20+1); err != nil {
		t.Fatal(err)
	}
	if _, err := small.overwriting().build(t.Context(), vfs.OS(), output); err == nil ||
		!strings.Contains(err.Error(), "move the dataset away") {
		t.Errorf("%v", err)
	}
}

// With Cold, files are read back from the device: shards, small files, rejects, and leftovers.
func TestColdDropsTheCache(t *testing.T) {
	for _, cold := range []bool{false, true} {
		j := full
		j.opt.Cold = cold
		disk := vfstest.NewMem("/disk")
		j.halt(t, disk, out)
		edit(t, disk, staging(out)+"/data/"+j.shardName(0), flip)
		in := vfstest.NewLog(disk)
		if _, err := j.build(t.Context(), in, out); err != nil {
			t.Fatal(err)
		}
		dropped := map[string]bool{}
		for _, op := range in.Ops() {
			if op.Kind == "dropcache" {
				dropped[filepath.Base(op.Name)] = true
			}
		}
		for _, name := range []string{
			"train-00000-of-00003", "train-00001-of-00003", ".train-00000-of-00003.tmp", ".manifest.json.tmp",
			".journal.tmp",
		} {
			if dropped[name] != cold {
				t.Errorf("cold %v: %s dropped %v", cold, name, dropped[name])
			}
		}
	}
}

func TestReusedShardsAreNotCreatedAgain(t *testing.T) {
	disk := vfstest.NewMem("/disk")
	full.halt(t, disk, out)
	s, err := sink.Open(over(disk), out, full.opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !bytes.Equal(s.Leftovers().Job, []byte("job of new")) || len(s.Leftovers().Shards) != 3 {
		t.Errorf("%+v", s.Leftovers())
	}
	if _, err := s.Resume(t.Context(), sink.XXH128); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateShard(full.shardName(0), sink.ShardOptions{}); !errors.Is(err, os.ErrExist) {
		t.Errorf("%v", err)
	}
}
