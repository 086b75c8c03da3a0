package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// maxWorkers is with how many workers jobs run, from 1.
const maxWorkers = 4

// A job is an input and a config, and what an undisturbed run makes of them. It
// is small: a run takes some tenths of a second.
type job struct {
	name   string
	config string
	flags  []string
	lay    func(dir string) error // writes the input
	older  string                 // lines of the config of an older dataset, which the job overwrites

	dir    string // of the config and the input
	before tree   // what is at the output before a run
	want   tree   // what is in the directory of the output after it
	takes  [maxWorkers + 1]time.Duration
}

// jobs are the jobs of these names, laid and run without a disturbance.
func (t *torture) jobs(ctx context.Context, names ...string) ([]*job, error) {
	var list []*job
	for _, name := range names {
		j := newJob(name)
		j.dir = filepath.Join(t.dir, "jobs", name)
		if err := t.prepare(ctx, j); err != nil {
			return nil, fmt.Errorf("the job %s, undisturbed: %w", name, err)
		}
		list = append(list, j)
	}
	return list, nil
}

// prepare lays a job and runs it with each number of workers.
func (t *torture) prepare(ctx context.Context, j *job) error {
	if err := os.RemoveAll(j.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(j.dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(j.dir, "job.yaml"), []byte(j.config), 0o666); err != nil {
		return err
	}
	if err := j.lay(j.dir); err != nil {
		return err
	}
	if err := t.makeOlder(ctx, j); err != nil {
		return err
	}
	s := t.site(j, filepath.Join(j.dir, "calm"))
	const rounds = 2 // the first may wait for its input
	for i := range rounds * maxWorkers {
		if err := s.runCalmly(ctx, 1+i%maxWorkers); err != nil {
			return err
		}
	}
	return os.RemoveAll(s.dir)
}

// runCalmly runs the job, takes down how long that takes at least, and sees that
// the result is always the same.
func (s *site) runCalmly(ctx context.Context, workers int) error {
	if err := s.reset(); err != nil {
		return err
	}
	o, err := s.run(ctx, workers)
	if err != nil {
		return err
	}
	if s.want == nil {
		if s.want, err = s.tree(); err != nil {
			return err
		}
	}
	if diff := s.differs(o); diff != "" {
		return fmt.Errorf("with %d workers: %s", workers, diff)
	}
	if took := s.takes[workers]; took == 0 || o.took < took {
		s.takes[workers] = o.took
	}
	return nil
}

// makeOlder builds the dataset that the job is to overwrite.
func (t *torture) makeOlder(ctx context.Context, j *job) (err error) {
	j.before = tree{}
	if j.older == "" {
		return nil
	}
	config := filepath.Join(j.dir, "older.yaml")
	if err := os.WriteFile(config, []byte(j.config+j.older), 0o666); err != nil {
		return err
	}
	if err := must(ctx, t.program, config, "-output", filepath.Join(j.dir, "older", outName), "-quiet"); err != nil {
		return err
	}
	j.before, err = readTree(filepath.Join(j.dir, "older"))
	j.before = j.before.below(outName + "/")
	return err
}

// instant is a random time within an undisturbed run.
func (j *job) instant(r *rand.Rand, workers int) time.Duration {
	return time.Duration(r.Int64N(int64(j.takes[workers])))
}

// shards is how many shards the dataset has.
func (j *job) shards() (n int) {
	for name := range j.want {
		if strings.Contains(name, "-of-") {
			n++
		}
	}
	return n
}

// What is in a site.
const (
	outName     = "out"
	hiddenName  = ".out.tfr"
	rejectsName = "out.rejects.jsonl"
)

// A site is a directory where a job has its output, and nothing else is.
type site struct {
	*job
	program string
	dir     string
}

func (t *torture) site(j *job, dir string) *site { return &site{j, t.program, dir} }

func (s *site) output() string { return filepath.Join(s.dir, outName) }
func (s *site) hidden() string { return filepath.Join(s.dir, hiddenName) }

// reset makes the site as it is before a run.
func (s *site) reset() error {
	if err := os.RemoveAll(s.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return err
	}
	if s.older == "" {
		return nil
	}
	return os.CopyFS(s.output(), os.DirFS(filepath.Join(s.job.dir, "older", outName)))
}

// args returns the arguments of a run.
func (s *site) args(workers int) []string {
	args := []string{filepath.Join(s.job.dir, "job.yaml"), "-output", s.output(), "-workers", strconv.Itoa(workers)}
	return append(args, s.flags...)
}

func (s *site) start(ctx context.Context, workers int) (*process, error) {
	return start(ctx, s.program, s.args(workers)...)
}

func (s *site) run(ctx context.Context, workers int) (*outcome, error) {
	return run(ctx, s.program, s.args(workers)...)
}

// tree is what is in the site. Of the lock it only says that it is there: it
// names a process.
func (s *site) tree() (tree, error) {
	t, err := readTree(s.dir)
	if _, ok := t[hiddenName+"/lock"]; ok {
		t[hiddenName+"/lock"] = "a lock"
	}
	return t, err
}

// differs says in what a run that has to succeed, or what is now in the site, is
// not as after an undisturbed run.
func (s *site) differs(o *outcome) string {
	if o.code != 0 {
		return o.String()
	}
	now, err := s.tree()
	if err != nil {
		return err.Error()
	}
	return now.differs(s.want)
}

// partial says what is wrong with what is published at the output of a run that
// was stopped: it is either what it was before or the complete dataset.
func (s *site) partial() string {
	now, err := readTree(s.output())
	if err != nil {
		return err.Error()
	}
	there := tree{}
	for name, digest := range now {
		there[outName+"/"+name] = digest
	}
	if there.differs(s.before) == "" {
		return ""
	}
	if diff := there.differs(s.want.below(outName + "/")); diff != "" {
		return "a part is published: " + diff
	}
	return ""
}

// isDone reports whether the output is the dataset.
func (s *site) isDone() bool {
	digest, err := digestOf(filepath.Join(s.output(), "_SUCCESS"))
	return err == nil && digest == s.want[outName+"/_SUCCESS"]
}

// resume runs a job that was stopped to its end, and says what is not as if
// nothing had happened.
func (s *site) resume(ctx context.Context, workers int) (string, error) {
	o, err := s.run(ctx, workers)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(s.differs(o)), nil
}
