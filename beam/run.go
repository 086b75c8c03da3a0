package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"tfr-build/internal/store"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/work"
)

// run is the program where it submits; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := onSignals(context.Background())
	defer stop()
	f, err := parseFlags(args)
	if err == nil && f.help {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err == nil {
		b := &build{flags: f, stdout: stdout, stderr: stderr, engine: f.engine()}
		err = b.runPhases(ctx)
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	if err != nil {
		fmt.Fprintf(stderr, "tfr-beam: %v\n", err)
	}
	return code(err)
}

// A build is one run of the program.
type build struct {
	*flags
	stdout, stderr io.Writer
	engine         *engine
	name           string // of the dataset
	tasks          *pipeline.Tasks
	jobs           []chan struct{} // which are closed when the engine has ended them
}

func (b *build) say(format string, args ...any) {
	if !b.quiet {
		fmt.Fprintf(b.stderr, "tfr-beam: "+format+"\n", args...)
	}
}

// runPhases plans the tasks and does the phases.
func (b *build) runPhases(ctx context.Context) (err error) {
	cfg, err := config.Load(b.config)
	if err != nil {
		return err
	}
	b.name = cfg.Name
	run := b.localRun()
	run.Workers, run.Warn, run.Inform = max(b.workers, runtime.GOMAXPROCS(0)), b.warn, b.warn
	p, err := pipeline.PlanTasks(ctx, cfg, run, b.work)
	if err != nil {
		return err
	}
	if p.Result != nil {
		fmt.Fprintf(b.stdout, "up to date %s %s\n", p.Result.Output, p.Result.Summary)
		return nil
	}
	if b.work, err = store.Abs(p.Work); err != nil {
		return fmt.Errorf("the work directory: %w", err)
	}
	run.Output = "" // the plan has it
	if b.tasks, err = pipeline.OpenTasks(ctx, run, b.work); err != nil {
		return err
	}
	defer b.tasks.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		if err != nil {
			cancel() // the jobs, which have ended if the build succeeded
		}
		if err != nil || b.engine.isHere() {
			b.awaitJobs()
		}
	}()
	// A commit that finds shards damaged has them written again.
	for again := 0; ; again++ {
		err = b.phases(ctx)
		if _, notYet := errors.AsType[*pipeline.NotYetError](err); !notYet || again == 2 {
			return err
		}
	}
}

func (b *build) warn(text string) { b.say("%s", text) }

// phases does what is left of all phases: what is one task here, the others by the
// engine.
func (b *build) phases(ctx context.Context) error {
	for _, phase := range pipeline.Phases() {
		if phase.IsShared() {
			if err := b.submit(ctx, phase); err != nil {
				return err
			}
			continue
		}
		began := time.Now()
		done, err := b.tasks.Do(ctx, phase, work.Share{Of: 1})
		if err != nil {
			return err
		}
		if done.Of == 0 { // an optional phase
			continue
		}
		b.say("%s: done in %.1f s", phase, time.Since(began).Seconds())
		if phase == work.Commit {
			b.printResult(done)
		}
	}
	return nil
}

// printResult prints what was made.
func (b *build) printResult(done *pipeline.TasksDone) {
	if r := done.Result; r != nil && r.Rejected != nil {
		b.say("warning: %v", r.Rejected.First)
		b.say("warning: %s: %s", r.Rejected.Text(), r.Rejected.File)
	}
	verb := "built"
	if done.Result == nil {
		verb = "built before"
	}
	fmt.Fprintf(b.stdout, "%s %s %s\n", verb, done.Output, done.Summary)
}
