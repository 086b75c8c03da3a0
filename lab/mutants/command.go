package main

// commandMutants are mutants of the command line.
var commandMutants = []mutant{
	{
		name:  "completion after the last operand",
		edits: []edit{{"cmd/tfr-build.complete", "case operands < cmd.most:", "case operands >= 0:"}},
		tests: []tests{{"./cmd/tfr-build", "TestComplete$"}},
	},
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
		name: "the name that was given is suggested",
		edits: []edit{{"internal/nearest.Of", "len(names) > maxNames || slices.Contains(names, found)",
			`len(names) > maxNames || slices.Contains(names, "")`}},
		tests: []tests{{"./internal/nearest", "TestNearestName"}},
	},
	{
		name:  "-quiet drops the result of a success",
		edits: []edit{{"cmd/tfr-build.call.printResult", "c.last = f", "c.last = nil"}},
		tests: []tests{{"./cmd/tfr-build", "TestResultsInJSON"}},
	},
	{
		name:  "a command that does not look at a signal is not ended",
		edits: []edit{{"cmd/tfr-build.relay", "go late(asked)", "_ = late"}},
		tests: []tests{{"./cmd/tfr-build", "TestLateCommandIsEnded"}},
	},
	{
		name:  "progress that goes back",
		edits: []edit{{"internal/pool.Progress.State", "p.maxOverall = max(p.maxOverall,", "p.maxOverall = max(0,"}},
		tests: []tests{{"./internal/pool", "TestOverall"}},
	},
	{
		name:  "ticks outside of their axis",
		edits: []edit{{"report.appendTick", "!(at >= low && at <= high)", "!(at <= high)"}},
		tests: []tests{{"./report", "TestHostileTicks"}},
	},
	{
		name:  "the least negative float32 has no bucket",
		edits: []edit{{"statistics.minExponent32", "1023 - 150", "1023 - 149"}},
		tests: []tests{{"./report", "TestHostileNumbers"}},
	},
	{
		name:  "a panic of the report ends the program",
		edits: []edit{{"dataset.MakeFile", "err := run(f)", "err := f()"}},
		tests: []tests{{"./pipeline", "TestFaultOfAFileKeepsTheShards"}, {"./pipeline/describe", "TestFaultsOfFiles"}},
	},
	{
		name: "shards without statistics are kept for a build with them",
		edits: []edit{{"pipeline/runstate.Differs", `job.Statistics != "" && was.Statistics != job.Statistics`,
			"job.Statistics != was.Statistics && false"}},
		tests: []tests{{"./pipeline", "TestFaultOfAFileKeepsTheShards"}},
	},
	{
		name:  "boxes of an unknown unit are drawn",
		edits: []edit{{"report.findBoxes", `len(features) == len(b.Keys) && b.Unit != ""`, "len(features) == len(b.Keys)"}},
		tests: []tests{{"./report", "TestBoxes"}},
	},
	{
		name:  "boxes are drawn on an image that they are not of",
		edits: []edit{{"report.findBoxes", `b.Image != "" && b.Image != image`, `b.Image != "" && image == ""`}},
		tests: []tests{{"./report", "TestBoxes"}},
	},
	{
		name:  "boxes of COCO in pixels of an image that was resized",
		edits: []edit{{"pipeline/config.Config.cocoBoxes", "len(of.Spec.Moves()) > 0", "len(of.Spec.Moves()) > 9"}},
		tests: []tests{{"./pipeline", "TestDrawnBoxes"}},
	},
	{
		name:  "thumbnails of noise take what they need",
		edits: []edit{{"report.Scratch.fit", "if total <= most {", "if total <= 100*most {"}},
		tests: []tests{{"./report", "TestSizeOfNoise"}},
	},
}
