// Package pyenv makes virtual environments of Python for the tools that hold the program
// against others' packages, each of one file of requirements:
//
//	requirements/NAME.txt ─► python -m venv DIR ─► pip install ─► DIR/bin/python
//	                                                              DIR/requirements.txt   what it has
//
// An environment stays until its file changes.
package pyenv

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Make makes a virtual environment, unless it has these requirements already, and
// returns its Python. The variable PYTHON names another Python than python3 to make it
// with. The file names every package there is: pip has nothing to resolve.
func Make(dir, requirements string) (python string, err error) {
	python = filepath.Join(dir, "bin", "python")
	want, err := os.ReadFile(requirements)
	if err != nil {
		return "", err
	}
	mark := filepath.Join(dir, "requirements.txt")
	if has, err := os.ReadFile(mark); err == nil && bytes.Equal(has, want) {
		return python, nil
	}
	base := os.Getenv("PYTHON")
	if base == "" {
		base = "python3"
	}
	for _, args := range [][]string{
		{base, "-m", "venv", "--clear", dir},
		{python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--requirement",
			requirements},
	} {
		if _, err := Output(exec.Command(args[0], args[1:]...)); err != nil {
			return "", err
		}
	}
	return python, os.WriteFile(mark, want, 0o644)
}

// Output runs a command, and returns what it prints. Its error has the end of its
// standard error.
func Output(cmd *exec.Cmd) (string, error) {
	var out, text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &text
	if err := cmd.Run(); err != nil {
		tail := text.String()
		tail = tail[max(0, len(tail)-4000):]
		return out.String(), errors.Join(fmt.Errorf("%s: %w", filepath.Base(cmd.Path), err), errors.New(tail))
	}
	return out.String(), nil
}
