package conformance

import (
	"bytes"
	"debug/elf"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
)

// A block is a fenced block of a text for people, and the output shown below it, if
// any: in a block of its own, of text.
type block struct {
	file     string
	line     int
	language string
	text     string
	output   string
	shown    bool // output is there
}

var (
	fence    = regexp.MustCompile("^```([a-z]*)$")
	anything = regexp.MustCompile(`(?m)^…$`)
)

// blocksOf reads the blocks of a file of the project.
func blocksOf(t *testing.T, file string) []block {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(project, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	var open *block
	number, closed := 0, 0
	for line := range strings.Lines(string(data)) {
		number++
		m := fence.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		switch {
		case m == nil && open != nil:
			open.text += line
		case m == nil:
		case open == nil:
			open = &block{file: file, line: number, language: m[1]}
		case open.language == "text" && len(blocks) > 0 && open.line == closed+1:
			last := &blocks[len(blocks)-1]
			last.output, last.shown = open.text, true
			open = nil
		default:
			blocks = append(blocks, *open)
			open, closed = nil, number
		}
	}
	return blocks
}

// check fails the test when the output is not what the text shows: … means
// anything in a line, and as a line of its own any lines.
func (b *block) check(t *testing.T, output string) {
	t.Helper()
	if !b.shown {
		return
	}
	pattern := regexp.QuoteMeta(b.output)
	pattern = anything.ReplaceAllString(pattern, "(?:.*\n)*?(?:.*)")
	pattern = strings.ReplaceAll(pattern, "…", ".*")
	if !regexp.MustCompile(`^(?:` + pattern + `)$`).MatchString(output) {
		t.Errorf("%s:%d: the output is\n%s\nand it says\n%s", b.file, b.line, output, b.output)
	}
}

// TestReadme runs every command of the README, one after another in one shell,
// in a copy of the project; `go test ./...` is what runs this test.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program, in which the race detector sees nothing")
	}
	blocks := blocksOf(t, "README.md")
	dir := filepath.Join(t.TempDir(), "project")
	copyProject(t, dir)
	layFiles(t, dir, blocks)
	runShell(t, dir, blocks)
	t.Run("cron", func(t *testing.T) { runCron(t, dir, blocks) })
	t.Run("python", func(t *testing.T) { runPython(t, dir, blocks) })
}

// copyProject copies the project without what is hidden or was made in it.
func copyProject(t *testing.T, to string) {
	t.Helper()
	made := map[string]bool{"out": true, "bin": true, "data": true, "example": true}
	err := filepath.WalkDir(project, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(project, path)
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(name, ".") || made[name]:
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// layFiles writes the blocks that are files.
func layFiles(t *testing.T, dir string, blocks []block) {
	t.Helper()
	names := map[string]string{"make": "example/Makefile"}
	found := 0
	for i := range blocks {
		if name := names[blocks[i].language]; name != "" {
			write(t, dir, name, []byte(blocks[i].text))
			found++
		}
	}
	if found != len(names) {
		t.Errorf("the README has %d files, want %d", found, len(names))
	}
}

// prelude keeps the tests from running themselves, and touches files no sooner than
// a person would, for their times tick slowly.
const prelude = `
set -euo pipefail
go() { if [ "$*" != "test ./..." ]; then command go "$@"; fi; }
touch() { sleep 0.1; command touch "$@"; }
`

// sampled links nothing: what is built is a copy of the program of all tests, for
// scripts/demo-crash, too.
const sampled = `
go() {
	case "$*" in
	"test ./...") ;;
	"build -o bin/ ./cmd/tfr-build") mkdir -p bin && cp "$PROGRAM" bin/ ;;
	"build -trimpath -o "*" ./cmd/tfr-build") cp "$PROGRAM" "$4" ;;
	*) command go "$@" ;;
	esac
}
export -f go
`

// runShell runs the blocks of sh, and compares what each prints.
func runShell(t *testing.T, dir string, blocks []block) {
	t.Helper()
	outputs := t.TempDir()
	script, program := prelude, ""
	if !testenv.Exhaustive() {
		script, program = prelude+sampled, testenv.Program(t)
	}
	for i := range blocks {
		if b := &blocks[i]; b.language == "sh" {
			script += fmt.Sprintf("{\n%s} >%s/%d 2>&1\n", b.text, outputs, i)
		}
	}
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "OUT=", "PROGRAM="+program, "MAKEFLAGS=", "MAKELEVEL=",
		"GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath", // what was compiled in another copy is used again
		fmt.Sprintf("ROWS=%d", testenv.Times(15_000, 1_500_000, 1_500_000)))
	failed := cmd.Run()
	for i := range blocks {
		b := &blocks[i]
		if b.language != "sh" {
			continue
		}
		output, err := os.ReadFile(filepath.Join(outputs, fmt.Sprint(i)))
		if err != nil {
			t.Fatalf("README.md:%d: not reached: %v", b.line, failed)
		}
		b.check(t, string(output))
		if next := filepath.Join(outputs, fmt.Sprint(i+1)); failed != nil && !exists(next) {
			t.Logf("README.md:%d printed\n%s", b.line, output)
		}
	}
	if failed != nil {
		t.Fatal(failed)
	}
	if runtime.GOOS == "linux" {
		needsNothing(t, filepath.Join(dir, "bin", "tfr-build"))
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// needsNothing makes sure that a program runs in an empty container: it has no
// interpreter, and so no shared libraries.
func needsNothing(t *testing.T, program string) {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Errorf("%s is not static", program)
		}
	}
}

// runCron runs the commands of the crontab as cron does: by sh, with hardly an
// environment.
func runCron(t *testing.T, dir string, blocks []block) {
	entries := 0
	for i := range blocks {
		if blocks[i].language != "crontab" {
			continue
		}
		for line := range strings.Lines(blocks[i].text) {
			entries++
			command := strings.Join(strings.Fields(line)[5:], " ")
			cmd := exec.Command("/bin/sh", "-c", command)
			cmd.Env = []string{"HOME=" + dir, "PATH=/usr/bin:/bin", "SHELL=/bin/sh"}
			output, err := cmd.CombinedOutput()
			if err != nil || len(output) > 0 {
				t.Errorf("%s: %v\n%s", command, err, output)
			}
		}
	}
	if entries == 0 {
		t.Error("the README has no crontab")
	}
}

// runPython runs the blocks of Python, each by a Python of its own, which has what it
// imports.
func runPython(t *testing.T, dir string, blocks []block) {
	for i := range blocks {
		b := &blocks[i]
		if b.language != "python" {
			continue
		}
		t.Run(fmt.Sprintf("line %d", b.line), func(t *testing.T) {
			python := tftest.Python
			switch {
			case strings.Contains(b.text, "torch"):
				python = tftest.Torch
			case strings.Contains(b.text, "dali"):
				python = tftest.DALI
			}
			cmd := exec.Command(python(t), "-")
			cmd.Dir = dir
			cmd.Stdin = strings.NewReader(b.text)
			cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "TF_CPP_MIN_LOG_LEVEL=2", "CUDA_VISIBLE_DEVICES=")
			var output, faults bytes.Buffer
			cmd.Stdout, cmd.Stderr = &output, &faults
			if err := cmd.Run(); err != nil {
				t.Fatalf("README.md:%d: %v\n%s", b.line, err, faults.Bytes())
			}
			b.check(t, output.String())
		})
	}
}
