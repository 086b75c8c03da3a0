package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"tfr-build/internal/exit"
	"tfr-build/pipeline"
	"tfr-build/pipeline/work"
)

// registerTask tells Beam of the tasks: each process has to know them by the same name.
func registerTask() { register.DoFn2x2[context.Context, int, int, error](&doTask{}) }

// errNoPlan says that a task has no plan to note anything for.
var errNoPlan = errors.New("no plan exists")

// doTask does tasks of one phase. Beam carries its exported fields to the workers.
type doTask struct {
	Work       string
	Phase      work.Phase
	Of         int // tasks of the phase
	Workers    int
	Memory     int64
	Cold, Sync bool

	tasks *pipeline.Tasks // nil before the first task, and after one that failed
}

// pipelineOf is the complete pipeline of a phase: of the tasks left, each an element.
func pipelineOf(do *doTask, left []int) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	tasks := beam.Reshuffle(s, beam.CreateList(s, left))
	stats.Sum(s, beam.ParDo(s, do, tasks))
	return p
}

// ProcessElement does task k, and counts it where it was done. What no retry fixes is no
// error for Beam, which would try again: it is noted for whoever submitted the task.
func (d *doTask) ProcessElement(ctx context.Context, k int) (int, error) {
	log.Infof(ctx, "task %s %d begins in process %d", d.Phase, k, os.Getpid())
	done, err := d.do(ctx, k)
	switch {
	case err == nil && done.Did == 0:
		log.Infof(ctx, "task %s %d was done before", d.Phase, k)
		return 0, nil
	case err == nil:
		log.Infof(ctx, "task %s %d is done", d.Phase, k)
		return 1, nil
	}
	hopeless := exit.Hopeless(err)
	bad := &failure{Text: err.Error(), Code: exit.Code(err), Final: hopeless}
	noted := d.fail(k, bad)
	_ = d.Teardown() // what the next task opens again, this one may have left half done
	if hopeless && noted == nil {
		return 0, nil
	}
	return 0, fmt.Errorf("task %s %d: %w", d.Phase, k, err)
}

// do does task k, with what the task before it opened.
func (d *doTask) do(ctx context.Context, k int) (done *pipeline.TasksDone, err error) {
	if d.tasks == nil { // which outlives the bundle that ctx is of
		run := pipeline.Run{Workers: d.Workers, Memory: d.Memory, Cold: d.Cold, Sync: d.Sync}
		if d.tasks, err = pipeline.OpenTasks(context.WithoutCancel(ctx), run, d.Work); err != nil {
			d.tasks = nil
			return nil, err
		}
	}
	return d.tasks.Do(ctx, d.Phase, work.Share{Index: k, Of: d.Of})
}

// fail notes why task k was not done.
func (d *doTask) fail(k int, bad *failure) error {
	if d.tasks == nil {
		return errNoPlan
	}
	return tasksOf{d.tasks, d.Phase}.record(k, bad)
}

// Teardown closes what tasks opened.
func (d *doTask) Teardown() error {
	if d.tasks != nil {
		d.tasks.Close()
		d.tasks = nil
	}
	return nil
}
