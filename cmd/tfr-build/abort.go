package main

import (
	"os"
	"runtime/debug"

	"golang.org/x/sys/unix"

	"tfr-build/internal/bug"
)

// abortBySignal makes the Go runtime end the program by SIGABRT if it cannot continue: without
// memory, or after an error that recover does not catch. A shell reports that as exit code 134. By
// default the runtime exits with 2, which is the code of an invalid config. A core file may be as
// large as the mapped input, so none is written unless GOTRACEBACK=crash asks for it.
func abortBySignal() {
	const crash = "crash"
	if os.Getenv("GOTRACEBACK") != crash {
		var limit unix.Rlimit
		if unix.Getrlimit(unix.RLIMIT_CORE, &limit) == nil {
			limit.Cur = 0
			_ = unix.Setrlimit(unix.RLIMIT_CORE, &limit) // at worst a large core file is written
		}
	}
	debug.SetTraceback(crash)
}

// recoverPanics runs f, and returns a panic of f as an error. Deferred calls of f have then run.
func recoverPanics(f func() error) (err error) {
	defer bug.Recover(&err)
	return f()
}
