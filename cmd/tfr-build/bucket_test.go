package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/buckettest"
	"tfr-build/internal/testenv"
)

// A bucketBuild is a build whose output is in a bucket, by processes.
type bucketBuild struct {
	*buckettest.Proxy
	store string // the directory of the bucket's objects
	dir   string // of the config
	local map[string]string
}

// passOn hands a request on to the store.
var passOn = buckettest.Slow(0)

func newBucketBuild(t *testing.T) *bucketBuild {
	t.Helper()
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	b := &bucketBuild{Proxy: g.Proxy(t), store: filepath.Join(g.Dir, "data"), dir: t.TempDir()}
	buckettest.Env(t, b.URL)
	tables(t, b.dir)
	b.config(t, "c.yaml", 4)
	program(t, b.dir, []int{0}, "build", "-sync=false", "-output", "local", "c.yaml")
	b.local = filesBelow(t, filepath.Join(b.dir, "local"))
	return b
}

func (b *bucketBuild) config(t *testing.T, name string, shards int) {
	testenv.Put(t, filepath.Join(b.dir, name),
		fmt.Sprintf("name: d\noutput: s3://data/nowhere\nsource: {csv: {files: ['a.csv', 'b.csv']}}\n"+
			"split: {column: part}\non_error: quarantine\nfeatures: {id: int64, user: {classes: auto}, x: float32}\n"+
			"shards: %d\n", shards))
}

// filesBelow returns the files below a directory, with their contents.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}

// begin begins to build the output of this name, with a cache of its own.
func (b *bucketBuild) begin(t *testing.T, output, cache, config string, args ...string) (cmd *exec.Cmd,
	said *bytes.Buffer) {
	t.Helper()
	return b.start(t, cache, append([]string{"build", "-workers", "2", "-output", "s3://data/" + output, config},
		args...)...)
}

// start starts the program, with a cache of its own.
func (b *bucketBuild) start(t *testing.T, cache string, args ...string) (cmd *exec.Cmd, said *bytes.Buffer) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), "tfr-build", args...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache, "HOME="+cache)
	said = new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, said
}

// build builds, and wants the exit code.
func (b *bucketBuild) build(t *testing.T, code int, output, cache, config string, args ...string) string {
	t.Helper()
	cmd, said := b.begin(t, output, cache, config, args...)
	return b.wait(t, cmd, said, code)
}

// wait waits for the program, and wants one of the exit codes.
func (b *bucketBuild) wait(t *testing.T, cmd *exec.Cmd, said *bytes.Buffer, codes ...int) string {
	t.Helper()
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); !slices.Contains(codes, got) {
		t.Errorf("%q: exit %d, want %d\n%s", cmd.Args, got, codes, said)
	}
	b.keepsSecrets(t, said.String())
	return said.String()
}

func (b *bucketBuild) keepsSecrets(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{buckettest.SecretKey, buckettest.AccessKey, sessionToken, "AWS4-HMAC-SHA256"} {
		if at := strings.Index(text, secret); at >= 0 {
			t.Errorf("a secret is printed: %.300q", text[max(0, at-100):])
		}
	}
}

// holds checks that the output is the local dataset, and that the runs that made it left nothing,
// except what tasks leave.
func (b *bucketBuild) holds(t *testing.T, output, cache string) {
	t.Helper()
	got := filesBelow(t, filepath.Join(b.store, output))
	for name, text := range b.local {
		if got[name] != text {
			t.Errorf("%s: %s is not what it is in a local dataset", output, name)
		}
		b.keepsSecrets(t, text)
	}
	if len(got) != len(b.local) {
		t.Errorf("%s holds %d files, a local dataset %d", output, len(got), len(b.local))
	}
	others := filesBelow(t, filepath.Join(b.store, filepath.Dir(output), "."+filepath.Base(output)+".tfr"))
	delete(others, "work/committed")
	if len(others) != 1 || others["state.json"] == "" {
		t.Errorf("%s: next to it there is %q", output, slices.Collect(maps.Keys(others)))
	}
	if _, err := os.Stat(filepath.Join(b.store, output+".rejects.jsonl")); err != nil {
		t.Error(err)
	}
	left := filesBelow(t, cache)
	maps.DeleteFunc(left, func(name, _ string) bool { // of a run that was killed after all was done
		return filepath.Base(name) == "lock" || filepath.Base(name) == "owner"
	})
	if len(left) > 0 {
		t.Errorf("the cache holds %q", slices.Collect(maps.Keys(left)))
	}
	if entries, err := os.ReadDir(filepath.Join(b.store, ".sgwtmp", "multipart")); err == nil && len(entries) > 0 {
		t.Errorf("%d uploads are left", len(entries))
	}
}

// TestKilledBuildInBucket kills -9 a build at the nth request to the store, before or after the
// request is done. A dataset then exists or not, and the same command completes it.
func TestKilledBuildInBucket(t *testing.T) {
	newBucketBuild(t).killed(t, testenv.Times(61, 7, 1), func(output string) []string {
		return []string{"build", "-workers", "2", "-output", output, "c.yaml"}
	})
}

// TestKilledTasksInBucket does the same with tasks, whose work directory is in the bucket, too.
func TestKilledTasksInBucket(t *testing.T) {
	newBucketBuild(t).killed(t, testenv.Times(127, 29, 1), func(output string) []string {
		return []string{"task", "all", "-workers", "2", "-output", output, "-config", "c.yaml", "-wait", "20s"}
	})
}

// killed kills a command at each request, or at each step-th.
func (b *bucketBuild) killed(t *testing.T, step int, args func(output string) []string) {
	t.Helper()
	for n, killed := 1+testenv.First(0, step), true; killed; n += step {
		output, cache := fmt.Sprintf("killed/%d", n), t.TempDir()
		killed = b.killedAt(t, int64(n), output, cache, args("s3://data/"+output))
		if _, err := os.Stat(filepath.Join(b.store, output, "_SUCCESS")); err == nil {
			got := filesBelow(t, filepath.Join(b.store, output))
			for name, text := range b.local {
				if got[name] != text {
					t.Errorf("request %d: %s is wrong, and _SUCCESS is there", n, name)
				}
			}
		}
		cmd, said := b.start(t, cache, args("s3://data/"+output)...)
		b.wait(t, cmd, said, 0)
		b.holds(t, output, cache)
		if t.Failed() {
			t.Fatalf("killed at request %d", n)
		}
	}
}

// killedAt kills a command at the nth request, unless it ends before.
func (b *bucketBuild) killedAt(t *testing.T, n int64, output, cache string, args []string) bool {
	t.Helper()
	b.Reset()
	defer b.Reset()
	var process *os.Process
	var mu sync.Mutex
	var asked atomic.Int64
	b.Add(buckettest.Rule{}, func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
		at := asked.Add(1)
		if at < n {
			passOn(w, r, pass)
			return
		}
		if at == n && n%2 == 0 {
			pass().Body.Close()
		}
		mu.Lock()
		_ = process.Kill()
		mu.Unlock()
		panic(http.ErrAbortHandler)
	})
	mu.Lock()
	cmd, said := b.start(t, cache, args...)
	process = cmd.Process
	mu.Unlock()
	_ = cmd.Wait()
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() && status.ExitStatus() != 0 {
		t.Fatalf("request %d: exit %d\n%s", n, status.ExitStatus(), said)
	}
	return status.Signaled()
}

// task does a task of the output sets/d.
func (b *bucketBuild) task(t *testing.T, cache string, codes []int, phase string, args ...string) string {
	t.Helper()
	cmd, said := b.start(t, cache, append([]string{"task", phase, "-output", "s3://data/sets/d", "-config", "c.yaml"},
		args...)...)
	return b.wait(t, cmd, said, codes...)
}

// TestTasksInABucket has four processes that share only a bucket make a dataset of input in the
// bucket.
func TestTasksInABucket(t *testing.T) {
	b := newBucketBuild(t)
	b.inBucket(t)
	caches := []string{t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()}
	var group sync.WaitGroup
	for i, cache := range caches {
		group.Go(func() {
			b.task(t, cache, []int{0}, "all", "-index", fmt.Sprint(i), "-of", "4", "-wait", "20s")
		})
	}
	group.Wait()
	for _, cache := range caches {
		b.holds(t, "sets/d", cache)
	}
	if said := b.task(t, caches[0], []int{0}, "write", "-work", "s3://data/sets/.d.tfr/work"); !strings.HasPrefix(said,
		"built before s3://data/sets/d train=") {
		t.Errorf("after the commit: %s", said)
	}
	cmd, said := b.start(t, caches[0], "build", "-output", "s3://data/sets/d", "c.yaml")
	if text := b.wait(t, cmd, said, 0); !strings.HasPrefix(text, "up to date") {
		t.Error(text)
	}
}

// TestTasksInABucketTwice has two processes run the same tasks at once, loses a shard, and cleans
// other tasks.
func TestTasksInABucketTwice(t *testing.T) {
	b := newBucketBuild(t)
	caches := []string{t.TempDir(), t.TempDir()}
	work := filepath.Join(b.store, "sets/.d.tfr/work")
	for _, phase := range []string{"plan", "scan", "merge", "write", "commit"} {
		var group sync.WaitGroup
		for _, cache := range caches {
			group.Go(func() { b.task(t, cache, []int{0, 75}, phase) })
		}
		group.Wait()
		switch phase {
		case "scan":
			runs, err := filepath.Glob(filepath.Join(work, "runs", "scan-1-*"))
			if err != nil || len(runs) == 0 {
				t.Fatalf("%q, %v", runs, err)
			}
			for _, name := range runs {
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
			}
		case "write":
			if err := os.Remove(filepath.Join(b.store, "sets/d/train-00001-of-00004")); err != nil {
				t.Fatal(err)
			}
			b.task(t, caches[0], []int{75}, "commit")
			b.task(t, caches[0], []int{0}, "write")
		}
	}
	b.task(t, caches[0], []int{0}, "commit")
	for _, cache := range caches {
		b.holds(t, "sets/d", cache)
	}

	program(t, b.dir, []int{0}, "task", "plan", "-output", "s3://data/sets/e", "-config", "c.yaml")
	program(t, b.dir, []int{0}, "task", "scan", "-index", "1", "-of", "2", "-output", "s3://data/sets/e", "-config",
		"c.yaml")
	program(t, b.dir, []int{6}, "build", "-output", "s3://data/sets/e", "c.yaml")
	out := program(t, b.dir, []int{0}, "status", "-work", "s3://data/sets/.e.tfr/work")
	if !strings.HasPrefix(out, "s3://data/sets/e is being made") {
		t.Error(out)
	}
	program(t, b.dir, []int{0}, "clean", "-work", "s3://data/sets/.e.tfr/work")
	for name := range filesBelow(t, filepath.Join(b.store, "sets")) {
		if strings.Contains(name, "e/") || strings.Contains(name, ".e.tfr/") {
			t.Errorf("%s is left", name)
		}
	}
}

// TestInterruptInBucket stops a build by SIGINT in the middle of an upload: the run says so, keeps
// its finished shards, and the next run resumes.
func TestInterruptInBucket(t *testing.T) {
	b, cache := newBucketBuild(t), t.TempDir()
	var process *os.Process
	var mu sync.Mutex
	b.Add(buckettest.Rule{Method: "PUT", Key: "train-00003"},
		func(_ http.ResponseWriter, r *http.Request, _ func() *http.Response) {
			mu.Lock()
			_ = process.Signal(os.Interrupt)
			mu.Unlock()
			<-r.Context().Done()
			panic(http.ErrAbortHandler)
		})
	mu.Lock()
	cmd, said := b.begin(t, "sets/d", cache, "c.yaml")
	process = cmd.Process
	mu.Unlock()
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit %d\n%s", code, said)
	}
	b.Reset()
	b.build(t, 0, "sets/d", cache, "c.yaml")
	b.holds(t, "sets/d", cache)
}

// TestChangedShardInBucket replaces a shard in a bucket by other bytes: the dataset is not up to date.
func TestChangedShardInBucket(t *testing.T) {
	b, cache := newBucketBuild(t), t.TempDir()
	b.build(t, 0, "sets/d", cache, "c.yaml")
	names, err := filepath.Glob(filepath.Join(b.store, "sets", "d", "train-00000*"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	shard, later := names[0], time.Now().Add(3*time.Second)
	data, err := os.ReadFile(shard)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		data []byte
		code int
		want string
	}{
		{data, 0, "up to date s3://data/sets/d "}, // written again
		{append([]byte{data[0] ^ 1}, data[1:]...), 8, "was changed after the dataset was published"},
		{data[1:], 8, "is missing or of another size"},
	} {
		testenv.Put(t, shard, string(test.data))
		if err := os.Chtimes(shard, later, later); err != nil {
			t.Fatal(err)
		}
		if said := b.build(t, test.code, "sets/d", cache, "c.yaml"); !strings.Contains(said, test.want) {
			t.Errorf("said %s", said)
		}
	}
}

// TestConcurrentRunsInBucket has two runs of a plan make one dataset, and refuses another plan.
func TestConcurrentRunsInBucket(t *testing.T) {
	b := newBucketBuild(t)
	caches := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	var started, ended sync.WaitGroup
	started.Add(2)
	b.Add(buckettest.Rule{Method: "PUT", Key: "train-00001", Times: 2},
		func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
			started.Done()
			started.Wait()
			passOn(w, r, pass)
		})
	b.config(t, "other.yaml", 3)
	b.Add(buckettest.Rule{Method: "PUT", Key: "train-00002", Times: 1},
		func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
			said := b.build(t, 6, "sets/d", caches[2], "other.yaml", "-takeover")
			if !strings.Contains(said, "s3://data/sets/.d.tfr/job.json: process ") ||
				!strings.Contains(said, "builds another plan there; it finished nothing for ") {
				t.Errorf("said %s", said)
			}
			passOn(w, r, pass)
		})
	for _, cache := range caches[:2] {
		ended.Go(func() { b.build(t, 0, "sets/d", cache, "c.yaml") })
	}
	ended.Wait()
	for _, cache := range caches {
		b.holds(t, "sets/d", cache)
	}
	if said := b.build(t, 8, "sets/d", caches[2], "other.yaml"); !strings.Contains(said,
		"help: --output names another one") {
		t.Errorf("said %s", said)
	}
	b.build(t, 2, "sets/d", caches[2], "c.yaml", "-overwrite")
	before := b.Count("PUT", "") + b.Count("DELETE", "")
	if said := b.build(t, 0, "sets/d", caches[2], "c.yaml"); !strings.HasPrefix(said, "up to date s3://data/sets/d ") {
		t.Errorf("said %s", said)
	}
	if after := b.Count("PUT", "") + b.Count("DELETE", ""); after != before {
		t.Errorf("%d requests changed something", after-before)
	}
	b.holds(t, "sets/d", caches[2])
}

// TestReadDatasetInBucket verifies, prints, counts, and compares a dataset.
func TestReadDatasetInBucket(t *testing.T) {
	b, cache := newBucketBuild(t), t.TempDir()
	b.build(t, 0, "sets/d", cache, "c.yaml", "-run-report", "run.html")
	const url = "s3://data/sets/d"
	for _, args := range [][]string{
		{"verify", "-deep"}, {"inspect"}, {"stats"}, {"report"}, {"diff", "-json", "local"},
	} {
		local := program(t, b.dir, []int{0}, append(args, "local")...)
		remote := program(t, b.dir, []int{0}, append(args, url)...)
		if local = strings.ReplaceAll(local, "local", url); local != strings.ReplaceAll(remote, "local", url) {
			t.Errorf("%s says of the bucket\n%.500s\nand of the local dataset\n%.500s", args[0], remote, local)
		}
	}
	shard := filepath.Join(b.store, "sets/d/train-00000-of-00004")
	data, err := os.ReadFile(shard)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(shard, data, 0o666); err != nil {
		t.Fatal(err)
	}
	program(t, b.dir, []int{7}, "verify", url)
	program(t, b.dir, []int{2}, "verify", "--salvage", "saved", url, "local") // two datasets would mix their files
	program(t, b.dir, []int{5}, "verify", "s3://data/none")
	program(t, b.dir, []int{5}, "inspect", "s3://nobody/none")
}

// TestInvalidOutputs checks the errors of outputs that nothing can mean.
func TestInvalidOutputs(t *testing.T) {
	dir := t.TempDir()
	tables(t, dir)
	testenv.Put(t, filepath.Join(dir, "c.yaml"),
		"name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {id: int64}\n")
	for output, want := range map[string]string{
		"s3://data": "the output s3://data is a bucket without a name in it; expected one, such as s3://data/d\n",
		"s3:/data/d": "-output: s3: without two slashes is neither a path nor a URL: expected s3://BUCKET/NAME, or " +
			"./s3:…\n",
		"http://a/b": "-output: http:// is not supported",
		"~/out": "~/out begins with ~, which only a shell replaces: expected the path of the home directory, or " +
			"./~/out\n",
		"s3://data//": "s3://data/ cannot be used as a name here",
		"s3://data/d": "no cache directory exists for the files to upload\nhelp: --scratch names a directory\n",
	} {
		cmd := exec.CommandContext(t.Context(), "tfr-build", "build", "-output", output, "c.yaml")
		cmd.Dir = dir
		if output == "s3://data/d" {
			cmd.Env = []string{"PATH=" + os.Getenv("PATH")} // has no home directory
		}
		said, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(said), want) {
			t.Errorf("%s: %v: %s, want %q", output, cmd.ProcessState, said, want)
		}
	}
}
