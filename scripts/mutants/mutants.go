package main

const (
	durable  = "TestSyncsPrecedeDependentSteps|TestOrderOfOperations"
	crashes  = "TestKilledAtEveryOperation"
	refusals = "TestEveryErrorOfEveryOperation"
)

// mutants are the protections that are taken away.
var mutants = []mutant{
	{
		name:  "no fsync of files",
		edits: []edit{{"sink/disk.go", "	return wrapError(\"syncing\", f.Name(), f.Sync())\n", "	return nil\n"}},
		tests: []tests{{"./sink", durable}},
	},
	{
		name:  "no fsync of a file that is salvaged or written",
		edits: []edit{{"internal/store/write.go", "		err = writeError(path, f.Sync())\n", "		err = nil\n"}},
		tests: []tests{{"./dataset", "TestSalvageIsDurable"}},
	},
	{
		name:  "no fsync of folders",
		edits: []edit{{"sink/disk.go", "		err := d.fs.SyncDir(name)\n", "		err := error(nil)\n"}},
		tests: []tests{{"./sink", durable}},
	},
	{
		name:  "indexes of a stopped run are kept unseen",
		edits: []edit{{"sink/resume.go", "		differs, err = loc.target.checkShard(ctx, shard.Index, SHA256)\n", ""}},
		tests: []tests{{"./sink", "TestResume"}},
	},
	{
		name: "rename before fsync",
		edits: []edit{
			{"sink/finish.go", "	if err == nil {\n		err = sh.stage.disk.syncFile(sh.f)\n	}\n", ""},
			{"sink/finish.go", "	sum := sh.sum()\n", `	f, err := sh.stage.disk.fs.Edit(filepath.Join(sh.stage.files.dir, sh.name))
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(sh.stage.disk.syncFile(f), f.Close()); err != nil {
		return nil, err
	}
	sum := sh.sum()
`},
		},
		tests: []tests{{"./sink", durable}},
	},
	{
		name: "journal before rename",
		edits: []edit{
			{"sink/finish.go", "	if err := sh.rename(); err != nil {\n		return nil, err\n	}\n", ""},
			{"sink/finish.go", `	return line.Sum, sh.recordFinished(line, &about)
`, `	if err := sh.recordFinished(line, &about); err != nil {
		return Sum{}, err
	}
	return line.Sum, sh.rename()
`},
		},
		tests: []tests{{"./sink", crashes}},
	},
	{
		name:  "error of close ignored",
		edits: []edit{{"sink/finish.go", "	return cmp.Or(err, wrapError(\"closing\", sh.f.Name(), sh.f.Close()))\n", "	_ = cmp.Or(err, sh.f.Close())\n	return err\n"}},
		tests: []tests{{"./sink", refusals}},
	},
	{
		name:  "resume without a check of digests",
		edits: []edit{{"sink/resume.go", "	if err = d.syncFile(f); err == nil {\n", "	if err = d.syncFile(f); err == nil && w != io.Discard {\n"}},
		tests: []tests{{"./pipeline", "TestDamagedShardIsRebuilt"}},
	},
	{
		name:  "no lock",
		edits: []edit{{"internal/vfs/os.go", "unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)", "unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB)"}},
		tests: []tests{{"./internal/vfs", "TestLock$"}},
	},
	{
		name:  "parentheses without end",
		edits: []edit{{"expr/parse.go", "	if p.depth++; p.depth > maxDepth {\n", "	if p.depth++; p.depth > maxText {\n"}},
		tests: []tests{{"./expr", "TestLong"}},
	},
	{
		name:  "texts without end",
		edits: []edit{{"expr/text.go", "	if len(e.made)+size <= maxMade {\n", "	if size >= 0 {\n"}},
		tests: []tests{{"./expr", "TestRoom"}},
	},
	{
		name:  "ints that wrap around",
		edits: []edit{{"expr/number.go", "	if !fits {\n", "	if !fits && e == nil {\n"}},
		tests: []tests{{"./expr", "TestMessages|TestAgainstTheModel"}},
	},
	{
		name:  "floats that are infinite",
		edits: []edit{{"expr/number.go", "	if z-z != 0 {\n", "	if false {\n"}},
		tests: []tests{{"./expr", "TestMessages|TestAgainstTheModel"}},
	},
	{
		name:  "patterns that change with Unicode",
		edits: []edit{{"expr/pattern.go", "	if fold && beyond {\n", "	if fold && beyond && pattern == \"\" {\n"}},
		tests: []tests{{"./expr", "TestMessages"}},
	},
	{
		name:  "a part of a string that starts before it and keeps its length",
		edits: []edit{{"expr/function_text.go", "count+min(0, from)", "count"}},
		tests: []tests{{"./expr", "TestSubstr"}, {"./expr", "TestAgainstTheModel"}},
	},
	{
		name:  "a list of Examples that is read as one of them",
		edits: []edit{{"message/parse.go", "	case pieces == 0 && hasBoth(key, read):\n", "	case pieces == 0 && hasBoth(nil, read):\n"}},
		tests: []tests{{"./message", "TestKindOf"}, {"./dataset", "TestInspectListsWithContext"}},
	},
	{
		name:  "a dataset of rejected rows alone",
		edits: []edit{{"pipeline/publish.go", "	if err := p.noneLeft(ctx); err != nil {\n", "	if err := p.noneLeft(ctx); err != nil && p.build.out.claim == nil && len(p.files) > 0 {\n"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/first_rows"}},
	},
	{
		name:  "first rows that nobody converts",
		edits: []edit{{"pipeline/first.go", "	err := f.encode(ctx)\n", "	f.encoded++\n	err := ctx.Err()\n"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/first_rows"}},
	},
	{
		name:  "phases of one name that go on",
		edits: []edit{{"cmd/tfr-build/progress.go", "				if p.begun != before {\n", "				if p.begun != before && begin.IsZero() {\n"}},
		tests: []tests{{"./cmd/tfr-build", "TestPhasesOfOneName"}},
	},
	{
		name:  "a line that a terminal breaks",
		edits: []edit{{"cmd/tfr-build/bar.go", "room := columns - 1 - ", "room := columns + 79 - "}},
		tests: []tests{{"./cmd/tfr-build", "TestBarFitsTheTerminal"}},
	},
	{
		name:  "rows not counted at the end",
		edits: []edit{{"pipeline/describe/describe.go", "c.Found == c.Written+rejected+left && left >= 0:", "c.Found >= 0:"}},
		tests: []tests{{"./pipeline/describe", "TestCheck$"}},
	},
	{
		name:  "samples that go by the split",
		edits: []edit{{"internal/order/sample.go", "mix(address+sampleSalt)", "mix(address+splitSalt)"}},
		tests: []tests{{"./internal/order", "TestSamples"}},
	},
	{
		name:  "classes of rows beyond a limit",
		edits: []edit{{"pipeline/spill/limit.go", " && len(set.Config.Limit) == 0", ""}},
		tests: []tests{{"./pipeline", "TestClassesOfALimit$"}},
	},
	{
		name:  "rows that no condition is asked of",
		edits: []edit{{"pipeline/rows/choose.go", "case !kept:", "case !kept && r.File < 0:"}},
		tests: []tests{{"./pipeline", "TestShapesMoveNothing$"}},
	},
	{
		name:  "no reading back",
		edits: []edit{{"sink/finish.go", "	if err := sh.readBack(ctx); err != nil {\n		return nil, err\n	}\n", ""}},
		tests: []tests{{"./sink", "TestReadBackFindsMissingWrites"}},
	},
	{
		name:  "folders of shards not made durable",
		edits: []edit{{"sink/files.go", "				err = fl.disk.syncDirs(above)\n", "				_, err = above, nil\n"}},
		tests: []tests{{"./sink", "TestSubdirectoryThatIsNotSynced|TestPowerLossAtEveryOperation"}},
	},
	{
		name:  "OFRecords not held against their message",
		edits: []edit{{"framing/ofrecord.go", "				Accepts: message.BeginsOFRecord,\n", ""}},
		tests: []tests{{"./dataset", "TestVerifyLoneOFRecordFile"}},
	},
	{
		name:  "elements of Parquet lists count nothing",
		edits: []edit{{"sources/parquet/scan.go", "	if size*t.nesting > s.in.limits.Record {\n", "	if false {\n"}},
		tests: []tests{{"./sources/parquet", "TestLimitIsExact"}},
	},
	{
		name:  "a row of Parquet that is too long is decoded whole",
		edits: []edit{{"sources/parquet/decoder.go", "d.batch, d.truncates = batchValues, d.max.rep > 0\n", "d.batch = batchValues\n"}},
		tests: []tests{{"./sources/parquet", "TestLongLists"}},
	},
	{
		name:  "the header of a page is believed to be short",
		edits: []edit{{"sources/parquet/decoder.go", "rest-slack > int64(d.limit)\n", "false\n"}},
		tests: []tests{{"./sources/parquet", "TestLongValues"}},
	},
	{
		name:  "elements that a path gives to many columns count nothing",
		edits: []edit{{"sources/jsonl/long.go", "; s.starElements > s.paths.limits.Record {\n", "; false {\n"}},
		tests: []tests{{"./sources/jsonl", "TestElementsOfManyColumnsCountTowardLimit"}},
	},
	{
		name:  "rows of a side table count nothing",
		edits: []edit{{"sources/reader.go", "; size > limit-r.added {\n", "; size < 0 {\n"}},
		tests: []tests{{"./pipeline", "TestRowsOfALookupTableCount"}},
	},
	{
		name:  "texts of a record take what they do not need",
		edits: []edit{{"sources/tfrecord/scan.go", "s.texts.Take(f.Count)\n", "s.texts.Take(2 * f.Count)[:f.Count]\n"}},
		tests: []tests{{"./sources/tfrecord", "TestLongListMemory"}},
	},
	{
		name:  "checksum of a payload that is input not checked",
		edits: []edit{{"sources/tfrecord/scan.go", "	record, ok := s.in.frames.Payload(data)\n	if !ok {\n", "	record, _ := s.in.framing.Payload(data)\n	if false {\n"}},
		tests: []tests{{"./sources/tfrecord", "TestEveryFlip"}},
	},
	{
		name:  "boxes that stay where their image is moved",
		edits: []edit{{"pipeline/check.go", "	if problems := j.cfg.UnmovedCoordinates(); problems != nil {\n		return problems\n	}\n", ""}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/boxes$"}},
	},
	{
		name:  "words of names that hold coordinates split at signs alone",
		edits: []edit{{"pipeline/config/guard.go", "[]string{name, caseChange.ReplaceAllString(name, \"${1}_${2}\")}", "[]string{name}"}},
		tests: []tests{{"./pipeline/config", "TestCoordinateNames"}},
	},
	{
		name:  "feature lists of any length",
		edits: []edit{{"schema/sequence.go", "		case n != length:\n", "		case n < 0:\n"}},
		tests: []tests{{"./schema", "TestRecordErrors"}},
	},
	{
		name:  "lengths of ragged lists counted in values",
		edits: []edit{{"schema/ragged.go", "			n = elem.count() / inner\n", "			n = elem.count() + 0*inner\n"}},
		tests: []tests{{"./schema", "TestRagged|TestAppendEqualsProtobuf"}},
	},
	{
		name:  "members that a zip archive claims not compared with its directory",
		edits: []edit{{"sources/zipdir/directory.go", "	if d.entries > uint64(d.size)/entrySize {\n", "	if false {\n"}},
		tests: []tests{{"./sources/zipdir", "TestClaims"}},
	},
	{
		name:  "stored members of an archive not checked",
		edits: []edit{{"sources/arrays/find.go", "	if err := in.verifyStored(); err != nil {\n		return nil, err\n	}\n", ""}, {"sources/arrays/rows.go", "		if err := r.in.verifyStored(); err != nil {\n			return nil, err\n		}\n", ""}},
		tests: []tests{{"./sources/arrays", "TestArchives"}},
	},
	{
		name:  "CRC of the length not checked",
		edits: []edit{{"tfrecord/reader.go", "	case !IsRecord(header):\n", "	case false:\n"}},
		tests: []tests{{"./tfrecord", "TestEveryFlip"}},
	},
	{
		name:  "names of classes in the order in which workers saw them",
		edits: []edit{{"pipeline/rows/vocabulary.go", "slices.Sorted(slices.Values(v.texts[i].texts.Names()))", "slices.Clone(v.texts[i].texts.Names())"}},
		tests: []tests{{"./pipeline", "TestSameBytesEveryWay"}},
	},
	{
		name:  "seed ignored",
		edits: []edit{{"internal/order/shuffle.go", "mix(seed ^ seedSalt)", "mix(seedSalt)"}},
		tests: []tests{{"./internal/order", "TestSeedsGiveDifferentOrders"}},
	},
	{
		name:  "ragged row padded",
		edits: []edit{{"sources/csv/verify.go", "	if count == columns {\n", "	if count <= columns {\n"}},
		tests: []tests{{"./sources/csv", "TestScanOffsets"}},
	},
	{
		name:  "BOM kept",
		edits: []edit{{"sources/csv/start.go", "		h.BOM, h.First = true, len(bom)\n", "		h.BOM = true\n"}},
		tests: []tests{{"./sources/csv", "TestStart$"}},
	},
	{
		name: "float32 through float64",
		edits: []edit{
			{"schema/float.go", "strconv.ParseFloat(string(text), 32)", "strconv.ParseFloat(string(text), 64)"},
			{"schema/float.go", "	case err != nil:\n		return 0, numberRange\n	case f == 0:\n", "	case err != nil || math.IsInf(float64(float32(f)), 0):\n		return 0, numberRange\n	case float32(f) == 0:\n"},
		},
		tests: []tests{{"./schema", "TestFloatHalfway|TestFloatCorpus"}},
	},
	{
		name:  "quarantine not counted",
		edits: []edit{{"pipeline/rejects/log.go", "l.count.Add(n), l.budget.Load()", "l.count.Load(), l.budget.Load()"}},
		tests: []tests{{"./pipeline", "TestTooManyRejects"}},
	},
	{
		name:  "a quarantined row encoded in one piece",
		edits: []edit{{"pipeline/rejects/line.go", "text[:min(len(text), chunkSize)]", "text"}},
		tests: []tests{{"./pipeline/rejects", "TestRawOfControlCharacters"}},
	},
	{
		name:  "the text of a tar row grows in small steps",
		edits: []edit{{"sources/tar/grouper.go", "	if n := len(g.raw) + len(piece); n > cap(g.raw) {\n		g.raw = append(make([]byte, 0, max(n, 2*cap(g.raw))), g.raw...)\n	}\n", ""}},
		tests: []tests{{"./sources/tar", "TestMemoryOfALongRow"}},
	},
	{
		name:  "scans of a JPEG decoded before they are counted",
		edits: []edit{{"pixels/jpeg/scanlimit.go", "	if p.scans+n <= maxScans {\n", "	if p.scans+n <= 1<<30 {\n"}},
		tests: []tests{{"./pixels/jpeg", "TestManyScans"}},
	},
	{
		name:  "an image decoded before its size is refused",
		edits: []edit{{"pixels/convert/converter.go", "		return l, c.check(facts, &l)\n", "		return l, nil\n"}},
		tests: []tests{{"./pixels/convert", "TestRefuses"}},
	},
	{
		name:  "a record of too many features verified",
		edits: []edit{{"message/message.go", "	if len(payload) <= least*maxFeatures {\n", "	if len(payload) > 0 {\n"}},
		tests: []tests{{"./dataset", "TestDeepRefusesManyFeatures"}},
	},
	{
		name:  "a file of classes without a limit",
		edits: []edit{{"pipeline/rows/classes.go", "c.read(path, maxClassText, maxClasses)", "c.read(path, math.MaxInt64, math.MaxInt)"}},
		tests: []tests{{"./pipeline/rows", "TestLimitsOfClassFiles"}},
	},
	{
		name:  "close deferred, its error swallowed",
		edits: []edit{{"sink/disk.go", "	if err = cmp.Or(err, wrapError(\"closing\", f.Name(), f.Close())); err != nil {\n", "	defer f.Close()\n	if err != nil {\n"}},
		tests: []tests{{"./sink", refusals}},
	},
	{
		name: "failed fsync tried again",
		edits: []edit{{"sink/disk.go", "	return wrapError(\"syncing\", f.Name(), f.Sync())\n", `	err := f.Sync()
	if err != nil {
		err = f.Sync()
	}
	return wrapError("syncing", f.Name(), err)
`}},
		tests: []tests{{"./sink", "TestAFailedSyncIsNotRetried"}},
	},
	{
		name:  "plan without the seed",
		edits: []edit{{"pipeline/runstate/state.go", "	c := *cfg\n", "	c := *cfg\n	c.Seed = 0\n"}},
		tests: []tests{{"./pipeline", "TestResume$"}},
	},
	{
		name:  "statistics of kept shards forgotten",
		edits: []edit{{"pipeline/task/shard.go", "		s.work.merge(s)\n", ""}},
		tests: []tests{{"./pipeline", "TestDamagedShardIsRebuilt|TestResume$"}},
	},
	{
		name:  "a dataset that fails its checks is published",
		edits: []edit{{"pipeline/publish.go", "	return &ChecksError{Findings: found, Report: file.Path}\n", "	return nil\n"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/checks"}},
	},
	{
		name:  "max_errors forgotten by a run that resumes",
		edits: []edit{{"pipeline/scan.go", "		b.pass.setBudget(found)\n", ""}},
		tests: []tests{{"./pipeline", "TestBudgetOfAResumedBuild"}},
	},
	{
		name:  "shards of other contents kept, if the input's time is the same",
		edits: []edit{{"pipeline/merge.go", "	if len(b.reused) > 0 && !b.plan.SameInput(b.oldPlan) {\n		return task.ErrOther\n	}\n", ""}},
		tests: []tests{{"./pipeline", "TestStartsOverAfterAnUnseenChange"}},
	},
	{
		name:  "shards kept without a plan to hold the input against",
		edits: []edit{{"pipeline/resume.go", "len(left.Shards) > 0 && b.oldPlan == nil {", "false {"}, {"pipeline/merge.go", "len(b.reused) > 0 && !b.plan.SameInput(b.oldPlan)", "b.oldPlan != nil && len(b.reused) > 0 && !b.plan.SameInput(b.oldPlan)"}},
		tests: []tests{{"./pipeline", "TestStartsOverAfterAnUnseenChange"}},
	},
	{
		name:  "new classes of a changed input taken for unknown ones",
		edits: []edit{{"pipeline/rows/encode.go", "bad.Code == \"LABEL_UNKNOWN\" && e.set", "bad.Code == \"\" && e.set"}},
		tests: []tests{{"./pipeline", "TestStartsOverAfterAnUnseenChange"}},
	},
	{
		name:  "plan of another listing believed",
		edits: []edit{{"sink/plan.go", "	if newPlanSums(plan, listing) != *l.planned {\n", "	if false {\n"}},
		tests: []tests{{"./sink", "TestChangedPlans"}},
	},
	{
		name: "overwrite by removing first",
		edits: []edit{{"sink/publish.go", "	err := f.disk.fs.Exchange(data, f.output)\n	if !errors.Is(err, errors.ErrUnsupported) {\n		return wrapError(\"exchanging the folders at\", f.output, err)\n	}\n",
			"	err := f.disk.removeAll(f.output)\n	if err == nil {\n		return f.disk.rename(data, f.output)\n	}\n"}},
		tests: []tests{{"./sink", crashes}},
	},
	{
		name:  "_SUCCESS before the objects of a bucket were looked at",
		edits: []edit{{"sink/bucket_publish.go", "	if err := p.reconcile(); err != nil { // last, because no later step checks the shards\n		return err\n	}\n", ""}},
		tests: []tests{{"./sink", "InABucket"}},
	},
	{
		name:  "an upload to a bucket that is another job's by now",
		edits: []edit{{"sink/bucket_guard.go", "	case current.Job != w.job:\n		return &TakenError{Path: w.inHidden(jobName), Host: current.Host, PID: current.PID, Quiet: -1}\n	}\n	w.jobETag", "	}\n	w.jobETag"}},
		tests: []tests{{"./sink", "Bucket"}},
	},
	{
		name:  "shards of tasks in a bucket are adopted unseen",
		edits: []edit{{"sink/bucket_publish.go", "	if seen == nil || !store.IsExact(seen) || etagOf(seen) != line.ETag || seen.Size() != line.Bytes { // a listing may be late\n", "	if false {\n"}},
		tests: []tests{{"./sink", "TestTasks"}},
	},
	{
		name:  "a time vouches for the bytes of a shard in a bucket",
		edits: []edit{{"internal/bucket/stat.go", "return etag != \"\" && !strings.HasPrefix(etag, dated)", "return etag != \"\""}},
		tests: []tests{{"./sink", "TestTasksReadShardsWithoutETags|TestAResumedBuildReadsShardsWithoutETags"}},
	},
	{
		name:  "a new lock is free for a moment",
		edits: []edit{{"sink/lock.go", "	if err == nil && !exists {\n", "	if false {\n"}},
		tests: []tests{{"./sink", "TestTasksWithOneScratchDirectoryLeaveEachOtherAlone"}},
	},
	{
		name:  "a directory that is just being made is removed",
		edits: []edit{{"sink/bucket_claim.go", "	return err == nil && exists\n", "	return err == nil || exists\n"}},
		tests: []tests{{"./sink", "TestTasksWithOneScratchDirectoryLeaveEachOtherAlone"}},
	},
	{
		name:  "a directory of a killed process without a name stays",
		edits: []edit{{"sink/bucket_claim.go", "	return err == nil && exists\n", "	return err != nil && exists\n"}},
		tests: []tests{{"./sink", "TestTasksRemoveWhatAKilledOneLeft"}},
	},
	{
		name:  "objects without an ETag are all the same one",
		edits: []edit{{"internal/bucket/stat.go", "dated + o.LastModified.UTC().Format(time.RFC3339)", "dated"}},
		tests: []tests{{"./internal/bucket", "TestObjectsWithoutETags"}, {"./pipeline", "TestInputWithoutETags"}},
	},
	{
		name:  "credentials with a line break are sent",
		edits: []edit{{"internal/bucket/credentials.go", "	if err == nil && !isPrintable(value) {\n", "	if false {\n"}},
		tests: []tests{{"./internal/bucket", "TestCredentialsWithALineBreak"}},
	},
	{
		name:  "pipes are read",
		edits: []edit{{"internal/vfs/os.go", "	if err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0 {\n", "	if info == nil {\n"}},
		tests: []tests{{"./internal/vfs", "TestOpenDoesNotWait"}},
	},
	{
		name:  "a store that is down is not waited for",
		edits: []edit{{"internal/bucket/retry.go", "		left := t.c.opts.Retry - failing\n", "		left := t.c.opts.Retry/5000 - failing\n"}},
		tests: []tests{{"./internal/bucket", "TestStoreOutage"}},
	},
	{
		name:  "a store is waited for without a word",
		edits: []edit{{"internal/bucket/retry.go", "			t.c.waiting.report(e, left)\n", ""}},
		tests: []tests{{"./internal/bucket", "TestStoreOutage"}},
	},
	{
		name:  "-retry is not what input and output go by",
		edits: []edit{{"pipeline/run.go", "	opt.Retry, opt.Waiting = r.Retry, r.warn\n", "	opt.Retry, opt.Waiting = -1, r.warn\n"}},
		tests: []tests{{"./cmd/tfr-build", "TestStoreIsDown$"}},
	},
	{
		name:  "a scratch directory of tasks that has its name before its lock",
		edits: []edit{{"sink/bucket_claim.go", "createLockedDirectory(p.disk, p.staging)", "p.disk.lockDirectory(p.staging)"}},
		tests: []tests{{"./sink", "TestTasksWithOneScratchDirectory"}},
	},
	{
		name:  "a scratch directory without locks is taken for that of a killed task",
		edits: []edit{{"sink/bucket_claim.go", "	if isLocked {\n", "	if isLocked || dir != \"\" {\n"}},
		tests: []tests{{"./sink", "TestTasksWithoutLocks"}},
	},
	{
		name:  "the lock of a scratch directory goes before what is in it",
		edits: []edit{{"sink/bucket_claim.go", "	if err := d.removeExcept(dir, lockName); err != nil", "	if err := error(nil); err != nil"}},
		tests: []tests{{"./sink", "TestTasksRemoveWhat"}},
	},
	{
		name:  "shards of tasks in a folder are adopted unread",
		edits: []edit{{"sink/sharing.go", "		return f.location.checkShardFiles(ctx, line, digest)\n", "		return nil, nil\n"}},
		tests: []tests{{"./sink", "TestTasksWithMissingShards/directory"}},
	},
	{
		name:  "a line with keys that nobody knows",
		edits: []edit{{"internal/sumline/sumline.go", "	dec.DisallowUnknownFields()\n", ""}},
		tests: []tests{{"./internal/sumline", "TestDecode"}},
	},
	{
		name:  "a plan of tasks whose scans read a file twice",
		edits: []edit{{"pipeline/work/plan.go", "	return p, p.checkScans()\n", "	return p, nil\n"}},
		tests: []tests{{"./pipeline/work", "TestPlanCoversItsInputs"}},
	},
	{
		name:  "a note in the place of another task's",
		edits: []edit{{"pipeline/work/note.go", " || n.Task != ph.task(k) || ", " || "}},
		tests: []tests{{"./pipeline/work", "TestNotesOfOtherTasks"}},
	},
	{
		name:  "a merge that makes a shard twice",
		edits: []edit{{"pipeline/work/note.go", "		return n.Merged != nil && n.Merged.check(p) == nil\n", "		return n.Merged != nil\n"}},
		tests: []tests{{"./pipeline/work", "TestNotesOfOtherTasks"}},
	},
	{
		name:  "a run in the place of another scan's",
		edits: []edit{{"pipeline/spill/partition.go", "return xxh3.Hash(data) ^ id }", "return xxh3.Hash(data) }"}},
		tests: []tests{{"./pipeline", "TestSwappedSpillFiles"}},
	},
	{
		name:  "a task does a step on its own",
		edits: []edit{{"pipeline/tasks.go", "	if note, err = s.note(b, k); err != nil {\n", "	if err := b.planShards(ctx, 0); s.phase == work.Merge && err != nil {\n		return nil, nil, err\n	}\n	if note, err = s.note(b, k); err != nil {\n"}},
		tests: []tests{{"./pipeline", "TestOnlyTheTableNamesWhatAStepDoes"}},
	},
	{
		name:  "the rejects of a merge are not named",
		edits: []edit{{"pipeline/build.go", "	case errors.Is(err, errInvalidRow):\n		return b.rowsError(ctx)\n", ""}},
		tests: []tests{{"./pipeline", "TestMergeNamesTheInvalidRow"}},
	},
	{
		name:  "a lookup table that changed between tasks is not named",
		edits: []edit{{"pipeline/tasks.go", "	if err := j.inputs.ExtraInputChanged(t.plan.Extras); err != nil {\n		return err\n	}\n", ""}},
		tests: []tests{{"./pipeline", "TestTasksNameTheExtraInputThatChanged"}},
	},
	{
		name:  "a stretch of a file that changed names no file",
		edits: []edit{{"sources/table/stretch.go", "		return nil, &input.Error{Path: f.path, Err: err}\n", "		return nil, err\n"}},
		tests: []tests{{"./pipeline", "TestTasksNameTheInputThatChanged"}},
	},
	{
		name:  "a file that is to be turned keeps its bytes",
		edits: []edit{{"pixels/convert/converter.go", " && c.orientation(facts) == 1 && ", " && "}},
		tests: []tests{{"./pixels/convert", "TestPasses"}},
	},
	{
		name:  "transparency that a color does not ask for",
		edits: []edit{{"pixels/convert/converter.go", "	isOpaque := !facts.Transparent && ", "	isOpaque := "}},
		tests: []tests{{"./pixels/convert", "TestPasses"}},
	},
	{
		name:  "a side that follows is cut off",
		edits: []edit{{"pixels/convert/layout.go", "	if 2*rest > d || 2*rest == d && q%2 == 1 {\n		q++\n	}\n", "	_ = rest\n"}},
		tests: []tests{{"./pixels/convert", "TestLayout|TestConvert"}},
	},
	{
		name:  "a result beyond the limit of pixels",
		edits: []edit{{"pixels/convert/converter.go", "		if err := c.Limits.Check(s.width, s.height); err != nil {\n", "		if err := error(nil); err != nil && s.width > 0 {\n"}},
		tests: []tests{{"./pixels/convert", "TestRefuses"}},
	},
	{
		name:  "an orientation that a new file forgets",
		edits: []edit{{"pixels/convert/converter.go", "	if facts.Orientation != 1 {\n", "	if false {\n"}},
		tests: []tests{{"./pixels/convert", "TestFactsOfResults"}},
	},
	{
		name:  "images resized by columns first, always",
		edits: []edit{{"pixels/resample/job.go", "	return lost > 0 && lost > 2*(j.Width-j.ToWidth)\n", "	return lost < 0\n"}},
		tests: []tests{{"./pixels/resample", "TestGolden"}},
	},
	{
		name: "shards of Inception's script without its threads",
		edits: []edit{{"internal/order/inception/cut.go", "	for _, part := range linspace(order.Range{To: rows}, threads) {\n		cut = append(cut, linspace(part, shards/threads)...)\n	}\n",
			"	cut = append(cut, linspace(order.Range{To: rows}, shards)...)\n"}},
		tests: []tests{{"./internal/order/inception", "TestTable$"}},
	},
	{
		name:  "damage of a JPEG without a warning",
		edits: []edit{{"pixels/raster/jpeg.go", "			facts.Warnings.Add(header.Damaged)\n", ""}},
		tests: []tests{{"./pixels/raster", "TestDamagedJPEG"}},
	},
	{
		name:  "init: thousands separators make lists",
		edits: []edit{{"pipeline/infer/lists.go", "	example, separator := p.written.grouped(others)\n", "	example, separator := \"\", \"\"\n"}},
		tests: []tests{{"./pipeline/infer", "TestColumn"}, {"./cmd/tfr-build", "TestScripts/init_numbers"}},
	},
	{
		name:  "init: most rows may be unreadable",
		edits: []edit{{"pipeline/infer/draft.go", "100*s.invalid > mostUnreadable*s.rows", "s.invalid > s.rows"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/init_preamble"}},
	},
	{
		name:  "init: names that are not UTF-8 are written into a config",
		edits: []edit{{"pipeline/infer/pattern.go", "		if at < 0 {\n			return nil\n		}\n		return &input.FitError{\n			Path: path, Code: \"UTF8", "		if true {\n			return nil\n		}\n		return &input.FitError{\n			Path: path, Code: \"UTF8"}},
		tests: []tests{{"./pipeline/infer", "TestNamesThatAreNotUTF8"}},
	},
	{
		name:  "init: one missing image drops load",
		edits: []edit{{"pipeline/infer/load.go", "		if p.failed < p.looked && (", "		if p.failed == 0 && ("}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/init_images"}},
	},
	{
		name:  "init: class names in Parquet metadata are not read",
		edits: []edit{{"pipeline/infer/typed.go", "	return s.readClassNames()\n", "	return nil\n"}},
		tests: []tests{{"./pipeline/infer", "TestClassNames|TestGolden"}},
	},
	{
		name:  "init: compressed masks have no feature",
		edits: []edit{{"pipeline/infer/coco.go", "	add(counts.strings, feature{", "	add(0, feature{"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/init_masks"}},
	},
	{
		name:  "init: a JSON key called * becomes a feature",
		edits: []edit{{"pipeline/infer/nested.go", "	if key == \"*\" { // all", "	if false { // all"}},
		tests: []tests{{"./pipeline/infer", "TestCases"}},
	},
	{
		name:  "init: a feature of COCO that one split lacks is used",
		edits: []edit{{"pipeline/infer/coco.go", "	if c.lacks[key] && !f.skipped {", "	if false {"}},
		tests: []tests{{"./pipeline/infer", "TestCases"}},
	},
	{
		name:  "init: folders of splits are classes",
		edits: []edit{{"pipeline/infer/trees.go", "	if plain || len(splits) < 2 {\n", "	if true {\n"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/init_splits"}},
	},
	{
		name:  "link exchanged before the dataset is there",
		edits: []edit{{"pipeline/publish.go", "	if err := p.stage.Commit(data); err != nil {\n", "	if err := p.build.out.updateVersions(); err != nil {\n		return nil, err\n	}\n	if err := p.stage.Commit(data); err != nil {\n"}},
		tests: []tests{{"./internal/fault", "TestTheLinkLeadsToADataset"}},
	},
	{
		name:  "keep removes what a link names",
		edits: []edit{{"sink/versions.go", "			names[name] = true\n", "			names[name] = false\n"}},
		tests: []tests{{"./sink", "TestVersionsThatStay"}},
	},
	{
		name:  "a list goes to the path that ends at it, too",
		edits: []edit{{"sources/jsonl/value.go", "	case c == '[' && n.star != nil && s.paths.limits.Mixed:\n", "	case false:\n"}},
		tests: []tests{{"./sources/jsonl", "TestMixedForms"}},
	},
	{
		name:  "values that another column takes count as dropped",
		edits: []edit{{"sources/jsonl/value.go", "	if taken || s.isEmpty(data, p) {\n", "	if s.isEmpty(data, p) {\n"}},
		tests: []tests{{"./sources/jsonl", "TestMixedForms"}, {"./internal/conformance", "TestCOCO$"}},
	},
	{
		name:  "dropped values of lookup tables are forgotten",
		edits: []edit{{"sources/lookuptable.go", "			v = &schema.Value{Mixed: v.Mixed}\n", "			v = &schema.Value{}\n"}},
		tests: []tests{{"./pipeline", "TestDroppedEveryWay"}},
	},
	{
		name:  "what records lack is not kept with a shard",
		edits: []edit{{"pipeline/rows/facts.go", "storedFacts{f.Rows, f.Notices(), f.columns}", "storedFacts{f.Rows, nil, f.columns}"}},
		tests: []tests{{"./pipeline", "TestDroppedEveryWay"}},
	},
	{
		name:  "what rejected rows lack is counted",
		edits: []edit{{"schema/encoder.go", "	if err != nil {\n		return dst[:start], err\n	}\n	if len(dst)-start > values.limit.size {\n", "	values.countLosses()\n	if err != nil {\n		return dst[:start], err\n	}\n	if len(dst)-start > values.limit.size {\n"}},
		tests: []tests{{"./pipeline", "TestDroppedOfRecordsAlone"}},
	},
	{
		name:  "leakage compares where a row is from",
		edits: []edit{{"pipeline/count/content.go", "len(of) == 0 && !areOrigin(set, f.From.Columns)", "len(of) == 0"}},
		tests: []tests{{"./pipeline", "TestLeakageOfTexts"}},
	},
	{
		name:  "the name that was given is suggested",
		edits: []edit{{"internal/nearest/nearest.go", "len(names) > maxNames || slices.Contains(names, found)", "len(names) > maxNames || slices.Contains(names, \"\")"}},
		tests: []tests{{"./internal/nearest", "TestOf"}},
	},
	{
		name:  "leading zeros of a version are not named",
		edits: []edit{{"pipeline/config/spellings.go", "versionForm.MatchString(numbers) {", "versionForm.MatchString(s) {"}},
		tests: []tests{{"./pipeline/config", "TestBad"}},
	},
	{
		name:  "-quiet drops the result of a success",
		edits: []edit{{"cmd/tfr-build/result.go", "		c.last = f\n", "		c.last = nil\n"}},
		tests: []tests{{"./cmd/tfr-build", "TestResultsInJSON"}},
	},
	{
		name:  "progress that goes back",
		edits: []edit{{"internal/pool/progress.go", "p.maxOverall = max(p.maxOverall, ", "p.maxOverall = max(0, "}},
		tests: []tests{{"./internal/pool", "TestOverall"}},
	},
	{
		name:  "a file of a store without versions is opened whatever version it is",
		edits: []edit{{"internal/store/store.go", "VersionOf(info) != version", "info == nil"}},
		tests: []tests{{"./internal/store/storetest", "TestZip"}},
	},
	{
		name:  "the limit of what is read from a store does not count",
		edits: []edit{{"internal/store/store.go", "	case info.Size() > limit:\n", "	case false:\n"}},
		tests: []tests{{"./internal/store/storetest", "TestZip"}},
	},
	{
		name:  "what a store refuses to list is empty",
		edits: []edit{{"internal/store/store.go", "	if err != nil && !errors.Is(err, fs.ErrNotExist) {\n		return err\n	}\n", ""}},
		tests: []tests{{"./internal/store/storetest", "TestFailing"}},
	},
	{
		name:  "an object that changed is not told from others that cannot be read",
		edits: []edit{{"internal/store/objects/objects.go", "target == store.ErrChanged &&", "false &&"}},
		tests: []tests{{"./internal/store/storetest", "TestObjects"}},
	},
	{
		name:  "a bucket that does not exist is a missing object",
		edits: []edit{{"internal/store/objects/objects.go", "target == store.ErrNoBucket &&", "false &&"}},
		tests: []tests{{"./internal/store/storetest", "TestObjects"}},
	},
	{
		name:  "an object is put without its condition",
		edits: []edit{{"internal/store/objects/put.go", "bucket.Terms{Over: cond.Over}", "bucket.Terms{}"}},
		tests: []tests{{"./internal/store/storetest", "TestObjects"}},
	},
	{
		name:  "files of one size are the same in a store without checksums",
		edits: []edit{{"internal/store/put.go", "isSame = err == nil && uint32(sum) == crc", "isSame = true"}},
		tests: []tests{{"./internal/store/storetest", "TestMemory"}},
	},
	{
		name:  "a run takes the output of another plan in a store",
		edits: []edit{{"sink/bucket_job.go", "store.Condition{Over: store.Nothing})", "store.Condition{})"}},
		tests: []tests{{"./sink", "TestAStoreInMemory"}},
	},
	{
		name:  "spill files of a work directory stay open",
		edits: []edit{{"pipeline/work/open.go", "f.users == 0", "f.users < 0"}},
		tests: []tests{{"./pipeline/work", "TestOpenFiles"}},
	},
}
