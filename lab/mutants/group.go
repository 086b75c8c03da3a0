package main

// groupMutants are mutants of groups of rows, and of their windows.
var groupMutants = []mutant{
	{
		name: "ties of a group that are not in source order",
		edits: []edit{{"pipeline/spill.groupWorker.compareRows", "cmp.Compare(w.place(a), w.place(b))",
			"cmp.Compare(w.place(b), w.place(a))"}},
		tests: []tests{{"./pipeline", "TestSortValues"}},
	},
	{
		name:  "groups told apart by their hash alone",
		edits: []edit{{"pipeline/spill.groupWorker.sameHash", "if isOne {", "if isOne || true {"}},
		tests: []tests{{"./pipeline/spill", "TestEqualHashes"}},
	},
	{
		name:  "a group with the first bytes of its sort value alone",
		edits: []edit{{"pipeline/spill.groupWorker.compareRows", "bytes.Compare(w.sortValue(a), w.sortValue(b))", "0"}},
		tests: []tests{{"./pipeline", "TestSortValues"}},
	},
	{
		name: "a group at the position of its last row",
		edits: []edit{{"pipeline/spill.groupWorker.groupPosition", "min(lowest, w.place(of))",
			"max(lowest, w.place(of))"}},
		tests: []tests{{"./pipeline", "TestValuesOfRecords"}},
	},
	{
		name: "a group in two splits",
		edits: []edit{{"pipeline/rows.Set.IsSame", "a.Split != b.Split ||", ""},
			{"pipeline/spill.groupWorker.isSame", "split == first.Split &&", "split < 255 &&"}},
		tests: []tests{{"./pipeline", "TestGroupsInSeveralSplits"}},
	},
	{
		name: "order keys that differ in a group",
		edits: []edit{{"pipeline/spill.groupWorker.isSame", "bytes.Equal(entry[p.same:p.text], first.Same)",
			"bytes.HasPrefix(entry[p.same:p.text], nil)"}},
		tests: []tests{{"./pipeline", "TestGroupsInSeveralSplits"}},
	},
	{
		name:  "groups beyond limits.group",
		edits: []edit{{"pipeline/spill.Grouper.isTooLarge", "rows > limits.Group ||", "rows > 1<<30 ||"}},
		tests: []tests{{"./pipeline", "TestGroupLimits"}},
	},
	{
		name:  "groups beyond limits.record",
		edits: []edit{{"pipeline/spill.Grouper.isTooLarge", "|| size > limits.Record", "|| size > 1<<60"}},
		tests: []tests{{"./pipeline", "TestGroupLimits"}},
	},
	{
		name: "a group of all rows that is loaded to reject it",
		edits: []edit{{"pipeline/spill.groupWorker.findLarge", "slices.Max(plan.size[:]) <= plan.most",
			"slices.Max(plan.size[:]) <= 1<<60"}},
		tests: []tests{{"./internal/badinput", "TestMemory/a_group_of_all_rows"}},
	},
	{
		name: "a group that is loaded is rejected with a large one",
		edits: []edit{{"pipeline/spill.groupWorker.findLarge", "!w.g.isTooLarge(of.rows, of.bytes)",
			"!w.g.isTooLarge(1<<30, of.bytes)"}},
		tests: []tests{{"./pipeline", "TestLargeGroups"}},
	},
	{
		name:  "rows after the last window that are not counted",
		edits: []edit{{"pipeline/spill.groupWorker.count", "w.skip(list[done:])", "w.skip(list[len(list):])"}},
		tests: []tests{{"./pipeline", "TestRowsOfGroupsAreCounted"}},
	},
	{
		name:  "a damaged entry of a row of a group",
		edits: []edit{{"pipeline/spill.entries.parts", "sizes[0]+sizes[1]+sizes[2] > uint64(end-at)", "false"}},
		tests: []tests{{"./pipeline/spill", "TestEqualHashes"}},
	},
	{
		name:  "a last window whose rows other windows have",
		edits: []edit{{"pipeline/config.Windows.Count", "&& covered < n", "&& covered <= n"}},
		tests: []tests{{"./pipeline", "TestRowsOfGroupsAreCounted"}},
	},
	{
		name:  "a window with rows after its own",
		edits: []edit{{"pipeline/config.Windows.Rows", "min(from+w.Length, n)", "min(from+w.Length+1, n)"}},
		tests: []tests{{"./pipeline", "TestRowsOfGroupsAreCounted"}},
	},
	{
		name: "missing: omit for a feature with a value for each row",
		edits: []edit{{"pipeline/config.checker.checkGroupedFeature", `f.Missing.Form == "omit" &&`,
			`f.Missing.Form == "" &&`}},
		tests: []tests{{"./pipeline/config", "TestInvalidGroups"}},
	},
	{
		name: "padding that fills gigabytes",
		edits: []edit{{"pipeline/config.checker.checkWindowSize", "values > cfg.Limits.Record/int64(w.Length)",
			"values > 1<<60"}},
		tests: []tests{{"./pipeline/config", "TestInvalidGroups"}},
	},
	{
		name:  "nan as a value that sorts",
		edits: []edit{{"pipeline/rows.grouper.appendNumber", "math.IsNaN(x)", "math.IsNaN(x) && len(text) == 0"}},
		tests: []tests{{"./pipeline", "TestSortValues"}},
	},
	{
		name:  "negative numbers in the wrong order",
		edits: []edit{{"pipeline/rows.appendFloat", "bits = ^bits", "bits = bits &^ (1 << 63)"}},
		tests: []tests{{"./pipeline", "TestSortValues"}},
	},
	{
		name:  "integers beyond 2^53 that are equal",
		edits: []edit{{"pipeline/rows.appendInteger", "n < 1<<53", "n > 0"}},
		tests: []tests{{"./pipeline", "TestSortValues"}},
	},
	{
		name:  "a row that is valid at every position if it is at one",
		edits: []edit{{"pipeline/rows.Encoder.IsValidRow", "|| e.set.ReadsStep()", ""}},
		tests: []tests{{"./pipeline", "TestRowsOfGroupsAreCounted"}},
	},
	{
		name: "a record that is lost, since each of its rows is in another one",
		edits: []edit{{"pipeline/task.Worker.rejectRecord", "bad.Row < from && set.ReadsStep() && !log.Tolerant()",
			"bad.Row < 0"}},
		tests: []tests{{"./pipeline", "TestRowsInvalidAtAStep"}},
	},
	{
		name: "an invalid row that is read again at another position",
		edits: []edit{{"pipeline/rejects.Reader.check", "checker.encoder.SetStep(at.Cause.Step, at.Cause.Steps)",
			"checker.encoder.SetStep(0, 1)"}},
		tests: []tests{{"./pipeline", "TestRowsInvalidAtAStep"}},
	},
	{
		name:  "windows of a group with one ID",
		edits: []edit{{"pipeline/rows.groupEncoder.setID", "put(w.Number)", "put(0)"}},
		tests: []tests{{"./pipeline", "TestValuesOfRecords"}},
	},
	{
		name:  "IDs of groups without the lengths of values",
		edits: []edit{{"pipeline/rows.groupEncoder.setID", "put(len(text))", ""}},
		tests: []tests{{"./pipeline", "TestValuesOfRecords"}},
	},
	{
		name: "context that differs in a group",
		edits: []edit{{"pipeline/rows.groupEncoder.check", "g.ref.row >= 0 && row != g.ref.row",
			"g.ref.row >= 0 && row < 0"}},
		tests: []tests{{"./pipeline", "TestRowsOfGroupsAreCounted"}},
	},
	{
		name:  "rows of two windows that are counted twice",
		edits: []edit{{"pipeline/rows.groupEncoder.append", "if i >= own {", "if i >= w.From || i >= own {"}},
		tests: []tests{{"./pipeline", "TestRowsOfGroupsAreCounted"}},
	},
	{
		name: "rows of invalid records that are not counted",
		edits: []edit{{"pipeline/task.Worker.rejectRecord", "case log.Tolerant():",
			"case log.Tolerant() && to < from:"}},
		tests: []tests{{"./pipeline", "TestRowsOfGroupsAreCounted"}},
	},
	{
		name:  "rows that a later window has are rejected",
		edits: []edit{{"pipeline/task.Worker.laterRow", "ok || err != nil", "ok && number < 0 || err != nil"}},
		tests: []tests{{"./pipeline", "TestRowsOfGroupsAreCounted"}},
	},
	{
		name:  "windows of a group beyond the limit of its value",
		edits: []edit{{"pipeline/spill.storedRun.next", "ends.Windows(number, at, g.Windows())", "g.Windows()"}},
		tests: []tests{{"./pipeline", "TestSharesOfGroups$"}},
	},
	{
		name:  "groups that stratify counts as one record",
		edits: []edit{{"pipeline/spill.groupWorker.group", "pending, uint32(n))", "pending, uint32(n/n))"}},
		tests: []tests{{"./pipeline", "TestSharesOfGroups$"}},
	},
	{
		name:  "rows of a group with the missing values of another source",
		edits: []edit{{"pipeline/rows.Source.recordFeature", "compiled.NullValues = nil", "_ = compiled"}},
		tests: []tests{{"./pipeline", "TestGroupsOfDifferentSources$"}},
	},
	{
		name: "a group task that groups all ranges",
		edits: []edit{{"pipeline.build.groupRows", "files, k*buckets/of, (k+1)*buckets/of, file)",
			"files, 0*k, of*buckets/of, file)"}},
		tests: []tests{{"./pipeline", "TestGroupTasksReadTheirRanges$"}},
	},
}
