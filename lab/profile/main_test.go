package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/pprof/profile"
)

const root = "../.."

// kept reads the profile that the program is built with.
func kept(t *testing.T) *profile.Profile {
	t.Helper()
	f, err := os.Open(filepath.Join(root, "cmd/tfr-build/tfr-build.pgo"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestProfileHasNoPaths finds nothing of the machine where the profile was made.
func TestProfileHasNoPaths(t *testing.T) {
	p := kept(t)
	for _, m := range p.Mapping {
		if m.File != "" {
			t.Errorf("the program was %s", m.File)
		}
	}
	for _, f := range p.Function {
		if f.Filename != "" {
			t.Fatalf("%s is in %s", f.Name, f.Filename)
		}
	}
	if p.TimeNanos != 0 || p.Comments != nil {
		t.Errorf("made at %d, %q", p.TimeNanos, p.Comments)
	}
}
