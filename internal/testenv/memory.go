package testenv

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Tests are the tests of a package, as a testing.M runs them.
type Tests interface {
	Run() (code int)
}

// InMemory returns the tests with their temporary files in memory, if the system has room for them
// there and TMPDIR is not set. On a disk, most tests wait until it has made and removed files.
// TestMain calls it in packages whose tests have many files.
func InMemory(tests Tests) Tests { return inMemory{tests} }

type inMemory struct{ tests Tests }

func (m inMemory) Run() (code int) {
	if os.Getenv("TMPDIR") != "" || !hasRoom() {
		return m.tests.Run()
	}
	removeLeft()
	dir, err := os.MkdirTemp(shared, fmt.Sprintf(inMemoryName, os.Getpid()))
	if err != nil {
		return m.tests.Run()
	}
	defer func() { _ = os.RemoveAll(dir) }()
	// Some tests run the program as another user.
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		panic(err)
	}
	if err := os.Setenv("TMPDIR", dir); err != nil {
		panic(err)
	}
	return m.tests.Run()
}

// inMemoryName is the name of a directory in memory, with the ID of its process.
const inMemoryName = "tfr-build-test-%d-"

// removeLeft removes the directories of tests that were killed.
func removeLeft() {
	dirs, _ := filepath.Glob(filepath.Join(shared, "tfr-build-test-*-*"))
	for _, dir := range dirs {
		var pid int
		_, err := fmt.Sscanf(filepath.Base(dir), inMemoryName, &pid)
		if err == nil && syscall.Kill(pid, 0) == syscall.ESRCH {
			_ = os.RemoveAll(dir)
		}
	}
}
