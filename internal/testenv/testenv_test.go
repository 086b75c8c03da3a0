package testenv

import (
	"fmt"
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
