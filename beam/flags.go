package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

const usage = `usage: tfr-beam -config FILE [-endpoint HOST:PORT] [flags]

Builds a dataset by tasks that an engine for Apache Beam runs. The result has the
bytes that tfr-build gives it. Run again, it takes up what is not done.

the engine:
  -runner NAME          portable: the job server at -endpoint; prism: Beam's engine
                        for trials, a program that is started for it (portable)
  -endpoint HOST:PORT   the job server, such as that of Flink
  -environment HOW      process: workers start this binary, which stands under the
                        same path for all; process:PATH starts PATH instead;
                        loopback: tasks are done in this process (process)
  -parallelism N        tasks that the engine does at once (the engine's default)
  -tasks N              cut each phase into at least N tasks, where the input and
                        the shards allow it (4 for each of -parallelism, at
                        least 32)
  -wait TIME            where the job server is lost: look on for as long without
                        any news of the tasks (10m)

flags, none of which changes a byte of the dataset:
  -config FILE          the config
  -output DIR           write to DIR, instead of the config's output
  -work DIR             where tasks tell one another what they did, on a disk that
                        all share (a hidden directory beside the output)
  -overwrite            replace another dataset that tfr-build made
  -hash-inputs          compare the contents of the input, too
  -cold                 read back what was written from the disk, not memory
  -workers N            a task works N at once (1)
  -memory SIZE          let tables and their index take SIZE in each task that is
                        done at once (512MB)
  -sync=false           do not wait for the disk: for scratch disks
  -quiet                say nothing but errors

exit codes: those of tfr-build; 75 where the engine was lost before all was done.
`

// flags are what the command line says.
type flags struct {
	config, output, work                      string
	runner, endpoint, environment             string
	parallelism, tasks, workers               int
	memory                                    int64
	wait                                      time.Duration
	overwrite, hash, cold, sync, quiet, helps bool
}

// A usageError says that the command line cannot be understood.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// parseFlags reads the command line.
func parseFlags(args []string) (*flags, error) {
	f := &flags{runner: portableRunner, parallelism: -1, workers: 1, memory: 512_000_000, wait: 10 * time.Minute, sync: true}
	fs := flag.NewFlagSet("tfr-beam", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for name, to := range map[string]*string{
		"config": &f.config, "output": &f.output, "work": &f.work, "runner": &f.runner, "endpoint": &f.endpoint, "environment": &f.environment,
	} {
		fs.StringVar(to, name, *to, "")
	}
	for name, to := range map[string]*bool{"overwrite": &f.overwrite, "hash-inputs": &f.hash, "cold": &f.cold, "sync": &f.sync, "quiet": &f.quiet} {
		fs.BoolVar(to, name, *to, "")
	}
	for name, to := range map[string]*int{"parallelism": &f.parallelism, "tasks": &f.tasks, "workers": &f.workers} {
		fs.IntVar(to, name, *to, "")
	}
	fs.DurationVar(&f.wait, "wait", f.wait, "")
	fs.Func("memory", "", func(s string) (err error) {
		f.memory, err = config.ParseSize(s)
		return err
	})
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		f.helps = true
		return f, nil
	} else if err != nil {
		return nil, usagef("%v", err)
	}
	if fs.NArg() > 0 {
		return nil, usagef("unexpected %q", fs.Arg(0))
	}
	return f, f.complete()
}

// complete checks the flags, and fills in what follows from others.
func (f *flags) complete() error {
	switch {
	case f.config == "":
		return usagef("which config? -config FILE names it")
	case f.workers < 1 || f.tasks < 0 || f.parallelism == 0 || f.wait < 0:
		return usagef("-workers, -tasks, -parallelism and -wait are no less than 1")
	case f.memory < pipeline.MinMemory:
		return usagef("-memory: expected at least %dMB", pipeline.MinMemory/1_000_000)
	}
	switch {
	case f.runner != prismRunner && f.runner != portableRunner:
		return usagef("-runner %q: expected portable or prism", f.runner)
	case f.runner == portableRunner && f.endpoint == "":
		return usagef("-runner portable: -endpoint HOST:PORT says where the job server is")
	case f.runner == prismRunner && f.endpoint != "":
		return usagef("-runner prism is started where it is needed: it has no -endpoint")
	}
	if f.tasks == 0 && f.parallelism > 0 {
		f.tasks = 4 * f.parallelism
	}
	return f.chooseEnvironment()
}

// chooseEnvironment makes of -environment the path of the binary that workers are, or
// nothing where tasks are done in this process.
func (f *flags) chooseEnvironment() (err error) {
	how, path, named := strings.Cut(f.environment, ":")
	switch how = strings.ToLower(how); {
	case how == "loopback" && !named:
		f.environment = ""
	case how == "process" && named && filepath.IsAbs(path):
		f.environment = path
	case how == "process" && !named, how == "" && !named:
		f.environment, err = os.Executable()
	default:
		err = usagef("-environment %q: expected process, process:PATH with an absolute path, or loopback", f.environment)
	}
	return err
}

// here is how this process runs its part.
func (f *flags) here() pipeline.Run {
	return pipeline.Run{
		Workers: f.workers, Memory: f.memory, Output: f.output, Overwrite: f.overwrite, HashInputs: f.hash,
		Cold: f.cold, Sync: f.sync, Tasks: f.tasks,
	}
}

// engine is what runs the tasks.
func (f *flags) engine() *engine {
	return &engine{
		prism: f.runner == prismRunner, endpoint: f.endpoint, worker: f.environment, parallelism: f.parallelism,
		patience: min(max(f.wait, time.Second), 20*time.Second),
	}
}
