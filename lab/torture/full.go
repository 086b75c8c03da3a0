package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// roomy is the size of a disk in memory that no job fills.
const roomy = 256 << 20

// fullDisk runs jobs on disks of many sizes, from one page to what is needed,
// and resumes them where there is room.
func (t *torture) fullDisk(ctx context.Context, c *count) error {
	jobs, err := t.jobs(ctx, "csv", "spill", "quarantine", "overwrite")
	if err != nil {
		return err
	}
	needed := map[*job]int64{}
	sizes := t.times(128)
	for i := range sizes {
		j := jobs[i%len(jobs)]
		if needed[j] == 0 {
			if needed[j], err = t.room(ctx, j); err != nil {
				return err
			}
		}
		if err := t.fill(ctx, c, j, int64(i), int64(sizes), needed[j]); err != nil {
			return err
		}
	}
	return nil
}

// room is the most that a run of a job has on its disk, about.
func (t *torture) room(ctx context.Context, j *job) (most int64, err error) {
	d, err := t.newMemoryDisk(ctx, roomy)
	if err != nil {
		return 0, err
	}
	defer d.close()
	s := t.site(j, filepath.Join(d.path, "site"))
	if err := s.reset(); err != nil {
		return 0, err
	}
	p, err := s.start(ctx, 2)
	if err != nil {
		return 0, err
	}
	for {
		select {
		case <-p.ended:
			return most, nil
		case <-time.After(time.Millisecond):
		}
		used, err := d.used()
		if err != nil {
			return 0, err
		}
		most = max(most, used)
	}
}

// fill is the i-th of n trials: the disk has the i-th part of what is needed.
func (t *torture) fill(ctx context.Context, c *count, j *job, i, n, needed int64) error {
	d, err := t.newMemoryDisk(ctx, roomy)
	if err != nil {
		return err
	}
	defer d.close()
	s := t.site(j, filepath.Join(d.path, "site"))
	if err := s.reset(); err != nil {
		return err
	}
	there, err := d.used()
	if err != nil {
		return err
	}
	const page = 4096
	size := there + max(page, (needed-there)*i/n)
	if err := d.resize(ctx, size); err != nil {
		return err
	}
	trial := fmt.Sprintf("%s, %d bytes of %d", j.name, size, needed)
	o, err := s.run(ctx, 2)
	if err != nil {
		return err
	}
	s.filled(c, trial, o)
	if err := d.resize(ctx, roomy); err != nil {
		return err
	}
	diff, err := s.resume(ctx, 2)
	if diff != "" {
		c.fail("%s, with room: %s", trial, diff)
	}
	return err
}

// filled sees that a run that had no room said so, and published nothing.
func (s *site) filled(c *count, trial string, o *outcome) {
	c.add("sizes", 1)
	if o.code == 0 {
		c.add("sufficed", 1)
		return
	}
	c.add("full", 1)
	if o.code != 4 || !strings.Contains(o.stderr, syscall.ENOSPC.Error()) {
		c.fail("%s: %v", trial, o)
	}
	if diff := s.partial(); diff != "" {
		c.fail("%s: %s", trial, diff)
	}
}
