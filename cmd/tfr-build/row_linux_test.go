package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/testenv"
)

// TestInterruptRow stops a command with a signal while a single row takes long. The next build makes the dataset.
func TestInterruptRow(t *testing.T) {
	const side = 1000
	masks := testenv.Times(150, 1500, 1500)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, side, side))); err != nil {
		t.Fatal(err)
	}
	mask := fmt.Sprintf(`{"size": [%d, %d], "counts": [%d]}`, side, side, side*side)
	row := `{"filename": "p.png", "m": [` + strings.Repeat(mask+", ", masks-1) + mask + "]}\n"
	dir := testenv.Directory(t, map[string]string{
		"pics/p.png": picture.String(), "m.jsonl": row,
		"slow.yaml": "name: slow\noutput: out/slow\nsource: {images: {dir: pics, convert: {resize: {short: 1000}, " +
			"masks: [{rle: m.*}]}}}\n" +
			"join: [{jsonl: {files: m.jsonl}, on: filename}]\nfeatures: {image: bytes, m: {from: 'm.*', type: " +
			"bytes, shape: [-1]}}\n",
	})
	commands := []string{"build", "check", "try"}
	for _, command := range commands[:testenv.Times(1, len(commands), len(commands))] {
		var stdout, stderr bytes.Buffer
		cmd := start(t, dir, &stdout, &stderr, command, "slow.yaml")
		waitFor(t, "the first mask", func() bool { return cpuTime(t, cmd) > 300*time.Millisecond })
		sent := time.Now()
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the exit code is checked
		if took, code := time.Since(sent), cmd.ProcessState.ExitCode(); took > 5*time.Second || code != 143 {
			t.Errorf("%s: exit code %d after %v: %s%s", command, code, took, &stdout, &stderr)
		}
	}
	cmd := exec.Command("tfr-build", "slow.yaml")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "built out/slow train=1 ") {
		t.Errorf("the next run: %v, %q", err, out)
	}
}

// cpuTime returns the time of the processor that a process has taken.
func cpuTime(t *testing.T, cmd *exec.Cmd) time.Duration {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(cmd.Process.Pid), "stat"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	var user, system int64
	fields := strings.Fields(rest)
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
