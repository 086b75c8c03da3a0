package main

// sinkMutants are mutants of the writing and publishing of datasets.
var sinkMutants = []mutant{
	{
		name:  "no fsync of files",
		edits: []edit{{"sink.Disk.SyncFile", `return wrapError("syncing", f.Name(), f.Sync())`, "return nil"}},
		tests: []tests{{"./sink", "TestSyncsPrecedeDependentSteps|TestOrderOfOperations"}},
	},
	{
		name:  "no fsync of directories",
		edits: []edit{{"sink.Disk.SyncDirs", "err := d.fs.SyncDir(name)", "err := error(nil)"}},
		tests: []tests{{"./sink", "TestSyncsPrecedeDependentSteps|TestOrderOfOperations"}},
	},
	{
		name: "indexes of a stopped run are kept unseen",
		edits: []edit{{"sink.directory.shardChecker",
			"differs = f.checkFile(ctx, dataName, &line.Index.Sum, SHA256, io.Discard)", ""}},
		tests: []tests{{"./sink", "TestResume"}},
	},
	{
		name: "rename before fsync",
		edits: []edit{
			{"sink.Shard.seal", `if err == nil {
		err = sh.stage.disk.SyncFile(sh.f)
	}`, ""},
			{"sink.Shard.finishFile", "sum := sh.sum()",
				`f, err := sh.stage.disk.fs.Edit(filepath.Join(sh.stage.files.dir, sh.name))
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(sh.stage.disk.SyncFile(f), f.Close()); err != nil {
		return nil, err
	}
	sum := sh.sum()`},
		},
		tests: []tests{{"./sink", "TestSyncsPrecedeDependentSteps|TestOrderOfOperations"}},
	},
	{
		name: "journal before rename",
		edits: []edit{
			{"sink.Shard.finishFile", `if err := sh.rename(); err != nil {
		return nil, err
	}`, ""},
			{"sink.Shard.Finish", "return line.Sum, sh.recordFinished(line, &about)",
				`if err := sh.recordFinished(line, &about); err != nil {
		return Sum{}, err
	}
	return line.Sum, sh.rename()`},
		},
		tests: []tests{{"./sink", "TestKilledAtEveryOperation"}},
	},
	{
		name: "error of close ignored",
		edits: []edit{{"sink.Shard.seal", `return cmp.Or(err, wrapError("closing", sh.f.Name(), sh.f.Close()))`,
			`_ = cmp.Or(err, sh.f.Close())
	return err`}},
		tests: []tests{{"./sink", "TestEveryErrorOfEveryOperation"}},
	},
	{
		name: "resume without a check of digests",
		edits: []edit{{"sink.location.checkFile", "if err = d.SyncFile(f); err == nil {",
			"if err = d.SyncFile(f); err == nil && w != io.Discard {"}},
		tests: []tests{{"./pipeline", "TestDamagedShardIsRebuilt"}},
	},
	{
		name: "no reading back",
		edits: []edit{{"sink.Shard.finishFile", `if err := sh.readBack(ctx); err != nil {
		return nil, err
	}`, ""}},
		tests: []tests{{"./sink", "TestReadBackFindsMissingWrites"}},
	},
	{
		name:  "folders of shards not made durable",
		edits: []edit{{"sink.files.makeParents", "err = fl.disk.SyncDirs(above)", "_, err = above, nil"}},
		tests: []tests{{"./sink", "TestSubdirectoryThatIsNotSynced|TestPowerLossAtEveryOperation"}},
	},
	{
		name: "close deferred, its error swallowed",
		edits: []edit{{"sink.Disk.writeFile",
			`if err = cmp.Or(err, wrapError("closing", f.Name(), f.Close())); err != nil {`,
			`defer f.Close()
	if err != nil {`}},
		tests: []tests{{"./sink", "TestEveryErrorOfEveryOperation"}},
	},
	{
		name: "failed fsync tried again",
		edits: []edit{{"sink.Disk.SyncFile", `return wrapError("syncing", f.Name(), f.Sync())`, `err := f.Sync()
	if err != nil {
		err = f.Sync()
	}
	return wrapError("syncing", f.Name(), err)`}},
		tests: []tests{{"./sink", "TestFailedSyncIsNotRetried"}},
	},
	{
		name: "a plan believed whose listing is damaged",
		edits: []edit{{"pipeline/plan.ParseWith", "return ParseListings(text[end:])",
			"list, _ := ParseListings(text[end:])\n\treturn list, nil"}},
		tests: []tests{{"./pipeline/plan", "TestParseRefuses"}},
	},
	{
		name: "overwrite by removing first",
		edits: []edit{{"sink.directory.replace", `err := f.disk.fs.Exchange(data, f.output)
	if !errors.Is(err, errors.ErrUnsupported) {
		return wrapError("exchanging the directories at", f.output, err)
	}`, `err := f.disk.removeAll(f.output)
	if err == nil {
		return f.disk.rename(data, f.output)
	}`}},
		tests: []tests{{"./sink", "TestKilledAtEveryOperation"}},
	},
	{
		name: "_SUCCESS before the objects of a bucket were looked at",
		edits: []edit{{"sink.prefix.finishPublish",
			`if err := p.reconcile(); err != nil { // last, because no later step checks the shards
		return err
	}`, ""}},
		tests: []tests{{"./sink", "InABucket"}},
	},
	{
		name: "an upload to a bucket that is another job's by now",
		edits: []edit{{"sink.owner.checkOwner", `case current.Job != w.job:
		return &TakenError{Path: w.inHidden(jobName), Host: current.Host, PID: current.PID, Quiet: -1}
	}
	w.jobETag`, `}
	w.jobETag`}},
		tests: []tests{{"./sink", "Bucket"}},
	},
	{
		name: "shards of tasks in a bucket are adopted unseen",
		edits: []edit{{"sink.compareObject",
			"if seen == nil || !store.IsExact(seen) || etagOf(seen) != line.ETag || seen.Size() != line.Bytes {",
			"if false {"}},
		tests: []tests{{"./sink", "TestTasks"}},
	},
	{
		name:  "a new lock is free for a moment",
		edits: []edit{{"sink.Disk.createLock", "if err == nil && !exists {", "if false {"}},
		tests: []tests{{"./sink", "TestTasksWithOneScratchDirectoryLeaveEachOtherAlone"}},
	},
	{
		name:  "a directory that is just being made is removed",
		edits: []edit{{"sink.hasLock", "return err == nil && exists", "return err == nil || exists"}},
		tests: []tests{{"./sink", "TestTasksWithOneScratchDirectoryLeaveEachOtherAlone"}},
	},
	{
		name:  "a directory of a killed process without a name stays",
		edits: []edit{{"sink.hasLock", "return err == nil && exists", "return err != nil && exists"}},
		tests: []tests{{"./sink", "TestTasksRemoveFilesOfAKilledTask"}},
	},
	{
		name: "a scratch directory of tasks that has its name before its lock",
		edits: []edit{{"sink.prefix.openWorkDirectory", "createLockedDirectory(p.disk, p.staging)",
			"p.disk.lockDirectory(p.staging)"}},
		tests: []tests{{"./sink", "TestTasksWithOneScratchDirectory"}},
	},
	{
		name:  "a scratch directory without locks counts as one of a killed task",
		edits: []edit{{"sink.removeUnlocked", "if isLocked {", `if isLocked || dir != "" {`}},
		tests: []tests{{"./sink", "TestTasksWithoutLocks"}},
	},
	{
		name: "the lock of a scratch directory goes before what is in it",
		edits: []edit{{"sink.removeLocked", "if err := d.removeExcept(dir, lockName); err != nil",
			"if err := error(nil); err != nil"}},
		tests: []tests{{"./sink", "TestTasksRemoveFilesOfAKilledTask"}},
	},
	{
		name: "shards of tasks in a directory are adopted unread",
		edits: []edit{{"sink.directory.shardChecker", "differs = f.checkFile(ctx, dataName, &line.Sum, digest, " +
			"io.Discard)", "_ = digest"}},
		tests: []tests{{"./sink", "TestTasksWithMissingShards/directory"}},
	},
	{
		name:  "a line with keys that nobody knows",
		edits: []edit{{"internal/sumline.Decode", "dec.DisallowUnknownFields()", ""}},
		tests: []tests{{"./internal/sumline", "TestDecode"}},
	},
	{
		name:  "keep removes what a link names",
		edits: []edit{{"sink.Versions.linkedNames", "names[name] = true", "names[name] = false"}},
		tests: []tests{{"./sink", "TestVersionsThatStay"}},
	},
	{
		name: "a run takes the output of another plan in a store",
		edits: []edit{{"sink.owner.putJob", "none := store.Condition{Over: store.Nothing}",
			"none := store.Condition{}"}},
		tests: []tests{{"./sink", "TestBuildInMemory"}},
	},
}
