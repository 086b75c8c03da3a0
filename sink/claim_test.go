package sink_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/store/storetest"
	"tfr-build/internal/vfs"
	"tfr-build/sink"
)

// A shared output is made by tasks: a directory, or a prefix of a bucket.
type shared struct {
	fs              vfs.FS
	output          string
	at              string // the directory of the dataset
	sidecars        string // the directory of the files next to the dataset
	data            string // the directory of unpublished shards
	scratch         string
	committed, gone string            // names next to the dataset after a commit, and after giving up
	memory          *storetest.Memory // where the dataset is instead of at; or nil
}

// want checks that the output is the dataset.
func (o *shared) want(t *testing.T, j job) {
	t.Helper()
	if o.memory != nil {
		j.wantIn(t, o.memory, "state")
		return
	}
	j.wantAt(t, o.at)
}

// eachTarget runs a test for a directory and for a bucket.
func eachTarget(t *testing.T, test func(t *testing.T, at func(t *testing.T, j *job) *shared)) {
	t.Helper()
	t.Run("directory", func(t *testing.T) {
		test(t, func(t *testing.T, j *job) *shared {
			out := filepath.Join(t.TempDir(), "out")
			o := &shared{vfs.OS(), out, out, staging(out), filepath.Join(staging(out), "data"), "", "lock state.json",
				"lock", nil}
			o.claim(t, j)
			return o
		})
	})
	t.Run("bucket", func(t *testing.T) {
		s := newStore(t)
		made := 0
		test(t, func(t *testing.T, j *job) *shared {
			made++
			out := fmt.Sprintf("sets/%d/out", made)
			at := filepath.Join(s.dir, out)
			o := &shared{s.fs(t.Context(), t), "s3://data/" + out, at, staging(at), at, t.TempDir(), "state.json", "",
				nil}
			j.opt.Scratch = o.scratch
			o.claim(t, j)
			return o
		})
	})
}

// claim begins a dataset that tasks make.
func (o *shared) claim(t *testing.T, j *job) {
	t.Helper()
	s, err := sink.Open(over(o.fs), o.output, j.opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 2 { // the second time, the tasks hold it already
		if err := (sink.Shared{Stage: s}).Claim([]byte("tasks of " + j.tag)); err != nil {
			t.Fatal(err)
		}
	}
}

// wantSidecars checks the files next to the output, and that the scratch directory is empty.
func (o *shared) wantSidecars(t *testing.T, want string) {
	t.Helper()
	found := map[string]string{}
	if _, err := os.Lstat(o.sidecars); err == nil {
		found = tree(t, o.sidecars)
	}
	if got := names(found); got != want {
		t.Errorf("next to the output, found %q, want %q", got, want)
	}
	if o.scratch != "" && names(tree(t, o.scratch)) != "" {
		t.Errorf("the scratch directory has %s", names(tree(t, o.scratch)))
	}
}

// by returns the options of a process of the tasks.
func (j *job) by(process string) sink.Options {
	opt := j.opt
	opt.Claim, opt.Attempt = []byte("tasks of "+j.tag), process
	return opt
}

// share makes some shards in parallel with other processes, and returns their lines.
func (j *job) share(t *testing.T, o *shared, process string, shards ...int) (lines []sink.FinishedShard) {
	t.Helper()
	s, err := sink.Join(over(o.fs), o.output, j.by(process))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, k := range shards {
		sh, err := s.CreateShard(j.shardName(k), sink.ShardOptions{Blocks: j.blocks, Index: j.lines()})
		for i := 0; err == nil && i < j.blocks; i++ {
			_, err = sh.WriteBlock(t.Context(), i, j.block(k, i), nil)
		}
		if err == nil {
			_, err = sh.Finish(t.Context(), sink.About{Note: fmt.Append(nil, k), Rejects: []byte("rejects"),
				Statistics: []byte("statistics")})
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, sh.Line())
	}
	return lines
}

// adopt has one process adopt the shards that the others have made. With publish it commits.
func (j *job) adopt(t *testing.T, o *shared, lines []sink.FinishedShard, publish bool) ([]sink.Reused, error) {
	t.Helper()
	s, err := sink.Open(over(o.fs), o.output, j.by("last"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var mu sync.Mutex
	var kept []sink.Reused
	err = (sink.Shared{Stage: s}).Adopt(t.Context(), []byte("job"), lines, sink.XXH128, func(k *sink.Reused) error {
		mu.Lock()
		defer mu.Unlock()
		kept = append(kept, *k)
		return nil
	})
	slices.SortFunc(kept, func(a, b sink.Reused) int { return bytes.Compare(a.Note, b.Note) })
	if err != nil || !publish {
		return kept, err
	}
	for _, name := range []string{"_tfr/manifest.json", "_SUCCESS"} {
		if err := s.WriteFile(name, []byte(j.files()[name])); err != nil {
			t.Fatal(err)
		}
	}
	return kept, s.Commit([]byte("state"))
}

// TestTasksMakeADataset has processes share an output. Two make the same shard, one leaves an
// incomplete shard, and the last one commits.
func TestTasksMakeADataset(t *testing.T) {
	eachTarget(t, tasksMakeADataset)
	t.Run("memory", func(t *testing.T) { tasksMakeADataset(t, inMemory) })
}

func tasksMakeADataset(t *testing.T, at func(t *testing.T, j *job) *shared) {
	for _, j := range []job{{tag: "files", shards: 5, blocks: 3},
		{tag: "folders", shards: 5, blocks: 3, directories: true, indexed: true, opt: sink.Options{Sync: true}}} {
		o := at(t, &j)
		var busy *sink.ClaimedError
		if _, err := sink.Open(over(o.fs), o.output, sink.Options{Scratch: j.opt.Scratch}); !errors.As(err, &busy) ||
			string(busy.Claim) != "tasks of "+j.tag || !strings.Contains(err.Error(), "tasks are at work") {
			t.Errorf("a run next to the tasks: %v", err)
		}
		if held, err := sink.ClaimOn(over(o.fs), o.output); err != nil || string(held) != "tasks of "+j.tag {
			t.Errorf("the claim is %q, %v", held, err)
		}
		if _, err := sink.Join(over(o.fs), o.output,
			sink.Options{Claim: []byte("other tasks"), Scratch: j.opt.Scratch}); !errors.As(err, &busy) {
			t.Errorf("other tasks: %v", err)
		}

		stopped, err := sink.Join(over(o.fs), o.output, j.by("stopped"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := stopped.CreateShard(j.shardName(4), sink.ShardOptions{Blocks: 2}); err != nil {
			t.Fatal(err)
		}
		lines := j.share(t, o, "a", 0, 1, 2)
		twins := j.share(t, o, "b", 2, 3, 4)
		if fmt.Sprint(twins[0].Sum) != fmt.Sprint(lines[2].Sum) {
			t.Errorf("twins made %v and %v", twins[0], lines[2])
		}
		kept, err := j.adopt(t, o, append(lines, twins[1:]...), true)
		if err != nil || len(kept) != j.shards || string(kept[3].Note) != "3" || string(kept[3].Rejects) != "rejects" ||
			string(kept[3].Statistics) != "statistics" {
			t.Fatalf("%+v, %v", kept, err)
		}
		o.want(t, j)

		stopped.Close()
		if held, err := sink.ClaimOn(over(o.fs), o.output); held != nil || err != nil {
			t.Errorf("after the commit there is a claim %q, %v", held, err)
		}
		if _, err := sink.Join(over(o.fs), o.output, j.by("late")); !errors.Is(err, sink.ErrNoClaim) {
			t.Errorf("a task after the commit: %v", err)
		}
	}
}

// TestTasksWithMissingShards removes or changes shards or their metadata. The error names them,
// and nothing is published.
func TestTasksWithMissingShards(t *testing.T) { eachTarget(t, tasksLackShards) }

func tasksLackShards(t *testing.T, at func(t *testing.T, j *job) *shared) {
	j := job{tag: "x", shards: 3, blocks: 3, indexed: true}
	index := func(data string) string {
		return filepath.Join(filepath.Dir(data), sink.IndexName(filepath.Base(data)))
	}
	for name, damage := range map[string]func(data, rejects string) error{
		"a bit":        func(data, _ string) error { return changed(data) },
		"a bit, index": func(data, _ string) error { return changed(index(data)) },
		"no index":     func(data, _ string) error { return os.Remove(index(data)) },
		"cut index":    func(data, _ string) error { return os.Truncate(index(data), 3) },
		"missing":      func(data, _ string) error { return os.Remove(data) },
		"cut":          func(data, _ string) error { return os.Truncate(data, 3) },
		"a directory":  func(data, _ string) error { return errors.Join(os.Remove(data), os.Mkdir(data, 0o777)) },
		"no rejects":   func(_, rejects string) error { return os.Remove(rejects) },
		"other":        func(_, rejects string) error { return os.WriteFile(rejects, []byte("REJECTS"), 0o666) },
	} {
		t.Run(name, func(t *testing.T) {
			o := at(t, &j)
			if o.scratch != "" && strings.HasPrefix(name, "a bit") {
				return // the store vouches for its objects: the ETag is the same
			}
			lines := j.share(t, o, "a", 0, 1, 2)
			shard := j.shardName(1)
			if err := damage(filepath.Join(o.data, shard),
				filepath.Join(o.sidecars, "rejects", lines[1].Rejects.Name)); err != nil {
				t.Fatal(err)
			}
			var lacking *sink.MissingShardsError
			if _, err := j.adopt(t, o, lines, true); !errors.As(err, &lacking) || len(lacking.Names) != 1 ||
				lacking.Names[0] != shard || !strings.Contains(err.Error(), shard) {
				t.Fatalf("%v", err)
			}
			wantAbsent(t, filepath.Join(o.at, "_SUCCESS"))
			if err := os.RemoveAll(filepath.Join(o.data, shard)); err != nil {
				t.Fatal(err)
			}
			lines[1] = j.share(t, o, "b", 1)[0]
			if _, err := j.adopt(t, o, lines, true); err != nil {
				t.Fatal(err)
			}
			j.wantAt(t, o.at)
		})
	}
}

// changed changes a file without changing its size and time.
func changed(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(path, flip(data), 0o666), os.Chtimes(path, info.ModTime(), info.ModTime()))
}

// TestTasksNameTheirOwnFiles has lines of tasks name paths outside of the dataset.
func TestTasksNameTheirOwnFiles(t *testing.T) { eachTarget(t, tasksNameTheirOwnFiles) }

func tasksNameTheirOwnFiles(t *testing.T, at func(t *testing.T, j *job) *shared) {
	j := job{tag: "x", shards: 1, blocks: 3}
	o := at(t, &j)
	for _, change := range []func(*sink.FinishedShard){
		func(l *sink.FinishedShard) { l.Name = "../../outside" },
		func(l *sink.FinishedShard) { l.Rejects.Name = "../../outside" },
		func(l *sink.FinishedShard) { l.Statistics.Name = "/etc/passwd" },
	} {
		lines := j.share(t, o, "a", 0)
		change(&lines[0])
		if _, err := j.adopt(t, o, lines, true); err == nil || errors.As(err, new(*sink.MissingShardsError)) {
			t.Errorf("%+v: %v", lines[0], err)
		}
	}
	wantAbsent(t, filepath.Join(o.at, "_SUCCESS"))
}

// TestTasksAreGivenUp removes the shards of tasks and releases the output.
func TestTasksAreGivenUp(t *testing.T) { eachTarget(t, tasksAreGivenUp) }

func tasksAreGivenUp(t *testing.T, at func(t *testing.T, j *job) *shared) {
	j := job{tag: "x", shards: 2, blocks: 3, workers: 1}
	o := at(t, &j)
	lines := j.share(t, o, "a", 0)
	for range 2 {
		s, err := sink.Open(over(o.fs), o.output, j.by("last"))
		if err != nil {
			t.Fatal(err)
		}
		if err := (sink.Shared{Stage: s}).Release(); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		o.wantSidecars(t, o.gone)
	}
	if _, err := j.adopt(t, o, lines, true); !errors.Is(err, sink.ErrNoClaim) {
		t.Errorf("shards of tasks that were given up: %v", err)
	}
	if _, err := j.build(t.Context(), o.fs, o.output); err != nil {
		t.Fatal(err)
	}
	j.wantAt(t, o.at)
	s, err := sink.Open(over(o.fs), o.output, sink.Options{Scratch: j.opt.Scratch})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := (sink.Shared{Stage: s}).Claim([]byte("tasks")); !errors.Is(err, sink.ErrDataset) {
		t.Errorf("a claim on a dataset: %v", err)
	}
}

// TestStagedFile reads a file of an unfinished dataset.
func TestStagedFile(t *testing.T) {
	s, _ := open(t, vfs.OS(), sink.Options{})
	defer s.Close()
	if err := s.WriteFile("a", []byte("text")); err != nil {
		t.Fatal(err)
	}
	f, err := s.OpenFile("a")
	if err != nil {
		t.Fatal(err)
	}
	part := make([]byte, 2)
	if n, err := f.ReadAt(part, 1); n != 2 || err != nil || string(part) != "ex" {
		t.Errorf("%q, %v", part[:n], err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	var fault *sink.OutputError
	if _, err := f.ReadAt(part, 1); !errors.As(err, &fault) {
		t.Errorf("of a file that is closed: %v", err)
	}
	if _, err := s.OpenFile("b"); !errors.As(err, &fault) {
		t.Errorf("of no file: %v", err)
	}
}

// TestReplaceState replaces the state of an existing dataset.
func TestReplaceState(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	small.mustBuild(t, output)
	for range 2 {
		s, err := sink.Open(store.OS(), output, sink.Options{Sync: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.ReplaceState([]byte("other")); err != nil {
			t.Fatal(err)
		}
		if state, err := s.State(); string(state) != "other" || err != nil {
			t.Errorf("%q, %v", state, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	small.wantAt(t, output)
}
