package sink_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/buckettest"
	"tfr-build/internal/testenv"
	"tfr-build/sink"
)

// TestRunStoppedAfterPublishing stops a run when the dataset is published and nothing is
// removed yet. The next run removes it.
func TestRunStoppedAfterPublishing(t *testing.T) {
	s := newStore(t)
	scratch, kept := t.TempDir(), t.TempDir()
	j := job{tag: "x", shards: 2, blocks: 3, workers: 1}.scratch(scratch)
	s.Add(buckettest.Rule{Method: "PUT", Key: "_SUCCESS", Times: 1},
		func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
			for name, content := range tree(t, scratch) {
				if !strings.HasSuffix(name, "/") {
					testenv.Put(t, filepath.Join(kept, name), content)
				}
			}
			buckettest.Slow(0)(w, r, pass)
		})
	fsys := s.fs(t.Context(), t)
	if _, err := j.build(t.Context(), fsys, inBucket); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(scratch, os.DirFS(kept)); err != nil {
		t.Fatal(err)
	}
	stage, err := sink.Open(over(fsys), inBucket, j.opt)
	if err != nil {
		t.Fatal(err)
	}
	if stage.Found() != sink.Dataset || stage.Leftovers() != nil {
		t.Errorf("found %v, left %+v", stage.Found(), stage.Leftovers())
	}
	if err := stage.Close(); err != nil {
		t.Error(err)
	}
	s.holds(t, j)
	if left := names(tree(t, scratch)); left != "" {
		t.Errorf("the scratch directory has %s", left)
	}
}

// TestStagedFileInABucket reads a file that is uploaded, and a file that is not.
func TestStagedFileInABucket(t *testing.T) {
	s := newStore(t)
	j := job{tag: "x", shards: 1, blocks: 1}.scratch(t.TempDir())
	stage, err := sink.Open(over(s.fs(t.Context(), t)), inBucket, j.opt)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Close()
	if err := stage.Begin([]byte("job")); err != nil {
		t.Fatal(err)
	}
	sh, err := stage.CreateShard("train-0", sink.ShardOptions{Blocks: 1})
	if err == nil {
		_, err = sh.WriteBlock(t.Context(), 0, []byte("uploaded"), nil)
	}
	if err == nil {
		_, err = sh.Finish(t.Context(), sink.About{})
	}
	if err = errors.Join(err, stage.WriteFile("labels.txt", []byte("here"))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"train-0": "uploaded", "labels.txt": "here"} {
		f, err := stage.OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(io.NewSectionReader(f, 0, 100))
		if err = errors.Join(err, f.Close()); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
}

// TestStoreErrorsOfTasksInABucket has the store refuse requests of tasks.
func TestStoreErrorsOfTasksInABucket(t *testing.T) {
	s := newStore(t)
	refuse := buckettest.Answer(403, "AccessDenied")
	for i, rule := range []buckettest.Rule{
		{Method: "PUT", Key: ".out.tfr/job.json"},
		{Method: "GET", Key: ".out.tfr/job.json"},
		{Method: "GET", Query: "uploads"},
		{Method: "PUT", Key: "train-"},
		{Method: "PUT", Key: ".out.tfr/rejects"},
		{Method: "PUT", Key: ".out.tfr/statistics"},
		{Method: "GET", Query: "list-type"},
		{Method: "GET", Key: ".out.tfr/rejects"},
		{Method: "GET", Key: ".out.tfr/statistics"},
		{Method: "DELETE", Key: ".out.tfr/job.json"},
	} {
		t.Run(fmt.Sprint(rule.Method, rule.Key, rule.Query), func(t *testing.T) {
			j := job{tag: "x", shards: 1, blocks: 3}.scratch(t.TempDir())
			out := fmt.Sprintf("s3://data/faults/%d/out", i)
			s.Add(rule, refuse)
			err := j.tasks(t, s, out)
			s.Reset()
			if refused := err != nil && strings.Contains(err.Error(), "AccessDenied (403)") &&
				strings.Contains(err.Error(), "s3://data/faults/"); !refused {
				t.Errorf("%v", err)
			}
			if rule.Method == "DELETE" { // what was given up is given up to the end
				if err := j.opened(t, s, out, sink.Shared.Release); err != nil {
					t.Error(err)
				}
			}
			if err := j.tasks(t, s, out); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// tasks claims an output, makes and adopts its shard, and gives everything up.
func (j *job) tasks(t *testing.T, s *gateway, output string) error {
	fsys := s.fs(t.Context(), t)
	if err := j.opened(t, s, output, func(o sink.Shared) error {
		return o.Claim([]byte("tasks of " +
			j.tag))
	}); err != nil {
		return err
	}
	task, err := sink.Join(over(fsys), output, j.by("b"))
	if err != nil {
		return err
	}
	defer task.Close()
	sh, err := task.CreateShard(j.shardName(0), sink.ShardOptions{Blocks: j.blocks})
	for i := 0; err == nil && i < j.blocks; i++ {
		_, err = sh.WriteBlock(t.Context(), i, j.block(0, i), nil)
	}
	if err == nil {
		_, err = sh.Finish(t.Context(), sink.About{Note: []byte("1"), Rejects: []byte("rejects"),
			Statistics: []byte("statistics")})
	}
	if err != nil {
		return err
	}
	err = j.opened(t, s, output, func(o sink.Shared) error {
		return o.Adopt(t.Context(), []byte("job"), []sink.FinishedShard{sh.Line()}, sink.XXH128,
			func(*sink.Reused) error { return nil })
	})
	if err != nil {
		return err
	}
	return j.opened(t, s, output, sink.Shared.Release)
}

// opened opens an output and calls do.
func (j *job) opened(t *testing.T, s *gateway, output string, do func(sink.Shared) error) error {
	stage, err := sink.Open(over(s.fs(t.Context(), t)), output, j.by("a"))
	if err != nil {
		return err
	}
	return errors.Join(do(sink.Shared{Stage: stage}), stage.Close())
}

// TestNamesOfClaims refuses outputs without a name, and checks the path of the work directory.
func TestNamesOfClaims(t *testing.T) {
	fsys := newStore(t).fs(t.Context(), t)
	for _, output := range []string{"/", "s3://data", "s3://data/a//b"} {
		if _, err := sink.ClaimOn(over(fsys), output); !errors.Is(err, sink.ErrName) {
			t.Errorf("%s: %v", output, err)
		}
		if _, err := sink.Join(over(fsys), output, sink.Options{Scratch: t.TempDir()}); !errors.Is(err, sink.ErrName) {
			t.Errorf("%s: %v", output, err)
		}
	}
	for output, want := range map[string]string{"a/d": "a/.d.tfr/work", "s3://data/a/d": "s3://data/a/.d.tfr/work"} {
		if got := sink.WorkPath(output); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	taken := &sink.TakenError{Path: "s3://data/.d.tfr/job.json", Host: "h", PID: 7, Quiet: 90 * time.Second}
	if got := taken.Error(); got != "s3://data/.d.tfr/job.json: process 7 on h builds another plan there; it finished "+
		"nothing for 1m30s" {
		t.Error(got)
	}
}
