package work

import (
	"fmt"

	"tfr-build/internal/sumline"
)

// A Fault says why a task failed. Engines that run tasks do not return errors, or only as text. So
// the process that started the tasks reads their errors here.
type Fault struct {
	Plan  string `json:"plan"`  // digest of the task's plan
	Task  string `json:"task"`  // phase and number
	Text  string `json:"text"`  // of the error
	Code  int    `json:"code"`  // exit code of the error
	Final bool   `json:"final"` // a retry cannot succeed
}

// fault returns the name of a task's fault in the work directory.
func (ph Phase) fault(k int) string { return faultsName + "/" + ph.task(k) }

// Fail stores the error of task k of a phase. It is valid until the task is done, or until it
// fails again.
func (p *Plan) Fail(f *Folder, ph Phase, k int, fault *Fault) error {
	fault.Plan, fault.Task = p.digest, ph.task(k)
	text, err := sumline.Encode(fault)
	if err != nil {
		return fmt.Errorf("encoding why a task was not done: %w", err)
	}
	return f.Put(ph.fault(k), text)
}

// Fault returns the error of task k of a phase; nil if none is stored.
func (p *Plan) Fault(f *Folder, ph Phase, k int) (*Fault, error) {
	text, err := f.Get(ph.fault(k))
	if err != nil || text == nil {
		return nil, err
	}
	fault := new(Fault)
	if !sumline.Decode(text, fault) || fault.Plan != p.digest || fault.Task != ph.task(k) {
		return nil, nil
	}
	return fault, nil
}

// Forgive removes the stored error of task k of a phase.
func (p *Plan) Forgive(f *Folder, ph Phase, k int) error { return f.Remove(ph.fault(k)) }
