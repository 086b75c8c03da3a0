package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// brokenCommand runs a command that has a mistake.
func brokenCommand() {
	c := &call{stdout: &results{w: os.Stdout}, log: newLog(os.Stderr, false)}
	os.Exit(c.conclude(c.perform(&command{name: "broken", run: func(context.Context, *call) error { panic("broken") }})))
}

// A mistake of the program is a failure, and no fault of the config.
func TestPanicIsAFailure(t *testing.T) {
	cmd := exec.Command("tfr-build-broken")
	said, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != exitFailed || !strings.HasPrefix(string(said), "tfr-build: internal error: broken") {
		t.Errorf("%v, said %q", err, said)
	}
}

// Without memory the runtime aborts the program by a signal, which is none of the
// exit codes of the table, and no file of its memory is written.
func TestOutOfMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("ulimit -v is heeded on Linux only")
	}
	dir := t.TempDir()
	row := `{"text": "` + strings.Repeat(`\n`, 8<<20) + "\"}\n" // is decoded in memory
	for name, text := range map[string]string{
		"row.jsonl": row,
		"row.yaml":  "name: row\noutput: out/row\nsource: {jsonl: {files: row.jsonl}}\nfeatures: {text: string}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	aborted := 0
	for mib := 1000; mib < 3000 && aborted < 1; mib += 50 { // Go reserves more than a GiB, which it does not use
		cmd := exec.Command("sh", "-c", fmt.Sprintf("ulimit -c unlimited 2>/dev/null; ulimit -v %d; exec tfr-build row.yaml -workers 1 -fresh -overwrite", mib<<10))
		cmd.Dir = dir
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		begun := strings.Contains(stderr.String(), "main.main()") // else the runtime ended it before that
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		switch {
		case status.Signaled() && status.Signal() == syscall.SIGABRT && !status.CoreDump():
			aborted++
			t.Logf("with %d MiB: %.60s", mib, stderr.String())
		case status.Signaled() || begun && status.ExitStatus() == exitUsage:
			t.Errorf("with %d MiB: %v: %.300s", mib, cmd.ProcessState, stderr.String())
		}
	}
	if aborted == 0 {
		t.Error("no run was out of memory")
	}
}
