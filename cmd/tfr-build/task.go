package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"tfr-build/internal/exit"
	"tfr-build/internal/plural"
	"tfr-build/pipeline"
	"tfr-build/pipeline/work"
)

// The words of the command task that are no phases of their own.
const (
	planWord = "plan"
	allWord  = "all"
)

// phaseWords are the first operands of the command task.
var phaseWords = []string{planWord, string(work.Scan), string(work.Merge), string(work.Write), string(work.Commit), allWord}

var taskCommand = &command{
	name: "task", group: taskGroup, about: "run a share of a build that many processes do",
	most: 2, operand: configOperand, words: phaseWords, writes: true, run: task,
	flags: []string{"config", "work", "index", "of", "tasks", "wait", "output", "overwrite", "hash-inputs", "cold", "workers", "memory", "scratch", "sync", "retry", "quiet", "log-format"},
	means: map[string]flagMeaning{
		"memory": {about: "memory limit for tables and their index in this process, such as 2GB (default: half of the available memory; minimum: 16MB)"},
		"quiet":  {about: quietBuild},
	},
	synopsis: []string{"task plan CONFIG [flags]", "task scan|merge|write|commit --work DIR [flags]", "task all CONFIG --wait TIME [flags]", "task status|clean CONFIG [flags]"},
	text: `Builds a dataset by processes that share a directory or a bucket: an array job
of Slurm, Kubernetes, AWS Batch, or GCP Batch, make -j, or some shells. The
result has the same bytes as a build by one process.
  plan     list the input and claim the output
  scan     read the tables: each task reads a range of the input
  merge    assign rows to splits and shards
  write    write the shards: each task writes some of them
  commit   check the shards and publish the dataset
  all      run all phases; wait for other processes in between
  status   show the progress of the tasks: tfr-build help task status
  clean    remove the tasks' files: tfr-build help task clean

A task K of a phase runs in the process with the index K modulo the number of
processes; plan, merge, and commit have one task. Repeated tasks are harmless: a
finished task ends with 0 at once. A phase before its time ends with 75: retry
it. A permanent failure, such as a config error, invalid rows, changed input, or
a damaged plan, ends with 42: do not retry it.

Without --index and --of, these environment variables are used:
  SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT
  JOB_COMPLETION_INDEX, JOB_COMPLETIONS
  AWS_BATCH_JOB_ARRAY_INDEX, AWS_BATCH_JOB_ARRAY_SIZE
  BATCH_TASK_INDEX, BATCH_TASK_COUNT
Outside an array job one process runs every task.`,
}

func task(ctx context.Context, c *call) error {
	if len(c.operands) == 0 || !slices.Contains(phaseWords, c.operands[0]) {
		return usagef("tfr-build help task", "task: expected a phase: plan, scan, merge, write, commit, or all")
	}
	share, err := work.ShareOf(c.index, c.of, os.LookupEnv)
	if err != nil {
		return usagef("tfr-build help task", "task: %v", err)
	}
	t := &taskCall{call: c, share: share}
	t.phase, c.operands = c.operands[0], c.operands[1:]
	if t.phase == planWord || namesConfig(c) && (t.phase == allWord || c.work == "") {
		if err := t.planFor(ctx); err != nil {
			return err
		}
	}
	switch t.phase {
	case planWord:
		return nil
	case allWord:
		for _, phase := range pipeline.Phases() {
			if err := t.do(ctx, phase); err != nil {
				return err
			}
		}
		return nil
	}
	return t.do(ctx, work.Phase(t.phase))
}

// A taskCall is a run of the command task.
type taskCall struct {
	*call
	phase string
	share work.Share
}

// planFor plans the tasks of a config, if that is what is asked for and this process
// is the one that does it, and finds their work folder.
func (t *taskCall) planFor(ctx context.Context) error {
	cfg, err := t.loadConfig("task " + t.phase)
	if err != nil {
		return err
	}
	run := t.pipelineRun()
	if t.work == "" {
		t.work = pipeline.WorkFolder(cfg, run)
	}
	if t.share.Index > 0 || t.phase != planWord && t.phase != allWord {
		return nil
	}
	from := reached(ctx, t.call, cfg)
	defer from.Close()
	run.Storage = from
	stop := t.watch(&run, nil)
	p, err := pipeline.PlanTasks(ctx, cfg, run, t.work)
	stop()
	if err != nil {
		return err
	}
	shown := printable(t.log.path(p.Work))
	f := facts{"phase": planWord, "work": shown}
	switch {
	case p.Result != nil:
		f["output"], f["summary"] = printable(t.log.path(p.Result.Output)), p.Result.Summary
		tellDataset(t.call, f, upToDate, p.Result, 0)
	case p.Before:
		t.tell(f, "planned before %s scan=%d inputs=%d\n", shown, p.Scans, p.Inputs)
	default:
		t.tell(f, "planned %s scan=%d inputs=%d\n", shown, p.Scans, p.Inputs)
	}
	return nil
}

// do does the share of a phase, and waits for the phase before it as long as -wait
// says: whatever is done meanwhile has it wait anew.
func (t *taskCall) do(ctx context.Context, phase work.Phase) error {
	const least, most = 50 * time.Millisecond, 5 * time.Second
	waited, news := time.Duration(0), ""
	for {
		err := t.once(ctx, phase)
		notYet, early := errors.AsType[*pipeline.NotYetError](err)
		if !early {
			return err
		}
		if now := notYet.Error(); now != news {
			waited, news = 0, now
		}
		if waited >= t.wait {
			return err
		}
		pause := min(max(least, waited/8), most, t.wait-waited) // a share of the wait, that costs little
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		waited += pause
	}
}

// once does the share of a phase, if it is its time.
func (t *taskCall) once(ctx context.Context, phase work.Phase) error {
	if t.work == "" {
		return usagef("tfr-build task "+string(phase)+" CONFIG.yaml", "task: no config and no work directory given")
	}
	from := reached(ctx, t.call, t.loaded)
	defer from.Close()
	run := t.pipelineRun()
	run.Storage, run.Output = from, "" // the plan has the output
	stop := t.watch(&run, nil)
	done, err := doShare(ctx, run, t.work, phase, t.share)
	stop()
	if err == nil {
		t.said(phase, done)
	}
	return err
}

func doShare(ctx context.Context, run pipeline.Run, dir string, phase work.Phase, share work.Share) (*pipeline.TasksDone, error) {
	tasks, err := pipeline.OpenTasks(ctx, run, dir)
	if err != nil {
		return nil, err
	}
	defer tasks.Close()
	return tasks.Do(ctx, phase, share)
}

// said prints what came of a phase.
func (t *taskCall) said(phase work.Phase, done *pipeline.TasksDone) {
	f := facts{"phase": phase, "did": done.Did, "before": done.Before, "tasks": done.Of}
	switch {
	case done.Result != nil:
		t.record.result = done.Result
		if done.Result.Rejected != nil {
			for _, m := range rejectedMessages(done.Result.Rejected) {
				t.log.say(m)
			}
		}
		f["output"], f["summary"] = printable(t.log.path(done.Output)), done.Summary
		tellDataset(t.call, f, built, done.Result, 0) // each process knows its own time alone
	case done.Summary != "":
		f["output"], f["summary"] = printable(t.log.path(done.Output)), done.Summary
		t.tell(f, "built before %s %s\n", f["output"], done.Summary)
	case done.Did == 0 && done.Before == 0:
		t.tell(f, "%s: nothing for index %d of %d\n", phase, t.share.Index, t.share.Of)
	default:
		t.tell(f, "%s: %s done, %d before, of %d\n", phase, plural.Of(done.Did, "task"), done.Before, done.Of)
	}
}

// taskCode is the exit code of a task that ended with err: engines try again what they
// are not told to give up.
func taskCode(err error, code int) int {
	if exit.Hopeless(err) && !is[*usageError](err) {
		return exit.NoRetry
	}
	return code
}
