package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A mutant is the project without one of its protections.
type mutant struct {
	name  string
	edits []edit
	tests []tests // any of them may find it
}

// An edit replaces code by other code. It is found by the declaration that it is in, such as
// "sink.Disk.SyncFile", and by its tokens, which the declaration must have once.
type edit struct{ in, old, new string }

// tests returns the tests of a package whose names match a regular expression.
type tests struct{ dir, run string }

// A result is what came of a mutant.
type result struct {
	found bool
	text  string // by which tests, or why not
	took  time.Duration
}

func (r *result) word() string {
	if r.found {
		return "found"
	}
	return "MISSED"
}

// A specimen is a copy of the project that mutants are made of.
type specimen struct {
	dir    string
	tested bool      // all tests pass in the copy as it is
	passed *sync.Map // those that are known to, for all copies
}

// try sees that the tests of a mutant pass without it and fail with it.
func (s *specimen) try(ctx context.Context, m *mutant) (r result) {
	defer func(started time.Time) { r.took = time.Since(started) }(time.Now())
	for _, t := range m.tests {
		if err := s.pass(ctx, t); err != nil {
			return result{text: "without it: " + err.Error()}
		}
	}
	restore, err := s.apply(m.edits)
	defer restore()
	if err == nil {
		err = s.compile(ctx, m.edits)
	}
	if err != nil {
		return result{text: err.Error()}
	}
	var why []string
	for _, t := range m.tests {
		by, err := s.fail(ctx, t)
		if err == nil {
			return result{found: true, text: by}
		}
		why = append(why, err.Error())
	}
	return result{text: strings.Join(why, "; ")}
}

// apply makes the edits; restore takes them back, however many there were.
func (s *specimen) apply(edits []edit) (restore func(), err error) {
	before := map[string][]byte{}
	restore = func() {
		for name, data := range before {
			if err := os.WriteFile(name, data, 0o666); err != nil {
				panic(err) // all later results would be wrong
			}
		}
	}
	for _, e := range edits {
		at, err := locate(s.dir, e)
		if err != nil {
			return restore, err
		}
		data, err := os.ReadFile(at.file)
		if err != nil {
			return restore, err
		}
		if before[at.file] == nil {
			before[at.file] = data
		}
		edited := slices.Concat(data[:at.from], []byte(e.new), data[at.to:])
		if err := os.WriteFile(at.file, edited, 0o666); err != nil {
			return restore, err
		}
	}
	return restore, nil
}

// tooLong is after what time tests count as hanging, which is not finding.
const tooLong = 2 * time.Minute

// test runs tests and returns what they say.
func (s *specimen) test(ctx context.Context, t tests) (passed bool, output string) {
	cmd := exec.CommandContext(ctx, "go", "test", "-trimpath", "-vet=off", "-count=1", "-failfast", "-timeout",
		tooLong.String(), "-run", t.run, t.dir)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "TFR_EXHAUSTIVE=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	out, err := cmd.CombinedOutput()
	return err == nil, string(out)
}

// pass sees that tests pass, and that there are such tests.
func (s *specimen) pass(ctx context.Context, t tests) error {
	if _, known := s.passed.Load(t); known || s.tested {
		return nil
	}
	passed, output := s.test(ctx, t)
	switch {
	case !passed:
		return fmt.Errorf("%s %s fails: %s", t.dir, t.run, firstLines(output))
	case strings.Contains(output, "no tests to run"):
		return fmt.Errorf("%s has no %s", t.dir, t.run)
	}
	s.passed.Store(t, true)
	return nil
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// compile compiles the packages of the edits. A test that builds the program itself would fail
// with a mutant that does not compile, and prove nothing.
func (s *specimen) compile(ctx context.Context, edits []edit) error {
	var dirs []string
	for _, e := range edits {
		dirs = append(dirs, "./"+e.packageDir())
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-trimpath", "-o", os.DevNull}, dirs...)...)
	cmd.Dir = s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return errors.New("it does not compile: " + firstLines(string(out)))
	}
	return nil
}

// fail returns the test that fails. One that cannot be built or does not end has
// not found anything.
func (s *specimen) fail(ctx context.Context, t tests) (by string, err error) {
	passed, output := s.test(ctx, t)
	m := failed.FindStringSubmatch(output)
	switch {
	case passed:
		return "", fmt.Errorf("%s %s passes", t.dir, t.run)
	case strings.Contains(output, "panic: test timed out"):
		return "", fmt.Errorf("%s %s does not end", t.dir, t.run)
	case m == nil:
		return "", errors.New("no test failed: " + firstLines(output))
	}
	return t.dir + " " + m[1], nil
}

// firstLines is the beginning of a long text.
func firstLines(text string) string {
	const most = 400
	return strings.ReplaceAll(strings.TrimSpace(text[:min(len(text), most)]), "\n", " | ")
}
