package conformance

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
)

// A reader is the name of a Python package that reads datasets.
type reader string

// read runs a script with the name of the reader as its last argument.
func (r reader) read(t *testing.T, args ...string) {
	t.Helper()
	args = append(args, string(r))
	var output, faults string
	var err error
	switch r {
	case "numpy": // without TensorFlow
		output, faults, err = interpret(tftest.Python(t), "", "", args...)
	case "tensorflow":
		output, faults, err = tftest.Program{Args: args}.Run(t)
	case "torch":
		output, faults, err = interpret(tftest.Torch(t), "", "", args...)
	case "dali":
		output, faults, err = interpret(tftest.DALI(t), "", "", args...)
	}
	if err != nil {
		t.Fatalf("%v\n%s%s", err, output, faults)
	}
	t.Logf("%s", output)
}

// interpret runs a program by a Python of its own.
func interpret(python, dir, input string, args ...string) (output, faults string, err error) {
	cmd := exec.Command(python, args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(input)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "TF_CPP_MIN_LOG_LEVEL=2", "CUDA_VISIBLE_DEVICES=")
	var written, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &written, &errors
	err = cmd.Run()
	return written.String(), errors.String(), err
}

// TestProgramsOfTensorFlow runs programs one after another. Each has its own variables, standard input, and end.
func TestProgramsOfTensorFlow(t *testing.T) {
	dir := t.TempDir()
	const code = "import sys\nfrom other import answer\nprint(sys.argv[1], answer, sys.stdin.read())\n"
	write(t, dir, "script.py", []byte(code))
	write(t, dir, "other.py", []byte("answer = 42\n"))
	for _, c := range []struct {
		program                      tftest.Program
		output, faults, wantedStatus string
	}{
		{tftest.Program{Dir: dir, Args: []string{"script.py", "a"}, Input: "b"}, "a 42 b\n", "", ""},
		{tftest.Program{Dir: dir, Args: []string{"-"}, Input: "import other\nx = 1\nprint(other.answer)"},
			"42\n", "", ""},
		{tftest.Program{Args: []string{"-"}, Input: "print(x)"}, "", "NameError: name 'x' is not defined",
			"exit status 1"},
		{tftest.Program{Args: []string{"-"}, Input: "import other"}, "", "No module named 'other'", "exit status 1"},
		{tftest.Program{Args: []string{"-"}, Input: "import sys\nsys.exit('no')"}, "", "no\n", "exit status 1"},
		{tftest.Program{Args: []string{"-"}, Input: "exit(7)"}, "", "", "exit status 7"},
		{tftest.Program{Args: []string{"-"}, Input: "import os\nos.abort()"}, "", "", "exit status -6"},
		{tftest.Program{Args: []string{"-"}, Input: "print(tf)"}, "", "NameError", "exit status 1"},
		{tftest.Program{Args: []string{"-"}, Input: "import tensorflow as tf\nprint(int(tf.add(1, 2)))"},
			"3\n", "", ""},
	} {
		output, faults, err := c.program.Run(t)
		status := ""
		if err != nil {
			status = err.Error()
		}
		if output != c.output || status != c.wantedStatus || c.faults != "" && !strings.Contains(faults, c.faults) {
			t.Errorf("%q: %q, %q, and %q; want %q, %q, and %q", c.program.Input, output, faults, status,
				c.output, c.faults, c.wantedStatus)
		}
	}
}
