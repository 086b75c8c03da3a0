package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMain(m *testing.M) { Main(m) }

func TestTimes(t *testing.T) {
	for _, tt := range []struct {
		exhaustive, torture string
		want                int
	}{
		{"", "", 1},
		{"0", "0", 1},
		{"1", "", 2},
		{"", "1", 3},
		{"1", "1", 3},
	} {
		t.Setenv(ExhaustiveVar, tt.exhaustive)
		t.Setenv(TortureVar, tt.torture)
		if got := Times(1, 2, 3); got != tt.want {
			t.Errorf("%+v: %d", tt, got)
		}
	}
}

func TestSome(t *testing.T) {
	cases := map[string]int{"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}
	for _, tt := range []struct {
		exhaustive string
		first, nth int
		want       string
	}{
		{"", 0, 2, "a0 c2 e4 "},
		{"", 1, 2, "b1 d3 "},
		{"", 5, 3, "c2 "},
		{"1", 1, 2, "a0 b1 c2 d3 e4 "},
	} {
		t.Setenv(ExhaustiveVar, tt.exhaustive)
		t.Setenv(TortureVar, "")
		got := ""
		for name, value := range Some(tt.first, tt.nth, cases) {
			got += fmt.Sprint(name, value, " ")
		}
		if got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

func TestSeeds(t *testing.T) {
	for _, tt := range []struct{ exhaustive, torture, turn, want string }{
		{"", "", "1", "[0 1]"},
		{"1", "", "", "[0 1]"},
		{"1", "", "7", "[2 3 4]"},
		{"1", "", "8", "[0 1]"},
		{"1", "1", "7", "[0 1 2]"},
	} {
		t.Setenv(ExhaustiveVar, tt.exhaustive)
		t.Setenv(TortureVar, tt.torture)
		t.Setenv(TurnVar, tt.turn)
		if got := fmt.Sprint(slices.Collect(Seeds(2, 5, 3))); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

func TestProgram(t *testing.T) {
	path := Program(t)
	if Program(t) != path {
		t.Error("it was built twice")
	}
	out, err := exec.Command(path, "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "tfr-build ") {
		t.Errorf("%v: %s", err, out)
	}
}

// suite are tests that report where temporary files are.
type suite func() (code int)

func (s suite) Run() int { return s() }

func TestInMemory(t *testing.T) {
	run := func() (dir string) {
		code := InMemory(suite(func() int {
			dir = os.TempDir()
			Put(t, filepath.Join(dir, "file"), "")
			return 3
		})).Run()
		if code != 3 {
			t.Errorf("the exit code is %d", code)
		}
		return dir
	}
	own := t.TempDir()
	t.Setenv("TMPDIR", own)
	if dir := run(); dir != own {
		t.Errorf("with TMPDIR, temporary files are in %s", dir)
	}
	t.Setenv("TMPDIR", "")
	if !hasRoom() {
		t.Skip("no room in memory")
	}
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(shared, fmt.Sprintf(inMemoryName, ended.Process.Pid)+"left")
	Put(t, filepath.Join(left, "file"), "")
	dir := run()
	if filepath.Dir(dir) != shared {
		t.Errorf("temporary files are in %s", dir)
	}
	for _, dir := range []string{dir, left} {
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s remains: %v", dir, err)
		}
	}
}
