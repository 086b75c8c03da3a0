package pool

import "sync/atomic"

// Progress says how far a run is. A nil Progress counts nothing. It may be read
// while the run works.
type Progress struct {
	phase atomic.Pointer[string]
	begun atomic.Int64 // phases that have begun
	count atomic.Int64
	total atomic.Int64
	bytes atomic.Int64
}

// A State is how far a run is.
type State struct {
	Phase string
	Begun int64 // phases that have begun: that of a name may begin several times
	Done  int64 // steps of the phase: rows, while writing
	Total int64
	Bytes int64 // written in the phase
}

// State is how far the run is.
func (p *Progress) State() State {
	s := State{Begun: p.begun.Load(), Done: p.count.Load(), Total: p.total.Load(), Bytes: p.bytes.Load()}
	if phase := p.phase.Load(); phase != nil {
		s.Phase = *phase
	}
	return s
}

// Start begins a phase of so many steps.
func (p *Progress) Start(phase string, total int64) {
	if p == nil {
		return
	}
	p.count.Store(0)
	p.bytes.Store(0)
	p.total.Store(total)
	p.phase.Store(&phase)
	p.begun.Add(1)
}

// Done counts n steps, and bytes.
func (p *Progress) Done(n, bytes int64) {
	if p == nil {
		return
	}
	p.count.Add(n)
	p.bytes.Add(bytes)
}
