package main

// commandMutants are mutants of the command line, and of the report.
var commandMutants = []mutant{
	{
		name:  "a command that does not look at a signal is not ended",
		edits: []edit{{"cmd/tfr-build.relay", "go late(asked)", "_ = late"}},
		tests: []tests{{"./cmd/tfr-build", "TestLateCommandIsEnded"}},
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
		name:  "thumbnails of noise take what they need",
		edits: []edit{{"report.Scratch.fit", "if total <= most {", "if total <= 100*most {"}},
		tests: []tests{{"./report", "TestSizeOfNoise"}},
	},
}
