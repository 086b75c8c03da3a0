package sink_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/sink"
)

const inBucket = "s3://data/sets/out"

// A gateway is a bucket "data", and a proxy before it.
type gateway struct {
	*buckettest.Proxy
	dir string // its objects
}

func newStore(t *testing.T) *gateway {
	t.Helper()
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	s := &gateway{g.Proxy(t), filepath.Join(g.Dir, "data")}
	buckettest.Env(t, s.URL)
	return s
}

// fs is a file system of a process of its own.
func (s *gateway) fs(ctx context.Context, t testing.TB) reach {
	t.Helper()
	f := reaching(ctx, vfs.OS(), bucket.Options{Backoff: time.Millisecond, Retry: 300 * time.Millisecond,
		PartSize: 5 << 20})
	t.Cleanup(f.Close)
	return f
}

// A reach is a file system with the stores that are reached over it.
type reach struct {
	vfs.FS
	storage *store.Storage
}

func reaching(ctx context.Context, fsys vfs.FS, opt bucket.Options) reach {
	return reach{fsys, objects.Reach(ctx, store.Over(fsys), opt)}
}

// put writes an object as another process does.
func (r reach) put(ctx context.Context, url string, data []byte) error {
	_, err := r.storage.Put(ctx, url, bytes.NewReader(data), int64(len(data)), store.Condition{})
	return err
}

func (r reach) Close() { r.storage.Close() }

// over is the storage of a file system.
func over(fsys vfs.FS) *store.Storage {
	if r, ok := fsys.(reach); ok {
		return r.storage
	}
	return store.Over(fsys)
}

// objects returns the existing keys, without directories and the files that the gateway hides.
func (s *gateway) objects(t *testing.T) []string {
	t.Helper()
	var keys []string
	for name := range tree(t, s.dir) {
		if !strings.HasSuffix(name, "/") && !strings.HasPrefix(name, ".sgwtmp") {
			keys = append(keys, name)
		}
	}
	slices.Sort(keys)
	return keys
}

func (s *gateway) want(t *testing.T, keys ...string) {
	t.Helper()
	if got := s.objects(t); !slices.Equal(got, keys) {
		t.Errorf("the bucket has %q, want %q", got, keys)
	}
}

// holds checks that the dataset is complete, with its state and without other objects.
func (s *gateway) holds(t *testing.T, j job) {
	t.Helper()
	j.wantAt(t, filepath.Join(s.dir, "sets/out"))
	if got := names(tree(t, filepath.Join(s.dir, "sets/.out.tfr"))); got != "state.json" {
		t.Errorf("next to the dataset, found %q", got)
	}
}

// isAbsent checks that no dataset exists.
func (s *gateway) isAbsent(t *testing.T) {
	t.Helper()
	wantAbsent(t, filepath.Join(s.dir, "sets/out/_SUCCESS"))
}

func (j job) scratch(dir string) job { j.opt.Scratch = dir; return j }

func TestDatasetInBucket(t *testing.T) {
	s := newStore(t)
	fsys, scratch := s.fs(t.Context(), t), t.TempDir()
	j := job{tag: "new", shards: 5, blocks: 3, workers: 2, directories: true, indexed: true, rejects: true, plans: true,
		runs: 2}.scratch(scratch)
	sums, err := j.build(t.Context(), fsys, inBucket)
	if err != nil {
		t.Fatal(err)
	}
	local, err := j.scratch("").build(t.Context(), vfs.OS(), filepath.Join(t.TempDir(), "out"))
	if err != nil || !slices.Equal(sums, local) {
		t.Errorf("the sums are %v, those of a local dataset %v, %v", sums, local, err)
	}
	s.holds(t, j)
	if got, err := os.ReadFile(filepath.Join(s.dir, "sets/out.rejects")); string(got) != j.allRejects() {
		t.Errorf("next to it, found %q, %v", got, err)
	}
	if left := names(tree(t, scratch)); left != "" {
		t.Errorf("the scratch directory has %s", left)
	}
	view, err := sink.Inspect(over(fsys), inBucket+"/")
	if err != nil || view.Found != sink.Dataset || string(view.State) != "state of new" || view.Unfinished ||
		view.Path != inBucket {
		t.Errorf("%+v, %v", view, err)
	}
	if _, err := j.with("other").build(t.Context(), fsys, inBucket); !errors.Is(err, sink.ErrDataset) {
		t.Errorf("over a dataset: %v", err)
	}
	over := j.with("other").overwriting()
	if _, err := over.build(t.Context(), fsys, inBucket); !errors.Is(err, sink.ErrDataset) {
		t.Errorf("overwriting a dataset: %v", err)
	}
	s.holds(t, j)
}

// A resumed build reuses uploaded shards, and checks only their ETags.
func TestResumeInBucket(t *testing.T) {
	s := newStore(t)
	fsys := s.fs(t.Context(), t)
	j := job{tag: "new", shards: 5, blocks: 2, workers: 1, indexed: true}.scratch(t.TempDir())
	j.halt(t, fsys, inBucket)
	s.isAbsent(t)
	if err := os.Remove(filepath.Join(s.dir, "sets/out", sink.IndexName(j.shardName(4)))); err != nil {
		t.Fatal(err)
	}
	if view, err := sink.Inspect(over(fsys), inBucket); err != nil || view.Found != sink.Absent || !view.Unfinished {
		t.Errorf("%+v, %v", view, err)
	}
	one, two := filepath.Join(s.dir, "sets/out", j.shardName(1)), filepath.Join(s.dir, "sets/out", j.shardName(2))
	if err := os.Remove(one); err != nil {
		t.Fatal(err)
	}
	other := inBucket + "/" + j.shardName(2)
	client := fsys
	if err := client.put(t.Context(), other, bytes.Repeat([]byte{1}, len(j.content(2)))); err != nil {
		t.Fatal(err)
	}
	s.Reset()
	r := attempt{job: j}
	if err := r.build(t.Context(), fsys, inBucket); err != nil {
		t.Fatal(err)
	}
	if !r.resumed || !slices.Equal(r.made, []string{j.shardName(1), j.shardName(2), j.shardName(4)}) {
		t.Errorf("resumed %v, made %v (%s, %s)", r.resumed, r.made, one, two)
	}
	if n := s.Count("GET", j.shardName(0)) + s.Count("PUT", j.shardName(0)); n > 0 {
		t.Errorf("a shard that is there was read or written %d times", n)
	}
	s.holds(t, j)
}

// A run of another plan is refused, unless the same staging directory made the first one, or
// the first one is idle.
func TestTwoPlansForOneBucket(t *testing.T) {
	s := newStore(t)
	fsys := s.fs(t.Context(), t)
	first := job{tag: "first", shards: 7, blocks: 1, workers: 1}.scratch(t.TempDir())
	first.halt(t, fsys, inBucket)
	second := job{tag: "second", shards: 2, blocks: 1, workers: 1}.scratch(t.TempDir())
	taken := func(j job, what string) {
		t.Helper()
		_, err := j.build(t.Context(), fsys, inBucket)
		e := new(sink.TakenError)
		if !errors.As(err, &e) || e.PID != os.Getpid() || e.Path != "s3://data/sets/.out.tfr/job.json" ||
			e.CanBeTaken() != (what != "") {
			t.Errorf("%v", err)
		}
	}
	taken(second, "")
	second.opt.Takeover = true
	taken(second, "")
	past := time.Now().Add(-time.Hour)
	for _, key := range s.objects(t) {
		if err := os.Chtimes(filepath.Join(s.dir, key), past, past); err != nil {
			t.Fatal(err)
		}
	}
	second.opt.Takeover = false
	taken(second, "long ago")
	second.opt.Takeover = true
	if _, err := second.build(t.Context(), fsys, inBucket); err != nil {
		t.Fatal(err)
	}
	s.holds(t, second)
}

// A new plan in the same staging directory replaces the old one and removes its objects.
func TestChangedPlanInBucket(t *testing.T) {
	s := newStore(t)
	fsys, scratch := s.fs(t.Context(), t), t.TempDir()
	job{tag: "first", shards: 7, blocks: 1, workers: 1}.scratch(scratch).halt(t, fsys, inBucket)
	second := job{tag: "second", shards: 2, blocks: 1, workers: 1}.scratch(scratch)
	if _, err := second.build(t.Context(), fsys, inBucket); err != nil {
		t.Fatal(err)
	}
	s.holds(t, second)
	if left := names(tree(t, scratch)); left != "" {
		t.Errorf("the scratch directory has %s", left)
	}
}

// A run that lost the output to another run publishes nothing.
func TestRunThatLostItsBucket(t *testing.T) {
	s := newStore(t)
	fsys := s.fs(t.Context(), t)
	first := job{tag: "first", shards: 2, blocks: 1, workers: 1}.scratch(t.TempDir())
	stage, err := sink.Open(over(fsys), inBucket, first.opt)
	if err != nil {
		t.Fatal(err)
	}
	r := attempt{job: first}
	if err := r.start(t.Context(), stage); err != nil {
		t.Fatal(err)
	}
	client := fsys
	if err := client.storage.Delete(t.Context(), "s3://data/sets/.out.tfr/job.json"); err != nil {
		t.Fatal(err)
	}
	second := job{tag: "second", shards: 2, blocks: 1, workers: 1}.scratch(t.TempDir())
	second.halt(t, s.fs(t.Context(), t), inBucket)
	taken := new(sink.TakenError)
	if err := r.writeShards(t.Context(), stage); !errors.As(err, &taken) {
		t.Errorf("%v", err)
	}
	if err := stage.Close(); err != nil {
		t.Error(err)
	}
	if _, err := second.build(t.Context(), fsys, inBucket); err != nil {
		t.Fatal(err)
	}
	s.holds(t, second)
}

// Two runs of one plan make one dataset, and both succeed.
func TestTwoRunsOfOnePlanInABucket(t *testing.T) {
	s := newStore(t)
	j := job{tag: "new", shards: 6, blocks: 2, workers: 2, delay: 4 * time.Millisecond}
	var group sync.WaitGroup
	for range 3 {
		fsys, own := s.fs(t.Context(), t), j.scratch(t.TempDir())
		group.Go(func() {
			if _, err := own.build(t.Context(), fsys, inBucket); err != nil && !errors.Is(err, sink.ErrDataset) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	s.holds(t, j)
}

// A run that ends without finished shards leaves nothing.
func TestRunGivesUpABucket(t *testing.T) {
	s := newStore(t)
	fsys, scratch := s.fs(t.Context(), t), t.TempDir()
	j := job{tag: "new", shards: 2, blocks: 1, workers: 1}.scratch(scratch)
	for _, drop := range []bool{false, true} {
		stage, err := sink.Open(over(fsys), inBucket, j.opt)
		if err != nil {
			t.Fatal(err)
		}
		r := attempt{job: j}
		if err := r.start(t.Context(), stage); err != nil {
			t.Fatal(err)
		}
		if drop {
			if err := errors.Join(r.writeShards(t.Context(), stage), stage.Drop()); err != nil {
				t.Fatal(err)
			}
		}
		if err := stage.Close(); err != nil {
			t.Fatal(err)
		}
		s.want(t)
		if left := names(tree(t, scratch)); left != "" {
			t.Errorf("the scratch directory has %s", left)
		}
	}
}

func TestExistingObjectsInABucket(t *testing.T) {
	s := newStore(t)
	fsys := s.fs(t.Context(), t)
	client := fsys
	j := small.scratch(t.TempDir())
	for key, want := range map[string]error{
		"sets/out/mine.txt": sink.ErrInTheWay, "sets/out/_SUCCESS": sink.ErrInTheWay,
		"sets/.out.tfr/job.json": sink.ErrUnknownStage,
	} {
		u := "s3://data/" + key
		if err := client.put(t.Context(), u, []byte("mine")); err != nil {
			t.Fatal(err)
		}
		if _, err := j.build(t.Context(), fsys, inBucket); !errors.Is(err, want) {
			t.Errorf("%s: %v", key, err)
		}
		s.want(t, key)
		if err := client.storage.Delete(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"s3://data", "s3://data/", "s3://data/a/../b", "s3://data/a//b"} {
		if _, err := j.build(t.Context(), fsys, name); !errors.Is(err, sink.ErrName) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := j.build(t.Context(), fsys, "s3://nobody/out"); err == nil ||
		!strings.Contains(err.Error(), "s3://nobody/out") || !strings.Contains(err.Error(), "NoSuchBucket") {
		t.Errorf("%v", err)
	}
	if _, err := j.build(t.Context(), vfs.OS(), inBucket); err == nil {
		t.Error("a missing store is no error")
	}
	s.want(t)
}

// With any error of the store, no wrong dataset is published, the error names the place and the
// reason, and the next run succeeds.
func TestStoreErrors(t *testing.T) {
	s := newStore(t)
	j := job{tag: "new", shards: 3, blocks: 1, workers: 1, rejects: true}
	lost := buckettest.Lost(http.StatusInternalServerError, "InternalError")
	for i, fault := range []struct {
		rule  buckettest.Rule
		fault buckettest.Fault
		want  string // part of the error; empty: no error
	}{
		{buckettest.Rule{Method: "PUT", Key: "train-00001", Times: 1}, buckettest.Answer(500, "InternalError"), ""},
		{buckettest.Rule{Method: "PUT", Key: "train-00001"}, buckettest.Answer(500, "InternalError"),
			"InternalError (500)"},
		{buckettest.Rule{Method: "PUT", Key: "train-00001"}, buckettest.Answer(403, "AccessDenied"),
			"AccessDenied (403)"},
		{buckettest.Rule{Method: "PUT", Key: "train-00001"}, buckettest.Answer(400, "ExpiredToken"),
			"ExpiredToken (400)"},
		{buckettest.Rule{Method: "PUT", Key: "train-00001", Times: 1}, lost, ""},
		{buckettest.Rule{Method: "PUT", Key: "job.json", Times: 1}, lost, ""},
		{buckettest.Rule{Method: "PUT", Key: "_SUCCESS", Times: 1}, lost, ""},
		{buckettest.Rule{Method: "PUT", Key: "_SUCCESS"}, buckettest.Answer(403, "AccessDenied"), "_SUCCESS"},
		{buckettest.Rule{Method: "PUT", Key: "manifest.json"}, buckettest.Answer(503, "SlowDown"), "SlowDown (503)"},
		{buckettest.Rule{Method: "PUT", Key: "state.json"}, buckettest.Answer(403, "AccessDenied"), "state.json"},
		{buckettest.Rule{Method: "PUT", Key: "out.rejects"}, buckettest.Answer(403, "AccessDenied"), "out.rejects"},
		{buckettest.Rule{Method: "PUT", Key: "train-00002", Times: 1}, buckettest.Header("ETag", `"other"`), "differ"},
		{buckettest.Rule{Method: "GET", Key: "data", Query: "list-type"}, buckettest.Answer(403, "AccessDenied"),
			"AccessDenied (403)"},
		{buckettest.Rule{Method: "HEAD", Key: "train-00000", Times: 1}, buckettest.Answer(503, "SlowDown"), ""},
		{buckettest.Rule{Method: "PUT", Key: "train-00000", Times: 1}, buckettest.ResetAfter(0), ""},
	} {
		if i%testenv.Times(2, 1, 1) != 0 {
			continue
		}
		t.Run(fmt.Sprint(i, " ", fault.rule.Key, " ", fault.want), func(t *testing.T) {
			output, own := fmt.Sprintf("s3://data/%d/sets/out", i), j.scratch(t.TempDir())
			here := &gateway{s.Proxy, filepath.Join(s.dir, fmt.Sprint(i))}
			s.Reset()
			s.Add(fault.rule, fault.fault)
			_, err := own.build(t.Context(), s.fs(t.Context(), t), output)
			s.Reset()
			if err != nil {
				here.isAbsent(t)
				text := err.Error()
				if fault.want == "" || !strings.Contains(text, fault.want) || !strings.Contains(text, "s3://data") ||
					strings.Contains(text, buckettest.SecretKey) {
					t.Errorf("%s; want %q", text, fault.want)
				}
				if out := new(sink.OutputError); !errors.As(err, &out) {
					t.Errorf("%#v is not an error of the output", err)
				}
				if _, err := own.build(t.Context(), s.fs(t.Context(), t), output); err != nil {
					t.Errorf("the next run: %v", err)
				}
			} else if fault.want != "" && fault.want != "differ" {
				t.Error("no error")
			}
			here.holds(t, j)
		})
	}
}

// Multipart uploads of a killed run are aborted, as are those of a run that is stopped.
func TestLeftoverUploads(t *testing.T) {
	s := newStore(t)
	u := inBucket + "/train-00000-of-00001"
	uploads := func() int {
		client := s.fs(t.Context(), t)
		list, err := client.storage.Uploads(t.Context(), "s3://data/")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	// The first part of this client never ends, as if the client was killed.
	ctx, kill := context.WithCancel(t.Context())
	s.Add(buckettest.Rule{Method: "PUT", Query: "partNumber"}, buckettest.Answer(500, "InternalError"))
	s.Add(buckettest.Rule{Method: "DELETE"}, buckettest.Answer(500, "InternalError"))
	client := s.fs(ctx, t)
	if err := client.put(ctx, u, make([]byte, 12<<20)); err == nil {
		t.Fatal("it was written")
	}
	kill()
	s.Reset()
	if n := uploads(); n != 1 {
		t.Fatalf("%d uploads are left", n)
	}
	j := job{tag: "new", shards: 1, blocks: 1, workers: 1}.scratch(t.TempDir())
	if _, err := j.build(t.Context(), s.fs(t.Context(), t), inBucket); err != nil {
		t.Fatal(err)
	}
	s.holds(t, j)
	if n := uploads(); n != 0 {
		t.Errorf("%d uploads are left", n)
	}
}

// A run that is stopped during an upload keeps its finished shards.
func TestStoppedUpload(t *testing.T) {
	s := newStore(t)
	ctx, stop := context.WithCancelCause(t.Context())
	why := errors.New("stopped by the test")
	j := job{tag: "new", shards: 3, blocks: 1, workers: 1}.scratch(t.TempDir())
	s.Add(buckettest.Rule{Method: "PUT", Key: "train-00001"},
		func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
			stop(why)
			<-r.Context().Done()
		})
	if _, err := j.build(ctx, s.fs(ctx, t), inBucket); !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
	s.Reset()
	s.isAbsent(t)
	r := attempt{job: j}
	if err := r.build(t.Context(), s.fs(t.Context(), t), inBucket); err != nil || !r.resumed || len(r.kept) != 1 {
		t.Errorf("%v; resumed %v with %d", err, r.resumed, len(r.kept))
	}
	s.holds(t, j)
}

// A shard that another process has overwritten is not published, even if its size is the same.
func TestReplacedShardInABucket(t *testing.T) {
	s := newStore(t)
	j := job{tag: "new", shards: 2, blocks: 1, workers: 1}.scratch(t.TempDir())
	for name, change := range map[string]func([]byte) []byte{"bytes": flip, "length": cut} {
		fsys := s.fs(t.Context(), t)
		client := fsys
		s.Reset()
		s.Add(buckettest.Rule{Method: "PUT", Key: "state.json", Times: 1},
			func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
				if err := client.put(t.Context(), inBucket+"/"+j.shardName(0), change(j.content(0))); err != nil {
					t.Error(err)
				}
				buckettest.Slow(0)(w, r, pass)
			})
		_, err := j.build(t.Context(), fsys, inBucket)
		if out := new(sink.OutputError); !errors.Is(err, sink.ErrDiffers) || !errors.As(err, &out) ||
			out.Path != inBucket+"/"+j.shardName(0) {
			t.Errorf("%s: %v", name, err)
		}
		s.isAbsent(t)
	}
	if _, err := j.build(t.Context(), s.fs(t.Context(), t), inBucket); err != nil {
		t.Fatal(err)
	}
	s.holds(t, j)
}

// A dataset that another run publishes at the last moment is not changed.
func TestDatasetPublishedByOthersInABucket(t *testing.T) {
	s := newStore(t)
	j := job{tag: "new", shards: 2, blocks: 1, workers: 1}.scratch(t.TempDir())
	client := s.fs(t.Context(), t)
	success := filepath.Join(s.dir, "sets/out/_SUCCESS")
	s.Add(buckettest.Rule{Method: "PUT", Key: "_SUCCESS", Times: 1},
		func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
			if err := client.put(t.Context(), inBucket+"/_SUCCESS", []byte("theirs")); err != nil {
				t.Error(err)
			}
			buckettest.Slow(0)(w, r, pass)
		})
	if _, err := j.build(t.Context(), s.fs(t.Context(), t), inBucket); !errors.Is(err, sink.ErrDataset) {
		t.Errorf("%v", err)
	}
	if got, err := os.ReadFile(success); string(got) != "theirs" {
		t.Errorf("_SUCCESS is %q, %v", got, err)
	}
	for _, shard := range []string{j.shardName(0), j.shardName(1)} {
		if _, err := os.Stat(filepath.Join(s.dir, "sets/out", shard)); err != nil {
			t.Error(err)
		}
	}
}

// A run that gives up does not remove the job object of another run of the same job.
func TestGivingUpKeepsOtherRunsOfTheJob(t *testing.T) {
	s := newStore(t)
	fsys := s.fs(t.Context(), t)
	j := job{tag: "new", shards: 2, blocks: 1, workers: 1}
	stages := make([]*sink.Stage, 2)
	for i := range stages {
		var err error
		if stages[i], err = sink.Open(over(fsys), inBucket, sink.Options{Scratch: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
		if err := stages[i].Begin([]byte("job of new")); err != nil {
			t.Fatal(err)
		}
	}
	r := attempt{job: j}
	if err := r.writeShards(t.Context(), stages[1]); err != nil {
		t.Fatal(err)
	}
	if err := stages[0].Close(); err != nil {
		t.Fatal(err)
	}
	s.want(t, "sets/.out.tfr/job.json", "sets/out/"+j.shardName(0), "sets/out/"+j.shardName(1))
	if err := errors.Join(stages[1].Drop(), stages[1].Close()); err != nil {
		t.Fatal(err)
	}
	s.want(t, "sets/.out.tfr/job.json", "sets/out/"+j.shardName(0), "sets/out/"+j.shardName(1))
}

// Drop removes nothing of a dataset that another run of the same job has published.
func TestDropKeepsAPublishedDataset(t *testing.T) {
	s := newStore(t)
	fsys := s.fs(t.Context(), t)
	j := job{tag: "new", shards: 2, blocks: 1, workers: 1}
	mine := j.scratch(t.TempDir())
	stage, err := sink.Open(over(fsys), inBucket, mine.opt)
	if err != nil {
		t.Fatal(err)
	}
	r := attempt{job: mine}
	if err := errors.Join(r.start(t.Context(), stage), r.writeShards(t.Context(), stage)); err != nil {
		t.Fatal(err)
	}
	if _, err := j.scratch(t.TempDir()).build(t.Context(), s.fs(t.Context(), t), inBucket); err != nil {
		t.Fatal(err)
	}
	client := fsys
	left := `{"tool": "tfr-build", "run": "x", "job": "job of new"}` // as a twin that begins just now may leave it
	if err := client.put(t.Context(), "s3://data/sets/.out.tfr/job.json", []byte(left)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(stage.Drop(), stage.Close()); err != nil {
		t.Fatal(err)
	}
	j.wantAt(t, filepath.Join(s.dir, "sets/out"))
}

// Another run of the same job does not abort uploads. An upload that is aborted anyway is
// repeated.
func TestAbortedUploadIsRepeated(t *testing.T) {
	s := newStore(t)
	fsys := s.fs(t.Context(), t)
	client := fsys
	s.Add(buckettest.Rule{Method: "POST", Query: "uploads", Times: 1},
		func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
			buckettest.Slow(0)(w, r, func() *http.Response {
				resp := pass()
				uploads := func() []store.Upload {
					list, err := client.storage.Uploads(t.Context(), inBucket+"/")
					if err != nil || len(list) != 1 {
						t.Errorf("%v, %v", list, err)
					}
					return list
				}
				twin, err := sink.Open(over(s.fs(t.Context(), t)), inBucket, sink.Options{Scratch: t.TempDir()})
				if err == nil {
					err = errors.Join(twin.Begin([]byte("job")), twin.Close())
				}
				if err != nil {
					t.Error(err)
				}
				for _, up := range uploads() { // which the twin has left alone
					if err := client.storage.Abort(t.Context(), up); err != nil {
						t.Error(err)
					}
				}
				return resp
			})
		})
	opt := sink.Options{Scratch: t.TempDir()}
	stage, err := sink.Open(over(fsys), inBucket, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Begin([]byte("job")); err != nil {
		t.Fatal(err)
	}
	sh, err := stage.CreateShard("large", sink.ShardOptions{Blocks: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sh.WriteBlock(t.Context(), 0, make([]byte, 12<<20), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := sh.Finish(t.Context(), sink.About{}); err != nil {
		t.Errorf("%v", err)
	}
	if n := s.Count("POST", "?uploads"); n != 2 {
		t.Errorf("%d uploads were begun", n)
	}
	if err := errors.Join(stage.Drop(), stage.Close()); err != nil {
		t.Error(err)
	}
	s.want(t)
}

// TestTasksAndRunsInABucket has tasks and runs compete for an output. It also checks what a
// killed task has left on this machine.
func TestTasksAndRunsInABucket(t *testing.T) {
	s := newStore(t)
	fsys, scratch := s.fs(t.Context(), t), t.TempDir()
	j := job{tag: "x", shards: 2, blocks: 3, workers: 1}.scratch(scratch)
	run, err := sink.Open(over(fsys), inBucket, j.opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Begin([]byte("a run's job")); err != nil {
		t.Fatal(err)
	}
	planner := j.scratch(t.TempDir())
	stage, err := sink.Open(over(fsys), inBucket, planner.opt)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Close()
	if err := (sink.Shared{Stage: stage}).Claim([]byte("tasks of x")); !errors.As(err, new(*sink.TakenError)) {
		t.Errorf("tasks next to a run: %v", err)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	if err := (sink.Shared{Stage: stage}).Claim([]byte("tasks of x")); err != nil {
		t.Fatal(err)
	}
	var busy *sink.ClaimedError
	if _, err := sink.Open(over(fsys), inBucket, j.opt); !errors.As(err, &busy) || string(busy.Claim) != "tasks of x" {
		t.Errorf("a run next to tasks: %v", err)
	}

	task, err := sink.Join(over(fsys), inBucket, j.by("a"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := task.CreateShard(j.shardName(0), sink.ShardOptions{Blocks: 2}); err != nil {
		t.Fatal(err)
	}
	for name, content := range tree(t, scratch) { // as if it was killed
		if !strings.HasSuffix(name, "/") {
			testenv.Put(t, filepath.Join(scratch, strings.Replace(name, "-a/", "-b/", 1)), content)
		}
	}
	other, err := sink.Join(over(fsys), inBucket, j.by("c"))
	if err != nil {
		t.Fatal(err)
	}
	if left := names(tree(t, scratch)); strings.Contains(left, "-b/") || !strings.Contains(left, "-a/") {
		t.Errorf("the scratch directory has %s", left)
	}
	if err := errors.Join(task.Close(), other.Close()); err != nil {
		t.Error(err)
	}
	if left := names(tree(t, scratch)); left != "" {
		t.Errorf("tasks that ended left %s", left)
	}
}
