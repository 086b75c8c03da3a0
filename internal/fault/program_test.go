package fault

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
)

// TestProgram builds the program once, and then kills, stops, and signals runs of it.
func TestProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tfr-build")
	// go run caches the linked program for all packages
	build := exec.Command("go", "run", "-exec", "cp", "tfr-build/cmd/tfr-build", path)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building tfr-build: %v\n%s", err, out)
	}
	p := &program{path: path, dir: t.TempDir()}
	write(t, p.dir, "in/a.csv", table(0, 10_000, everyThird))
	write(t, p.dir, "dataset.yaml",
		[]byte("name: it\noutput: unused\n"+csvSource+"compression: gzip\nshards: 6\n"+quarantine+someColumns))
	began := time.Now()
	out, err := p.command("first", "-workers", "1").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p.takes, p.want = time.Since(began), p.published(t, "first")
	t.Run("races", p.races)
	for sig, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		t.Run(sig.String(), func(t *testing.T) { p.signalled(t, sig, code) })
	}
	t.Run("two signals", p.twoSignals)
	t.Run("output without a reader", p.deadReader)
	t.Run("paused", p.paused)
	t.Run("scratch", p.scratch)
}

// A program is the binary of tfr-build, and a job that takes long enough to interrupt it.
type program struct {
	path, dir string
	takes     time.Duration // the time of one run
	want      contents      // of the dataset and its rejects
}

// command returns a run that writes to out, in a directory of its own.
func (p *program) command(output string, flags ...string) *exec.Cmd {
	args := append([]string{"-config", filepath.Join(p.dir, "dataset.yaml"), "-output",
		filepath.Join(p.dir, output, "out")}, flags...)
	return exec.Command(p.path, args...)
}

// published returns the published files in the directory of an output.
func (p *program) published(t testing.TB, output string) contents {
	t.Helper()
	return realContents(t, filepath.Join(p.dir, output)).published()
}

// expectPublished fails the test unless the output has the expected files, and nothing else is next
// to it.
func (p *program) expectPublished(t *testing.T, output, how string) {
	t.Helper()
	if d := p.want.difference(p.published(t, output)); d != "" {
		t.Errorf("%s: other files:%s", how, d)
	}
	entries, err := os.ReadDir(filepath.Join(p.dir, output, ".out.tfr"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "lock" && e.Name() != "state.json" {
			t.Errorf("%s: %s is left", how, e.Name())
		}
	}
}

// finish runs the program to its end, and checks the output.
func (p *program) finish(t *testing.T, output, how string) {
	t.Helper()
	if out, err := p.command(output).CombinedOutput(); err != nil {
		t.Fatalf("%s: the next run: %v\n%s", how, err, out)
	}
	p.expectPublished(t, output, how)
}

// A racer is a run of the program, and its output.
type racer struct {
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
}

func (p *program) start(t *testing.T, output string, flags ...string) *racer {
	t.Helper()
	r := &racer{cmd: p.command(output, flags...)}
	r.cmd.Stdout, r.cmd.Stderr = &r.stdout, &r.stderr
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// end waits for the run and returns its exit code, or -1 if it was killed.
func (r *racer) end(t *testing.T) int {
	t.Helper()
	var exit *exec.ExitError
	if err := r.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return r.cmd.ProcessState.ExitCode()
}

// races starts two to eight runs at once. One builds; the others name it in an error, or find
// the dataset up to date. In every other race, the run with the lock is killed, and the next one
// takes the lock.
func (p *program) races(t *testing.T) {
	t.Parallel()
	for n := range testenv.Times(1, 20, 200) {
		r := rand.New(rand.NewPCG(uint64(n), 14))
		output := fmt.Sprintf("race-%d", n)
		var all []*racer
		for range 2 + r.IntN(7) {
			all = append(all, p.start(t, output, "-workers", "1"))
		}
		victim := all[r.IntN(len(all))]
		if n%2 == 1 {
			time.Sleep(time.Duration(r.Int64N(int64(p.takes))))
			_ = victim.cmd.Process.Kill() // it may have ended
		}
		built := 0
		for _, run := range all {
			built += p.countBuilt(t, output, run, all)
		}
		if built > 1 || built == 0 && n%2 == 0 {
			t.Errorf("race %d: %d of %d runs built", n, built, len(all))
		}
		p.finish(t, output, output)
	}
}

// lockHolder matches the process and the host that have the lock.
var lockHolder = regexp.MustCompile(`locked by process (\d+) on (\S+)`)

// countBuilt waits for a run. It returns 1 if the run built the dataset, else 0.
func (p *program) countBuilt(t *testing.T, output string, run *racer, all []*racer) int {
	t.Helper()
	code := run.end(t)
	said := run.stdout.String() + run.stderr.String()
	switch {
	case code == 0 && strings.HasPrefix(run.stdout.String(), "built "):
		return 1
	case code == 0 && strings.HasPrefix(run.stdout.String(), "up to date "), code == -1:
		return 0
	case code != 6:
		t.Errorf("%s: exit code %d: %s", output, code, said)
		return 0
	}
	host, _ := os.Hostname()
	m := lockHolder.FindStringSubmatch(said)
	if m == nil {
		if !strings.Contains(said, "is locked by another run") { // it has not written its name yet
			t.Errorf("%s: the process with the lock is not named: %s", output, said)
		}
		return 0
	}
	for _, other := range all {
		if m[1] == fmt.Sprint(other.cmd.Process.Pid) && m[2] == host {
			return 0
		}
	}
	t.Errorf("%s: the named process is not one of the runs on %s: %s", output, host, said)
	return 0
}

// resumeHint matches the hint of a stopped run.
var resumeHint = regexp.MustCompile(`interrupted by SIG(INT|TERM|HUP): (.|\n)*(to resume: tfr-build|the same command)`)

// signalled stops runs at random times and resumes them. If all runs ended before their signal, it
// tries more. The times are within the time of the first run, which takes the longest.
func (p *program) signalled(t *testing.T, sig syscall.Signal, code int) {
	t.Parallel()
	// A test that nohup started ignores SIGHUP, and its children would, too.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	stopped, atLeast := 0, testenv.Times(1, 20, 200)
	for n := 0; n < atLeast || stopped == 0 && n < 10*atLeast; n++ {
		r := rand.New(rand.NewPCG(uint64(n), uint64(sig)))
		output := fmt.Sprintf("%d-%d", sig, n)
		run := p.start(t, output, "-workers", "1")
		time.Sleep(time.Duration(r.Int64N(int64(p.takes))))
		sent := time.Now()
		_ = run.cmd.Process.Signal(sig) // it may have ended
		got := run.end(t)
		if took := time.Since(sent); took > 5*time.Second {
			t.Errorf("%s: stopped after %v", output, took)
		}
		switch said := run.stderr.String(); {
		case got == code && resumeHint.MatchString(said):
			stopped++
		case got == -1 && run.signal() == sig && said == "": // before it handled signals
		case got != 0:
			t.Errorf("%s: exit code %d, want %d: %s", output, got, code, said)
		}
		if is := p.published(t, output); got != 0 && len(is) > 0 {
			t.Errorf("%s: %d files are published", output, len(is))
		}
		p.finish(t, output, output)
	}
	if stopped == 0 {
		t.Error("no run was stopped in time")
	}
}

// signal returns the signal that ended the process.
func (r *racer) signal() syscall.Signal {
	return r.cmd.ProcessState.Sys().(syscall.WaitStatus).Signal()
}

// twoSignals sends a second signal before the first has taken effect.
func (p *program) twoSignals(t *testing.T) {
	t.Parallel()
	for n := range testenv.Times(1, 10, 100) {
		r := rand.New(rand.NewPCG(uint64(n), 2))
		output := fmt.Sprintf("two-%d", n)
		run := p.start(t, output, "-workers", "1")
		time.Sleep(time.Duration(r.Int64N(int64(p.takes))))
		_ = run.cmd.Process.Signal(syscall.SIGINT) // it may have ended
		sent := time.Now()
		_ = run.cmd.Process.Signal(syscall.SIGTERM)
		run.end(t)
		if took := time.Since(sent); took > time.Second {
			t.Errorf("%s: ended after %v", output, took)
		}
		p.finish(t, output, output)
	}
}

// deadReader runs the program with its standard output and error closed.
func (p *program) deadReader(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	defer write.Close()
	cmd := p.command("silent")
	cmd.Stdout, cmd.Stderr = write, write
	if err := cmd.Run(); err != nil {
		t.Errorf("into a closed pipe: %v", err)
	}
	p.expectPublished(t, "silent", "into a closed pipe")
}

// paused stops and continues the process.
func (p *program) paused(t *testing.T) {
	t.Parallel()
	run := p.start(t, "paused", "-workers", "1")
	for range 5 {
		time.Sleep(p.takes / 10)
		_ = run.cmd.Process.Signal(syscall.SIGSTOP) // it may have ended
		time.Sleep(p.takes / 10)
		_ = run.cmd.Process.Signal(syscall.SIGCONT)
	}
	if code := run.end(t); code != 0 {
		t.Errorf("exit code %d: %s", code, run.stderr.String())
	}
	p.expectPublished(t, "paused", "paused")
}

// scratch kills runs with -scratch. The next run has no scratch directory, another one, or -fresh.
// No files of the killed run remain in its directory.
func (p *program) scratch(t *testing.T) {
	t.Parallel()
	z := &program{path: p.path, dir: t.TempDir(), takes: p.takes}
	write(t, z.dir, "in/a.csv.gz", []byte(filetest.Gzip(string(table(0, 10_000, everyThird)))))
	write(t, z.dir, "dataset.yaml",
		[]byte("name: it\noutput: unused\nsource: {csv: {files: 'in/*.gz'}}\nshards: 6\n"+quarantine+someColumns))
	for n := range testenv.Times(1, 60, 600) {
		r := rand.New(rand.NewPCG(uint64(n), 11))
		output := fmt.Sprintf("scratch-%d", n)
		place := filepath.Join(z.dir, output)
		run := z.start(t, output, "-workers", "1", "-scratch", filepath.Join(place, "here"))
		time.Sleep(time.Duration(r.Int64N(int64(z.takes))))
		_ = run.cmd.Process.Kill() // it may have ended
		run.end(t)
		how := [][]string{nil, {"-scratch", filepath.Join(place, "there")}, {"-fresh"}}[n%3]
		if out, err := z.command(output, how...).CombinedOutput(); err != nil {
			t.Fatalf("%s: the next run: %v\n%s", output, err, out)
		}
		for _, name := range []string{"here", "there"} {
			entries, err := os.ReadDir(filepath.Join(place, name))
			if len(entries) > 0 || err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s: left in the scratch directory: %v, %v", output, entries, err)
			}
		}
	}
}
