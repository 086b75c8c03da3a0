package pipeline

import (
	"context"
	"slices"

	"tfr-build/internal/pool"
	"tfr-build/pipeline/work"
)

// A step is a part of a build. [Build] does all steps in one process: what a step made is in memory for the steps
// after it, and do stores in the staging directory what a build that resumes needs. With [Tasks], several processes
// share the tasks of a step: each finished task leaves a note, and a later step restores the build from the notes.
type step struct {
	phase work.Phase
	needs []work.Phase // steps that must be complete

	// do does a task of the step. One process does the complete step as task 0, and with alone if that is not nil.
	do    func(b *build, ctx context.Context, task int) error
	alone func(b *build, ctx context.Context) error
	// note returns what a finished task stores. It is nil if do has made the note, with a spill file, or has
	// stored what remains.
	note func(b *build, task int) (*work.Note, error)
	// count returns the number of tasks. It is nil if the plan has it.
	count func(t *Tasks) (int, error)
	// complete returns a *NotYetError unless all tasks have a note. It is nil if nothing else is to be read.
	complete func(t *Tasks) error
	// open opens the output for a task. It is nil if the task writes nothing there.
	open func(b *build, ctx context.Context) error
	// restore sets the build to its state after the step, from the notes. It is nil if nothing is to be set.
	restore func(b *build, ctx context.Context) error

	view view
	long []pool.Phase // the progress phases of a task that take long
}

// planning is the step that PlanTasks does.
const planning work.Phase = "plan"

// steps has the steps of every build, in order.
var steps = []step{
	{
		phase: planning,
		do:    (*build).openOutput, // the note is the plan, and the claim on the output: see planner
		view:  fullView, restore: (*build).restoreUnread,
	},
	{
		phase: work.Compare, needs: []work.Phase{planning},
		do: (*build).compareRows, alone: nothing, // the match reads the notes
		view: partView, long: []pool.Phase{{Name: pool.ComparingRows, Bytes: 1}},
	},
	{
		phase: work.Match, needs: []work.Phase{planning, work.Compare},
		do: (*build).matchRows, alone: nothing, restore: (*build).restoreMatched,
		view: partView,
	},
	{
		phase: work.Scan, needs: []work.Phase{planning, work.Match},
		do: (*build).scanRanges, alone: (*build).scanRows, restore: (*build).restoreScans,
		view: partView, long: []pool.Phase{{Name: pool.SortingToDisk, Bytes: 1}},
	},
	{
		phase: work.Group, needs: []work.Phase{planning, work.Match, work.Scan},
		do: (*build).groupRows, restore: (*build).restoreGroups,
		view: partView, long: []pool.Phase{{Name: pool.SortingToDisk, Bytes: 1}},
	},
	{
		phase: work.Merge, needs: []work.Phase{planning, work.Match, work.Scan, work.Group},
		do: (*build).planShards, note: (*build).notePlan,
		complete: (*Tasks).readMerged, restore: (*build).restorePlan,
		view: fullView,
	},
	{
		phase: work.Write, needs: []work.Phase{work.Match, work.Merge},
		do:   (*build).writeShards, // stores each shard in the journal
		note: (*build).noteShards,
		open: (*build).joinOutput, count: (*Tasks).countWrites, complete: (*Tasks).readWritten,
		restore: (*build).restoreShards,
		view:    partView, long: []pool.Phase{{Name: pool.Writing, Bytes: 1}},
	},
	{
		phase: work.Commit, needs: []work.Phase{work.Match, work.Merge, work.Write},
		do:   (*build).publish, // the dataset is what remains
		open: (*build).reopenOutput,
		view: fullView, long: []pool.Phase{{Name: pool.CheckingShards, Bytes: 1}},
	},
}

// nothing is what one process does in the steps of comparing: it compares rows when it finds or reads them.
func nothing(*build, context.Context) error { return nil }

// stepOf returns the step of a phase.
func stepOf(phase work.Phase) *step {
	return &steps[slices.IndexFunc(steps, func(s step) bool { return s.phase == phase })]
}

// doStep does a task of a step. Every build goes through it, in one process and by tasks.
func (b *build) doStep(ctx context.Context, s *step, task int) error {
	if b.job.run.didStep != nil {
		b.job.run.didStep(s.phase)
	}
	if s.alone != nil && b.tasks == nil {
		return b.explain(ctx, s.alone(b, ctx))
	}
	return b.explain(ctx, s.do(b, ctx, task))
}
