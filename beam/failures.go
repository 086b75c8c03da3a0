package main

import (
	"fmt"

	"tfr-build/internal/sumline"
	"tfr-build/pipeline"
	"tfr-build/pipeline/work"
)

// A failure says why a task failed. Engines that run tasks do not return errors, or only as text. So
// the process that started the tasks reads their errors in the work directory.
type failure struct {
	Plan  string `json:"plan"`  // digest of the task's plan
	Task  string `json:"task"`  // phase and number
	Text  string `json:"text"`  // of the error
	Code  int    `json:"code"`  // exit code of the error
	Final bool   `json:"final"` // a retry cannot succeed
}

// tasksOf are the tasks of a phase, with the stored errors of those that failed.
type tasksOf struct {
	*pipeline.Tasks
	phase work.Phase
}

// unfinished returns the tasks that are not done, out of among, or of all if among is nil. of is the number of all
// tasks; if it is not known yet, the error is a *[pipeline.NotYetError].
func (t tasksOf) unfinished(among []int) (left []int, of int, err error) {
	if of, err = t.Count(t.phase); err != nil {
		return nil, 0, err
	}
	if among == nil {
		among = work.Share{Of: 1}.Tasks(of)
	}
	for _, k := range among {
		note, err := t.Plan().Note(t.phase, k)
		if err != nil {
			return nil, 0, err
		}
		if note == nil {
			left = append(left, k)
		}
	}
	return left, of, nil
}

// task returns the name of a task.
func (t tasksOf) task(k int) string { return fmt.Sprintf("%s-%d", t.phase, k) }

// failureOf returns the name of a task's failure in the work directory.
func (t tasksOf) failureOf(k int) string { return work.FailuresName + "/" + t.task(k) }

// record stores why task k failed. It is valid until the task is done, or until it fails again.
func (t tasksOf) record(k int, f *failure) error {
	plan := t.Plan()
	if plan == nil {
		return nil // the tasks have committed
	}
	f.Plan, f.Task = plan.Digest(), t.task(k)
	text, err := sumline.Encode(f)
	if err != nil {
		return fmt.Errorf("encoding why a task was not done: %w", err)
	}
	return plan.In.Put(t.failureOf(k), text)
}

// first returns the stored error of the first task that failed; nil if no task failed. An error
// that no retry can fix comes before others.
func (t tasksOf) first(among []int) (first *failure, err error) {
	plan := t.Plan()
	for _, k := range among {
		text, err := plan.In.Get(t.failureOf(k))
		if err != nil {
			return nil, err
		}
		f := new(failure)
		if !sumline.Decode(text, f) || f.Plan != plan.Digest() || f.Task != t.task(k) {
			continue
		}
		if first == nil || f.Final && !first.Final {
			first = f
		}
	}
	return first, nil
}

// forget removes the stored errors of tasks that will be tried again.
func (t tasksOf) forget(among []int) error {
	for _, k := range among {
		if err := t.Plan().In.Remove(t.failureOf(k)); err != nil {
			return err
		}
	}
	return nil
}
