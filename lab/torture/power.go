package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// powerLoss stops runs at random instants, takes a copy of the disk as it is
// then, without what was only in memory, and resumes on the copy.
func (t *torture) powerLoss(ctx context.Context, c *count) error {
	if err := t.controlPowerLoss(ctx, c); err != nil {
		return err
	}
	jobs, err := t.jobs(ctx, allJobs...)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if err := t.timeOnDisk(ctx, j); err != nil {
			return err
		}
	}
	r := t.random("powerloss")
	for i := range t.times(200) {
		j := jobs[i%len(jobs)]
		workers := 1 + r.IntN(maxWorkers)
		if err := t.losePower(ctx, c, j, workers, j.instant(r, workers)); err != nil {
			return fmt.Errorf("%s, trial %d: %w", j.name, i, err)
		}
	}
	return t.loseUnsynced(ctx, c, jobs[0])
}

// timeOnDisk takes down how long a job takes on such a disk, which is faster than
// others.
func (t *torture) timeOnDisk(ctx context.Context, j *job) error {
	d, err := t.newDisk(ctx)
	if err != nil {
		return err
	}
	defer d.close()
	s := t.site(j, filepath.Join(d.path, "site"))
	for n := 1; n <= maxWorkers && err == nil; n++ {
		err = s.runCalmly(ctx, n)
	}
	return err
}

// A stopped is a disk as it was at the instant when a run was stopped.
type stopped struct {
	*site
	disk *disk
}

// stopAt runs a job on a disk, stops it at an instant, and mounts what the disk
// had then.
func (t *torture) stopAt(ctx context.Context, j *job, workers int, at time.Duration, more ...string) (*stopped, error) {
	d, err := t.newDisk(ctx)
	if err != nil {
		return nil, err
	}
	defer d.close()
	s := t.site(j, filepath.Join(d.path, "site"))
	if err := s.reset(); err != nil {
		return nil, err
	}
	if err := must(ctx, "sync", "--file-system", d.path); err != nil {
		return nil, err
	}
	p, err := start(ctx, s.program, append(s.args(workers), more...)...)
	if err != nil {
		return nil, err
	}
	defer p.kill()
	p.pause(at)
	if err := p.freeze(); err != nil {
		return nil, err
	}
	copied, err := d.cutPower(ctx)
	if err != nil {
		return nil, err
	}
	return &stopped{t.site(j, filepath.Join(copied.path, "site")), copied}, nil
}

// losePower is one trial.
func (t *torture) losePower(ctx context.Context, c *count, j *job, workers int, at time.Duration) error {
	s, err := t.stopAt(ctx, j, workers, at)
	if err != nil {
		return err
	}
	defer s.disk.close()
	trial := fmt.Sprintf("%s with %d workers at %v", j.name, workers, at)
	l, err := s.left()
	if err != nil {
		return err
	}
	c.add("points", 1)
	c.add(l.phase, 1)
	c.add("finished shards", len(l.shards))
	now, err := readTree(l.data)
	if err != nil {
		return err
	}
	for name := range l.shards {
		if now[name] != s.want[outName+"/"+name] {
			c.fail("%s: %s was finished and is not as it was", trial, name)
		}
	}
	if diff := s.partial(); diff != "" {
		c.fail("%s: %s", trial, diff)
	}
	diff, err := s.resume(ctx, workers)
	if diff != "" {
		c.fail("%s, resumed: %s", trial, diff)
	}
	return err
}

// loseUnsynced sees that runs without fsync lose something: if they did not,
// the trials would prove nothing.
func (t *torture) loseUnsynced(ctx context.Context, c *count, j *job) error {
	lost := 0
	for range t.times(10) {
		s, err := t.stopAt(ctx, j, 1, tooLong, "-sync=false")
		if err != nil {
			return err
		}
		now, err := readTree(s.output())
		if err == nil && len(now) == 0 || s.partial() != "" {
			lost++
		}
		s.disk.close()
		if err != nil {
			return err
		}
	}
	c.add("runs without fsync that lost something", lost)
	if lost == 0 {
		c.fail("no run without fsync lost anything: the disk does not show losses")
	}
	return nil
}

// controlPowerLoss sees that a disk shows which of its steps a careless program
// skipped.
func (t *torture) controlPowerLoss(ctx context.Context, c *count) error {
	d, err := t.newDisk(ctx)
	if err != nil {
		return err
	}
	defer d.close()
	data := make([]byte, 64<<10)
	rand.NewChaCha8([32]byte{}).Read(data)
	for _, file := range []struct {
		name               string
		syncFile, syncName bool
	}{{"nothing", false, false}, {"whole", true, true}, {"name", true, false}} {
		temp, name := filepath.Join(d.path, file.name+".tmp"), filepath.Join(d.path, file.name)
		if err := writeFile(temp, data, file.syncFile); err != nil {
			return err
		}
		if err := os.Rename(temp, name); err != nil {
			return err
		}
		if file.syncName {
			if err := syncPath(d.path); err != nil {
				return err
			}
		}
	}
	after, err := d.cutPower(ctx)
	if err != nil {
		return err
	}
	defer after.close()
	for name, want := range map[string]int64{"nothing": 0, "name.tmp": int64(len(data)), "whole": int64(len(data))} {
		info, err := os.Stat(filepath.Join(after.path, name))
		if err != nil || info.Size() != want {
			c.fail("control: %s: %v, want it with %d bytes", name, err, want)
		}
	}
	c.add("controls", 3)
	return nil
}

func writeFile(path string, data []byte, sync bool) error {
	if err := os.WriteFile(path, data, 0o666); err != nil || !sync {
		return err
	}
	return syncPath(path)
}

// syncPath makes a file or a directory durable.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
