package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// stopSoon is how long a run may take to stop, and quick how long after a second
// signal.
const (
	stopSoon = 5 * time.Second
	quick    = 100 * time.Millisecond
)

// An interruption is a signal and the message about it.
type interruption struct {
	signal syscall.Signal
	name   string
	code   int
}

var interruptions = []interruption{
	{syscall.SIGINT, "SIGINT", 130},
	{syscall.SIGTERM, "SIGTERM", 143},
	{syscall.SIGHUP, "SIGHUP", 129},
}

// signals sends runs the signals that ask a program to end, one or two of them,
// stops them for a while, and closes what they speak to.
func (t *torture) signals(ctx context.Context, c *count) error {
	jobs, err := t.jobs(ctx, allJobs...)
	if err != nil {
		return err
	}
	r := t.random("signals")
	each := func(n int, trial func(s *site, i int) error) error {
		for i := range t.times(n) {
			s := t.site(jobs[i%len(jobs)], filepath.Join(t.dir, "site"))
			if err := s.reset(); err != nil {
				return err
			}
			if err := trial(s, i); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
		return nil
	}
	for _, kind := range interruptions {
		err := each(200, func(s *site, _ int) error { return s.interrupt(ctx, c, r, kind) })
		if err != nil {
			return err
		}
	}
	err = each(50, func(s *site, i int) error {
		return s.interruptTwice(ctx, c, r, interruptions[i%len(interruptions)])
	})
	if err == nil {
		err = each(20, func(s *site, i int) error { return s.unheard(ctx, c, i%2 == 0) })
	}
	if err == nil {
		err = each(5, func(s *site, _ int) error { return s.standStill(ctx, c, r) })
	}
	return err
}

// interrupt sends one signal at a random instant.
func (s *site) interrupt(ctx context.Context, c *count, r *rand.Rand, kind interruption) error {
	workers := 1 + r.IntN(maxWorkers)
	at := s.instant(r, workers)
	trial := fmt.Sprintf("%s, %s at %v with %d workers", s.name, kind.name, at, workers)
	p, err := s.start(ctx, workers)
	if err != nil {
		return err
	}
	p.pause(at)
	sent := time.Now()
	p.signal(kind.signal)
	o := p.wait()
	if took := time.Since(sent); took > stopSoon {
		c.fail("%s: stopped after %v", trial, took)
	}
	s.heard(c, trial, kind, o, workers)
	return s.resumeWhole(ctx, c, trial, workers)
}

// heard sees that a run that was interrupted said so.
func (s *site) heard(c *count, trial string, kind interruption, o *outcome, workers int) {
	resume := "help: to resume: tfr-build " + strings.Join(s.args(workers), " ") + "\n"
	c.add(kind.name, 1)
	switch {
	case o.code == 0:
		c.add("too late", 1)
	case o.signal == kind.signal && o.stderr == "" && s.untouched():
		c.add("before the program listened", 1)
	case o.code != kind.code:
		c.fail("%s: %v", trial, o)
	case !strings.Contains(o.stderr, "interrupted by "+kind.name) || !strings.Contains(o.stderr, resume):
		c.fail("%s: it said %q, and not %q", trial, o.stderr, resume)
	default:
		c.add("stopped", 1)
	}
}

// untouched reports whether no run has begun in the site.
func (s *site) untouched() bool {
	_, err := os.Lstat(s.hidden())
	return os.IsNotExist(err)
}

// resumeWhole sees that nothing of a stopped run is published, and resumes it.
func (s *site) resumeWhole(ctx context.Context, c *count, trial string, workers int) error {
	if diff := s.partial(); diff != "" {
		c.fail("%s: %s", trial, diff)
	}
	diff, err := s.resume(ctx, workers)
	if diff != "" {
		c.fail("%s, resumed: %s", trial, diff)
	}
	return err
}

// interruptTwice sends a second signal soon after the first.
func (s *site) interruptTwice(ctx context.Context, c *count, r *rand.Rand, kind interruption) error {
	const workers = 2
	at := s.instant(r, workers)
	trial := fmt.Sprintf("%s, two %s from %v", s.name, kind.name, at)
	p, err := s.start(ctx, workers)
	if err != nil {
		return err
	}
	p.pause(at)
	p.signal(kind.signal)
	time.Sleep(time.Duration(r.Int64N(int64(5 * time.Millisecond))))
	sent := time.Now()
	p.signal(kind.signal)
	o := p.wait()
	c.add("second signals", 1)
	if took := time.Since(sent); took > quick {
		c.fail("%s: ended %v after the second", trial, took)
	}
	if o.code != kind.code && o.code != 0 && o.signal != kind.signal {
		c.fail("%s: %v", trial, o)
	}
	return s.resumeWhole(ctx, c, trial, workers)
}

// unheard runs a job with standard output and error closed, or with nobody who
// reads them.
func (s *site) unheard(ctx context.Context, c *count, closed bool) error {
	command := `exec "$0" "$@" >&- 2>&-`
	if !closed {
		command = `set -o pipefail; "$0" "$@" 2>&1 | true`
	}
	o, err := run(ctx, "bash", append([]string{"-c", command, s.program}, s.args(2)...)...)
	if err != nil {
		return err
	}
	c.add("runs that nobody heard", 1)
	if diff := s.differs(o); diff != "" {
		c.fail("%s, unheard (closed: %v): %s", s.name, closed, diff)
	}
	return nil
}

// standStill stops a run for a while.
func (s *site) standStill(ctx context.Context, c *count, r *rand.Rand) error {
	p, err := s.start(ctx, 2)
	if err != nil {
		return err
	}
	p.pause(s.instant(r, 2))
	p.signal(syscall.SIGSTOP)
	time.Sleep(time.Second)
	p.signal(syscall.SIGCONT)
	c.add("runs that were paused", 1)
	if diff := s.differs(p.wait()); diff != "" {
		c.fail("%s, stopped and continued: %s", s.name, diff)
	}
	return ctx.Err()
}
