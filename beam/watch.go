package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tfr-build/pipeline"
	"tfr-build/pipeline/work"
)

// A taskError says why a task was not done, as its worker noted it.
type taskError struct{ *failure }

func (e *taskError) Error() string { return e.Text }

// submit lets the engine run the tasks that are left of a phase, and waits until the work directory
// shows that all are done. The state that the engine reports does not count.
func (b *build) submit(ctx context.Context, phase work.Phase) error {
	left, of, err := tasksOf{b.tasks, phase}.unfinished(nil)
	if err == nil {
		err = tasksOf{b.tasks, phase}.forget(left)
	}
	if err != nil || len(left) == 0 {
		return err
	}
	do := &doTask{Work: b.work, Phase: phase, Of: of, Workers: b.workers, Memory: b.memory, Cold: b.cold, Sync: b.sync}
	job, ended := make(chan struct{}), make(chan error, 1)
	b.jobs = append(b.jobs, job)
	go func() {
		defer close(job)
		ended <- b.engine.run(ctx, fmt.Sprintf("%s-%s", b.name, phase), pipelineOf(do, left))
	}()
	w := &watch{build: b, phase: phase, left: left, of: of, ended: ended}
	return w.watch(ctx)
}

// A watch looks on at the tasks of a phase.
type watch struct {
	*build
	phase work.Phase
	left  []int // tasks that are not known to be done
	of    int
	ended chan error // what the engine says in the end; nil once it has said it
	lost  *lostError // the engine cannot be asked any more; nil while it can
	quiet time.Duration
}

// watch returns when all tasks are done, or will not be.
func (w *watch) watch(ctx context.Context) error {
	pause := leastPause
	for {
		select {
		case err := <-w.ended:
			w.ended = nil
			if errors.As(err, &w.lost) {
				w.say("%v: looking on at the tasks, for %v without news", err, w.wait)
				break
			}
			return w.conclude(err)
		case <-time.After(pause):
			w.quiet += pause
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		began := time.Now()
		if err := w.findDone(); err != nil || len(w.left) == 0 {
			return err
		}
		if w.lost != nil && w.quiet >= w.wait {
			return w.lost
		}
		pause = max(leastPause, 20*time.Since(began)) // looking costs the directory little
	}
}

const leastPause = 500 * time.Millisecond

// findDone finds out which tasks are done by now. The error is that of a task that no retry
// fixes.
func (w *watch) findDone() error {
	left, _, err := tasksOf{w.tasks, w.phase}.unfinished(w.left)
	if err != nil {
		return err
	}
	if len(left) < len(w.left) {
		w.say("%s: %d of %d tasks are done", w.phase, w.of-len(left), w.of)
		w.quiet = 0
	}
	w.left = left
	failure, err := tasksOf{w.tasks, w.phase}.first(left)
	if err == nil && failure != nil && failure.Final {
		err = &taskError{failure}
	}
	return err
}

// conclude says what came of a job that has ended with err.
func (w *watch) conclude(err error) error {
	if found := w.findDone(); found != nil || len(w.left) == 0 {
		return found
	}
	failure, failed := tasksOf{w.tasks, w.phase}.first(w.left)
	switch {
	case failed != nil:
		return failed
	case failure != nil:
		return &taskError{failure}
	case err != nil:
		return fmt.Errorf("the engine gave up after %d of %d %s tasks: %w", w.of-len(w.left), w.of, w.phase, err)
	}
	return &pipeline.NotYetError{Phase: w.phase, Done: w.of - len(w.left), Of: w.of}
}

// awaitJobs waits up to 10 seconds for jobs that have no more tasks, or were canceled: an
// engine needs some time to end a job.
func (b *build) awaitJobs() {
	late := time.After(10 * time.Second)
	for _, job := range b.jobs {
		select {
		case <-job:
		case <-late:
			return
		}
	}
}
