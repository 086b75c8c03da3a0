package main

import (
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"tfr-build/internal/testenv"
	"tfr-build/tfrecord"
)

var update = flag.Bool("update", false, "write what the scripts compare with")

// raceVar is read by the race detector, which makes each process wait a second at its end by
// default.
const raceVar = "GORACE"

// TestMain makes tfr-build a command of the scripts, and of other tests that
// run it as a process.
func TestMain(m *testing.M) {
	if _, said := os.LookupEnv(raceVar); !said {
		os.Setenv(raceVar, "atexit_sleep_ms=0")
	}
	programs := maps.Clone(broken)
	programs["tfr-build"] = main
	testscript.Main(testenv.InMemory(m), programs)
}

// TestScripts runs the scripts of testdata/script. A sample has every sixth of them.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%q, %v", files, err)
	}
	if !testenv.Exhaustive() && !*update {
		i := 0
		files = slices.DeleteFunc(files, func(string) bool { i++; return i%6 != 0 })
	}
	testscript.Run(t, testscript.Params{
		Files:               files,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv(raceVar, os.Getenv(raceVar))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"flip":   flip,
			"frame":  frame,
			"lock":   lock,
			"photo":  photo,
			"repeat": repeat,
		},
	})
}

// exits runs a program and wants an exit code: exits CODE PROGRAM ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s ended with %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// flip changes a bit of the byte at an offset: flip FILE OFFSET
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: flip FILE OFFSET")
	}
	at, err := strconv.Atoi(args[1])
	ts.Check(err)
	data := []byte(ts.ReadFile(args[0]))
	data[at] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}

// repeat appends a line to a file, so many times: repeat FILE N LINE
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat FILE N LINE")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(ts.ReadFile(args[0])+strings.Repeat(args[2]+"\n", n)), 0o644))
}

// frame writes a TFRecord file: frame FILE PAYLOAD...
func frame(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: frame FILE PAYLOAD...")
	}
	var file []byte
	for _, payload := range args[1:] {
		file = tfrecord.TFRecord.Append(file, []byte(payload))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), file, 0o644))
}

// lock has the lock of an output until the script ends, as another run does:
// lock FILE HOST PID
func lock(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: lock FILE HOST PID")
	}
	name := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	ts.Check(os.WriteFile(name, []byte("tfr-build\n"+args[1]+"\n"+args[2]+"\n"), 0o644))
	f, err := os.Open(name)
	ts.Check(err)
	ts.Defer(func() { f.Close() })
	ts.Check(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB))
}

// photo copies one of the photos of the project's test data: photo NAME FILE
func photo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: photo NAME FILE")
	}
	data, err := os.ReadFile(filepath.Join(projectRoot(), "testdata", "photos", args[0]))
	ts.Check(err)
	name := ts.MkAbs(args[1])
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	ts.Check(os.WriteFile(name, data, 0o644))
}

// projectRoot returns the directory of go.mod; tests run in the directory of their package.
func projectRoot() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return filepath.Join(dir, "..", "..")
}

// waitFor waits until found says so, but not for ever.
func waitFor(t *testing.T, what string, found func() bool) {
	t.Helper()
	for range 2000 {
		if found() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("waited in vain for %s", what)
}
