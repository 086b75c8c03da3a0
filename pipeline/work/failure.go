package work

import (
	"fmt"

	"tfr-build/internal/sumline"
)

// A Failure says why a task failed. Engines that run tasks do not return errors, or only as text. So
// the process that started the tasks reads their errors here.
type Failure struct {
	Plan  string `json:"plan"`  // digest of the task's plan
	Task  string `json:"task"`  // phase and number
	Text  string `json:"text"`  // of the error
	Code  int    `json:"code"`  // exit code of the error
	Final bool   `json:"final"` // a retry cannot succeed
}

// failure returns the name of a task's fault in the work directory.
func (ph Phase) failure(k int) string { return failuresName + "/" + ph.task(k) }

// StoreFailure stores the error of task k of a phase. It is valid until the task is done, or until it
// fails again.
func (p *Plan) StoreFailure(f *Directory, ph Phase, k int, failure *Failure) error {
	failure.Plan, failure.Task = p.digest, ph.task(k)
	text, err := sumline.Encode(failure)
	if err != nil {
		return fmt.Errorf("encoding why a task was not done: %w", err)
	}
	return f.Put(ph.failure(k), text)
}

// Failure returns the error of task k of a phase; nil if none is stored.
func (p *Plan) Failure(f *Directory, ph Phase, k int) (*Failure, error) {
	text, err := f.Get(ph.failure(k))
	if err != nil || text == nil {
		return nil, err
	}
	failure := new(Failure)
	if !sumline.Decode(text, failure) || failure.Plan != p.digest || failure.Task != ph.task(k) {
		return nil, nil
	}
	return failure, nil
}

// RemoveFailure removes the stored error of task k of a phase.
func (p *Plan) RemoveFailure(f *Directory, ph Phase, k int) error { return f.Remove(ph.failure(k)) }
