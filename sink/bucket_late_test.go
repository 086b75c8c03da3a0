package sink_test

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tfr-build/internal/buckettest"
	"tfr-build/sink"
)

// during calls do while a request is in flight, as if the process that sent it was
// suspended.
func (s *gateway) during(method, key string, do func()) {
	s.Add(buckettest.Rule{Method: method, Key: key, Times: 1},
		func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
			do()
			buckettest.Slow(0)(w, r, pass)
		})
}

// at returns the output in the store as an output that tasks share.
func (s *gateway) at(t *testing.T) *shared {
	at := filepath.Join(s.dir, "sets/out")
	return &shared{s.fs(t.Context(), t), inBucket, at, staging(at), at, t.TempDir(), "state.json", "", nil}
}

// giveUp gives up the tasks of a job.
func (j job) giveUp(t *testing.T, o *shared) {
	t.Helper()
	own := j.scratch(t.TempDir())
	s, err := sink.Open(over(o.fs), o.output, own.by("clean"))
	if err == nil {
		err = errors.Join(sink.Shared{Stage: s}.Release(), s.Close())
	}
	if err != nil {
		t.Error(err)
	}
}

// late makes a shard, and expects an error because the output belongs to another job.
func (j job) late(t *testing.T, o *shared, shard int) {
	t.Helper()
	s, err := sink.Join(over(o.fs), o.output, j.by("late"))
	if err != nil {
		t.Fatal(err)
	}
	sh, err := s.CreateShard(j.shardName(shard), sink.ShardOptions{Blocks: j.blocks})
	for i := 0; err == nil && i < j.blocks; i++ {
		_, err = sh.WriteBlock(t.Context(), i, j.block(shard, i), nil)
	}
	if err == nil {
		_, err = sh.Finish(t.Context(), sink.About{})
	}
	if !errors.Is(err, sink.ErrNoClaim) {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestLateShardUpload suspends a task between its check of the output and its upload, while
// others take the output. The task leaves nothing and replaces nothing, also if it uploads the
// shard in parts.
func TestLateShardUpload(t *testing.T) {
	first := job{tag: "first", shards: 3, blocks: 1, workers: 1}
	large, other := first, first
	large.large, other.tag = true, "second"
	for name, test := range map[string]struct {
		late   job
		others *job
	}{
		"given up":                 {first, nil},
		"the same names":           {first, &other},
		"the same names, in parts": {large, &other},
		"other names":              {first, &job{tag: "second", shards: 2, blocks: 1, workers: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			o, first := s.at(t), test.late.scratch(t.TempDir())
			o.claim(t, &first)
			method := "PUT"
			if first.large {
				method = "POST"
			}
			s.during(method, "out/"+first.shardName(1), func() {
				first.giveUp(t, o)
				if test.others != nil {
					if _, err := test.others.scratch(t.TempDir()).build(t.Context(), s.fs(t.Context(), t),
						inBucket); err != nil {
						t.Error(err)
					}
				}
			})
			first.late(t, o, 1)
			if test.others == nil {
				s.want(t)
			} else {
				s.holds(t, *test.others)
			}
		})
	}
}

// TestShardUploadedTwice uploads a shard that another process of the tasks has just uploaded,
// and a shard with other bytes.
func TestShardUploadedTwice(t *testing.T) {
	s := newStore(t)
	o := s.at(t)
	j := job{tag: "x", shards: 2, blocks: 1, workers: 1}.scratch(t.TempDir())
	o.claim(t, &j)
	j.share(t, o, "a", 0, 1)
	client := s.fs(t.Context(), t)
	if err := client.put(t.Context(), inBucket+"/"+j.shardName(1), flip(j.content(1))); err != nil {
		t.Fatal(err)
	}
	lines := j.share(t, o, "b", 0, 1)
	if _, err := j.adopt(t, o, lines, true); err != nil {
		t.Fatal(err)
	}
	for k := range 2 {
		if got, err := os.ReadFile(filepath.Join(o.at, j.shardName(k))); string(got) != string(j.content(k)) {
			t.Errorf("shard %d is wrong, %v", k, err)
		}
	}
}

// TestDatasetPublishedBeforeFirstShard has another run publish the dataset between Open and
// Begin.
func TestDatasetPublishedBeforeFirstShard(t *testing.T) {
	s := newStore(t)
	fsys := s.fs(t.Context(), t)
	first, second := job{tag: "first", shards: 2, blocks: 1, workers: 1}.scratch(t.TempDir()), job{tag: "second",
		shards: 2, blocks: 1, workers: 1}.scratch(t.TempDir())
	stage, err := sink.Open(over(fsys), inBucket, first.opt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := second.build(t.Context(), s.fs(t.Context(), t), inBucket); err != nil {
		t.Fatal(err)
	}
	if err := stage.Begin([]byte("job of first")); !errors.Is(err, sink.ErrPublished) {
		t.Errorf("%v", err)
	}
	if err := (sink.Shared{Stage: stage}).Claim([]byte("tasks")); !errors.Is(err, sink.ErrPublished) {
		t.Errorf("tasks: %v", err)
	}
	if err := stage.Close(); err != nil {
		t.Error(err)
	}
	s.holds(t, second)
}

// TestLateCommit suspends a commit before its last object, while the tasks are given up and
// others begin. The commit must not make an incomplete dataset visible.
func TestLateCommit(t *testing.T) {
	for name, begins := range map[string]bool{"given up": false, "others begin": true} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			o := s.at(t)
			first, second := job{tag: "first", shards: 2, blocks: 1, workers: 1}.scratch(t.TempDir()),
				job{tag: "second", shards: 2, blocks: 1, workers: 1}.scratch(t.TempDir())
			o.claim(t, &first)
			lines := first.share(t, o, "a", 0, 1)
			s.during("PUT", "out/_SUCCESS", func() {
				first.giveUp(t, o)
				if begins {
					second.halt(t, s.fs(t.Context(), t), inBucket)
				}
			})
			if _, err := first.adopt(t, o, lines, true); !errors.Is(err, sink.ErrNoClaim) {
				t.Errorf("%v", err)
			}
			s.isAbsent(t)
			if _, err := second.build(t.Context(), s.fs(t.Context(), t), inBucket); err != nil {
				t.Fatal(err)
			}
			s.holds(t, second)
		})
	}
}

// TestTwoPlansClaimOneOutput has the tasks of two plans claim an output that was free when both
// looked.
func TestTwoPlansClaimOneOutput(t *testing.T) {
	s := newStore(t)
	var stages [2]*sink.Stage
	for i := range stages {
		var err error
		if stages[i], err = sink.Open(over(s.fs(t.Context(), t)), inBucket,
			sink.Options{Scratch: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
		defer stages[i].Close()
	}
	if err := (sink.Shared{Stage: stages[0]}).Claim([]byte("a")); err != nil {
		t.Fatal(err)
	}
	claimed := new(sink.ClaimedError)
	if err := (sink.Shared{Stage: stages[1]}).Claim([]byte("b")); !errors.As(err, &claimed) ||
		string(claimed.Claim) != "a" {
		t.Errorf("%v", err)
	}
}

// TestLateListings makes a dataset while listings lack new objects and still contain removed
// ones.
func TestLateListings(t *testing.T) {
	s := newStore(t)
	o := s.at(t)
	j := job{tag: "x", shards: 3, blocks: 1, workers: 1}.scratch(t.TempDir())
	o.claim(t, &j)
	s.LateListings(2 * time.Second)
	lines := j.share(t, o, "a", 0, 1, 2)
	if _, err := j.adopt(t, o, lines, true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(o.at, "_SUCCESS")); err != nil {
		t.Error(err)
	}
	other := job{tag: "new", shards: 2, blocks: 1, workers: 1}.scratch(t.TempDir())
	if _, err := other.build(t.Context(), s.fs(t.Context(), t), "s3://data/more/out"); err != nil {
		t.Fatal(err)
	}
	other.wantAt(t, filepath.Join(s.dir, "more/out"))
	if _, err := os.Stat(filepath.Join(s.dir, "more/.out.tfr/job.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
