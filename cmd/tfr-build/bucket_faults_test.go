package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/testenv"
)

// inBucket has the input stand in the bucket, too.
func (b *bucketBuild) inBucket(t *testing.T) {
	t.Helper()
	for _, name := range []string{"a.csv", "b.csv"} {
		data, err := os.ReadFile(filepath.Join(b.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		b.put(t, name, data)
	}
	text, err := os.ReadFile(filepath.Join(b.dir, "c.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	testenv.Put(t, filepath.Join(b.dir, "c.yaml"), strings.ReplaceAll(string(text), "['a.csv', 'b.csv']", "['s3://data/a.csv', 's3://data/b.csv'], root: 's3://data'"))
	program(t, b.dir, []int{0}, "build", "-sync=false", "-output", "local2", "c.yaml")
	b.local = filesBelow(t, filepath.Join(b.dir, "local2"))
}

// put puts an object of the bucket.
func (b *bucketBuild) put(t *testing.T, key string, data []byte) {
	t.Helper()
	client, err := bucket.New(bucket.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := client.Put(t.Context(), bucket.URL{Scheme: bucket.S3, Bucket: "data", Key: key}, data); err != nil {
		t.Fatal(err)
	}
}

// A storeFault is what a store does to a run, at one of the three places where it may be
// used, and how the run ends: it says what is wanted, and where that is not 0 the next
// run is well.
type storeFault struct {
	name       string
	rule       buckettest.Rule
	fault      buckettest.Fault
	build, all int    // the exit codes of `build` and of `task all`; -1: it does not do this
	want       string // of what is said, with # for the output; empty where the code is 0
}

// The keys of the places.
const (
	ofInput = "/a.csv"
	ofShard = "/d/train-00001"
	ofPlan  = "work/plan/plan"
	ofRun   = "work/runs/"
	ofNote  = "work/done/"
	ofClaim = "job.json"
)

const notDone = -1

// storeFaults are all kinds of faults at all places.
func storeFaults() []storeFault {
	type rule = buckettest.Rule
	type with = buckettest.Fault
	lost := buckettest.Lost(http.StatusInternalServerError, "InternalError")
	var list []storeFault
	// What goes by: nobody notices.
	for _, place := range []struct {
		rule  rule
		build int
	}{
		{rule{Method: "GET", Key: ofInput}, 0}, {rule{Method: "HEAD", Key: ofInput}, 0},
		{rule{Method: "PUT", Key: ofShard}, 0}, {rule{Method: "PUT", Key: "/_SUCCESS"}, 0}, {rule{Method: "PUT", Key: "manifest.json"}, 0},
		{rule{Method: "PUT", Key: ofClaim}, 0}, {rule{Method: "GET", Key: ofClaim}, 0}, {rule{Method: "DELETE", Key: ofClaim}, 0},
		{rule{Method: "GET", Query: "list-type"}, 0},
		{rule{Method: "PUT", Key: ofPlan}, notDone}, {rule{Method: "GET", Key: ofPlan}, notDone},
		{rule{Method: "PUT", Key: ofRun}, notDone}, {rule{Method: "GET", Key: ofRun}, notDone},
		{rule{Method: "PUT", Key: ofNote}, notDone}, {rule{Method: "GET", Key: ofNote}, notDone},
	} {
		for _, of := range []struct {
			name    string
			fault   with
			reading bool // an answer without a body is not cut
		}{
			{"500", buckettest.Answer(500, "InternalError"), false}, {"503", buckettest.Unavailable(1), false},
			{"slow", buckettest.Slow(400 * time.Millisecond), false}, {"reset", buckettest.ResetAfter(0), false}, {"lost", lost, false},
			{"cut short", buckettest.Truncate(10), true}, {"reset in the middle", buckettest.ResetAfter(10), true},
		} {
			if at := place.rule; !of.reading || at.Method == "GET" {
				at.Times = 1
				list = append(list, storeFault{name: of.name, rule: at, fault: of.fault, build: place.build})
			}
		}
	}
	expired, denied := buckettest.Answer(400, "ExpiredToken"), buckettest.Answer(403, "AccessDenied")
	for _, place := range []struct {
		rule       rule
		build, all int
		at         string
	}{
		{rule{Method: "GET", Key: ofInput}, 5, 5, "s3://data/a.csv"},
		{rule{Method: "PUT", Key: ofShard}, 4, 4, "#/train-00001"},
		{rule{Method: "PUT", Key: "/_SUCCESS"}, 4, 4, "#/_SUCCESS"},
		{rule{Method: "PUT", Key: ofClaim}, 4, 4, "job.json"},
		{rule{Method: "PUT", Key: ofPlan}, notDone, 4, "work/plan/plan"},
		{rule{Method: "GET", Key: ofPlan}, notDone, 1, "work/plan/plan"},
		{rule{Method: "PUT", Key: ofRun}, notDone, 4, "work/runs/"},
		{rule{Method: "GET", Key: ofRun}, notDone, 1, "work/runs/"},
		{rule{Method: "PUT", Key: ofNote}, notDone, 4, "work/done/"},
		{rule{Method: "GET", Key: ofNote}, notDone, 1, "work/done/"},
	} {
		list = append(list,
			storeFault{"expired", place.rule, expired, place.build, place.all, place.at + "…ExpiredToken (400)"},
			storeFault{"denied", place.rule, denied, place.build, place.all, place.at + "…AccessDenied (403)"})
	}
	other := buckettest.Header("ETag", `"other"`)
	return append(list,
		storeFault{"wrong ETag", rule{Method: "GET", Key: ofInput, Times: 1}, other, 5, 42, "s3://data/a.csv…changed"},
		storeFault{"wrong ETag", rule{Method: "PUT", Key: ofShard, Times: 1}, other, 0, 0, ""},
		storeFault{"wrong ETag", rule{Method: "PUT", Key: ofRun, Times: 1}, other, notDone, 0, ""},
		storeFault{"wrong ETag", rule{Method: "GET", Key: ofRun, Times: 1}, other, notDone, 0, ""},
		storeFault{"wrong ETag", rule{Method: "GET", Key: ofNote, Times: 1}, other, notDone, 0, ""},
	)
}

// TestFaultsFromBucketToBucket puts each fault at each place of a build and of tasks
// whose input, output and work folder are in a bucket. A run that ends well has made the
// bytes of a local build; else it says the object and the store's code, there is no
// dataset, and the next run makes it.
func TestFaultsFromBucketToBucket(t *testing.T) {
	b := newBucketBuild(t)
	b.inBucket(t)
	for i, f := range storeFaults() {
		for command, code := range map[string]int{"build": f.build, "task": f.all} {
			if code == notDone || i%testenv.Times(53, 2, 1) != 0 {
				continue
			}
			t.Run(fmt.Sprint(i, " ", command, " ", f.name, " ", f.rule.Method, " ", f.rule.Key, f.rule.Query), func(t *testing.T) {
				b.befallen(t, fmt.Sprintf("%s%d/d", command, i), command, &f, code)
			})
		}
	}
}

// befallen runs a command that a fault befalls, and then again.
func (b *bucketBuild) befallen(t *testing.T, output, command string, f *storeFault, code int) {
	t.Helper()
	cache, url := t.TempDir(), "s3://data/"+output
	run := func(code int) string {
		args := []string{"build", "-workers", "2", "-output", url, "c.yaml"}
		if command == "task" {
			args = []string{"task", "all", "-workers", "2", "-output", url, "-config", "c.yaml", "-wait", "1s"}
		}
		cmd, said := b.start(t, cache, args...)
		return b.wait(t, cmd, said, code)
	}
	b.Reset()
	b.Add(f.rule, f.fault)
	said := run(code)
	b.Reset()
	for part := range strings.SplitSeq(strings.ReplaceAll(f.want, "#", url), "…") {
		if !strings.Contains(said, part) {
			t.Errorf("it does not say %q: %s", part, said)
		}
	}
	if code != 0 {
		if _, err := os.Stat(filepath.Join(b.store, output, "_SUCCESS")); err == nil {
			t.Error("there is a dataset")
		}
		run(0)
	}
	b.holds(t, output, cache)
}
