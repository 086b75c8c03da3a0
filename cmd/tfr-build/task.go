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

// phaseWords are the operands of the command task.
var phaseWords = []string{planWord, string(work.Scan), string(work.Merge), string(work.Write), string(work.Commit), allWord}

var taskCommand = &command{
	name: "task", about: "do a share of the tasks of a build, beside other processes",
	most: 1, operand: value{"PHASE", wordValue, phaseWords}, writes: true, run: task,
	flags: []string{"config", "output", "work", "index", "of", "tasks", "wait", "overwrite", "hash-inputs", "cold", "workers", "memory", "scratch", "retry", "sync", "quiet", "log-format"},
	usage: `usage: tfr-build task plan -config FILE [-work DIR] [flags]
       tfr-build task scan|merge|write|commit -work DIR [flags]
       tfr-build task all -work DIR [-config FILE] -wait TIME [flags]

Builds a dataset by processes that share a folder and nothing else: those of an
array of Slurm, Kubernetes, AWS or GCP Batch, of make -j, or some shells. The
result has the bytes that one process gives it.

  plan    lists the input, and claims the output for the tasks
  scan    reads the tables: each task a piece of the input
  merge   decides on splits and shards
  write   makes the shards: each task some of them
  commit  compares the shards with their digests, and publishes the dataset
  all     does all of these, and waits for what other processes do

Task K of a phase is done by the process of index K modulo their number; plan,
merge and commit have one task. Any task may be done again, or twice at once:
one that is done ends with 0 at once. A phase before its time ends with 75, to
be tried again; what no retry mends ends with 42: a bad config, rows that are
of no use, input that changed, a damaged plan.

flags, none of which changes a byte of the dataset:
  -config FILE          the config: for plan and all; for other phases it tells
                        the work folder
  -work DIR             where tasks tell one another what they did, on a disk
                        that all share, or a URL (hidden, beside the output)
  -index N              which of the processes this is, from 0; without it
                        SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX,
                        AWS_BATCH_JOB_ARRAY_INDEX or BATCH_TASK_INDEX says it,
                        and without an array one process does all
  -of N                 how many processes there are; without it
                        SLURM_ARRAY_TASK_COUNT, JOB_COMPLETIONS,
                        AWS_BATCH_JOB_ARRAY_SIZE or BATCH_TASK_COUNT says it
  -tasks N              plan at least N tasks for each of scan and write, where
                        input and shards allow it (32, which is the least)
  -wait TIME            wait for an earlier phase, such as 90s or 2h, for as
                        long without any news of it (do not wait)
  -output DIR           plan for DIR, seen from here, or a URL, instead of
                        the config's output, which is seen from the config
  -overwrite            plan to replace another dataset that tfr-build made
  -hash-inputs          plan, and commit, by the contents of the input, too
  -cold                 read back what was written from the disk, not memory
  -workers N            work N at once (the CPUs there are)
  -memory SIZE          let tables and their index take SIZE in this process,
                        such as 2GB (half of the memory there is; at least
                        16MB)
  -scratch DIR          keep in DIR the shards, and the runs of scans, on
                        their way to a bucket (the user's cache)
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -sync=false           do not wait for the disk: for scratch disks
  -quiet                say nothing but errors, and how many rows were skipped
  -log-format FORMAT    text, or json: an object a line (text)
`,
}

func task(ctx context.Context, c *call) error {
	if len(c.operands) == 0 || !slices.Contains(phaseWords, c.operands[0]) {
		return usagef("tfr-build help task", "task: which one? plan, scan, merge, write, commit or all")
	}
	share, err := work.ShareOf(c.index, c.of, os.LookupEnv)
	if err != nil {
		return usagef("tfr-build help task", "task: %v", err)
	}
	t := &taskCall{call: c, share: share}
	c.operands, t.phase = nil, c.operands[0] // what is left of them is no config
	if t.phase == planWord || c.config != "" && (t.phase == allWord || c.work == "") {
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
	cfg, err := t.loadConfig("task")
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
	fsys := reached(ctx, t.call, cfg)
	defer fsys.Close()
	run.FS = fsys
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
		return usagef("tfr-build help task", "task: -work DIR names the work folder, or -config FILE tells it")
	}
	fsys := reached(ctx, t.call, t.loaded)
	defer fsys.Close()
	run := t.pipelineRun()
	run.FS, run.Output = fsys, "" // the plan has the output
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
