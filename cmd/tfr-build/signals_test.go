package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tfr-build/internal/testenv"
)

// slowRows are rows that one worker writes for longer than a signal takes.
func slowRows() int { return testenv.Times(400_000, 1_000_000, 1_000_000) }

// slowJob makes a config and a table of so many rows.
func slowJob(t *testing.T, rows int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	var b bytes.Buffer
	b.WriteString("id,text\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,%x and %x and %x\n", i, i*7919, i*104729, i*1299709)
	}
	config := "name: slow\noutput: out/slow\ncompression: zlib\nsource:\n  csv: {files: slow.csv}\nfeatures: {id: " +
		"int64, text: bytes}\n"
	for name, data := range map[string][]byte{"slow.csv": b.Bytes(), "slow.yaml": []byte(config)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// start starts tfr-build in dir, for some seconds at most.
func start(t *testing.T, dir string, stdout, stderr *bytes.Buffer, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, "tfr-build", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, stdout, stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// writingBegan reports whether the job in dir has begun to write a shard.
func writingBegan(dir string) func() bool {
	return func() bool {
		entries, err := os.ReadDir(filepath.Join(dir, "out", ".slow.tfr", "data"))
		return err == nil && len(entries) > 0
	}
}

// A signal in the middle of a build stops it within a second, with nothing in
// sight, and the next run goes through. A sample has SIGINT.
func TestInterrupt(t *testing.T) {
	// A test that nohup started ignores SIGHUP, and so would what it starts.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	dir := slowJob(t, slowRows())
	for _, c := range []struct {
		signal syscall.Signal
		name   string
		code   int
	}{{syscall.SIGINT, "SIGINT", 130}, {syscall.SIGTERM, "SIGTERM", 143}, {syscall.SIGHUP, "SIGHUP", 129}} {
		if !testenv.Exhaustive() && c.signal != syscall.SIGINT {
			continue
		}
		var stdout, stderr bytes.Buffer
		cmd := start(t, dir, &stdout, &stderr, "slow.yaml", "-workers", "1", "-metrics", "slow.prom")
		waitFor(t, "the first shard", writingBegan(dir))
		sent := time.Now()
		if err := cmd.Process.Signal(c.signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the exit code is checked
		if took := time.Since(sent); took > time.Second {
			t.Errorf("%s: stopped after %v", c.name, took)
		}
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%s: exit code %d, want %d", c.name, code, c.code)
		}
		want := "note: no shard is finished: the same command starts from the beginning\nerror: interrupted by " +
			c.name +
			": this run published nothing\nhelp: to resume: tfr-build slow.yaml -workers 1 -metrics slow.prom\n"
		if stderr.String() != want {
			t.Errorf("%s: said %q", c.name, stderr.String())
		}
		if metrics, err := os.ReadFile(filepath.Join(dir, "slow.prom")); err != nil ||
			!strings.Contains(string(metrics), fmt.Sprintf("} %d\n", c.code)) {
			t.Errorf("%s: metrics say %q, %v", c.name, metrics, err)
		}
		if left := tree(t, filepath.Join(dir, "out")); left != ".slow.tfr .slow.tfr/lock" {
			t.Errorf("%s: left %s", c.name, left)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "slow.csv"), []byte("id,text\n1,one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("tfr-build", "slow.yaml")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "built out/slow train=1 ") {
		t.Errorf("the next run: %v, %q", err, out)
	}
}

// A command that writes nothing ends at once.
func TestInterruptPlan(t *testing.T) {
	dir := slowJob(t, 1)
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := start(t, dir, &stdout, &stderr, "plan", "fifo") // waits for the text of the config
	defer openFIFO(t, fifo).Close()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code is checked
	if code := cmd.ProcessState.ExitCode(); code != 130 || stderr.String() != "error: interrupted by SIGINT\n" {
		t.Errorf("exit code %d, said %q", code, stderr.String())
	}
}

// openFIFO opens a FIFO for writing when another process has opened it for reading.
func openFIFO(t *testing.T, fifo string) *os.File {
	t.Helper()
	writer, err := os.OpenFile(fifo, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	for errors.Is(err, syscall.ENXIO) {
		time.Sleep(time.Millisecond)
		writer, err = os.OpenFile(fifo, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return writer
}

// A signal stops a file that is written while nothing comes in, and leaves nothing
// of it.
func TestInterruptWrite(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "tfr-build", "write", "-o", "out")
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte("{}\n{}\n{")); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the file", func() bool { return tree(t, dir) == ".out.tfr.new" })
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code is checked
	if code := cmd.ProcessState.ExitCode(); code != 130 || stderr.String() != "error: interrupted by SIGINT\n" ||
		tree(t, dir) != "" {
		t.Errorf("exit code %d, said %q, left %q", code, stderr.String(), tree(t, dir))
	}
}

func TestSecondSignalExits(t *testing.T) {
	caught, done := make(chan os.Signal, 2), make(chan struct{})
	caught <- syscall.SIGINT
	caught <- syscall.SIGTERM
	var first []syscall.Signal
	relay(caught, done,
		func(s syscall.Signal) { first = append(first, s) }, nil,
		func(code int) {
			if code != 143 {
				t.Errorf("exit code %d", code)
			}
			close(done)
		})
	if len(first) != 1 || first[0] != syscall.SIGINT {
		t.Errorf("first was called for %v", first)
	}
}

// TestLateCommandIsEnded expects that a command that does not look at the signal is ended within five seconds.
func TestLateCommandIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caught, done := make(chan os.Signal, 2), make(chan struct{})
		var took time.Duration
		began := time.Now()
		caught <- syscall.SIGTERM
		relay(caught, done,
			func(syscall.Signal) {},
			func(s syscall.Signal) {
				if took = time.Since(began); s != syscall.SIGTERM {
					t.Errorf("got %v", s)
				}
				close(done)
			}, nil)
		if took == 0 || took > 5*time.Second {
			t.Errorf("the command was ended after %v", took)
		}
	})
}

// TestInterruptWaiting stops a build that waits for the text of its config, and does not see signals there.
func TestInterruptWaiting(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("it waits for seconds: " + testenv.ExhaustiveVar + "=1")
	}
	dir := slowJob(t, 1)
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := start(t, dir, &stdout, &stderr, "build", "fifo")
	defer openFIFO(t, fifo).Close()
	sent := time.Now()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code is checked
	want := "error: interrupted by SIGTERM: the command did not end by itself within 4s\nhelp: to resume: tfr-build " +
		"build fifo\n"
	if took, code := time.Since(sent), cmd.ProcessState.ExitCode(); took > 5*time.Second || code != 143 ||
		stderr.String() != want {
		t.Errorf("exit code %d after %v, said %q", code, took, stderr.String())
	}
}

// nohup is heeded: a job that ignores SIGHUP continues.
func TestNohup(t *testing.T) {
	dir := slowJob(t, 200_000)
	cmd := exec.Command("sh", "-c", "trap '' HUP; exec tfr-build slow.yaml -workers 1")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the first shard", writingBegan(dir))
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// tree lists all below dir, as one line.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, path); rel != "." {
			names = append(names, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

func TestResumeCommand(t *testing.T) {
	args := []string{"-config", "my photos.yaml", "-fresh", "--fresh=true", "-output=it's", "-workers", "2"}
	want := `tfr-build -config 'my photos.yaml' '-output=it'\''s' -workers 2`
	c := &call{cmd: buildCommand, words: newFlags(new(options)).scan(args)}
	if got := c.resume(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
