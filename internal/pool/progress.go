package pool

import "sync/atomic"

// Progress says how far a run is. A nil Progress counts nothing. It may be read
// while the run works.
type Progress struct {
	phase atomic.Pointer[string]
	count atomic.Int64
	total atomic.Int64
	bytes atomic.Int64
}

// State is the phase of the run, how many of its steps are done (rows, while
// writing), of how many, and the bytes written in it.
func (p *Progress) State() (phase string, done, total, bytes int64) {
	if s := p.phase.Load(); s != nil {
		phase = *s
	}
	return phase, p.count.Load(), p.total.Load(), p.bytes.Load()
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
}

// Done counts n steps, and bytes.
func (p *Progress) Done(n, bytes int64) {
	if p == nil {
		return
	}
	p.count.Add(n)
	p.bytes.Add(bytes)
}
