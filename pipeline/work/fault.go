package work

import (
	"fmt"

	"tfr-build/internal/sumline"
)

// A Fault says why a task was not done. Engines that run tasks hand on no errors, but a
// text at best: whoever started them finds here what their tasks ended with.
type Fault struct {
	Plan  string `json:"plan"`  // digest of the plan that the task is one of
	Task  string `json:"task"`  // its phase and number
	Text  string `json:"text"`  // of the error
	Code  int    `json:"code"`  // the exit code that it has
	Final bool   `json:"final"` // no retry mends it
}

// fault is where the fault of a task stands.
func (ph Phase) fault(k int) string { return faultsName + "/" + ph.task(k) }

// Fail notes that task k of a phase was not done. It counts until the task is done, or
// another fault takes its place.
func (p *Plan) Fail(f *Folder, ph Phase, k int, fault *Fault) error {
	fault.Plan, fault.Task = p.digest, ph.task(k)
	text, err := sumline.Encode(fault)
	if err != nil {
		return fmt.Errorf("encoding why a task was not done: %w", err)
	}
	return f.Put(ph.fault(k), text)
}

// Fault is that of task k of a phase; nil where none is known.
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

// Forgive forgets the fault of task k of a phase.
func (p *Plan) Forgive(f *Folder, ph Phase, k int) error { return f.Remove(ph.fault(k)) }
