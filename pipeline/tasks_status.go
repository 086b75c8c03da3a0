package pipeline

import (
	"cmp"
	"context"
	"errors"

	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/work"
	"tfr-build/sink"
)

// A TasksStatus says which tasks of a build are done.
type TasksStatus struct {
	Work, Output string
	Summary      string // of a committed dataset; else empty
	Phases       []PhaseStatus
	Rejects      int64 // number of rejected rows until now
}

// A PhaseStatus says how many tasks of a phase are done.
type PhaseStatus struct {
	Phase   string  `json:"phase"`
	Tasks   int     `json:"tasks"` // -1 if not known yet
	Done    int     `json:"done"`
	Rows    int64   `json:"rows"`
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds"` // sum of all tasks
}

// Remaining returns the number of tasks that are not done; -1 if not known yet.
func (p *PhaseStatus) Remaining() int {
	if p.Tasks < 0 {
		return -1
	}
	return p.Tasks - p.Done
}

// StatusOfTasks reads the status of the tasks in a work directory. It changes nothing.
func StatusOfTasks(ctx context.Context, run Run, dir string) (*TasksStatus, error) {
	t, err := OpenTasks(ctx, run, dir)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	s := &TasksStatus{Work: dir}
	if t.plan == nil {
		s.Output, s.Summary = t.committed.Output, t.committed.Summary
		return s, nil
	}
	s.Output = t.plan.Output
	for i := range steps {
		phase := PhaseStatus{Phase: string(steps[i].phase)}
		var err error
		if phase.Tasks, err = t.Count(steps[i].phase); err != nil {
			if _, notYet := errors.AsType[*NotYetError](err); !notYet {
				return nil, err
			}
			phase.Tasks = -1
		}
		if phase.Tasks == 0 && steps[i].phase.IsOptional() {
			continue
		}
		if err := t.countDone(s, &phase); err != nil {
			return nil, err
		}
		s.Phases = append(s.Phases, phase)
	}
	return s, nil
}

// countDone adds up the notes of a phase. The plan has no note.
func (t *Tasks) countDone(s *TasksStatus, phase *PhaseStatus) error {
	if phase.Phase == string(planning) {
		phase.Done = 1
		return nil
	}
	named, _, err := t.plan.Named(work.Phase(phase.Phase), max(0, phase.Tasks))
	if err != nil {
		return err
	}
	for k, there := range named {
		if !there {
			continue
		}
		n, err := t.plan.Note(work.Phase(phase.Phase), k)
		if err != nil {
			return err
		}
		if n == nil {
			continue
		}
		phase.Done++
		phase.Rows, phase.Bytes, phase.Seconds = phase.Rows+n.Rows, phase.Bytes+n.Bytes, phase.Seconds+n.Seconds
		// The merge includes the rejects of the scans.
		if phase.Phase == string(work.Merge) || phase.Phase == string(work.Write) {
			s.Rejects += n.Rejects
		}
	}
	return nil
}

// CleanTasks gives up the tasks of a work directory. It removes their files, except a published
// dataset, and clears the directory. If the directory has no plan, Run.Output must be the output
// of the tasks.
func CleanTasks(ctx context.Context, run Run, dir string) error {
	f, err := directoryAt(ctx, &run, dir)
	if err != nil {
		return err
	}
	p, err := work.ReadPlan(f)
	if err == nil && p != nil {
		run.Output = p.Output
		over, err := run.reachPlanned(ctx, p)
		if err != nil {
			return err
		}
		if over != nil {
			defer over.Close()
		}
	}
	if run.Output != "" {
		if err := release(&run, dir, p); err != nil {
			return err
		}
	}
	return f.Clear()
}

// release removes the claim of the tasks of a work directory, if they have claimed the output. p
// is their plan, which may be nil.
func release(run *Run, dir string, p *work.Plan) error {
	text, err := sink.ClaimOn(run.Storage, run.Output)
	if err != nil || text == nil {
		return err
	}
	if claim := work.ParseClaim(text); claim != nil { // a damaged claim has no owner: remove it
		abs, err := absolute(dir)
		own := err == nil && claim.Work == abs || p != nil && claim.Work == p.Work
		if !own {
			return nil // other tasks have claimed the output
		}
	}
	if !run.Storage.CanRename(run.Output) {
		if run.Scratch, err = runstate.ScratchDirectory(run.Scratch); err != nil {
			return err
		}
	}
	stage, err := sink.Open(run.Storage, run.Output,
		sink.Options{Sync: run.Sync, Claim: text, Warn: run.warn, Scratch: run.Scratch})
	if err != nil {
		return err
	}
	err = (sink.Shared{Stage: stage}).Release()
	return cmp.Or(err, stage.Close())
}
