package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"
)

// finishers is the number of shards that are synced in parallel with the shards that workers fill.
const finishers = 2

// kills kills runs at random instants, each of a job of its own that one more
// run resumes.
func (t *torture) kills(ctx context.Context, c *count) error {
	return t.killed(ctx, c, "kills", 1_000, 1)
}

// chains kills five runs of a job one after another before one may end.
func (t *torture) chains(ctx context.Context, c *count) error {
	return t.killed(ctx, c, "chains", 100, 5)
}

func (t *torture) killed(ctx context.Context, c *count, name string, trials, kills int) error {
	jobs, err := t.jobs(ctx, allJobs...)
	if err != nil {
		return err
	}
	for _, kind := range []string{"trials", "kills at work", "too late", "not begun", "no shard", "some shards",
		"sealed", "shown", "done"} {
		c.add(kind, 0)
	}
	r := t.random(name)
	for i := range t.times(trials) {
		s := t.site(jobs[i%len(jobs)], filepath.Join(t.dir, "site"))
		if err := s.reset(); err != nil {
			return err
		}
		k := &killing{site: s, count: c, trial: fmt.Sprintf("%s, trial %d", s.name, i), workers: 1 + r.IntN(maxWorkers)}
		c.add("trials", 1)
		for n := 0; n < kills && !s.isDone(); n++ {
			if err := k.kill(ctx, r); err != nil {
				return err
			}
		}
		if err := k.end(ctx); err != nil {
			return err
		}
	}
	return nil
}

// A killing is a job that is killed and resumed.
type killing struct {
	*site
	count   *count
	trial   string
	workers int
	left    *left // by the last run
}

// instant is a random time within what the next run takes, which has only the
// shards to make that are not finished.
func (k *killing) instant(r *rand.Rand) time.Duration {
	at := k.site.instant(r, k.workers)
	if k.left == nil {
		return at
	}
	all := k.shards()
	return at * time.Duration(1+all-len(k.left.shards)) / time.Duration(1+all)
}

// kill kills a run at a random instant and checks what it leaves.
func (k *killing) kill(ctx context.Context, r *rand.Rand) error {
	at := k.instant(r)
	p, err := k.start(ctx, k.workers)
	if err != nil {
		return err
	}
	p.pause(at)
	if !p.kill() {
		k.count.add("too late", 1)
	} else {
		k.count.add("kills at work", 1)
	}
	k.trial += fmt.Sprintf(", %d workers killed at %v", k.workers, at)
	was := k.left
	if k.left, err = k.site.left(); err != nil {
		return err
	}
	k.count.add(k.left.phase, 1)
	k.compare(was, k.left.data)
	return k.check(ctx)
}

// compare sees that the shards of an earlier run are in the directory as it left
// them.
func (k *killing) compare(was *left, dir string) {
	if was == nil {
		return
	}
	again := was.madeAgain(dir)
	k.count.add("finished shards made again", again)
	if again > 0 {
		k.count.fail("%s: %d finished shards were made again", k.trial, again)
	}
}

// check sees that no part of a dataset is published, and that not more than the
// shards at work are lost.
func (k *killing) check(ctx context.Context) error {
	if diff := k.partial(); diff != "" {
		k.count.fail("%s: %s", k.trial, diff)
	}
	if len(k.left.missing) > 0 {
		k.count.fail("%s: the journal names %v, and they are not there", k.trial, k.left.missing)
	}
	// There are as many lanes as workers, and a lane begins its next shard when the last block of the one
	// before is dispatched. So besides the shards of the lanes, each worker may write the last block of
	// another one, or finish it.
	if lost := k.left.unfinished; lost > 2*k.workers+finishers {
		k.count.fail("%s: %d shards are begun", k.trial, lost)
	}
	k.count.most("shards at most to make again beyond the workers", k.left.unfinished-k.workers)
	if k.older == "" {
		return nil
	}
	o, err := run(ctx, k.program, "verify", k.output())
	if err == nil && o.code != 0 {
		k.count.fail("%s: verify: %v", k.trial, o)
	}
	return err
}

// end resumes the job without a disturbance.
func (k *killing) end(ctx context.Context) error {
	diff, err := k.resume(ctx, k.workers)
	if err != nil {
		return err
	}
	if diff != "" {
		k.count.fail("%s, resumed: %s", k.trial, diff)
		return nil
	}
	k.compare(k.left, k.output())
	return nil
}
