package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// calls are the system calls of the program that are made to fail. Calls of
// the Go runtime alone are not among them: nobody checks their errors.
var calls = []string{"write", "pwrite64", "fsync", "close", "renameat", "renameat2", "openat", "mkdirat", "unlinkat",
	"ftruncate", "fallocate", "pread64", "flock", "statfs"}

// calledErrors are the errors that they are given.
var calledErrors = []struct {
	name  string
	errno syscall.Errno
}{
	{"ENOSPC", syscall.ENOSPC}, {"EIO", syscall.EIO}, {"EDQUOT", syscall.EDQUOT}, {"EMFILE", syscall.EMFILE},
	{"EROFS", syscall.EROFS}, {"EXDEV", syscall.EXDEV}, {"EACCES", syscall.EACCES}, {"ESTALE", syscall.ESTALE},
}

// strace has the kernel refuse system calls of a run, and lie about some: that
// it wrote what it did not.
func (t *torture) strace(ctx context.Context, c *count) error {
	jobs, err := t.jobs(ctx, "csv", "spill", "quarantine", "overwrite")
	if err != nil {
		return err
	}
	r := t.random("strace")
	made := map[*job]map[string]int{}
	for _, j := range jobs {
		if made[j], err = t.callsOf(ctx, j); err != nil {
			return err
		}
	}
	expected := 0 // so many have to reach their run
	for _, kind := range []struct {
		times  int
		choose func(*rand.Rand, map[string]int) *injection
	}{{300, refusal}, {100, lie}} {
		expected += t.times(kind.times)
		for i := 0; c.of["injected"] < expected; i++ {
			if i > 10*expected {
				return errors.New("nothing is injected")
			}
			j := jobs[i%len(jobs)]
			if err := t.inject(ctx, c, j, kind.choose(r, made[j])); err != nil {
				return err
			}
		}
	}
	return nil
}

// traced is a line of strace about one of the calls.
var traced = regexp.MustCompile(`(?m)^(\d+) +(\w+)\(`)

// callsOf counts how often a run makes each of the calls, in the thread that
// makes it most often.
func (t *torture) callsOf(ctx context.Context, j *job) (map[string]int, error) {
	s := t.site(j, filepath.Join(t.dir, "site"))
	if err := s.reset(); err != nil {
		return nil, err
	}
	trace := filepath.Join(t.dir, "trace")
	if _, err := s.traced(ctx, trace, "-e", "trace="+strings.Join(calls, ",")); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		return nil, err
	}
	byThread, most := map[string]int{}, map[string]int{}
	for _, m := range traced.FindAllSubmatch(text, -1) {
		key, call := string(m[0]), string(m[2])
		byThread[key]++
		most[call] = max(most[call], byThread[key])
	}
	return most, nil
}

// traced runs the job under strace, with as few threads as may be.
func (s *site) traced(ctx context.Context, trace string, flags ...string) (*outcome, error) {
	args := append([]string{"GOMAXPROCS=1", "strace", "-f", "-qq", "-o", trace}, flags...)
	return run(ctx, "env", append(append(args, s.program), s.args(1)...)...)
}

// An injection is a call that does not do what it should.
type injection struct {
	call  string
	does  string // as strace takes it
	at    int
	errno syscall.Errno // 0 for a lie
}

func (in *injection) String() string { return fmt.Sprintf("%s:%s:when=%d", in.call, in.does, in.at) }

func refusal(r *rand.Rand, made map[string]int) *injection {
	possible := slices.DeleteFunc(slices.Clone(calls), func(call string) bool { return made[call] == 0 })
	call := possible[r.IntN(len(possible))]
	e := calledErrors[r.IntN(len(calledErrors))]
	return &injection{call, "error=" + e.name, 1 + r.IntN(made[call]), e.errno}
}

// lie has a write say that it wrote some bytes, and write none. It is at most
// what a short write could have been.
func lie(r *rand.Rand, made map[string]int) *injection {
	call := "pwrite64"
	if r.IntN(4) == 0 {
		call = "write"
	}
	const most = 8
	return &injection{call, fmt.Sprintf("retval=%d", 1+r.IntN(most)), 1 + r.IntN(made[call]), 0}
}

// hidden matches a line of strace about a message that was not written. The calls of each thread are counted, so the
// first one of another thread may have failed before.
var hidden = regexp.MustCompile(`(?m)\bwrite\(2, .*\(INJECTED\)$`)

// inject is one trial.
func (t *torture) inject(ctx context.Context, c *count, j *job, in *injection) error {
	s := t.site(j, filepath.Join(t.dir, "site"))
	if err := s.reset(); err != nil {
		return err
	}
	trace := filepath.Join(t.dir, "trace")
	o, err := s.traced(ctx, trace, "-e", "trace="+in.call, "-e", "inject="+in.String())
	if err != nil {
		return err
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		return err
	}
	c.add("trials", 1)
	if !strings.Contains(string(text), "(INJECTED)") {
		c.add("came too late", 1)
	} else {
		c.add("injected", 1)
	}
	trial := fmt.Sprintf("%s, %v", j.name, in)
	if hidden.Match(text) {
		in.errno = 0 // nothing can be said
	}
	s.judge(c, trial, in, o)
	if diff := s.partial(); diff != "" {
		c.fail("%s: %v: %s", trial, o, diff)
	}
	diff, err := s.resume(ctx, 1)
	if diff != "" {
		c.fail("%s, undisturbed afterwards: %s", trial, diff)
	}
	return err
}

// judge sees that a run told what happened to it, or that nothing came of it.
func (s *site) judge(c *count, trial string, in *injection, o *outcome) {
	switch {
	case strings.Contains(o.stderr, "fatal error: ") || strings.Contains(o.stderr, "runtime: ") ||
		strings.Contains(o.stderr, "error while loading shared libraries"):
		c.add("ended the Go runtime or the loader", 1)
	case o.code == 0:
		c.add("without an effect", 1)
		if !s.isDone() {
			c.fail("%s: exit 0 without the dataset", trial)
		}
	case !s.isRight(in, o):
		c.fail("%s: %v", trial, o)
	default:
		c.add(fmt.Sprintf("exit %d", o.code), 1)
	}
}

// aPath is an absolute path.
var aPath = regexp.MustCompile(`(^|\s)/\S`)

// isRight reports whether a run that failed has the right exit code and says
// which path had which error.
func (s *site) isRight(in *injection, o *outcome) bool {
	said := in.errno == 0 // no error to report, or no way to do so
	for line := range strings.Lines(o.stderr) {
		said = said || aPath.MatchString(line) && strings.Contains(line, in.errno.Error())
	}
	switch o.code {
	case 2: // the config is an input too, and what is read of it decides how it is said
		return said && strings.Contains(o.stderr, "job.yaml")
	case 4, 5:
		return said
	}
	return false
}
