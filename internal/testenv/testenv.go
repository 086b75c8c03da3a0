// Package testenv decides how many cases tests try, writes their files, and builds the program
// for tests that run it.
//
//	go test ./...                             a sample: a few cases of each kind
//	TFR_EXHAUSTIVE=1 go test ./...            every case
//	TFR_TORTURE=1 go test ./internal/fault    many more random cases, for hours
//
// A sample is the same in every run. Tests that differ in one respect, such as the error of a
// disk, begin their samples at different cases: together they try all of them.
//
// Even an exhaustive run kills builds at one in several operations only, and has half of the random
// cases. TFR_TURN selects which ones, and scripts/exhaustive increases it with each commit.
package testenv

import (
	"iter"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// Environment variables that select more cases if they are 1.
const (
	ExhaustiveVar = "TFR_EXHAUSTIVE"
	TortureVar    = "TFR_TORTURE"
)

// TurnVar is the environment variable with a number that [First] adds.
const TurnVar = "TFR_TURN"

// Torture reports whether tests try as many cases as the time allows.
func Torture() bool { return os.Getenv(TortureVar) == "1" }

// Exhaustive reports whether tests try every case. A torture run also does.
func Exhaustive() bool { return os.Getenv(ExhaustiveVar) == "1" || Torture() }

// Times returns how often a test repeats something: in a sample, in an exhaustive run, or in a
// torture run.
func Times(sample, all, torture int) int {
	switch {
	case Torture():
		return torture
	case Exhaustive():
		return all
	}
	return sample
}

// First returns the index of the first case for a test that tries one of step cases. The test has
// index i among similar tests. Runs with another TFR_TURN begin at another case.
func First(i, step int) int {
	turn, _ := strconv.ParseUint(os.Getenv(TurnVar), 10, 31) // 0 if it is not set
	return (i + int(turn)) % step
}

// Seeds returns the numbers of random cases, which are below the result of [Times]. An exhaustive run has half
// of them: the lower ones or, with the next TFR_TURN, the others.
func Seeds(sample, all, torture int) iter.Seq[uint64] {
	from, to := 0, Times(sample, all, torture)
	if Exhaustive() && !Torture() {
		half := to / 2
		if from = First(0, 2) * half; from == 0 {
			to = half
		}
	}
	return func(yield func(uint64) bool) {
		for seed := from; seed < to && yield(uint64(seed)); seed++ {
		}
	}
}

// Some returns the cases sorted by name. A sample has every nth of them, beginning with the case
// of index first.
func Some[Case any](first, nth int, cases map[string]Case) iter.Seq2[string, Case] {
	step := Times(nth, 1, 1)
	names := slices.Sorted(maps.Keys(cases))
	return func(yield func(string, Case) bool) {
		for i := first % step; i < len(names); i += step {
			if !yield(names[i], cases[names[i]]) {
				return
			}
		}
	}
}

// Program returns the path of tfr-build, which is built once for all tests of a process. Every
// user may execute it. The package's tests need [Main].
func Program(t testing.TB) string {
	t.Helper()
	if program == nil {
		t.Fatal("testenv.Program without testenv.Main")
	}
	path, err := program()
	if err != nil {
		t.Fatalf("building tfr-build: %v", err)
	}
	return path
}

// program builds tfr-build in a directory that Main removes.
var program func() (path string, err error)

// Main runs the tests of a package and ends the process. Temporary files are in memory, see
// [InMemory]. TestMain calls it in packages whose tests use [Program].
func Main(m *testing.M) { os.Exit(InMemory(withProgram{m}).Run()) }

// withProgram are tests that use [Program].
type withProgram struct{ tests Tests }

func (w withProgram) Run() (code int) {
	dir, err := os.MkdirTemp("", "tfr-build-test")
	if err != nil {
		panic(err) // no test exists yet that could fail
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = sync.OnceValues(func() (string, error) { return build(dir) })
	return w.tests.Run()
}

// build lets go run copy the program instead of executing it: go run links the program once for
// all packages, and caches it.
func build(dir string) (path string, err error) {
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(dir, "tfr-build")
	cmd := exec.Command("go", "run", "-exec", "cp", "tfr-build/cmd/tfr-build", path)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as the program is built for users
	cmd.Stderr = os.Stderr
	return path, cmd.Run()
}

// Directory creates a directory with the given files, by name. It is removed after the test.
func Directory(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		Put(t, filepath.Join(dir, name), text)
	}
	return dir
}

// Put writes a file, and creates its missing parent directories.
func Put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
