package pyenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// python is a Python that makes environments of itself, and notes what it is asked.
const python = `#!/bin/sh
echo "$@" >> "$LOG"
case "$2" in
venv) mkdir -p "$4/bin" && cp "$0" "$4/bin/python" ;;
esac
`

func TestEnvironmentIsReusedUntilRequirementsChange(t *testing.T) {
	dir := t.TempDir()
	log, requirements, env := filepath.Join(dir, "log"), filepath.Join(dir, "a.txt"), filepath.Join(dir, "env")
	base := filepath.Join(dir, "base")
	t.Setenv("LOG", log)
	t.Setenv("PYTHON", base)
	if err := os.WriteFile(base, []byte(python), 0o755); err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{"a==1\n", "a==1\n", "a==2\n"} {
		if err := os.WriteFile(requirements, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		made, err := Make(env, requirements)
		if err != nil || made != filepath.Join(env, "bin", "python") {
			t.Fatalf("%d: %s, %v", i, made, err)
		}
		said, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Count(string(said), "-m venv"), []int{1, 1, 2}[i]; got != want {
			t.Errorf("%d: made %d times, want %d:\n%s", i, got, want, said)
		}
	}
}

func TestErrorHasTheOutput(t *testing.T) {
	_, err := Output(exec.Command("sh", "-c", "echo no such package >&2; exit 3"))
	if err == nil || !strings.Contains(err.Error(), "no such package") {
		t.Errorf("%v", err)
	}
}
