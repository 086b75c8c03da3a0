//go:build linux

package main

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A trial builds one dataset again and again.
type trial struct {
	dir      string
	programs string
	config   string
	table    string
	local    string // digest of all bytes that tfr-build made
	took     time.Duration
	memory   *sampler
	cluster  *cluster
}

// dataset has 48 shards, each of which is a write task, and takes more time than its size
// would.
const dataset = `name: flink
version: "1.0.0"
output: local
source: {csv: {files: table.csv}}
features: {id: int64, label: {classes: auto}, x: float, y: float, text: string}
compression: gzip
shards: 48
`

func newTrial(dir, programs string, rows int) (*trial, error) {
	programs, err := filepath.Abs(programs)
	if err != nil {
		return nil, err
	}
	t := &trial{dir: dir, programs: programs, config: filepath.Join(dir, "c.yaml"),
		table: filepath.Join(dir, "table.csv")}
	if err := errors.Join(os.WriteFile(t.config, []byte(dataset), 0o666), writeTable(t.table, rows)); err != nil {
		return nil, err
	}
	began := time.Now()
	if err := command(dir, filepath.Join(programs, "tfr-build"), "-quiet", "-config", t.config); err != nil {
		return nil, err
	}
	t.took = time.Since(began)
	t.local, err = digest(filepath.Join(dir, "local"), "*")
	return t, err
}

// writeTable writes the input, the same each time.
func writeTable(path string, rows int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	random := rand.New(rand.NewPCG(1, 2))
	fmt.Fprintln(w, "id,label,x,y,text")
	for i := range rows {
		fmt.Fprintf(w, "%d,class %d,%.4f,%.4f,", i, random.IntN(20), random.Float64(), random.NormFloat64())
		for range 8 {
			fmt.Fprintf(w, "w%x ", random.IntN(5000))
		}
		fmt.Fprintln(w)
	}
	return errors.Join(w.Flush(), f.Close())
}

// shardNames is the pattern of the names of shards.
const shardNames = "*-of-*"

// digest returns a digest of the names and bytes of the files below dir whose names match a pattern.
func digest(dir, pattern string) (string, error) {
	all := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if match, err := filepath.Match(pattern, d.Name()); err != nil || !match {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		one := sha256.New()
		if _, err := io.Copy(one, f); err != nil {
			return err
		}
		fmt.Fprintf(all, "%s %x\n", strings.TrimPrefix(path, dir), one.Sum(nil))
		return nil
	})
	return fmt.Sprintf("%x", all.Sum(nil)), err
}

// memoryOfTask is -memory of the runs.
const memoryOfTask = "64MB"

// submit starts tfr-beam.
func (t *trial) submit(name string) (*process, error) {
	p, err := start(t.dir, name, filepath.Join(t.programs, "tfr-beam"), "-config", t.config, "-output",
		filepath.Join(t.dir, "out"),
		"-endpoint", endpoint, "-parallelism", "2", "-memory", memoryOfTask, "-wait", "3m")
	if err == nil {
		t.memory.watch(p, "tfr-beam")
	}
	return p, err
}

// A round is one run, and what is done to it.
type round struct {
	name string
	harm func(t *trial, p *process) (killed time.Time, err error) // while p submits
	mend func(t *trial) error                                     // after it
}

// tasksBefore is what tfr-beam says when some write tasks are done, and many are not.
const tasksBefore = "write: "

var rounds = []round{
	{"the first, cold", undisturbed, nil},
	{"all goes well", undisturbed, nil},
	{"kill -9 TaskManager", killTaskManager, func(t *trial) error { return t.cluster.startTaskManager(1) }},
	{"kill -9 worker", killWorker, nil},
	{"kill -9 job server", killJobServer, func(t *trial) error { return t.cluster.startJobServer() }},
	{"tasks fail once", failOnce, nil},
}

func undisturbed(*trial, *process) (time.Time, error) { return time.Time{}, nil }

func killTaskManager(t *trial, p *process) (time.Time, error) {
	err := p.said(tasksBefore, 3*time.Minute)
	killed := time.Now()
	t.cluster.taskManagers[1].kill()
	return killed, err
}

func killWorker(_ *trial, p *process) (time.Time, error) {
	err := p.said(tasksBefore, 3*time.Minute)
	list := workers()
	killed := time.Now()
	if err == nil && len(list) == 0 {
		err = errors.New("found no worker")
	}
	if err == nil {
		var victim *os.Process
		if victim, err = os.FindProcess(list[len(list)-1]); err == nil {
			err = victim.Kill()
		}
	}
	return killed, err
}

func killJobServer(t *trial, p *process) (time.Time, error) {
	err := p.said(tasksBefore, 3*time.Minute)
	killed := time.Now()
	t.cluster.jobServer.kill()
	return killed, err
}

// failOnce moves the input away before the scan task opens it, and moves it back once that
// task has failed. Write tasks would not notice: they read the runs that scans wrote.
func failOnce(t *trial, p *process) (time.Time, error) {
	work := filepath.Join(t.dir, ".out.tfr", "work")
	if err := p.waitFor(time.Minute, func() bool {
		_, err := os.Stat(filepath.Join(work, "plan", "plan"))
		return err == nil
	}); err != nil {
		return time.Time{}, fmt.Errorf("waiting for the plan: %w", err)
	}
	away := t.table + ".away"
	if err := os.Rename(t.table, away); err != nil {
		return time.Time{}, err
	}
	err := p.waitFor(3*time.Minute, func() bool {
		entries, _ := os.ReadDir(filepath.Join(work, "faults"))
		return len(entries) > 0
	})
	if err != nil {
		err = fmt.Errorf("waiting for a task to fail: %w", err)
	}
	return time.Now(), errors.Join(err, os.Rename(away, t.table))
}

// rounds does all rounds, and prints a table.
func (t *trial) rounds() error {
	fmt.Printf("tfr-build alone: %.1f s\n\n%s\n", t.took.Seconds(), header)
	var failed error
	for i, r := range rounds {
		row, err := t.round(fmt.Sprintf("round-%d", i), r)
		if err == nil && r.mend != nil {
			err = r.mend(t)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		fmt.Println(row.text(r.name))
		if !row.same {
			failed = errors.Join(failed, fmt.Errorf("%s: the bytes differ", r.name))
		}
	}
	return failed
}

func (t *trial) round(log string, r round) (*outcome, error) {
	t.memory.take()
	began := time.Now()
	p, err := t.submit(log)
	if err != nil {
		return nil, err
	}
	killed, err := r.harm(t, p)
	<-p.over
	ended := time.Now()
	if code := p.cmd.ProcessState.ExitCode(); err == nil && code != 0 {
		err = fmt.Errorf("tfr-beam ended with %d", code)
	}
	if err != nil {
		said, _ := os.ReadFile(p.log)
		return nil, fmt.Errorf("%w\n%s", err, said)
	}
	out := filepath.Join(t.dir, "out")
	sum, err := digest(out, "*")
	if err != nil {
		return nil, err
	}
	shards, err := digest(out, shardNames)
	if err != nil {
		return nil, err
	}
	time.Sleep(time.Second) // for the last lines of the logs
	said, err := os.ReadFile(p.log)
	if err != nil {
		return nil, err
	}
	o := account(t.cluster.logs(), string(said), began, ended, killed)
	o.same, o.shards, o.peaks = sum == t.local, shards, t.memory.take()
	return o, os.RemoveAll(out)
}
