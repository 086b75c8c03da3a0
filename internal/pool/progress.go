package pool

import (
	"slices"
	"sync"
	"sync/atomic"
)

// The phases of a run, as people read them, with what their steps are.
const (
	ListingFiles   = "listing files"     // not counted
	CheckingInputs = "checking inputs"   // bytes of the input
	FindingRows    = "finding rows"      // pieces of the input
	CountingRows   = "counting rows"     // bytes of the input
	SortingToDisk  = "sorting to disk"   // bytes of the input
	ReadingClasses = "reading classes"   // rows
	Writing        = "writing"           // rows
	CheckingShards = "checking shards"   // shards
	Quarantining   = "quarantining rows" // rows
	Publishing     = "publishing"        // not counted
)

// A Phase is a phase that is to come, and how many bytes it reads and writes: phases
// that handle as many bytes are equal shares of a run.
type Phase struct {
	Name  string
	Bytes int64
}

// Progress says how far a run is. A nil Progress counts nothing. It may be read
// while the run works.
type Progress struct {
	count atomic.Int64
	bytes atomic.Int64

	mu     sync.Mutex
	phase  string
	begun  int64
	total  int64
	most   float64 // that State said was done
	coming []Phase // planned phases that have not begun
	before int64   // bytes of planned phases that are over
	weight int64   // bytes of the current phase; 0 if it is not planned
	all    int64   // bytes of all planned phases; 0 if none is planned
	part   int     // which part of the run the planned phases are
	parts  int
}

// A State is how far a run is.
type State struct {
	Phase string
	Begun int64 // phases that have begun: that of a name may begin several times
	Done  int64 // steps of the phase
	Total int64
	Bytes int64 // written in the phase

	Overall float64 // share of the run that is done, from 0 to 1; it never falls
	Last    bool    // no planned phase comes after this one
}

// State returns how far the run is.
func (p *Progress) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := State{Phase: p.phase, Begun: p.begun, Done: p.count.Load(), Total: p.total, Bytes: p.bytes.Load()}
	share := 0.0
	if s.Total > 0 {
		share = min(1, float64(s.Done)/float64(s.Total))
	}
	s.Last = p.part+1 >= p.parts
	if p.all > 0 {
		share = (float64(p.before) + float64(p.weight)*share) / float64(p.all)
		s.Last = s.Last && p.before+p.weight >= p.all
	}
	p.most = max(p.most, (float64(p.part)+share)/float64(max(1, p.parts)))
	s.Overall = p.most
	return s
}

// Plan says which phases are to come, in their order. They are all of the run.
func (p *Progress) Plan(phases ...Phase) { p.PlanPart(0, 1, phases...) }

// PlanPart is Plan for one of several equal parts of a run.
func (p *Progress) PlanPart(part, parts int, phases ...Phase) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.part, p.parts, p.coming = part, parts, phases
	p.before, p.weight, p.all = 0, 0, sum(phases)
}

// Start begins a phase of so many steps. Planned phases that precede it are over.
func (p *Progress) Start(phase string, total int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count.Store(0)
	p.bytes.Store(0)
	p.phase, p.total = phase, total
	p.begun++
	p.before, p.weight = p.before+p.weight, 0
	if i := slices.IndexFunc(p.coming, func(next Phase) bool { return next.Name == phase }); i >= 0 {
		p.before, p.weight = p.before+sum(p.coming[:i]), p.coming[i].Bytes
		p.coming = p.coming[i+1:]
	}
}

func sum(phases []Phase) (bytes int64) {
	for _, p := range phases {
		bytes += p.Bytes
	}
	return bytes
}

// Done counts n steps, and bytes.
func (p *Progress) Done(n, bytes int64) {
	if p == nil {
		return
	}
	p.count.Add(n)
	p.bytes.Add(bytes)
}
