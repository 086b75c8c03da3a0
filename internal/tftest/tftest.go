// Package tftest runs Python scripts with TensorFlow in tests: what TensorFlow
// and TFDS themselves read decides what a dataset must be.
package tftest

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// The environment variables that a test run is told by.
const (
	PythonVar  = "TFR_PYTHON"     // a Python that has what scripts/requirements.txt lists
	RequireVar = "TFR_REQUIRE_TF" // 1: its absence is a failure

	TorchVar        = "TFR_TORCH"         // a Python that has PyTorch and NumPy
	RequireTorchVar = "TFR_REQUIRE_TORCH" // 1: its absence is a failure

	DALIVar        = "TFR_DALI"         // a Python that has NVIDIA DALI and TensorFlow
	RequireDALIVar = "TFR_REQUIRE_DALI" // 1: its absence is a failure
)

// Python returns the interpreter that PythonVar names. Without one the test is
// skipped, or fails where RequireVar is 1.
func Python(t testing.TB) string {
	t.Helper()
	return named(t, PythonVar, RequireVar, "tensorflow and the others of scripts/requirements.txt")
}

// Torch returns the interpreter that TorchVar names, as Python does.
func Torch(t testing.TB) string {
	t.Helper()
	return named(t, TorchVar, RequireTorchVar, "torch and numpy")
}

// DALI returns the interpreter that DALIVar names, as Python does.
func DALI(t testing.TB) string {
	t.Helper()
	return named(t, DALIVar, RequireDALIVar, "nvidia-dali and tensorflow")
}

func named(t testing.TB, variable, require, packages string) string {
	t.Helper()
	python := os.Getenv(variable)
	switch {
	case python != "":
		return python
	case os.Getenv(require) == "1":
		t.Fatalf("%s is 1, and %s names no Python with %s", require, variable, packages)
	}
	t.Skipf("%s names no Python with %s: what they read and make was not tested", variable, packages)
	return ""
}

// environment is of each Python: no messages, no graphics card, and no files next to the modules.
var environment = []string{"TF_CPP_MIN_LOG_LEVEL=2", "CUDA_VISIBLE_DEVICES=", "PYTHONDONTWRITEBYTECODE=1"}

var importsTensorFlow = regexp.MustCompile(`(?m)^import tensorflow`)

// Run runs a script, and fails the test with the output if it does not end with 0.
func Run(t testing.TB, script string, args ...string) {
	t.Helper()
	python := Python(t)
	code, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{script}, args...)
	var output string
	if importsTensorFlow.Match(code) {
		var faults string
		output, faults, err = Program{Args: args}.Run(t)
		output += faults
	} else {
		cmd := exec.Command(python, args...)
		cmd.Env = append(os.Environ(), environment...)
		var both []byte
		both, err = cmd.CombinedOutput()
		output = string(both)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, output)
	}
	t.Logf("%s", output)
}
