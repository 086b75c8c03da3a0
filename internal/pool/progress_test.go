package pool

import (
	"math"
	"testing"
)

// TestOverall plans phases, and checks that the finished share of the run grows through all of
// them.
func TestOverall(t *testing.T) {
	type step struct {
		do      func(p *Progress)
		overall float64
		last    bool
	}
	start := func(phase string, total int64) func(*Progress) { return func(p *Progress) { p.Start(phase, total) } }
	done := func(n int64) func(*Progress) { return func(p *Progress) { p.Done(n, 0) } }
	plan := func(phases ...Phase) func(*Progress) { return func(p *Progress) { p.Plan(phases...) } }
	build := plan(Phase{FindingRows, 100}, Phase{ReadingClasses, 100}, Phase{Writing, 200})
	for name, steps := range map[string][]step{
		"one phase without a plan": {
			{start(Writing, 10), 0, true}, {done(4), 0.4, true}, {done(6), 1, true}, {start(Publishing, 0), 1, true},
		},
		"all planned phases": {
			{start(ListingFiles, 0), 0, true}, {build, 0, false},
			{start(FindingRows, 10), 0, false}, {done(5), 0.125, false},
			{start(ReadingClasses, 8), 0.25, false}, {done(8), 0.5, false},
			{start(Writing, 1000), 0.5, true}, {done(500), 0.75, true}, {start(Publishing, 0), 1, true},
		},
		"a phase that is skipped, and one that is not planned": {
			{build, 0, false}, {start(FindingRows, 10), 0, false}, {done(10), 0.25, false},
			{start(Writing, 10), 0.5, true}, {start(Quarantining, 10), 1, true}, {done(5), 1, true},
		},
		"a phase of no weight": {
			{plan(Phase{FindingRows, 0}, Phase{Writing, 1}), 0, false}, {start(FindingRows, 10), 0, false},
			{done(10), 0, false},
			{start(Writing, 10), 0, true}, {done(1), 0.1, true},
		},
		"a phase that comes twice": {
			{plan(Phase{CheckingInputs, 1}, Phase{Writing, 2}, Phase{CheckingInputs, 1}), 0, false},
			{start(CheckingInputs, 2), 0, false}, {done(2), 0.25, false}, {start(Writing, 2), 0.25, false},
			{start(CheckingInputs, 2), 0.75, true}, {done(1), 0.875, true},
		},
		"another plan, which begins at less": {
			{build, 0, false}, {start(FindingRows, 10), 0, false}, {done(10), 0.25, false},
			{build, 0.25, false}, {start(FindingRows, 10), 0.25, false}, {start(ReadingClasses, 10), 0.25, false},
			{done(1), 0.275, false},
		},
		"parts": {
			{func(p *Progress) { p.PlanPart(0, 2, Phase{Writing, 1}) }, 0, false},
			{start(FindingRows, 10), 0, false}, {done(10), 0, false}, {start(Writing, 10), 0, false},
			{done(5), 0.25, false},
			{func(p *Progress) { p.PlanPart(1, 2, Phase{Writing, 1}) }, 0.5, false},
			{start(Writing, 4), 0.5, true}, {done(1), 0.625, true},
		},
		"more steps than were planned": {{start(Writing, 10), 0, true}, {done(11), 1, true}},
	} {
		p := new(Progress)
		for i, s := range steps {
			s.do(p)
			if got := p.State(); math.Abs(got.Overall-s.overall) > 1e-9 || got.Last != s.last {
				t.Errorf("%s: after step %d: %v, last %v; want %v, %v", name, i, got.Overall, got.Last,
					s.overall, s.last)
			}
		}
	}
}
