package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// races starts several runs of a job at once: one builds, and each of the others
// names it, or comes late and finds all up to date.
func (t *torture) races(ctx context.Context, c *count) error {
	jobs, err := t.jobs(ctx, "csv", "jsonl", "overwrite")
	if err != nil {
		return err
	}
	r := t.random("races")
	for i := range t.times(200) {
		s := t.site(jobs[i%len(jobs)], filepath.Join(t.dir, "site"))
		if err := s.reset(); err != nil {
			return err
		}
		runners := 2 + r.IntN(7)
		if err := s.race(ctx, c, fmt.Sprintf("%s, race %d of %d runs", s.name, i, runners), runners); err != nil {
			return err
		}
	}
	return nil
}

func (s *site) race(ctx context.Context, c *count, trial string, runners int) error {
	all := make([]*process, runners)
	var err error
	for i := range all {
		if all[i], err = s.start(ctx, 1); err != nil {
			return err
		}
	}
	c.add("races", 1)
	c.add("runs", runners)
	var last *outcome
	builders := 0
	for _, p := range all {
		o := p.wait()
		switch {
		case o.code == 0 && strings.HasPrefix(o.stdout, "built "):
			builders++
			last = o
		case o.code == 0 && strings.HasPrefix(o.stdout, "up to date "):
			c.add("up to date", 1)
		case o.code == 6:
			s.refused(c, trial, o, all)
		default:
			c.fail("%s: %v", trial, o)
		}
	}
	if builders != 1 {
		c.fail("%s: %d built", trial, builders)
		return ctx.Err()
	}
	if diff := s.differs(last); diff != "" {
		c.fail("%s: %s", trial, diff)
	}
	return ctx.Err()
}

// refused sees that a run that was refused names one of the others. The holder
// may just be writing its name.
func (s *site) refused(c *count, trial string, o *outcome, all []*process) {
	c.add("refused", 1)
	if strings.Contains(o.stderr, "lock is locked by another run") {
		c.add("of them by one that had not said its name yet", 1)
		return
	}
	named := slices.ContainsFunc(all, func(p *process) bool {
		return strings.Contains(o.stderr, "lock is locked by process "+strconv.Itoa(p.cmd.Process.Pid)+" on ")
	})
	if !named {
		c.fail("%s: %v names none of the others", trial, o)
	}
}
