package main

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/testenv"
)

// inBucket copies the input to the bucket, too.
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
	testenv.Put(t, filepath.Join(b.dir, "c.yaml"),
		strings.ReplaceAll(string(text), "['a.csv', 'b.csv']", "['s3://data/a.csv', 's3://data/b.csv'], root: "+
			"'s3://data'"))
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
	if _, err := client.Put(t.Context(), bucket.URL{Scheme: bucket.S3, Bucket: "data", Key: key}, bytes.NewReader(data),
		int64(len(data)), bucket.Terms{}); err != nil {
		t.Fatal(err)
	}
}

// A storeFault is an error of a store in one of the three places where a run uses it, with the
// expected exit code. If the code is not 0, the next run must succeed.
type storeFault struct {
	name       string
	rule       buckettest.Rule
	fault      buckettest.Fault
	build, all int    // exit codes of `build` and of `task all`; notDone if the command does not do this
	want       string // part of the messages, with # for the output; empty if the code is 0
}

// Keys of the objects in each place.
const (
	ofInput = "/a.csv"
	ofShard = "/d/train-00001"
	ofPlan  = "work/plan/plan"
	ofRun   = "work/runs/"
	ofNote  = "work/done/"
	ofClaim = "job.json"
)

const notDone = -1

// storeFaults returns all kinds of errors in all places.
func storeFaults() []storeFault {
	type rule = buckettest.Rule
	type with = buckettest.Fault
	lost := buckettest.Lost(http.StatusInternalServerError, "InternalError")
	var list []storeFault
	// Temporary errors: the run retries, and succeeds.
	for _, place := range []struct {
		rule  rule
		build int
	}{
		{rule{Method: "GET", Key: ofInput}, 0}, {rule{Method: "HEAD", Key: ofInput}, 0},
		{rule{Method: "PUT", Key: ofShard}, 0}, {rule{Method: "PUT", Key: "/_SUCCESS"}, 0},
		{rule{Method: "PUT", Key: "manifest.json"}, 0},
		{rule{Method: "PUT", Key: ofClaim}, 0}, {rule{Method: "GET", Key: ofClaim}, 0},
		{rule{Method: "DELETE", Key: ofClaim}, 0},
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
			{"slow", buckettest.Slow(400 * time.Millisecond), false}, {"reset", buckettest.ResetAfter(0), false},
			{"lost", lost, false},
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
		{rule{Method: "GET", Key: ofPlan}, notDone, 4, "work/plan/plan"},
		{rule{Method: "PUT", Key: ofRun}, notDone, 4, "work/runs/"},
		{rule{Method: "GET", Key: ofRun}, notDone, 4, "work/runs/"},
		{rule{Method: "PUT", Key: ofNote}, notDone, 4, "work/done/"},
		{rule{Method: "GET", Key: ofNote}, notDone, 4, "work/done/"},
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

// TestFaultsFromBucketToBucket injects each error into each place of a build and of tasks whose
// input, output, and work directory are in a bucket. A successful run has made the bytes of a local
// build. After a failed run, the message names the object and the store's code, no dataset exists,
// and the next run succeeds.
func TestFaultsFromBucketToBucket(t *testing.T) {
	b := newBucketBuild(t)
	b.inBucket(t)
	for i, f := range storeFaults() {
		for command, code := range map[string]int{"build": f.build, "task": f.all} {
			step := testenv.Times(149, 17, 1)
			if code == notDone || i%step != testenv.First(0, step) {
				continue
			}
			t.Run(fmt.Sprint(i, " ", command, " ", f.name, " ", f.rule.Method, " ", f.rule.Key, f.rule.Query),
				func(t *testing.T) {
					b.befallen(t, fmt.Sprintf("%s%d/d", command, i), command, &f, code, nil)
				})
		}
	}
}

// befallen runs a command with an injected error, and again after the store is fixed.
func (b *bucketBuild) befallen(t *testing.T, output, command string, f *storeFault, code int, mend func()) {
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
		if mend != nil {
			mend()
		}
		run(0)
	}
	b.holds(t, output, cache)
}

// TestStoreIsDown checks each of the three places of a run: the run retries as long as -retry says,
// and standard error says why.
func TestStoreIsDown(t *testing.T) {
	b := newBucketBuild(t)
	b.inBucket(t)
	cache := t.TempDir()
	run := func(output, retry string, code int) string {
		cmd, said := b.start(t, cache, "task", "all", "-workers", "2", "-output", "s3://data/"+output,
			"-config", "c.yaml", "-retry", retry)
		return b.wait(t, cmd, said, code)
	}
	for place, at := range map[string]struct {
		rule buckettest.Rule
		code int
	}{
		"input":          {buckettest.Rule{Key: ofInput}, 5},
		"output":         {buckettest.Rule{Key: ofShard}, 4},
		"work directory": {buckettest.Rule{Key: ofRun}, 4},
	} {
		t.Run(place, func(t *testing.T) {
			output := strings.Fields(place)[0] + "/d"
			const lost, back = time.Hour, 2500 * time.Millisecond
			b.Add(at.rule, buckettest.Down(lost))
			if said := run(output, "0", at.code); !strings.Contains(said, "503") || strings.Contains(said, "waiting") ||
				strings.Contains(said, "tried") {
				t.Errorf("without -retry: %s", said)
			}
			if said := run(output, "300ms", at.code); !strings.Contains(said, "; tried ") {
				t.Errorf("after a while: %s", said)
			}
			b.Reset()
			b.Add(at.rule, buckettest.Down(back))
			const want = "warning: waiting for the store for up to "
			if said := run(output, "2m", 0); !strings.Contains(said, want) || !strings.Contains(said, at.rule.Key) {
				t.Errorf("it does not say %q: %s", want, said)
			}
			b.Reset()
			b.holds(t, output, cache)
		})
	}
}

// TestMissingBuckets names buckets that do not exist in each of the three places.
func TestMissingBuckets(t *testing.T) {
	b := newBucketBuild(t)
	text, err := os.ReadFile(filepath.Join(b.dir, "c.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	testenv.Put(t, filepath.Join(b.dir, "none.yaml"),
		strings.ReplaceAll(string(text), "['a.csv', 'b.csv']", "['s3://nobody/a.csv'], root: 's3://nobody'"))
	for _, run := range []struct {
		code int
		url  string
		args []string
	}{
		{5, "s3://nobody/a.csv", []string{"build", "-output", "s3://data/sets/d", "none.yaml"}},
		{5, "s3://nobody/a.csv", []string{"task", "all", "-output", "s3://data/sets/d", "-config", "none.yaml"}},
		{4, "s3://nobody/d", []string{"build", "-output", "s3://nobody/d", "c.yaml"}},
		{4, "s3://nobody/d", []string{"task", "all", "-output", "s3://nobody/d", "-work", "s3://data/work", "-config",
			"c.yaml"}},
		{4, "s3://nobody/w/", []string{"task", "all", "-output", "s3://data/sets/d", "-work", "s3://nobody/w",
			"-config", "c.yaml"}},
		{4, "s3://nobody/w/", []string{"status", "-work", "s3://nobody/w"}},
	} {
		cmd, said := b.start(t, t.TempDir(), run.args...)
		text := b.wait(t, cmd, said, run.code)
		if !strings.Contains(text, run.url) || !strings.Contains(text, "NoSuchBucket (404)") {
			t.Errorf("%q: %s", run.args, text)
		}
	}
	if left := filesBelow(t, filepath.Join(b.store, "sets")); len(left) > 0 {
		t.Errorf("%d objects are left", len(left))
	}
}

// TestReplacedObjects overwrites, in each of the three places, an object that the run has listed or
// written.
func TestReplacedObjects(t *testing.T) {
	b := newBucketBuild(t)
	b.inBucket(t)
	input, err := os.ReadFile(filepath.Join(b.store, "a.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for i, run := range []struct {
		command string
		method  string // of the request at which it is replaced
		key     string
		object  string // by its beginning
		code    int
		want    string
	}{
		{"build", "PUT", ofClaim, "a.csv", 5, "s3://data/a.csv"},
		{"task", "PUT", "done/scan-0", "a.csv", 42, "s3://data/a.csv"},
		{"build", "PUT", "manifest.json", "#/train-00001", 4, "another has written it"},
		{"task", "PUT", "done/write-7", "#/train-00001", 75, "7 of 8 write tasks are done"},
		{"task", "GET", "done/merge-0", "@/work/runs/scan-0-", 0, ""},
		{"task", "GET", "done/merge-0", "@/work/done/scan-0", 75, "1 of 2 scan tasks are done"},
	} {
		if i%testenv.Times(5, 1, 1) != 2%testenv.Times(5, 1, 1) {
			continue
		}
		t.Run(fmt.Sprint(i, " ", run.command, " ", run.object), func(t *testing.T) {
			output := fmt.Sprintf("r%d/d", i)
			b.Reset()
			f := &storeFault{rule: buckettest.Rule{Method: run.method, Key: run.key, Times: 1}, want: run.want}
			f.fault = func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
				at := strings.NewReplacer("#", output, "@", fmt.Sprintf("r%d/.d.tfr", i)).Replace(run.object)
				found, err := filepath.Glob(filepath.Join(b.store, at+"*"))
				if err != nil || len(found) == 0 {
					t.Errorf("there is no %s", at)
				}
				for _, name := range found {
					b.put(t, strings.TrimPrefix(name, b.store+"/"), []byte("other"))
				}
				passOn(w, r, pass)
			}
			b.befallen(t, output, run.command, f, run.code, func() { b.put(t, "a.csv", input) })
		})
	}
}

// TestLateListings has listings that lack objects of the last two seconds. The dataset is complete;
// some work files of its tasks may be left.
func TestLateListings(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("sink has this test, too")
	}
	b := newBucketBuild(t)
	b.inBucket(t)
	for _, args := range [][]string{{"build", "c.yaml"}, {"task", "all", "-config", "c.yaml"}} {
		b.LateListings(2 * time.Second)
		output := args[0] + "/d"
		cmd, said := b.start(t, t.TempDir(), append(args, "-output", "s3://data/"+output)...)
		b.wait(t, cmd, said, 0)
		b.Reset()
		if got := filesBelow(t, filepath.Join(b.store, output)); !maps.Equal(got, b.local) {
			t.Errorf("%s makes %d files, not those of a local dataset", args[0], len(got))
		}
	}
}

// TestStoppedTask stops a task by SIGSTOP while it uploads a shard, cleans the tasks, builds
// another dataset in their place, and lets the task continue.
func TestStoppedTask(t *testing.T) {
	b := newBucketBuild(t)
	caches := []string{t.TempDir(), t.TempDir()}
	b.config(t, "other.yaml", 3)
	asked, goOn := make(chan struct{}), make(chan struct{})
	b.Add(buckettest.Rule{Method: "PUT", Key: "train-00001-of-00004", Times: 1},
		func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
			close(asked)
			<-goOn
			passOn(w, r, pass)
		})
	late, said := b.start(t, caches[0], "task", "all", "-output", "s3://data/sets/d", "-config", "c.yaml")
	<-asked
	if err := late.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	program(t, b.dir, []int{0}, "clean", "-work", "s3://data/sets/.d.tfr/work")
	cmd, other := b.start(t, caches[1], "build", "-output", "s3://data/sets/d", "other.yaml")
	b.wait(t, cmd, other, 0)
	want := filesBelow(t, filepath.Join(b.store, "sets/d"))
	close(goOn)
	if err := late.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if text := b.wait(t, late, said, 75); !strings.Contains(text, "the tasks do not have the output") {
		t.Error(text)
	}
	b.local = want
	b.holds(t, "sets/d", caches[1])
	program(t, b.dir, []int{0}, "verify", "-deep", "s3://data/sets/d")
}
