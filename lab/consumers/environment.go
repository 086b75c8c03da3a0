package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"tfr-build/lab/pyenv"
)

// making keeps two consumers from making one environment at once.
type making struct {
	sync.Mutex
	made map[string]string // the Python of each environment
}

// python returns the Python of an environment, and makes the environment if it does not exist:
//
//	tensorflow   .venv, by scripts/venv
//	debian       /usr/bin/python3
//	tfx          .venv-tfx, by lab/tfx
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

// requirements returns the file that names the packages of an environment; empty for Debian's.
func requirements(name string) string {
	switch name {
	case "tensorflow":
		return filepath.Join("scripts", "requirements.txt")
	case "tfx":
		return filepath.Join("lab", "requirements-tfx.txt")
	case "debian":
		return ""
	}
	return filepath.Join("lab", "consumers", "requirements", name+".txt")
}

func makePython(project, name string) (string, error) {
	switch name {
	case "tensorflow":
		if python := os.Getenv("TFR_PYTHON"); python != "" {
			return python, nil
		}
		out, err := pyenv.Output(exec.Command(filepath.Join(project, "scripts", "venv")))
		return strings.TrimSpace(out), err
	case "tfx":
		out, err := pyenv.Output(exec.Command(filepath.Join(project, "lab", "tfx"), "-python"))
		return strings.TrimSpace(out), err
	case "debian":
		return "/usr/bin/python3", nil
	}
	return pyenv.Make(filepath.Join(project, ".venv-consumers", name), filepath.Join(project, requirements(name)))
}
