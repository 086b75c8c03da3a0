package main

// commandMutants are mutants of the command line.
var commandMutants = []mutant{
	{
		name:  "phases of one name that go on",
		edits: []edit{{"cmd/tfr-build.watch", "if p.begun != before {", "if p.begun != before && begin.IsZero() {"}},
		tests: []tests{{"./cmd/tfr-build", "TestPhasesOfOneName"}},
	},
	{
		name:  "a line that a terminal breaks",
		edits: []edit{{"cmd/tfr-build.progress.line", "room := columns - 1 -", "room := columns + 79 -"}},
		tests: []tests{{"./cmd/tfr-build", "TestBarFitsTheTerminal"}},
	},
	{
		name:  "the name that was given is suggested",
		edits: []edit{{"internal/nearest.Of", "len(names) > maxNames || slices.Contains(names, found)", `len(names) > maxNames || slices.Contains(names, "")`}},
		tests: []tests{{"./internal/nearest", "TestNearestName"}},
	},
	{
		name:  "-quiet drops the result of a success",
		edits: []edit{{"cmd/tfr-build.call.printResult", "c.last = f", "c.last = nil"}},
		tests: []tests{{"./cmd/tfr-build", "TestResultsInJSON"}},
	},
	{
		name:  "progress that goes back",
		edits: []edit{{"internal/pool.Progress.State", "p.maxOverall = max(p.maxOverall,", "p.maxOverall = max(0,"}},
		tests: []tests{{"./internal/pool", "TestOverall"}},
	},
	{
		name:  "an axis that counts in floats",
		edits: []edit{{"report.numberTicks", "for k := range 2 * mostTicks {", "for k, end := first, first+2*mostTicks; k < end; k++ {"}},
		tests: []tests{{"./report", "TestHostileTicks"}},
	},
}
