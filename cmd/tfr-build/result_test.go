package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/exit"
)

// With -log-format json each line of both outputs is an object. The last one of standard output has
// the result of the command.
func TestResultsInJSON(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"ids.yaml": "name: ids\noutput: out/ids\nsource: {csv: {files: ids.csv}}\nsplit: {column: part}\nfeatures: " +
			"{id: int64}\non_error: skip\nmax_errors: 1\nshards: 2\n",
		"ids.csv":    "id,part\n1,train\nx,train\n2,test\n3,test\n",
		"wrong.yaml": "name: ids\n",
		"bad.yaml":   "name: bad\noutput: out/bad\nsource: {csv: {files: ids.csv}}\nfeatures: {id: int64}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dataset := `"bytes":…,"digest":"…","exit":0,"output":"out/ids","records":3,"rejected":{"INT_SYNTAX":1},` +
		`"report":"out/ids/_tfr/report.html","result":"%s","seconds":0.…,"shards":4,` +
		`"splits":[{"name":"test","records":2,"shards":2},{"name":"train","records":1,"shards":2}],"up_to_date":%v}`
	for _, c := range []struct {
		args string
		code int
		last string
	}{
		{"plan ids.yaml", 0, `{"exit":0,"inputs":1,"notes":["shards: 2 is the number for each split: …"],` +
			`"order":"shuffled","output":"out/ids","result":"planned",` +
			`"rows":4,"spills":false,"splits":[{"name":"test",…}]}`},
		{"ids.yaml", 0, `{` + fmt.Sprintf(dataset, "built", false)},
		{"ids.yaml", 0, `{` + fmt.Sprintf(dataset, "up to date", true)},
		{"ids.yaml -depfile nowhere/d", 4, `{"exit":4,"output":"out/ids","result":"failed"}`},
		{"ids.yaml -quiet", 0, `{` + fmt.Sprintf(dataset, "up to date", true)},
		{"verify -quiet out/ids", 0, `{"damages":0,"exit":0,"result":"ok"}`},
		{"check -quiet ids.yaml", 0, `{"config":"ids.yaml","exit":0,"result":"ok"}`},
		{"task plan -quiet -config ids.yaml -output out/tasks", 0, `{"phase":"plan","work":"out/.tasks.tfr/work"}`},
		{"task all -quiet -work out/.tasks.tfr/work", 0, `{…}`},
		{"check ids.yaml", 0, `{"config":"ids.yaml","exit":0,"result":"ok"}`},
		{"verify out/ids", 0, `{"damages":0,"exit":0,"result":"ok"}`},
		{"try bad.yaml", 3, `{"id":3}`},
		{"inspect out/ids -n 1", 0, `{"id":…}`},
		{"bad.yaml", 3, `{"exit":3,"output":"out/bad","result":"failed"}`},
		{"bad.yaml -quiet", 3, `{"exit":3,"output":"out/bad","result":"failed"}`},
		{"check bad.yaml -output out", 8, `{"exit":8,"result":"failed"}`},
		{"wrong.yaml", 2, `{"exit":2,"result":"failed"}`},
		{"bild ids.yaml", 2, `{"exit":2,"result":"failed"}`},
		{"ids.yaml --bogus", 2, `{"exit":2,"result":"failed"}`},
		{"plan -n 1", 2, `{"exit":2,"result":"failed"}`},
		{"verify out/ids nowhere", 5, `{"exit":5,"result":"failed"}`},
	} {
		cmd := exec.Command("tfr-build", append(strings.Fields(c.args), "-log-format", "json")...)
		cmd.Dir = dir
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		if got := cmd.ProcessState.ExitCode(); got != c.code {
			t.Errorf("%s: exit code %d, want %d: %s", c.args, got, c.code, stderr.String())
		}
		parseLines(t, c.args, stderr.String())
		last := parseLines(t, c.args, stdout.String())
		pattern := strings.ReplaceAll(regexp.QuoteMeta(c.last), "…", ".*")
		if !regexp.MustCompile("^" + pattern + "$").MatchString(last) {
			t.Errorf("%s: came to\n%s, want\n%s", c.args, last, c.last)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "out/ids/test-00000-of-00002"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("tfr-build", "verify", "out/ids", "-log-format", "json")
	cmd.Dir = dir
	damaged, _ := cmd.Output() // the exit code is compared below
	if last := parseLines(t, "verify", string(damaged)); last != `{"damages":1,"exit":7,"result":"damaged"}` ||
		cmd.ProcessState.ExitCode() != exit.Damage {
		t.Errorf("verify of a damaged dataset came to %s", damaged)
	}
}

// parseLines parses each line of an output, and returns the last.
func parseLines(t *testing.T, what, output string) (last string) {
	t.Helper()
	for line := range strings.Lines(output) {
		if err := json.Unmarshal([]byte(line), new(map[string]any)); err != nil {
			t.Errorf("%s: no object: %q", what, line)
		}
		last = strings.TrimSuffix(line, "\n")
	}
	return last
}

// A run that a signal ends says so in an object, too.
func TestInterruptInJSON(t *testing.T) {
	dir := slowJob(t, slowRows())
	var stdout, stderr bytes.Buffer
	cmd := start(t, dir, &stdout, &stderr, "slow.yaml", "-workers", "1", "-log-format", "json")
	waitFor(t, "the first shard", writingBegan(dir))
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code is checked
	parseLines(t, "interrupted", stderr.String())
	if last := parseLines(t, "interrupted", stdout.String()); last != `{"exit":143,"result":"interrupted"}` {
		t.Errorf("came to %s", last)
	}
}
