package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"tfr-build/internal/plural"
	"tfr-build/pipeline"
	"tfr-build/pipeline/work"
)

// Words of the command task that are not single phases.
const (
	planWord = "plan"
	allWord  = "all"
)

// phaseWords are the allowed first operands of the command task.
var phaseWords = wordsOfPhases()

func wordsOfPhases() []string {
	list := []string{planWord}
	for _, phase := range pipeline.Phases() {
		list = append(list, string(phase))
	}
	return append(list, allWord)
}

var taskCommand = &command{
	name: "task", group: taskGroup, about: "run a share of a build that many processes do",
	least: 1, most: 2, needs: "a phase: " + orText(phaseWords), operand: configFile, words: phaseWords, writes: true,
	run: task,
	flags: "config work index of tasks wait output overwrite hash-inputs cold workers memory scratch sync retry " +
		"quiet log-format",
	means: map[string]flagMeaning{
		"memory": {about: "memory limit for tables and their index in this process, such as 2GB (default: half of " +
			"the available memory; minimum: 16MB)"},
		"quiet": {about: quietBuild},
	},
	synopsis: []string{"task plan CONFIG [flags]", "task PHASE --work DIR [flags]",
		"task all CONFIG --wait TIME [flags]", "task status|clean CONFIG [flags]"},
	text: `Builds a dataset by processes that share a directory or a bucket: an array job
of Slurm, Kubernetes, AWS Batch, or GCP Batch, make -j, or some shells. The
result has the same bytes as a build by one process.
  plan     list the input and claim the output
` + aboutPhases() + `  all      run all phases; wait for other processes in between
  status   show the progress of the tasks: tfr-build help task status
  clean    remove the tasks' files: tfr-build help task clean

A task K of a phase runs in the process with the index K modulo the number of
processes; the others have one task. Repeated tasks are
harmless: a finished task ends with 0 at once. A phase before its time ends with
75: retry it. A permanent failure, such as a config error, invalid rows, changed
input, or a damaged plan, ends with 42: do not retry it.

Without --index and --of, these environment variables are used:
  SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT
  JOB_COMPLETION_INDEX, JOB_COMPLETIONS
  AWS_BATCH_JOB_ARRAY_INDEX, AWS_BATCH_JOB_ARRAY_SIZE
  BATCH_TASK_INDEX, BATCH_TASK_COUNT
Outside an array job one process runs every task.`,
}

func task(ctx context.Context, c *call) error {
	share, err := work.ShareOf(c.index, c.of, os.LookupEnv)
	if err != nil {
		return c.cmd.misused("%v", err)
	}
	t := &taskCall{call: c, share: share}
	t.phase, c.operands = c.operands[0], c.operands[1:]
	if t.phase == planWord || namesConfig(c) && (t.phase == allWord || c.work == "") {
		if err := t.planTasks(ctx); err != nil {
			return err
		}
	}
	switch t.phase {
	case planWord:
		return nil
	case allWord:
		for _, phase := range pipeline.Phases() {
			if err := t.runPhase(ctx, phase); err != nil {
				return err
			}
		}
		return nil
	}
	return t.runPhase(ctx, work.Phase(t.phase))
}

// A taskCall is a run of the command task.
type taskCall struct {
	*call
	phase string
	share work.Share
}

// planTasks plans the tasks of a config, if the phase requires it and this process has index 0. It
// also sets the work directory.
func (t *taskCall) planTasks(ctx context.Context) error {
	cfg, err := t.loadConfig()
	if err != nil {
		return err
	}
	run := t.pipelineRun()
	if t.work == "" {
		t.work = pipeline.WorkDirectory(cfg, run)
	}
	if t.share.Index > 0 || t.phase != planWord && t.phase != allWord {
		return nil
	}
	from := openStorage(ctx, t.call, cfg)
	defer from.Close()
	run.Storage = from
	stop := t.watch(&run, nil)
	p, err := pipeline.PlanTasks(ctx, cfg, run, t.work)
	stop()
	if err != nil {
		return err
	}
	shown := t.shown(p.Work)
	f := facts{"phase": planWord, "work": shown}
	switch {
	case p.Result != nil:
		f["output"], f["summary"] = t.shown(p.Result.Output), p.Result.Summary
		printDataset(t.call, f, upToDate, p.Result, 0)
	case p.Before:
		t.printResult(f, "planned before %s %s inputs=%d\n", shown, phasesText(p), p.Inputs)
	default:
		t.printResult(f, "planned %s %s inputs=%d\n", shown, phasesText(p), p.Inputs)
	}
	return nil
}

// phasesText returns the phases until the merge that have tasks, and how many: `scan=4 group=2`.
func phasesText(p *pipeline.TasksPlan) string {
	var list []string
	for _, phase := range pipeline.Phases() {
		if phase == work.Merge {
			break
		}
		if n := p.Count(phase); n > 0 || !phase.IsOptional() {
			list = append(list, fmt.Sprintf("%s=%d", phase, n))
		}
	}
	return strings.Join(list, " ")
}

// aboutPhases returns a line about each phase.
func aboutPhases() string {
	var text strings.Builder
	for _, phase := range pipeline.Phases() {
		fmt.Fprintf(&text, "  %-8s %s\n", phase, phase.About())
	}
	return text.String()
}

// runPhase runs this process's share of a phase. It waits for earlier phases as long as -wait says;
// any progress restarts that time.
func (t *taskCall) runPhase(ctx context.Context, phase work.Phase) error {
	const least, most = 50 * time.Millisecond, 5 * time.Second
	waited, state := time.Duration(0), ""
	for {
		err := t.runOnce(ctx, phase)
		notYet, early := errors.AsType[*pipeline.NotYetError](err)
		if !early {
			return err
		}
		if now := notYet.Error(); now != state {
			waited, state = 0, now
		}
		if waited >= t.wait {
			return err
		}
		pause := min(max(least, waited/8), most, t.wait-waited) // costs little
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		waited += pause
	}
}

// runOnce runs this process's share of a phase, or returns an error if it is too early.
func (t *taskCall) runOnce(ctx context.Context, phase work.Phase) error {
	if t.work == "" {
		return usagef(t.cmd.example(), "task: no config and no work directory given")
	}
	from := openStorage(ctx, t.call, t.loaded)
	defer from.Close()
	run := t.pipelineRun()
	run.Storage, run.Output = from, "" // the plan has the output
	stop := t.watch(&run, nil)
	done, err := doShare(ctx, run, t.work, phase, t.share)
	stop()
	if err == nil {
		t.printDone(phase, done)
	}
	return err
}

func doShare(ctx context.Context, run pipeline.Run, dir string, phase work.Phase,
	share work.Share) (*pipeline.TasksDone, error) {
	tasks, err := pipeline.OpenTasks(ctx, run, dir)
	if err != nil {
		return nil, err
	}
	defer tasks.Close()
	return tasks.Do(ctx, phase, share)
}

// printDone prints the result of a phase.
func (t *taskCall) printDone(phase work.Phase, done *pipeline.TasksDone) {
	f := facts{"phase": phase, "did": done.Did, "before": done.Before, "tasks": done.Of}
	switch {
	case done.Result != nil:
		t.record.result = done.Result
		if done.Result.Rejected != nil {
			for _, m := range rejectedMessages(done.Result.Rejected) {
				t.log.write(m)
			}
		}
		f["output"], f["summary"] = t.shown(done.Output), done.Summary
		printDataset(t.call, f, built, done.Result, 0) // each process knows only its own time
	case done.Summary != "":
		f["output"], f["summary"] = t.shown(done.Output), done.Summary
		t.printResult(f, "built before %s %s\n", f["output"], done.Summary)
	case done.Of == 0 && t.phase == allWord && phase.IsOptional():
	case done.Did == 0 && done.Before == 0:
		t.printResult(f, "%s: nothing for index %d of %d\n", phase, t.share.Index, t.share.Of)
	default:
		t.printResult(f, "%s: %s done, %d before, of %d\n", phase, plural.Of(done.Did, "task"), done.Before, done.Of)
	}
}
