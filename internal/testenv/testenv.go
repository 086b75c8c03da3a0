// Package testenv says how many cases the tests try, lays out their files, and
// builds the program for the tests that run it.
//
//	go test ./...                             a sample: each kind of case, a few of each
//	TFR_EXHAUSTIVE=1 go test ./...            every case: scripts/check does so for half of the packages
//	TFR_TORTURE=1 go test ./internal/fault    many more random cases, for hours
//
// A sample is the same in every run. Tests that differ in one thing, such as the
// error that a disk returns, begin their samples at different cases: together
// they try all of them. Of the operations at which builds are killed, even an
// exhaustive run tries one in a few: TFR_TURN says which, and scripts/check counts it
// up with each commit.
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

// The environment variables that select more cases: 1 sets them.
const (
	ExhaustiveVar = "TFR_EXHAUSTIVE"
	TortureVar    = "TFR_TORTURE"
)

// TurnVar is a number that [First] adds.
const TurnVar = "TFR_TURN"

// Torture reports whether tests are to try as many cases as there is time for.
func Torture() bool { return os.Getenv(TortureVar) == "1" }

// Exhaustive reports whether tests are to try every case; a torture is that too.
func Exhaustive() bool { return os.Getenv(ExhaustiveVar) == "1" || Torture() }

// Times is how often a test does something: in a sample, exhaustively, and in a
// torture.
func Times(sample, all, torture int) int {
	switch {
	case Torture():
		return torture
	case Exhaustive():
		return all
	}
	return sample
}

// First returns the index of the first case for a test that tries one case in step, where i
// is its index among the tests that do the same. Runs with another TFR_TURN begin at
// another case.
func First(i, step int) int {
	turn, _ := strconv.ParseUint(os.Getenv(TurnVar), 10, 31) // 0 where it is not set
	return (i + int(turn)) % step
}

// Some returns the cases by name, in the order of their names. A sample has every nth of
// them, from the one with the index first.
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

// Program returns the path of tfr-build, built once for all tests of a process.
// Every user may run it. The package's tests need [Main].
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

// program builds tfr-build, in a folder that Main removes.
var program func() (path string, err error)

// Main runs the tests of a package and ends the process. It is what TestMain
// calls in packages whose tests use [Program].
func Main(m *testing.M) {
	dir, err := os.MkdirTemp("", "tfr-build-test")
	if err != nil {
		panic(err) // there is no test yet that could fail
	}
	program = sync.OnceValues(func() (string, error) { return build(dir) })
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// build has go run copy the program that it would run: it links it once for all
// packages, and keeps it.
func build(dir string) (path string, err error) {
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(dir, "tfr-build")
	cmd := exec.Command("go", "run", "-exec", "cp", "tfr-build/cmd/tfr-build", path)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // the program that users have
	cmd.Stderr = os.Stderr
	return path, cmd.Run()
}

// Folder makes a folder with the given files, by name, that goes with the test.
func Folder(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		Put(t, filepath.Join(dir, name), text)
	}
	return dir
}

// Put writes a file, and makes the folders that it needs.
func Put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
