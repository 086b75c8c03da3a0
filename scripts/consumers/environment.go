package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"tfr-build/scripts/pyenv"
)

// making keeps two consumers from making one environment at once.
type making struct {
	sync.Mutex
	made map[string]string // the Python of each environment
}

// python returns the Python of an environment, which is made where there is none:
//
//	tensorflow   .venv, by scripts/venv
//	torch        the Python that TFR_TORCH names, or /usr/bin/python3 if it has PyTorch
//	debian       /usr/bin/python3
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

const debianPython = "/usr/bin/python3"

// torchPython returns a Python that has PyTorch and NumPy. The error says how to get one.
func torchPython() (string, error) {
	python := os.Getenv("TFR_TORCH")
	if python == "" {
		python = debianPython
	}
	if out, err := exec.Command(python, "-c", "import torch, numpy").CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return "", fmt.Errorf("%s has no PyTorch with NumPy: %w: %s\n"+
			"hint: apt-get install python3-torch python3-numpy, or TFR_TORCH=PYTHON names a Python that has both", python, err, lines[len(lines)-1])
	}
	return python, nil
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
		out, err := pyenv.Output(exec.Command(filepath.Join(project, "scripts", "tfx"), "-python"))
		return strings.TrimSpace(out), err
	case "torch":
		return torchPython()
	case "debian":
		return debianPython, nil
	}
	return pyenv.Make(filepath.Join(project, ".venv-consumers", name), filepath.Join(project, "scripts", "consumers", "requirements", name+".txt"))
}
