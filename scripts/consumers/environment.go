package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// making keeps two consumers from making one environment at once.
type making struct {
	sync.Mutex
	made map[string]string // the Python of each environment
}

// python returns the Python of an environment, which is made where there is none:
//
//	tensorflow   .venv, by scripts/venv
//	debian       /usr/bin/python3, or the one that TFR_TORCH names
//	tfx          .venv-tfx, by scripts/tfx
//	NAME         .venv-consumers/NAME, of requirements/NAME.txt
func (m *making) python(project, name string) (string, error) {
	m.Lock()
	defer m.Unlock()
	if python, ok := m.made[name]; ok {
		return python, nil
	}
	python, err := makePython(project, name)
	if err != nil {
		return "", fmt.Errorf("the environment %s: %w", name, err)
	}
	if m.made == nil {
		m.made = map[string]string{}
	}
	m.made[name] = python
	return python, nil
}

func makePython(project, name string) (string, error) {
	switch name {
	case "tensorflow":
		if python := os.Getenv("TFR_PYTHON"); python != "" {
			return python, nil
		}
		out, err := output(exec.Command(filepath.Join(project, "scripts", "venv")))
		return strings.TrimSpace(out), err
	case "tfx":
		out, err := output(exec.Command(filepath.Join(project, "scripts", "tfx"), "-python"))
		return strings.TrimSpace(out), err
	case "debian":
		if python := os.Getenv("TFR_TORCH"); python != "" {
			return python, nil
		}
		return "/usr/bin/python3", nil
	}
	return virtual(filepath.Join(project, ".venv-consumers", name), filepath.Join(project, "scripts", "consumers", "requirements", name+".txt"))
}

// virtual makes a virtual environment, unless it has these requirements already.
func virtual(dir, requirements string) (string, error) {
	python := filepath.Join(dir, "bin", "python")
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
	// The files name every package there is: there is nothing to resolve.
	for _, args := range [][]string{
		{base, "-m", "venv", "--clear", dir},
		{python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--requirement", requirements},
	} {
		if _, err := output(exec.Command(args[0], args[1:]...)); err != nil {
			return "", err
		}
	}
	return python, os.WriteFile(mark, want, 0o644)
}

// output runs a command, and returns what it prints. Its error has the end of its
// standard error.
func output(cmd *exec.Cmd) (string, error) {
	var out, text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &text
	if err := cmd.Run(); err != nil {
		tail := text.String()
		tail = tail[max(0, len(tail)-4000):]
		return out.String(), errors.Join(fmt.Errorf("%s: %w", filepath.Base(cmd.Path), err), errors.New(tail))
	}
	return out.String(), nil
}
