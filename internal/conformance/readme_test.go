package conformance

import (
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
	title    string // the name of the file that the block is
	text     string
	output   string
	shown    bool // output is there
}

var (
	fence    = regexp.MustCompile("^```([a-z]*)(?: title=\"([^\"]+)\")?$")
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
			open = &block{file: file, line: number, language: m[1], title: m[2]}
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
// in a copy of the project; `go test ./...` runs this test.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program, in which the race detector sees nothing")
	}
	blocks := blocksOf(t, "README.md")
	dir := filepath.Join(t.TempDir(), "project")
	copyProject(t, dir)
	runShell(t, dir, blocks)
	if runtime.GOOS == "linux" {
		needsNothing(t, filepath.Join(dir, "bin", "tfr-build"))
	}
	runPython(t, dir, blocks)
}

// copyProject copies directories of the project, or all of it, without what is hidden
// or was made in it.
func copyProject(t *testing.T, to string, parts ...string) {
	t.Helper()
	if len(parts) == 0 {
		parts = []string{"."}
	}
	for _, part := range parts {
		if err := copyPart(to, part); err != nil {
			t.Fatal(err)
		}
	}
}

func copyPart(to, part string) error {
	made := map[string]bool{"out": true, "bin": true, "data": true, "example": true, "dist": true, "site": true}
	return filepath.WalkDir(filepath.Join(project, part), func(path string, d fs.DirEntry, err error) error {
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
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, info.Mode().Perm())
	})
}

// prelude keeps the tests from running themselves, and touches files no sooner than
// a person would, for their times tick slowly.
const prelude = `
set -euo pipefail
go() { if [ "$*" != "test ./..." ]; then command go "$@"; fi; }
touch() { sleep 0.1; command touch "$@"; }
`

// sampled links nothing: what is built is a copy of the program of all tests, for
// lab/demo-crash, too.
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

// runShell writes the blocks that are files, runs those of sh, and compares what each prints.
func runShell(t *testing.T, dir string, blocks []block, env ...string) {
	t.Helper()
	outputs := t.TempDir()
	script, program := prelude, ""
	if !testenv.Exhaustive() {
		script, program = prelude+sampled, testenv.Program(t)
	}
	for i := range blocks {
		switch b := &blocks[i]; {
		case b.title != "":
			script += fmt.Sprintf("mkdir -p \"$(dirname '%s')\"\ncat > '%s' <<'END_OF_BLOCK'\n%sEND_OF_BLOCK\n",
				b.title, b.title, b.text)
		case b.language == "sh":
			script += fmt.Sprintf("{\n%s} >%s/%d 2>&1\n", b.text, outputs, i)
		}
	}
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "OUT=", "PROGRAM="+program, "MAKEFLAGS=", "MAKELEVEL=",
		"GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath", // what was compiled in another copy is used again
		fmt.Sprintf("ROWS=%d", testenv.Times(15_000, 1_500_000, 1_500_000)))
	cmd.Env = append(cmd.Env, env...)
	failed := cmd.Run()
	var last string
	for i := range blocks {
		b := &blocks[i]
		if b.language != "sh" || b.title != "" {
			continue
		}
		output, err := os.ReadFile(filepath.Join(outputs, fmt.Sprint(i)))
		if err != nil {
			break
		}
		last = fmt.Sprintf("%s:%d prints\n%s", b.file, b.line, output)
		b.check(t, string(output))
	}
	if failed != nil {
		t.Fatalf("%v: %s", failed, last)
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

// runPython runs the blocks of Python, each by a Python that has what it imports.
func runPython(t *testing.T, dir string, blocks []block) {
	for i := range blocks {
		b := &blocks[i]
		if b.language != "python" || b.title != "" {
			continue
		}
		t.Run(fmt.Sprintf("python in line %d", b.line), func(t *testing.T) {
			var output, faults string
			var err error
			switch {
			case strings.Contains(b.text, "torch"):
				output, faults, err = interpret(tftest.Torch(t), dir, b.text, "-")
			case strings.Contains(b.text, "dali"):
				output, faults, err = interpret(tftest.DALI(t), dir, b.text, "-")
			default:
				output, faults, err = tftest.Program{Dir: dir, Args: []string{"-"}, Input: b.text}.Run(t)
			}
			if err != nil {
				t.Fatalf("%s:%d: %v\n%s", b.file, b.line, err, faults)
			}
			b.check(t, output)
		})
	}
}
