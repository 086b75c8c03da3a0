package testenv

import (
	"os/exec"
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
