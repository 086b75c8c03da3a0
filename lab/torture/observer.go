package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// Several observers poll, each of them after a pause: a system does not wake a
// sleeper much sooner than after a millisecond. Together they must reach the rate.
const (
	observers      = 6
	betweenPolls   = 100 * time.Microsecond
	pollsPerSecond = 1_000
)

// observe polls an output while jobs build, are killed and resume: whenever it
// exists it is complete.
func (t *torture) observe(ctx context.Context, c *count) error {
	jobs, err := t.jobs(ctx, allJobs...)
	if err != nil {
		return err
	}
	dir := filepath.Join(t.dir, "site")
	stop := make(chan struct{})
	var always atomic.Bool
	all := make([]observer, observers)
	var watching sync.WaitGroup
	for i := range all {
		all[i].dir, all[i].stop, all[i].always = dir, stop, &always
		watching.Go(all[i].watch)
	}
	started := time.Now()
	err = t.show(ctx, c, jobs, dir, &always)
	close(stop)
	watching.Wait()
	for i := range all {
		o := &all[i]
		c.add("polls", o.polls)
		c.add("of a whole dataset", o.whole)
		for _, text := range o.partial {
			c.fail("%s", text)
		}
		err = errors.Join(err, o.err)
	}
	if rate := float64(c.of["polls"]) / time.Since(started).Seconds(); rate < pollsPerSecond {
		c.fail("%.0f polls a second, expected at least %d", rate, pollsPerSecond)
	}
	return err
}

// show runs the jobs, and kills half of the runs first. It says when there is a
// dataset all the time, an old or a new one.
func (t *torture) show(ctx context.Context, c *count, jobs []*job, dir string, always *atomic.Bool) error {
	r := t.random("observer")
	for i := range t.times(200) {
		s := t.site(jobs[i%len(jobs)], dir)
		always.Store(false)
		if err := s.vanish(); err != nil {
			return err
		}
		always.Store(s.older != "")
		workers := 1 + r.IntN(maxWorkers)
		if r.IntN(2) == 0 {
			p, err := s.start(ctx, workers)
			if err != nil {
				return err
			}
			p.pause(s.instant(r, workers))
			p.kill()
			c.add("killed", 1)
		}
		diff, err := s.resume(ctx, workers)
		if diff != "" {
			c.fail("%s, run %d: %s", s.name, i, diff)
		}
		if err != nil {
			return err
		}
		c.add("runs", 1)
	}
	return nil
}

// vanish is reset for a site that is observed: an output comes and goes in one
// step.
func (s *site) vanish() error {
	aside := &site{s.job, s.program, s.dir + ".aside"}
	if err := aside.reset(); err != nil {
		return err
	}
	if err := os.Rename(s.dir, s.dir+".gone"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(aside.dir, s.dir); err != nil {
		return err
	}
	return os.RemoveAll(s.dir + ".gone")
}

// An observer polls the output in a directory.
type observer struct {
	dir     string
	stop    <-chan struct{}
	always  *atomic.Bool // there is a dataset all the time
	polls   int
	whole   int
	partial []string
	err     error
}

func (o *observer) watch() {
	for o.err == nil {
		select {
		case <-o.stop:
			return
		case <-time.After(betweenPolls):
			o.err = o.poll()
			o.polls++
		}
	}
}

// poll checks the output once. It has the directory that it found open, and ignores
// one that is not the output any more when it is done.
func (o *observer) poll() error {
	output := filepath.Join(o.dir, outName)
	before := o.always.Load()
	root, err := os.OpenRoot(output)
	if errors.Is(err, fs.ErrNotExist) {
		if before && o.always.Load() {
			o.partial = append(o.partial, fmt.Sprintf("poll %d: the dataset is gone", o.polls))
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	lacks := incomplete(root)
	if lacks == "" {
		o.whole++
		return nil
	}
	held, err := root.Stat(".")
	if err != nil {
		return err
	}
	now, err := os.Lstat(output)
	if err == nil && os.SameFile(held, now) {
		o.partial = append(o.partial, fmt.Sprintf("poll %d: %s", o.polls, lacks))
	}
	return nil
}

// incomplete says what a dataset is missing.
func incomplete(root *os.Root) string {
	text, err := root.ReadFile("_tfr/manifest.json")
	if err != nil {
		return err.Error()
	}
	type file struct {
		Name  string
		Bytes int64
	}
	var manifest struct {
		Splits []struct{ Shards []file }
		Files  []file
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return "the manifest: " + err.Error()
	}
	files := manifest.Files
	for _, split := range manifest.Splits {
		files = append(files, split.Shards...)
	}
	for _, f := range files {
		if info, err := root.Lstat(f.Name); err != nil || info.Size() != f.Bytes {
			return f.Name + " is missing or of another size"
		}
	}
	if _, err := root.Lstat("_SUCCESS"); err != nil {
		return err.Error()
	}
	return ""
}
