package tftest

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A Program is Python code that imports TensorFlow.
type Program struct {
	Dir   string   // where it runs; if empty, the test's directory
	Args  []string // a script and its arguments, or "-" for the code in Input
	Input string   // standard input
}

// Run runs the program, and returns what it writes. An import of TensorFlow takes seconds of
// processor time, so the program runs in a fork of a process that has imported it.
func (p Program) Run(t testing.TB) (output, faults string, err error) {
	t.Helper()
	python := Python(t)
	dir, err := filepath.Abs(p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	request := map[string]any{"dir": dir, "args": p.Args}
	files, work := map[string]string{"input": p.Input, "output": "", "faults": ""}, t.TempDir()
	for name, text := range files {
		path := filepath.Join(work, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		request[name] = path
	}
	s, err := idleServer(python)
	if err != nil {
		t.Fatal(err)
	}
	status, err := s.ask(request)
	if err != nil {
		t.Fatalf("a Python with TensorFlow: %v", err)
	}
	idle <- s
	for name := range files {
		data, err := os.ReadFile(filepath.Join(work, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	if status != "0" {
		err = fmt.Errorf("exit status %s", status)
	}
	return files["output"], files["faults"], err
}

//go:embed server.py
var serverCode string

// A server is a process that runs a program at a time. It ends with the process of the tests,
// which closes its standard input.
type server struct {
	in  io.Writer
	out *bufio.Reader
}

// idle has the servers that run no program. As many are started as programs run at once.
var idle = make(chan *server, 1000)

func idleServer(python string) (*server, error) {
	select {
	case s := <-idle:
		return s, nil
	default:
	}
	cmd := exec.Command(python, "-c", serverCode)
	cmd.Env = append(os.Environ(), environment...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = cmd.Stdout
	return &server{in, bufio.NewReader(out)}, cmd.Start()
}

// ask returns the exit status of a program. TensorFlow may write lines before it.
func (s *server) ask(request map[string]any) (status string, err error) {
	if err := json.NewEncoder(s.in).Encode(request); err != nil {
		return "", err
	}
	var other strings.Builder
	for {
		line, err := s.out.ReadString('\n')
		if status, found := strings.CutPrefix(line, "exit status: "); found {
			return strings.TrimSpace(status), err
		}
		other.WriteString(line)
		if err != nil {
			return "", fmt.Errorf("%w\n%s", err, &other)
		}
	}
}
