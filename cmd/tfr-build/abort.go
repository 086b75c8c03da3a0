package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// abortBySignal has the Go runtime end the program by SIGABRT, which a shell calls
// 134, where it cannot go on: without memory, or after a mistake that no recover
// sees. By itself it ends with 2, the code of a wrong config. The file of memory
// that the system may write then is as large as the mapped input, so none is
// written unless GOTRACEBACK=crash asks for it.
func abortBySignal() {
	const crash = "crash"
	if os.Getenv("GOTRACEBACK") != crash {
		var limit unix.Rlimit
		if unix.Getrlimit(unix.RLIMIT_CORE, &limit) == nil {
			limit.Cur = 0
			_ = unix.Setrlimit(unix.RLIMIT_CORE, &limit) // then there is a large file, and nothing worse
		}
	}
	debug.SetTraceback(crash)
}

// guarded runs f. Its panics are errors: what it deferred was done, and the exit
// code is that of a failure.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}
