package pipeline

import "tfr-build/pipeline/work"

// A Fault says why a task was not done.
type Fault = work.Fault

// Left are those of the tasks among, nil for all, that a phase has yet to do, and how
// many tasks it has. Before anybody knows the error is a *[NotYetError].
func (t *Tasks) Left(phase work.Phase, among []int) (left []int, of int, err error) {
	if of, err = numberOf(t, phase); err != nil {
		return nil, 0, err
	}
	if among == nil {
		among = work.Share{Of: 1}.Tasks(of)
	}
	for _, k := range among {
		note, err := t.plan.Note(t.folder, phase, k)
		if err != nil {
			return nil, 0, err
		}
		if note == nil {
			left = append(left, k)
		}
	}
	return left, of, nil
}

// numberOf is how many tasks a phase has; none where all is committed.
func numberOf(t *Tasks, phase work.Phase) (int, error) {
	switch {
	case t.plan == nil:
		return 0, nil
	case phase == work.Scan:
		return len(t.plan.Scans), nil
	case phase != work.Write:
		return 1, nil
	}
	if err := t.readMerged(); err != nil {
		return 0, err
	}
	return len(t.merged.Tasks), nil
}

// Faults are those of a phase: why its tasks were not done.
type Faults struct {
	tasks *Tasks
	phase work.Phase
}

// Faults are those of a phase.
func (t *Tasks) Faults(phase work.Phase) Faults { return Faults{t, phase} }

// Note notes that task k was not done, for whoever started it.
func (f Faults) Note(k int, fault *Fault) error {
	if f.tasks.plan == nil {
		return nil // all is committed
	}
	return f.tasks.plan.Fail(f.tasks.folder, f.phase, k, fault)
}

// First is what was noted of the first of these tasks that failed; a fault that no retry
// mends comes before others. It is nil where nothing was noted.
func (f Faults) First(among []int) (first *Fault, err error) {
	for _, k := range among {
		fault, err := f.tasks.plan.Fault(f.tasks.folder, f.phase, k)
		if err != nil {
			return nil, err
		}
		if fault != nil && (first == nil || fault.Final && !first.Final) {
			first = fault
		}
	}
	return first, nil
}

// Forget forgets the faults of tasks that are to be tried again.
func (f Faults) Forget(among []int) error {
	for _, k := range among {
		if err := f.tasks.plan.Forgive(f.tasks.folder, f.phase, k); err != nil {
			return err
		}
	}
	return nil
}
