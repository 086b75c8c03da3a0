package main

// pipelineMutants are mutants of the steps of a build.
var pipelineMutants = []mutant{
	{
		name: "a kept shard that is copied and not compared",
		edits: []edit{{"sink.Disk.copy", "hex.EncodeToString(h.Sum(nil)) != sum.Digest",
			`hex.EncodeToString(h.Sum(nil)) == ""`}},
		tests: []tests{{"./pipeline", "TestAppendCopies"}},
	},
	{
		name:  "new shards with the names of kept ones",
		edits: []edit{{"pipeline/plan.Plan.ShardName", "i+split.kept()", "i"}},
		tests: []tests{{"./pipeline/plan", "TestKeptShards"}},
	},
	{
		name:  "new rows with the row IDs of kept ones",
		edits: []edit{{"internal/order.resolve", "i := fixed; i < len(files); i++", "i := len(files); i < fixed; i++"}},
		tests: []tests{{"./internal/order", "TestFilesAtBases"}},
	},
	{
		name:  "a file of a base that was changed",
		edits: []edit{{"pipeline/base.Base.Divide", "case in.Bytes != f.Size:", "case in.Bytes > f.Size+1<<40:"}},
		tests: []tests{{"./pipeline", "TestAppendErrors/changed"}},
	},
	{
		name:  "old rows of a source without a new file",
		edits: []edit{{"pipeline/rows.Set.open", "s.before.ColumnsOnly[i]", "len(s.before.ColumnsOnly) < i"}},
		tests: []tests{{"./pipeline", "TestAppend$/one_of"}},
	},
	{
		name: "a rebuild of a version with shards that its base does not have",
		edits: []edit{{"pipeline.rebuild.compareShards", "s.Digest != kept.Digest", `s.Digest == ""`},
			{"pipeline.rebuild.compareShards", "s.Content != kept.Content", "s.Bytes < 0"}},
		tests: []tests{{"./pipeline", "TestRebuildOfBase"}},
	},
	{
		name:  "a file of a base with other content",
		edits: []edit{{"pipeline/base.Base.CompareSum", "now != l.Was.SHA256", "now == l.Path"}},
		tests: []tests{{"./pipeline", "TestAppendErrors/proven"}},
	},
	{
		name:  "a summary of a base that was changed",
		edits: []edit{{"pipeline/base.Base.readFile", "!= b.Manifest.Files[i].SHA256", `== ""`}},
		tests: []tests{{"./pipeline", "TestAppendErrors/summary"}},
	},
	{
		name:  "a lookup table with other rows than that of the base",
		edits: []edit{{"pipeline/base.Base.CompareSides", "is.SHA256 != was.SHA256", "is.At != was.At"}},
		tests: []tests{{"./pipeline", "TestAppendErrors/table"}},
	},
	{
		name:  "another config than that of the base",
		edits: []edit{{"pipeline.job.checkBase", "string(old) != string(now)", `string(old)+string(now) == ""`}},
		tests: []tests{{"./pipeline", "TestAppendErrors/config"}},
	},
	{
		name:  "a statement without its base",
		edits: []edit{{"pipeline/runstate.Inputs.Definition", `in.base.Digest != ""`, `in.base.Digest == "x"`}},
		tests: []tests{{"./pipeline", "TestAppend$/provenance0"}},
	},
	{
		name: "classes of a base with other numbers",
		edits: []edit{{"pipeline/rows.Vocabulary.Collected", "names[f.Key] = slices.Concat(before, list)",
			"names[f.Key] = slices.Sorted(slices.Values(slices.Concat(before, list)))"}},
		tests: []tests{{"./pipeline", "TestAppend$/classes"}},
	},
	{
		name:  "a statement with the path of a lookup table",
		edits: []edit{{"sources.Source.SideFiles", "name = store.Base(path)", "name = store.Clean(path)"}},
		tests: []tests{{"./pipeline", "TestStatementOfHostileNames"}},
	},
	{
		name: "a rebuild that does not miss a removed statement",
		edits: []edit{{"pipeline.rebuild.compareConfig", "r.stated == nil && j.cfg.Provenance &&",
			"r.stated != nil && j.cfg.Provenance &&"}},
		tests: []tests{{"./pipeline", "TestRebuildMissesStatement"}},
	},
	{
		name:  "a rebuild that does not compare inputs",
		edits: []edit{{"pipeline.rebuild.compareInputs", `now != "" && now != was {`, `now == "" && now != was {`}},
		tests: []tests{{"./pipeline", "TestRebuildNamesFlips"}},
	},
	{
		name: "a rebuild that does not notice the last new inputs",
		edits: []edit{{"pipeline.rebuild.compareInputs", "len(stored)+len(found) > 0 {",
			"len(stored) > 0 && len(found) > 0 {"}},
		tests: []tests{{"./pipeline", "TestRebuildNamesFiles"}},
	},
	{
		name: "a statement about other files",
		edits: []edit{{"dataset.verifier.checkStatement", "!slices.Equal(s.Subject, subject)",
			"len(s.Subject) != len(subject)"}},
		tests: []tests{{"./dataset", "TestChangedStatement"}},
	},
	{
		name:  "a statement with other spaces",
		edits: []edit{{"dataset/provenance.Parse", "!bytes.Equal(again, data)", "len(again) == 0"}},
		tests: []tests{{"./dataset/provenance", "TestParse"}},
	},
	{
		name:  "a statement that verify does not read",
		edits: []edit{{"dataset.verifier.checkStatement", `if m.Provenance == "" {`, `if m.Provenance != "x" {`}},
		tests: []tests{{"./pipeline", "TestVerifyStatement"}},
	},
	{
		name:  "a join without a match is written to its end",
		edits: []edit{{"pipeline.build.planShards", "b.job.requireMatches(ctx, b.rows)", "error(nil)"}},
		tests: []tests{{"./pipeline", "TestNoMatchWritesNothing"}},
	},
	{
		name:  "the journal forgets the matches",
		edits: []edit{{"pipeline/rows.Observations.MarshalJSON", "o.matches, ", "nil, "}},
		tests: []tests{{"./pipeline", "TestMatchesEveryWay"}},
	},
	{
		name: "a dataset of rejected rows alone",
		edits: []edit{{"pipeline.publisher.account", "if err := p.checkRowsRemain(ctx); err != nil {",
			"if err := p.checkRowsRemain(ctx); err != nil && p.build.out.claim == nil && len(p.files) > 0 {"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/first_rows"}},
	},
	{
		name: "rows not counted at the end",
		edits: []edit{{"pipeline/describe.Accounting.Check", "c.Found == c.Written+rejected+left && left >= 0:",
			"c.Found >= 0:"}},
		tests: []tests{{"./pipeline/describe", "TestCheck$"}},
	},
	{
		name:  "samples that go by the split",
		edits: []edit{{"internal/order.Sample.Takes", "mix(address+sampleSalt)", "mix(address+splitSalt)"}},
		tests: []tests{{"./internal/order", "TestSamples"}},
	},
	{
		name:  "classes of rows beyond a limit",
		edits: []edit{{"pipeline/spill.collectsClasses", "&& len(set.Config.Limit) == 0", ""}},
		tests: []tests{{"./pipeline", "TestClassesOfALimit$"}},
	},
	{
		name:  "spilled rows beyond the limit of their value",
		edits: []edit{{"pipeline/spill.storedRun.next", "case ends.IsAbove(number, at):", "case false && number > 0:"}},
		tests: []tests{{"./pipeline", "TestLimitOfEqualKeys$"}},
	},
	{
		name:  "a range of keys that is read once",
		edits: []edit{{"pipeline/spill.visitInOrder", "if !isCut {", "if true || !isCut {"}},
		tests: []tests{{"./pipeline", "TestLimitOfEqualKeys$"}},
	},
	{
		name: "values of limits that a resumed build forgets",
		edits: []edit{{"pipeline/spill.Merger.limit", "g.m.Values, g.m.Limits = all.Values(), l.ends",
			"g.m.Limits = l.ends"}},
		tests: []tests{{"./internal/fault", "TestKilledBeforeEachOperation/limited_by_value,_spilled"}},
	},
	{
		name: "missing values without a limit",
		edits: []edit{{"pipeline/rows.Chooser.numberValues", "missing, text, err := of.optional(c.vals)",
			`missing, text, err := of.optional(c.vals)
		if missing {
			continue
		}`}},
		tests: []tests{{"./pipeline", "TestHostileLimitedValues$"}},
	},
	{
		name:  "rows that no condition is asked of",
		edits: []edit{{"pipeline/rows.Chooser.applyWhere", "case !kept:", "case !kept && c.row.File < 0:"}},
		tests: []tests{{"./pipeline", "TestShapesMoveNothing$"}},
	},
	{
		name: "boxes that stay where their image is moved",
		edits: []edit{{"pipeline.Check", `if problems := j.cfg.UnmovedCoordinates(); problems != nil {
		return problems
	}`, ""}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/boxes$"}},
	},
	{
		name:  "names of classes in the order in which workers saw them",
		edits: []edit{{"pipeline/rows.Vocabulary.Collected", "slices.Sort(list)", ""}},
		tests: []tests{{"./pipeline", "TestSameBytesEveryWay"}},
	},
	{
		name:  "seed ignored",
		edits: []edit{{"internal/order.NewShuffle", "mix(seed ^ seedSalt)", "mix(seedSalt)"}},
		tests: []tests{{"./internal/order", "TestSeedsGiveDifferentOrders"}},
	},
	{
		name: "quarantine not counted",
		edits: []edit{{"pipeline/rejects.Log.spend", "l.count.Add(n), l.budget.Load()",
			"l.count.Load(), l.budget.Load()"}},
		tests: []tests{{"./pipeline", "TestTooManyRejects"}},
	},
	{
		name:  "a quarantined row encoded in one piece",
		edits: []edit{{"pipeline/rejects.lineWriter.writeString", "text[:min(len(text), chunkSize)]", "text"}},
		tests: []tests{{"./pipeline/rejects", "TestRawOfControlCharacters"}},
	},
	{
		name: "a file of classes without a limit",
		edits: []edit{{"pipeline/rows.Classes.readNames", "c.read(of.File, maxClassText, maxClasses)",
			"c.read(of.File, math.MaxInt64, math.MaxInt)"}},
		tests: []tests{{"./pipeline/rows", "TestLimitsOfClassFiles"}},
	},
	{
		name: "plan without the seed",
		edits: []edit{{"pipeline/runstate.shardConfig", "c := *cfg", `c := *cfg
	c.Seed = 0`}},
		tests: []tests{{"./pipeline", "TestResume$"}},
	},
	{
		name:  "statistics of kept shards forgotten",
		edits: []edit{{"pipeline/task.Shard.setAccumulator", "s.work.merge(s)", ""}},
		tests: []tests{{"./pipeline", "TestDamagedShardIsRebuilt|TestResume$"}},
	},
	{
		name: "a dataset that fails its checks is published",
		edits: []edit{{"pipeline.publisher.check", "return &ChecksError{Findings: found, Report: file.Path}",
			"return nil"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/checks"}},
	},
	{
		name:  "max_errors forgotten by a run that resumes",
		edits: []edit{{"pipeline.build.restoreScans", "return b.pass.counted(m.Spill.Sources)", "return nil"}},
		tests: []tests{{"./pipeline", "TestBudgetOfAResumedBuild"}},
	},
	{
		name: "damaged duplicates of a stopped build used",
		edits: []edit{{"pipeline/decide.List.read",
			"case got == len(buf) && xxh3.Hash(buf) == digest:", "case got == len(buf):"}},
		tests: []tests{{"./pipeline", "TestDamagedDuplicates"}},
	},
	{
		name:  "rows that an earlier rule skips are there for the next one",
		edits: []edit{{"pipeline/spill.matcher.eachRow", "if m.before != nil {", "if m.before != nil && false {"}},
		tests: []tests{{"./pipeline/spill", "TestSeveralRules"}},
	},
	{
		name:  "a rule gets rows in any order",
		edits: []edit{{"pipeline/spill.matcher.matchRange", "case m.rule.InOrder:", "case false:"}},
		tests: []tests{{"./pipeline/spill", "TestSeveralRules"}},
	},
	{
		name:  "files with the same beginning that count as different",
		edits: []edit{{"pipeline/rows.Candidates.Narrow", "repeated[all[n]] || ", ""}},
		tests: []tests{{"./pipeline", "TestDuplicateFiles"}},
	},
	{
		name: "shards of other contents kept, if the input's time is the same",
		edits: []edit{{"pipeline.build.planShards", "len(b.stopped.shards) > 0 && !b.plan.SameInput(b.stopped.plan)",
			"false"}},
		tests: []tests{{"./pipeline", "TestStartsOverAfterAnUnseenChange"}},
	},
	{
		name: "shards kept without a plan to hold the input against",
		edits: []edit{
			{"pipeline.output.resume", "case len(left.Shards) > 0: // their", "case false: // their"},
			{"pipeline.build.planShards", "len(b.stopped.shards) > 0 && !b.plan.SameInput(b.stopped.plan)",
				"b.stopped.plan != nil && len(b.stopped.shards) > 0 && !b.plan.SameInput(b.stopped.plan)"},
		},
		tests: []tests{{"./pipeline", "TestStartsOverAfterAnUnseenChange"}},
	},
	{
		name: "new classes of a changed input that count as unknown",
		edits: []edit{{"pipeline/rows.Encoder.reject", `bad.Code == "LABEL_UNKNOWN" && e.set`,
			`bad.Code == "" && e.set`}},
		tests: []tests{{"./pipeline", "TestStartsOverAfterAnUnseenChange"}},
	},
	{
		name: "a plan of tasks whose scans read a file twice",
		edits: []edit{{"pipeline/work.parsePlan", "if reads := phases[i].reads; reads != nil {",
			"if reads := phases[i].reads; reads != nil && false {"}},
		tests: []tests{{"./pipeline/work", "TestPlanCoversItsInputs"}},
	},
	{
		name:  "a note in the place of another task's",
		edits: []edit{{"pipeline/work.Plan.Note", "|| n.Task != ph.task(k) {", "{"}},
		tests: []tests{{"./pipeline/work", "TestResultsOfOtherTasks"}},
	},
	{
		name: "a merge that makes a shard twice",
		edits: []edit{{"pipeline/work.phases", "return n.Merged != nil && n.Merged.check(p) == nil",
			"return n.Merged != nil"}},
		tests: []tests{{"./pipeline/work", "TestResultsOfOtherTasks"}},
	},
	{
		name:  "a run in the place of another scan's",
		edits: []edit{{"pipeline/spill.digestOf", "return xxh3.Hash(data) ^ id }", "return xxh3.Hash(data) }"}},
		tests: []tests{{"./pipeline", "TestSwappedSpillFiles"}},
	},
	{
		name: "a lookup table that changed between tasks is not named",
		edits: []edit{{"pipeline.Tasks.comparePlan", `if err := j.inputs.ExtraInputChanged(t.plan.Extras); err != nil {
		return err
	}`, ""}},
		tests: []tests{{"./pipeline", "TestTasksNameTheExtraInputThatChanged"}},
	},
	{
		name: "shards of Inception's script without its threads",
		edits: []edit{{"internal/order/inception.Cut",
			`for _, ofThread := range linspace(order.Range{To: rows}, threads) {
		ranges = append(ranges, linspace(ofThread, shards/threads)...)
	}`, "ranges = append(ranges, linspace(order.Range{To: rows}, shards)...)"}},
		tests: []tests{{"./internal/order/inception", "TestTable$"}},
	},
	{
		name: "link replaced before the dataset is complete",
		edits: []edit{{"pipeline.publisher.commit", "if err := p.stage.Commit(data); err != nil {",
			`if err := p.build.out.updateVersions(); err != nil {
		return nil, err
	}
	if err := p.stage.Commit(data); err != nil {`}},
		tests: []tests{{"./internal/fault", "TestLinkAlwaysLeadsToADataset"}},
	},
	{
		name: "what records lack is not kept with a shard",
		edits: []edit{{"pipeline/rows.Observations.MarshalJSON",
			"storedObservations{o.Rows, o.FeatureWarnings(), o.columns, o.matches, o.coordinates}",
			"storedObservations{o.Rows, nil, o.columns, o.matches, o.coordinates}"}},
		tests: []tests{{"./pipeline", "TestDroppedEveryWay"}},
	},
	{
		name:  "a plan keeps the rows of all groups in memory",
		edits: []edit{{"pipeline.pass.countGroups", "Most: most}", "Most: math.MaxInt64}"}},
		tests: []tests{{"./internal/conformance", "TestMemoryOfPlannedGroups"}},
	},
	{
		name:  "a plan counts the strata of the last pass only",
		edits: []edit{{"pipeline/spill.Merger.Add", "append(g.counted, r.counted...)", "r.counted"}},
		tests: []tests{{"./pipeline", "TestPlanOfGroupsInPasses"}},
	},
	{
		name:  "strata that are kept are cut again",
		edits: []edit{{"pipeline/strata.Decide", "if i < len(kept) {", "if i < 0 {"}},
		tests: []tests{{"./pipeline", "TestAppendToStrata"}},
	},
	{
		name:  "new records are not compared with the records of the base",
		edits: []edit{{"pipeline.build.compareKept", "tallies[k].Merge(t)", "_, _ = t, tallies"}},
		tests: []tests{{"./pipeline", "TestAppendOtherRecords"}},
	},
	{
		name:  "a row of the base does not make new rows duplicates",
		edits: []edit{{"pipeline/decide.dedupe", "!of.IsFirst || of.Known", "!of.IsFirst"}},
		tests: []tests{{"./pipeline", "TestAppendEqualRows"}},
	},
	{
		name:  "digests of rows that the base has are kept twice",
		edits: []edit{{"pipeline/spill.matcher.keep", "!r.known {", "true {"}},
		tests: []tests{{"./pipeline", "TestAppendEqualRows"}},
	},
	{
		name:  "a plan does not know where rows are in kept strata",
		edits: []edit{{"pipeline/spill.pendingRows.addStratum", "&& !p.set.Strata.Keeps()", ""}},
		tests: []tests{{"./pipeline", "TestAppendToStrata"}},
	},
	{
		name: "a huge row is measured as copies of itself",
		edits: []edit{{"pipeline/rows.groupEncoder.appendAlone", "n := max(1, min(most, mostCopied/max(1, size)))",
			"n := most"}},
		tests: []tests{{"./pipeline/rows", "TestMeasureOfGroupedRows"}},
	},
	{
		name:  "rejects are not packed",
		edits: []edit{{"pipeline/rejects.List.Add", "len(l.recent) == recentRejects", "len(l.recent) == 1<<40"}},
		tests: []tests{{"./pipeline/rejects", "TestListIsSmall"}},
	},
	{
		name: "the positions of other rows are kept beyond the memory",
		edits: []edit{{"pipeline/rejects.Reader.findOthers", "if len(r.others) >= most {",
			"if len(r.others) >= 1<<40 {"}},
		tests: []tests{{"./pipeline/rejects", "TestOthersInBatches"}},
	},
	{
		name:  "leakage compares where a row is from",
		edits: []edit{{"pipeline/count.comparedOf", "len(of) == 0 && !areOrigin(set, f.From.Columns)", "len(of) == 0"}},
		tests: []tests{{"./pipeline", "TestLeakageOfStrings"}},
	},
	{
		name:  "a shard that was changed in place is up to date",
		edits: []edit{{"pipeline/runstate.writtenLater", "written[shard.Name].After(last)", "last.IsZero()"}},
		tests: []tests{{"./pipeline/runstate", "TestUpToDate$"}},
	},
	{
		name:  "a directory in the place of a note is retried for ever",
		edits: []edit{{"pipeline/work.Directory.Get", "errors.Is(err, store.ErrNotRegular)", "false"}},
		tests: []tests{{"./pipeline/work", "TestDirectoriesInPlaceOfFiles"}},
	},
	{
		name:  "spill files of a work directory stay open",
		edits: []edit{{"pipeline/work.openFile.release", "f.users == 0", "f.users < 0"}},
		tests: []tests{{"./pipeline/work", "TestOpenFiles"}},
	},
	{
		name:  "where does not protect the columns after it",
		edits: []edit{{"pipeline/rows.Chooser.read", "case c.skipsAlone(s, err):", "case false:"}},
		tests: []tests{{"./pipeline", "TestWhereProtects"}},
	},
	{
		name:  "rules that skip all rows give an empty dataset",
		edits: []edit{{"pipeline.pass.newPlan", "p.checkRowsLeft(value)", "nil"}},
		tests: []tests{{"./pipeline", "TestNoRowsLeft"}},
	},
	{
		name:  "equal records of a stopped build are forgotten",
		edits: []edit{{"pipeline/count.Counting.Parse", "t.sample = sample", "_ = sample"}},
		tests: []tests{{"./pipeline", "TestEqualRecords"}},
	},
}
