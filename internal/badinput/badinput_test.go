// Package badinput holds what the tool answers to input that cannot be used:
// for each kind of fault the exit code and the message, as a golden file, from
// the real binary.
package badinput

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// tool builds the tool.
func tool(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tfr-build")
	cmd := exec.Command("go", "build", "-o", path, "tfr-build/cmd/tfr-build")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// A fault is an input and the config that reads it.
type fault struct {
	name   string
	config string // below name and output
	files  map[string]string
}

// run builds in a folder of its own and gives the exit code and what was said.
func (f *fault) run(t *testing.T, binary string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range f.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "c.yaml"), []byte("name: d\noutput: out\n"+f.config), 0o666); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, dir)
	cmd := exec.Command(binary, append([]string{"-config", "c.yaml"}, flags...)...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if strings.Contains(stderr.String(), "goroutine") {
		t.Errorf("%s: a panic:\n%s", f.name, &stderr)
	}
	code := cmd.ProcessState.ExitCode()
	if code != 0 {
		if after := snapshot(t, dir); after != before {
			t.Errorf("%s: after a failed run there is\n%s\nbefore it was\n%s", f.name, after, before)
		}
	}
	said := strings.ReplaceAll(strings.TrimRight(stderr.String(), "\n"), dir, "DIR")
	return fmt.Sprintf("exit %d\n%s", code, indent(said))
}

func indent(text string) string {
	if text == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}

// snapshot lists what is in sight, with sizes and times.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		if info.IsDir() {
			if info.Name() == ".out.tfr" {
				return filepath.SkipDir
			}
			return nil
		}
		fmt.Fprintln(&b, path, info.Size(), info.ModTime())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFaults runs every fault, and again through parts on disk: the answer is
// the same.
func TestFaults(t *testing.T) {
	bin := tool(t)
	for _, kind := range []struct {
		name   string
		faults []fault
	}{{"csv", csvFaults()}, {"values", valueFaults()}, {"jsonl", jsonlFaults()}, {"images", imageFaults(t)}, {"files", fileFaults()}} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, f := range kind.faults {
				said := f.run(t, bin)
				fmt.Fprintf(&b, "%s: %s", f.name, said)
				if again := f.run(t, bin, "-memory", "16MB", "-workers", "3"); again != said {
					t.Errorf("%s: with other flags\n%s\nnot\n%s", f.name, again, said)
				}
			}
			golden(t, filepath.Join("testdata", kind.name+".golden"), b.String())
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s:%d:\n got %s\nwant %s", file, i+1, g[i], strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	t.Fatalf("%s has more lines", file)
}
