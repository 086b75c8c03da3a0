// Package badinput compares the messages about invalid input with golden files:
// for each kind of fault the exit code and the message, as a golden file, from
// the real binary. Other tests hold what it may cost to answer (memory, open
// files) and inputs that change while they are read.
package badinput

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/testenv"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// open opens a test's directory to users who are not root.
func open(t *testing.T, dir string) string {
	t.Helper()
	for _, d := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A verdict is how an input is answered.
type verdict string

const (
	accepted verdict = "accepted"
	warned   verdict = "accepted with a warning"
	badRow   verdict = "a row that cannot be used"
	refused  verdict = "refused as a whole"
)

// of is the verdict that an exit code and what was said come to. A source
// without a row is not an invalid row.
func of(code int, said string) verdict {
	switch {
	case code == 3 && !strings.Contains(said, "[NO_ROWS]"):
		return badRow
	case code != 0:
		return refused
	case strings.Contains(said, "warning: "):
		return warned
	}
	return accepted
}

// A fault is an input and the config that reads it.
type fault struct {
	name    string
	verdict verdict
	config  string // below name and output
	files   map[string]string
	output  string                         // "out" unless said otherwise
	lay     func(t *testing.T, dir string) // what is not a plain file; may be nil
	asUser  bool                           // not as root, who may read everything
}

func input(v verdict, name, config string, files map[string]string) fault {
	return fault{name: name, verdict: v, config: config, files: files, output: "out"}
}

// with adds what is not a plain file.
func (f fault) with(lay func(t *testing.T, dir string)) fault {
	f.lay = lay
	return f
}

// layOut writes the input in a directory of its own.
func (f *fault) layOut(t *testing.T) (dir string) {
	t.Helper()
	dir = open(t, t.TempDir())
	for name, text := range f.files {
		testenv.Put(t, filepath.Join(dir, name), text)
	}
	testenv.Put(t, filepath.Join(dir, "c.yaml"), "name: d\noutput: "+f.output+"\n"+f.config)
	if f.lay != nil {
		f.lay(t, dir)
	}
	return dir
}

// unprivileged is a user who may read only what everybody may.
const unprivileged = 65534

// quick is for runs of small inputs: a third of their time would go to the
// collection of garbage.
const quick = "GOGC=off"

// command is the tool at work in dir.
func (f *fault) command(binary, dir string, flags ...string) *exec.Cmd {
	cmd := exec.Command(binary, append([]string{"-config", "c.yaml"}, flags...)...)
	cmd.Dir = dir
	if f.asUser && os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: unprivileged, Gid: unprivileged}}
	}
	return cmd
}

// run builds in a directory of its own. It returns the exit code and the output.
func (f *fault) run(t *testing.T, binary string, flags ...string) (code int, said string) {
	t.Helper()
	dir := f.layOut(t)
	before := snapshot(t, dir)
	cmd := f.command(binary, dir, flags...)
	cmd.Env = append(os.Environ(), quick)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if strings.Contains(stderr.String(), "goroutine") {
		t.Errorf("%s: a panic:\n%s", f.name, &stderr)
	}
	code = cmd.ProcessState.ExitCode()
	if code != 0 {
		if after := snapshot(t, dir); after != before {
			t.Errorf("%s: after a failed run there is\n%s\nbefore it was\n%s", f.name, after, before)
		}
	}
	said = progress.ReplaceAllString(stderr.String(), "")
	return code, strings.ReplaceAll(strings.TrimRight(said, "\n"), dir, "DIR")
}

// progress matches the lines that a slow run prints, as on a busy disk.
var progress = regexp.MustCompile(`(?m)^note: \d+% .*\n`)

func answer(code int, said string) string { return fmt.Sprintf("exit %d\n%s", code, indent(said)) }

func indent(text string) string {
	if text == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}

// snapshot lists what is published, with sizes and times.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		if info.IsDir() {
			if info.Name() == ".out.tfr" {
				return filepath.SkipDir
			}
			return nil
		}
		fmt.Fprintln(&b, path, info.Size(), info.ModTime())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A chapter is the faults of one golden file.
type chapter struct {
	name   string
	faults []fault
}

func chapters(t *testing.T) []chapter {
	list := []chapter{
		{"csv", csvFaults(t)}, {"values", valueFaults()}, {"jsonl", jsonlFaults()}, {"json", jsonFaults()},
		{"xml", xmlFaults()}, {"records", recordFaults()}, {"images", imageFaults(t)},
		{"files", fileFaults()}, {"places", placeFaults()}, {"names", nameFaults()}, {"contents", contentFaults()},
		{"arrays", arrayFileFaults()}, {"archives", archiveFaults(t)}, {"parquet", parquetFaults()},
		{"hints", hintFaults()},
		{"columns", columnFaults()}, {"forms", formFaults()}, {"groups", groupFaults()},
		{"lists", imageListFaults(t)}, {"samples", sampleFaults(t)},
	}
	if runtime.GOOS == "linux" {
		list = append(list, chapter{"kernel", kernelFaults()})
	}
	return list
}

// TestFaults runs every fault, or some of them, and again with rows spilled to disk: the
// answer is the same.
func TestFaults(t *testing.T) {
	bin := testenv.Program(t)
	for k, c := range chapters(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			answers := make([]string, len(c.faults))            // those that were not run are empty
			step := min(testenv.Times(43, 1, 1), len(c.faults)) // at least one of each chapter
			for i, f := range c.faults {
				if (i+k)%step != 0 && !*update {
					continue
				}
				code, said := f.run(t, bin)
				if v := of(code, said); v != f.verdict {
					t.Errorf("%s: %s, want %s", f.name, v, f.verdict)
				}
				answers[i] = f.name + ": " + answer(code, said)
				if i >= step && !testenv.Exhaustive() {
					continue
				}
				if again := answer(f.run(t, bin, "-memory", "16MB", "-workers", "3")); again != answer(code, said) {
					t.Errorf("%s: with other flags\n%s\nnot\n%s", f.name, again, answer(code, said))
				}
			}
			golden(t, filepath.Join("testdata", c.name+".golden"), c.faults, answers)
		})
	}
}

// golden compares answers with those of a file, each of which begins with the name of its
// fault.
func golden(t *testing.T, file string, faults []fault, answers []string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(answers, "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rest := string(text)
	for i, got := range answers {
		want := rest
		if i+1 < len(faults) {
			want, _, _ = strings.Cut(rest, "\n"+faults[i+1].name+": exit ")
			want += "\n"
		}
		if rest = strings.TrimPrefix(rest, want); got != "" && got != want {
			t.Errorf("%s: got\n%swant\n%s\ngo test ./internal/badinput -update writes the file", file, got, want)
		}
	}
}
