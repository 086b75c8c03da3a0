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
same bytes as that of tfr-build. The same command again runs only the tasks that
are not done.

the engine:
  -runner NAME          portable: the job server at -endpoint; prism: Beam's engine
                        for trials, which is started for the build (default: portable)
  -endpoint HOST:PORT   the job server, such as that of Flink
  -environment HOW      process: workers start this binary, which has the same path on
                        all of them; process:PATH starts PATH instead; loopback: tasks
                        run in this process (default: process)
  -parallelism N        tasks that the engine runs at once (default: the engine's)
  -tasks N              cut each phase into at least N tasks, where the input and
                        the shards allow it (default: 4 for each of -parallelism, at
                        least 32)
  -wait TIME            after the job server is lost: how long to wait for progress of
                        the tasks before giving up (default: 10m)

the dataset:
  -config FILE          the config
  -output DIR           write to DIR, instead of the config's output

other flags, which change no byte of the dataset:
  -work DIR             where tasks exchange files, on a disk that all workers share
                        (default: a hidden directory next to the output)
  -overwrite            replace another dataset that tfr-build made
  -hash-inputs          compare the contents of the input, too
  -cold                 read back what was written from the disk, not memory
  -workers N            threads of each task (default: 1)
  -memory SIZE          memory of tables and their index in each task that runs at once
                        (default: 512MB)
  -sync=false           do not wait for the disk: for scratch disks
  -quiet                say nothing but errors

exit codes: those of tfr-build; 75 where the engine was lost before all was done.
`

// flags are what the command line says.
type flags struct {
	config, output, work                     string
	runner, endpoint, environment            string
	worker                                   string // the binary that workers start; empty: tasks run in this process
	parallelism, tasks, workers              int
	memory                                   int64
	wait                                     time.Duration
	overwrite, hash, cold, sync, quiet, help bool
}

// A usageError says that the command line cannot be understood.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// parseFlags reads the command line.
func parseFlags(args []string) (*flags, error) {
	f := &flags{runner: portableRunner, parallelism: -1, workers: 1, memory: 512_000_000, wait: 10 * time.Minute,
		sync: true}
	fs := flag.NewFlagSet("tfr-beam", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for name, to := range map[string]*string{
		"config": &f.config, "output": &f.output, "work": &f.work, "runner": &f.runner, "endpoint": &f.endpoint,
		"environment": &f.environment,
	} {
		fs.StringVar(to, name, *to, "")
	}
	for name, to := range map[string]*bool{"overwrite": &f.overwrite, "hash-inputs": &f.hash, "cold": &f.cold,
		"sync": &f.sync, "quiet": &f.quiet} {
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
		f.help = true
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
	case f.workers < 1:
		return usagef("-workers %d: expected at least 1", f.workers)
	case f.tasks < 0:
		return usagef("-tasks %d: expected at least 1, or 0 for the default", f.tasks)
	case f.parallelism == 0 || f.parallelism < -1:
		return usagef("-parallelism %d: expected at least 1, or -1 for the engine's default", f.parallelism)
	case f.wait < 0:
		return usagef("-wait %v: expected a duration of 0 or more", f.wait)
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

// chooseEnvironment sets the path of the binary that workers start. It is empty if tasks run in this
// process.
func (f *flags) chooseEnvironment() (err error) {
	how, path, named := strings.Cut(f.environment, ":")
	switch how = strings.ToLower(how); {
	case how == "loopback" && !named:
		f.worker = ""
	case how == "process" && named && filepath.IsAbs(path):
		f.worker = path
	case how == "process" && !named, how == "" && !named:
		f.worker, err = os.Executable()
	default:
		err = usagef("-environment %q: expected process, process:PATH with an absolute path, or loopback",
			f.environment)
	}
	return err
}

// localRun returns how this process runs its part.
func (f *flags) localRun() pipeline.Run {
	return pipeline.Run{
		Workers: f.workers, Memory: f.memory, Output: f.output, Overwrite: f.overwrite, HashInputs: f.hash,
		Cold: f.cold, Sync: f.sync, Tasks: f.tasks,
	}
}

// engine is what runs the tasks.
func (f *flags) engine() *engine {
	return &engine{
		prism: f.runner == prismRunner, endpoint: f.endpoint, worker: f.worker, parallelism: f.parallelism,
		// A short -wait is not doubled by requests to a server that is gone.
		patience: min(max(f.wait, time.Second), 20*time.Second),
	}
}
