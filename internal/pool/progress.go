package pool

import (
	"slices"
	"sync"
	"sync/atomic"
)

// The phases of a run, as users see them, and the unit of their steps.
const (
	ListingFiles   = "listing files"     // not counted
	CheckingInputs = "checking inputs"   // bytes of the input
	FindingRows    = "finding rows"      // ranges of the input
	CountingRows   = "counting rows"     // bytes of the input
	SortingToDisk  = "sorting to disk"   // bytes of the input
	ComparingRows  = "comparing rows"    // ranges of the input, then of hashes
	ReadingClasses = "reading classes"   // rows
	Writing        = "writing"           // rows
	CheckingShards = "checking shards"   // shards
	Quarantining   = "quarantining rows" // rows
	Publishing     = "publishing"        // not counted
)

// A Phase is a planned phase. Bytes is the number of bytes that it reads and writes. Its share of
// the run's progress is proportional to Bytes.
type Phase struct {
	Name  string
	Bytes int64
}

// Progress tracks the progress of a run. A nil Progress counts nothing. Several goroutines may use
// a Progress.
type Progress struct {
	count atomic.Int64
	bytes atomic.Int64

	mu         sync.Mutex
	phase      string
	started    int64
	total      int64
	maxOverall float64 // largest Overall that State returned
	planned    []Phase // planned phases that have not started
	before     int64   // bytes of the planned phases that are over
	weight     int64   // bytes of the current phase; 0 if it is not planned
	all        int64   // bytes of all planned phases; 0 if none is planned
	part       int     // index of the part of the run that the phases belong to
	parts      int
}

// A State is the progress of a run at one moment.
type State struct {
	Phase string
	Begun int64 // number of phases that have started; several may have the same name
	Done  int64 // finished steps of the phase
	Total int64
	Bytes int64 // bytes processed in the phase

	Overall float64 // finished share of the run, from 0 to 1; it never decreases
	Last    bool    // this is the last planned phase
}

// State returns the current progress.
func (p *Progress) State() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := State{Phase: p.phase, Begun: p.started, Done: p.count.Load(), Total: p.total, Bytes: p.bytes.Load()}
	share := 0.0
	if s.Total > 0 {
		share = min(1, float64(s.Done)/float64(s.Total))
	}
	s.Last = p.part+1 >= p.parts
	if p.all > 0 {
		share = (float64(p.before) + float64(p.weight)*share) / float64(p.all)
		s.Last = s.Last && p.before+p.weight >= p.all
	}
	p.maxOverall = max(p.maxOverall, (float64(p.part)+share)/float64(max(1, p.parts)))
	s.Overall = p.maxOverall
	return s
}

// Plan sets the phases of the run, in their order.
func (p *Progress) Plan(phases ...Phase) { p.PlanPart(0, 1, phases...) }

// PlanPart sets the phases of one of several equal parts of a run.
func (p *Progress) PlanPart(part, parts int, phases ...Phase) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.part, p.parts, p.planned = part, parts, phases
	p.before, p.weight, p.all = 0, 0, sum(phases)
}

// Start starts a phase of total steps. It ends all planned phases before it.
func (p *Progress) Start(phase string, total int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count.Store(0)
	p.bytes.Store(0)
	p.phase, p.total = phase, total
	p.started++
	p.before, p.weight = p.before+p.weight, 0
	if i := slices.IndexFunc(p.planned, func(next Phase) bool { return next.Name == phase }); i >= 0 {
		p.before, p.weight = p.before+sum(p.planned[:i]), p.planned[i].Bytes
		p.planned = p.planned[i+1:]
	}
}

func sum(phases []Phase) (bytes int64) {
	for _, p := range phases {
		bytes += p.Bytes
	}
	return bytes
}

// Done adds n finished steps and their bytes.
func (p *Progress) Done(n, bytes int64) {
	if p == nil {
		return
	}
	p.count.Add(n)
	p.bytes.Add(bytes)
}
