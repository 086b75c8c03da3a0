package main

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"tfr-build/internal/buckettest"
	"tfr-build/internal/testenv"
)

const sessionToken = "test-session-token"

// TestSecretsAreNotPrinted runs builds and tasks that succeed and fail, and searches everything
// that they print and write for the credentials. That is logs in both formats, metrics, reports,
// plan, task records, runs, dataset, and scratch. It also checks what other users see of the
// process.
func TestSecretsAreNotPrinted(t *testing.T) {
	b := newBucketBuild(t)
	b.inBucket(t)
	echo := buckettest.Echo(http.StatusForbidden) // the whole request, signature and all
	faults := []struct {
		rule  buckettest.Rule
		fault buckettest.Fault
		codes []int
		token string
	}{
		{buckettest.Rule{Key: "nothing"}, nil, []int{0}, ""},
		{buckettest.Rule{Method: "GET", Key: ofInput}, echo, []int{5}, ""},
		{buckettest.Rule{Method: "PUT", Key: "/d/train-00001"}, echo, []int{4}, ""},
		{buckettest.Rule{Method: "PUT", Key: ofNote}, echo, []int{0, 4}, ""},
		{buckettest.Rule{Method: "GET", Query: "list-type"}, buckettest.Answer(403, "SignatureDoesNotMatch"),
			[]int{4}, ""},
		{buckettest.Rule{}, echo, []int{5}, sessionToken}, // which this store does not take
	}
	var looked atomic.Int64 // while a run is at work
	for i, fault := range faults {
		if i > 0 && i%testenv.Times(5, 1, 1) != 0 {
			continue
		}
		t.Setenv("AWS_SESSION_TOKEN", fault.token)
		for k, args := range [][]string{
			{"build", "-log-format", "text", "-run-report", "run.html", "-metrics", "run.prom", "c.yaml"},
			{"build", "-log-format", "json", "c.yaml"},
			{"task", "all", "-log-format", "text", "-config", "c.yaml"},
			{"task", "all", "-log-format", "json", "-config", "c.yaml"},
		} {
			if k%testenv.Times(3, 1, 1) != 0 {
				continue
			}
			cache := t.TempDir()
			args = append(args, "-output", fmt.Sprintf("s3://data/%d/%s%s/d", i, args[0], args[3-len(args)%2]))
			var pid int
			started := make(chan struct{})
			b.Reset()
			b.Add(fault.rule, fault.fault)
			b.Add(buckettest.Rule{Method: "PUT", Key: "/d/val-00003", Times: 1},
				func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
					<-started
					b.keepSecrets(t, cache)
					b.hidesSecrets(t, pid)
					looked.Add(1)
					passOn(w, r, pass)
				})
			cmd, said := b.start(t, cache, args...)
			pid = cmd.Process.Pid
			close(started)
			b.wait(t, cmd, said, fault.codes...)
			b.keepSecrets(t, cache)
		}
	}
	if looked.Load() < 2 {
		t.Errorf("it was looked %d times while runs were at work", looked.Load())
	}
	for _, name := range []string{"run.html", "run.prom"} {
		if _, err := os.Stat(filepath.Join(b.dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// keepSecrets looks into all that a run can write.
func (b *bucketBuild) keepSecrets(t *testing.T, cache string) {
	t.Helper()
	for _, dir := range []string{b.store, b.dir, cache} {
		files := filesBelow(t, dir)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if !strings.HasPrefix(name, ".sgwtmp") {
				b.keepsSecrets(t, name+" "+files[name])
			}
		}
	}
}

// hidesSecrets checks what other processes can see of a process, if the system shows it.
func (b *bucketBuild) hidesSecrets(t *testing.T, pid int) {
	t.Helper()
	for _, name := range []string{"cmdline", "comm", "stat", "status"} {
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name)); err == nil {
			b.keepsSecrets(t, string(text))
		}
	}
}
