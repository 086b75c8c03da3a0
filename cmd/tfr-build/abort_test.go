package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/exit"
	"tfr-build/internal/version"
)

// broken are programs that are tfr-build with one bug.
var broken = map[string]func(){
	"tfr-build-panics": func() { broke(func() { panic("broken") }) },
	"tfr-build-hungry": func() {
		var kept [][]byte
		broke(func() {
			for {
				kept = append(kept, make([]byte, 64<<20))
			}
		})
	},
	"tfr-build-deep": func() {
		debug.SetMaxStack(1 << 20)
		var deeper func(n int) int
		deeper = func(n int) int { return deeper(n+1) + 1 }
		broke(func() { deeper(0) })
	},
}

func broke(f func()) {
	abortBySignal()
	c := &call{stdout: &results{w: os.Stdout}, log: newLog(os.Stderr, false)}
	c.cmd = &command{run: func(context.Context, *call) error { f(); return nil }}
	os.Exit(c.conclude(c.perform()))
}

// A bug of the program is a failure, not an error of the config. If the runtime cannot continue, it
// aborts the program by a signal, and leaves no core file.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		program, limit, says string
		code                 int // -1: ended by SIGABRT
	}{
		{"tfr-build-panics", "", "error: internal error: broken; in cmd/tfr-build.", exit.Failed},
		{"tfr-build-hungry", "ulimit -v 4000000; ", "out of memory", -1},
		{"tfr-build-deep", "", "stack overflow", -1},
	} {
		if c.limit != "" && (runtime.GOOS != "linux" || testing.Short()) { // the race detector takes all there is
			continue
		}
		cmd := exec.Command("sh", "-c", "ulimit -c unlimited 2>/dev/null; "+c.limit+"exec "+c.program)
		cmd.Dir = t.TempDir()
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		err := cmd.Run()
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if status.ExitStatus() != c.code || c.code < 0 && status.Signal() != syscall.SIGABRT || status.CoreDump() ||
			!strings.Contains(stderr.String(), c.says) {
			t.Errorf("%s: %v, %.300s", c.program, err, stderr.String())
		}
		if help := "help: this is a bug in tfr-build " + version.Program(); c.code == exit.Failed &&
			!strings.Contains(stderr.String(), "[INTERNAL]\n"+help) {
			t.Errorf("%s: no help: %s", c.program, stderr.String())
		}
		if left := tree(t, cmd.Dir); left != "" {
			t.Errorf("%s: left %s", c.program, left)
		}
	}
}
