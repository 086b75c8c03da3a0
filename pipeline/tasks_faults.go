package pipeline

import "tfr-build/pipeline/work"

// A Fault says why a task was not done.
type Fault = work.Fault

// Left are those of the tasks among, nil for all, that a phase has yet to do, and how
// many tasks it has. Before anybody knows the error is a *[NotYetError].
func (t *Tasks) Left(phase work.Phase, among []int) (left []int, of int, err error) {
	if of, err = t.number(phase); err != nil {
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

// number is how many tasks a phase has; none where all is committed.
func (t *Tasks) number(phase work.Phase) (int, error) {
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

// Fail notes that task k of a phase was not done, for whoever started it.
func (t *Tasks) Fail(phase work.Phase, k int, fault *Fault) error {
	if t.plan == nil {
		return nil // all is committed
	}
	return t.plan.Fail(t.folder, phase, k, fault)
}

// Fault is what was noted of the first of the tasks left that failed; one that no retry
// mends comes before others. It is nil where nothing was noted.
func (t *Tasks) Fault(phase work.Phase, left []int) (first *Fault, err error) {
	for _, k := range left {
		fault, err := t.plan.Fault(t.folder, phase, k)
		if err != nil {
			return nil, err
		}
		if fault != nil && (first == nil || fault.Final && !first.Final) {
			first = fault
		}
	}
	return first, nil
}

// Forgive forgets the faults of tasks that are to be tried again.
func (t *Tasks) Forgive(phase work.Phase, left []int) error {
	for _, k := range left {
		if err := t.plan.Forgive(t.folder, phase, k); err != nil {
			return err
		}
	}
	return nil
}
