package work

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"tfr-build/pipeline/decide"
	"tfr-build/pipeline/spill"
)

// A Phase is a type of task.
type Phase string

// The phases, in order. What else depends on a phase is in its row of phases, and in the table of steps of package
// pipeline.
const (
	Compare Phase = "compare"
	Match   Phase = "match"
	Scan    Phase = "scan"
	Group   Phase = "group"
	Merge   Phase = "merge"
	Write   Phase = "write"
	Commit  Phase = "commit"
)

// A phase describes the tasks of a Phase.
type phase struct {
	Phase
	about  string   // for the help of the command
	keys   []string // only builds with one of these keys of the config have such tasks; empty for all builds
	shared bool     // many processes share the tasks

	count   func(p *Plan) int                  // nil for one task, or if the merge determines the number
	reads   func(p *Plan) [][]spill.InputRange // what each task reads, if the tasks share the input
	isValid func(p *Plan, n *Note) bool        // whether a note has the results; nil if all have
}

var phases = []phase{
	{
		Phase: Compare, keys: decide.Names(), about: "each task reads a range of the input", shared: true,
		reads: func(p *Plan) [][]spill.InputRange { return p.Compares },
		isValid: func(p *Plan, n *Note) bool {
			return n.hasFile() && n.Compared != nil && n.Compared.Check(p.Ranges) == nil
		},
	},
	{
		Phase: Match, keys: decide.Names(), about: "find the equal rows",
		count:   func(p *Plan) int { return min(len(p.Compares), 1) },
		isValid: func(_ *Plan, n *Note) bool { return n.hasFile() && n.Skips != nil },
	},
	{
		Phase: Scan, about: "read the tables: each task reads a range of the input", shared: true,
		reads: func(p *Plan) [][]spill.InputRange { return p.Scans }, isValid: hasRun,
	},
	{
		Phase: Group, keys: []string{"group"}, about: "each task groups the rows of a range of groups", shared: true,
		count: func(p *Plan) int { return p.Groups }, isValid: hasRun,
	},
	{
		Phase: Merge, about: "assign rows to splits and shards",
		isValid: func(p *Plan, n *Note) bool { return n.Merged != nil && n.Merged.check(p) == nil },
	},
	{Phase: Write, about: "write the shards: each task writes some of them", shared: true},
	{Phase: Commit, about: "check the shards and publish the dataset"},
}

// hasFile reports whether the note names a spill file.
func (n *Note) hasFile() bool { return path.Dir(n.File) == runsName }

func hasRun(p *Plan, n *Note) bool {
	return n.hasFile() && n.Scanned != nil && (p.Buckets == 0 || len(n.Scanned.Buckets) == p.Buckets)
}

// row returns the row of a phase.
func (ph Phase) row() *phase {
	return &phases[slices.IndexFunc(phases, func(of phase) bool { return of.Phase == ph })]
}

// About says what the tasks of the phase do, and which keys of the config need them.
func (ph Phase) About() string {
	of := ph.row()
	if of.keys == nil {
		return of.about
	}
	return "with " + strings.Join(of.keys, " or ") + ": " + of.about
}

// IsOptional reports whether only builds with certain keys have tasks of the phase.
func (ph Phase) IsOptional() bool { return ph.row().keys != nil }

// IsShared reports whether many processes share the tasks of the phase. Others have one task.
func (ph Phase) IsShared() bool { return ph.row().shared }

// Count returns the number of tasks of a phase. The merge determines the number of write tasks.
func (p *Plan) Count(ph Phase) int {
	switch of := ph.row(); {
	case of.reads != nil:
		return len(of.reads(p))
	case of.count != nil:
		return of.count(p)
	}
	return 1
}

// task returns the name of a task, which is unique in a plan.
func (ph Phase) task(k int) string { return string(ph) + "-" + strconv.Itoa(k) }

// name returns the name of a task's note in the work directory.
func (ph Phase) name(k int) string { return doneName + "/" + ph.task(k) }
