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

// So many observers look, each of them after a pause; a system does not wake a
// sleeper much sooner than after a millisecond. Together they are to look so often
// a second at least.
const (
	observers    = 6
	betweenLooks = 100 * time.Microsecond
	looksASecond = 1_000
)

// observe looks at an output all the time, while jobs build, are killed and go
// on: whenever it is there it is whole.
func (t *torture) observe(ctx context.Context, c *count) error {
	jobs, err := t.jobs(ctx, allJobs...)
	if err != nil {
		return err
	}
	dir := filepath.Join(t.dir, "site")
	stop := make(chan struct{})
	var stands atomic.Bool
	all := make([]observer, observers)
	var watching sync.WaitGroup
	for i := range all {
		all[i].dir, all[i].stop, all[i].stands = dir, stop, &stands
		watching.Go(all[i].watch)
	}
	started := time.Now()
	err = t.show(ctx, c, jobs, dir, &stands)
	close(stop)
	watching.Wait()
	for i := range all {
		o := &all[i]
		c.add("looks", o.looks)
		c.add("at a whole dataset", o.whole)
		for _, text := range o.partial {
			c.fail("%s", text)
		}
		err = errors.Join(err, o.err)
	}
	if rate := float64(c.of["looks"]) / time.Since(started).Seconds(); rate < looksASecond {
		c.fail("%.0f looks a second, want at least %d", rate, looksASecond)
	}
	return err
}

// show runs the jobs, and kills half of the runs first. It says when there is a
// dataset all the time, an old or a new one.
func (t *torture) show(ctx context.Context, c *count, jobs []*job, dir string, stands *atomic.Bool) error {
	r := t.random("observer")
	for i := range t.times(200) {
		s := t.site(jobs[i%len(jobs)], dir)
		stands.Store(false)
		if err := s.vanish(); err != nil {
			return err
		}
		stands.Store(s.older != "")
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

// vanish is reset for a site that is being looked at: an output comes and goes
// in one step.
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

// An observer looks at the output in a folder.
type observer struct {
	dir     string
	stop    <-chan struct{}
	stands  *atomic.Bool // there is a dataset all the time
	looks   int
	whole   int
	partial []string
	err     error
}

func (o *observer) watch() {
	for o.err == nil {
		select {
		case <-o.stop:
			return
		case <-time.After(betweenLooks):
			o.err = o.look()
			o.looks++
		}
	}
}

// look looks once. It holds the folder that it found open, and of one that is
// not the output any more when it is done it says nothing.
func (o *observer) look() error {
	output := filepath.Join(o.dir, outName)
	stood := o.stands.Load()
	root, err := os.OpenRoot(output)
	if errors.Is(err, fs.ErrNotExist) {
		if stood && o.stands.Load() {
			o.partial = append(o.partial, fmt.Sprintf("look %d: the dataset is gone", o.looks))
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
		o.partial = append(o.partial, fmt.Sprintf("look %d: %s", o.looks, lacks))
	}
	return nil
}

// incomplete says what a dataset lacks.
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
