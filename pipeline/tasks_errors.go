package pipeline

import "tfr-build/pipeline/work"

// A Failure says why a task failed.
type Failure = work.Failure

// Unfinished returns the tasks of a phase that are not done, out of among, or of all if among is nil. of
// is the number of all tasks; if it is not known yet, the error is a *[NotYetError].
func (t *Tasks) Unfinished(phase work.Phase, among []int) (left []int, of int, err error) {
	if t.plan != nil { // else the tasks have committed
		if of, err = t.countTasks(stepOf(phase)); err != nil {
			return nil, 0, err
		}
	}
	if among == nil {
		among = work.Share{Of: 1}.Tasks(of)
	}
	for _, k := range among {
		note, err := t.plan.Note(t.directory, phase, k)
		if err != nil {
			return nil, 0, err
		}
		if note == nil {
			left = append(left, k)
		}
	}
	return left, of, nil
}

// TaskErrors has the stored errors of the tasks of a phase.
type TaskErrors struct {
	tasks *Tasks
	phase work.Phase
}

// Errors returns the stored errors of a phase.
func (t *Tasks) Errors(phase work.Phase) TaskErrors { return TaskErrors{t, phase} }

// Record stores why task k failed, for the process that started it.
func (e TaskErrors) Record(k int, failure *Failure) error {
	if e.tasks.plan == nil {
		return nil // the tasks have committed
	}
	return e.tasks.plan.StoreFailure(e.tasks.directory, e.phase, k, failure)
}

// First returns the stored error of the first task that failed; nil if no task failed. An error
// that no retry can fix comes before others.
func (e TaskErrors) First(among []int) (first *Failure, err error) {
	for _, k := range among {
		failure, err := e.tasks.plan.Failure(e.tasks.directory, e.phase, k)
		if err != nil {
			return nil, err
		}
		if failure != nil && (first == nil || failure.Final && !first.Final) {
			first = failure
		}
	}
	return first, nil
}

// Forget removes the stored errors of tasks that will be tried again.
func (e TaskErrors) Forget(among []int) error {
	for _, k := range among {
		if err := e.tasks.plan.RemoveFailure(e.tasks.directory, e.phase, k); err != nil {
			return err
		}
	}
	return nil
}
