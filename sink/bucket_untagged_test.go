package sink_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/bucket"
	"tfr-build/internal/buckettest"
	"tfr-build/sink"
)

// untagged makes the store return no ETag for objects under a prefix, and keep no checksums.
func (s *gateway) untagged(t *testing.T, prefix string) {
	t.Helper()
	s.Add(buckettest.Rule{Method: "PUT", Key: prefix},
		func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
			buckettest.Header("ETag", "")(w, r, func() *http.Response {
				resp := pass()
				if resp.StatusCode == http.StatusOK {
					untag(t, filepath.Join(filepath.Dir(s.dir), r.URL.Path))
				}
				return resp
			})
		})
}

// untag replaces the file of an object, as if it was copied without the gateway.
func untag(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Error(err)
		return
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = errors.Join(os.Remove(path), os.WriteFile(path, data, 0o666),
			os.Chtimes(path, info.ModTime(), info.ModTime()))
	}
	if err != nil {
		t.Error(err)
	}
}

// TestTasksReadShardsWithoutETags flips a bit in a shard for which the store has no ETag,
// without changing its size and time. The error names the shard, and nothing is published.
func TestTasksReadShardsWithoutETags(t *testing.T) {
	s := newStore(t)
	o := s.at(t)
	j := job{tag: "x", shards: 3, blocks: 3, indexed: true}.scratch(t.TempDir())
	o.claim(t, &j)
	shard := func(k int) string { return filepath.Join(o.data, j.shardName(k)) }
	index := func(k int) string { return filepath.Join(o.data, sink.IndexName(j.shardName(k))) }
	s.untagged(t, "/sets/out/")
	lines := j.share(t, o, "a", 0, 1, 2)
	for _, l := range lines {
		if bucket.IsETag(l.ETag) || bucket.IsETag(l.Index.ETag) {
			t.Fatalf("the store has the ETag %s", l.ETag)
		}
	}
	if kept, err := j.adopt(t, o, slices.Clone(lines), false); err != nil || len(kept) != 3 {
		t.Errorf("as they were made: %v, %v", kept, err)
	}
	if err := errors.Join(changed(shard(0)), changed(index(2))); err != nil {
		t.Fatal(err)
	}
	var lacking *sink.MissingShardsError
	_, err := j.adopt(t, o, slices.Clone(lines), true)
	if !errors.As(err, &lacking) || !slices.Equal(lacking.Names, []string{j.shardName(0), j.shardName(2)}) {
		t.Fatal(err)
	}
	s.isAbsent(t)
	if err := errors.Join(os.Remove(shard(0)), os.Remove(index(2))); err != nil {
		t.Fatal(err)
	}
	again := j.share(t, o, "b", 0, 2)
	lines[0], lines[2] = again[0], again[1]
	if _, err := j.adopt(t, o, lines, true); err != nil {
		t.Fatal(err)
	}
	j.wantAt(t, o.at)
}

// TestResumeReadsShardsWithoutETags is the same test for a stopped build.
func TestResumeReadsShardsWithoutETags(t *testing.T) {
	s := newStore(t)
	fsys := s.fs(t.Context(), t)
	j := job{tag: "new", shards: 3, blocks: 2, workers: 1}.scratch(t.TempDir())
	s.untagged(t, "/sets/out/")
	j.halt(t, fsys, inBucket)
	if err := changed(filepath.Join(s.dir, "sets/out", j.shardName(1))); err != nil {
		t.Fatal(err)
	}
	again := attempt{job: j}
	if err := again.build(t.Context(), fsys, inBucket); err != nil {
		t.Fatal(err)
	}
	if !again.resumed || !slices.Equal(again.made, []string{j.shardName(1)}) {
		t.Errorf("resumed %v, made %s", again.resumed, strings.Join(again.made, " "))
	}
	s.holds(t, j)
}

// TestCommitReturnsTheErrorOfTheStore checks that a commit of tasks ends with the error of the
// store, and not with an error that asks to make the shards again.
func TestCommitReturnsTheErrorOfTheStore(t *testing.T) {
	s := newStore(t)
	o := s.at(t)
	j := job{tag: "x", shards: 1, blocks: 3}.scratch(t.TempDir())
	o.claim(t, &j)
	lines := j.share(t, o, "a", 0)
	lines[0].ETag = ""
	s.Add(buckettest.Rule{Method: "HEAD", Key: j.shardName(0)}, buckettest.Answer(503, "SlowDown"))
	if _, err := j.adopt(t, o, lines, true); err == nil || errors.As(err, new(*sink.MissingShardsError)) {
		t.Error(err)
	}
	s.Reset()
	if _, err := j.adopt(t, o, lines, true); err != nil {
		t.Error(err)
	}
}
