package main

// mutants are the protections that are taken away.
var mutants = []mutant{
	{
		name:  "no fsync of files",
		edits: []edit{{"sink.disk.syncFile", `return wrapError("syncing", f.Name(), f.Sync())`, "return nil"}},
		tests: []tests{{"./sink", "TestSyncsPrecedeDependentSteps|TestOrderOfOperations"}},
	},
	{
		name:  "no fsync of a file that is salvaged or written",
		edits: []edit{{"internal/store.Local.WriteFile", "err = writeError(path, f.Sync())", "err = nil"}},
		tests: []tests{{"./dataset", "TestSalvageIsDurable"}},
	},
	{
		name:  "no fsync of directories",
		edits: []edit{{"sink.disk.syncDirs", "err := d.fs.SyncDir(name)", "err := error(nil)"}},
		tests: []tests{{"./sink", "TestSyncsPrecedeDependentSteps|TestOrderOfOperations"}},
	},
	{
		name:  "indexes of a stopped run are kept unseen",
		edits: []edit{{"sink.location.checkShardFiles", "differs, err = loc.target.checkShard(ctx, shard.Index, SHA256)", ""}},
		tests: []tests{{"./sink", "TestResume"}},
	},
	{
		name: "rename before fsync",
		edits: []edit{
			{"sink.Shard.seal", `if err == nil {
		err = sh.stage.disk.syncFile(sh.f)
	}`, ""},
			{"sink.Shard.finishFile", "sum := sh.sum()", `f, err := sh.stage.disk.fs.Edit(filepath.Join(sh.stage.files.dir, sh.name))
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(sh.stage.disk.syncFile(f), f.Close()); err != nil {
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
			{"sink.Shard.Finish", "return line.Sum, sh.recordFinished(line, &about)", `if err := sh.recordFinished(line, &about); err != nil {
		return Sum{}, err
	}
	return line.Sum, sh.rename()`},
		},
		tests: []tests{{"./sink", "TestKilledAtEveryOperation"}},
	},
	{
		name: "error of close ignored",
		edits: []edit{{"sink.Shard.seal", `return cmp.Or(err, wrapError("closing", sh.f.Name(), sh.f.Close()))`, `_ = cmp.Or(err, sh.f.Close())
	return err`}},
		tests: []tests{{"./sink", "TestEveryErrorOfEveryOperation"}},
	},
	{
		name:  "resume without a check of digests",
		edits: []edit{{"sink.location.checkFile", "if err = d.syncFile(f); err == nil {", "if err = d.syncFile(f); err == nil && w != io.Discard {"}},
		tests: []tests{{"./pipeline", "TestDamagedShardIsRebuilt"}},
	},
	{
		name:  "no lock",
		edits: []edit{{"internal/vfs.flock", "unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)", "unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB)"}},
		tests: []tests{{"./internal/vfs", "TestLock$"}},
	},
	{
		name:  "parentheses without end",
		edits: []edit{{"expr.parser.enterLevel", "if p.depth++; p.depth > maxDepth {", "if p.depth++; p.depth > maxText {"}},
		tests: []tests{{"./expr", "TestLong"}},
	},
	{
		name:  "texts without end",
		edits: []edit{{"expr.eval.room", "if len(e.made)+size <= maxMade {", "if size >= 0 {"}},
		tests: []tests{{"./expr", "TestStringLimit"}},
	},
	{
		name:  "loops without end",
		edits: []edit{{"expr.eval.step", "if steps <= maxSteps-e.meter.steps {", "if steps >= 0 {"}},
		tests: []tests{{"./expr", "TestMeter$"}},
	},
	{
		name:  "keys of several columns that collide",
		edits: []edit{{"sources.appendKey", "if columns > 1 {", "if columns > 1 && len(text) > 1<<20 {"}},
		tests: []tests{{"./sources", "TestKeysDoNotCollide"}},
	},
	{
		name:  "ints that wrap around",
		edits: []edit{{"expr.computeInts", "if !fits {", "if !fits && e == nil {"}},
		tests: []tests{{"./expr", "TestMessages|TestAgainstTheModel"}},
	},
	{
		name:  "floats that are infinite",
		edits: []edit{{"expr.computeFloats", "if z-z != 0 {", "if false {"}},
		tests: []tests{{"./expr", "TestMessages|TestAgainstTheModel"}},
	},
	{
		name:  "patterns that change with Unicode",
		edits: []edit{{"expr.unstable", "if fold && beyond {", `if fold && beyond && pattern == "" {`}},
		tests: []tests{{"./expr", "TestMessages"}},
	},
	{
		name:  "a part of a string that starts before it and keeps its length",
		edits: []edit{{"expr.substr", "count+min(0, from)", "count"}},
		tests: []tests{{"./expr", "TestSubstr"}, {"./expr", "TestAgainstTheModel"}},
	},
	{
		name:  "a list of Examples that is read as one of them",
		edits: []edit{{"message.readEntry", "case pieces == 0 && hasBoth(key, read):", "case pieces == 0 && hasBoth(nil, read):"}},
		tests: []tests{{"./message", "TestKindOf"}, {"./dataset", "TestInspectListsWithContext"}},
	},
	{
		name:  "a dataset of rejected rows alone",
		edits: []edit{{"pipeline.publisher.publishDataset", "if err := p.checkRowsRemain(ctx); err != nil {", "if err := p.checkRowsRemain(ctx); err != nil && p.build.out.claim == nil && len(p.files) > 0 {"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/first_rows"}},
	},
	{
		name: "first rows that nobody converts",
		edits: []edit{{"pipeline.convertFirst", "err := f.encode(ctx)", `f.encoded++
	err := ctx.Err()`}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/first_rows"}},
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
		name:  "rows not counted at the end",
		edits: []edit{{"pipeline/describe.Accounting.Check", "c.Found == c.Written+rejected+left && left >= 0:", "c.Found >= 0:"}},
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
		edits: []edit{{"pipeline/spill.storedRun.next", "if ends.IsBeyond(number, e.sortKey(b)) {", "if false && number > 0 {"}},
		tests: []tests{{"./pipeline", "TestLimitOfEqualKeys$"}},
	},
	{
		name:  "a range of keys that is read once",
		edits: []edit{{"pipeline/spill.limiter.limitBucket", "if !more {", "if true || !more {"}},
		tests: []tests{{"./pipeline", "TestLimitOfEqualKeys$"}},
	},
	{
		name:  "values of limits that a resumed build forgets",
		edits: []edit{{"pipeline/spill.Merger.limit", "g.m.Values, g.m.Limits = all.Values(), l.ends", "g.m.Limits = l.ends"}},
		tests: []tests{{"./internal/fault", "TestKilledBeforeEachOperation/limited_by_value,_spilled"}},
	},
	{
		name:  "missing values without a limit",
		edits: []edit{{"pipeline/rows.Chooser.numberValues", "if of == nil ||", "if of == nil || sources.IsMissing(of.nulls, &vals[of.slot]) ||"}},
		tests: []tests{{"./pipeline", "TestHostileLimitedValues$"}},
	},
	{
		name:  "rows that no condition is asked of",
		edits: []edit{{"pipeline/rows.Chooser.Choose", "case !kept:", "case !kept && r.File < 0:"}},
		tests: []tests{{"./pipeline", "TestShapesMoveNothing$"}},
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
		edits: []edit{{"sink.files.makeParents", "err = fl.disk.syncDirs(above)", "_, err = above, nil"}},
		tests: []tests{{"./sink", "TestSubdirectoryThatIsNotSynced|TestPowerLossAtEveryOperation"}},
	},
	{
		name:  "OFRecords not held against their message",
		edits: []edit{{"framing.ofRecord", "Accepts: message.BeginsOFRecord,", ""}},
		tests: []tests{{"./dataset", "TestVerifyLoneOFRecordFile"}},
	},
	{
		name:  "elements of Parquet lists count nothing",
		edits: []edit{{"sources/parquet.scanner.readDecoded", "if size*t.nesting > s.in.limits.Record {", "if false {"}},
		tests: []tests{{"./sources/parquet", "TestLimitIsExact"}},
	},
	{
		name:  "a row of Parquet that is too long is decoded whole",
		edits: []edit{{"sources/parquet.decoder.inBatches", "d.batch, d.truncates = batchValues, d.max.rep > 0", "d.batch = batchValues"}},
		tests: []tests{{"./sources/parquet", "TestLongLists"}},
	},
	{
		name:  "the header of a page is believed to be short",
		edits: []edit{{"sources/parquet.decoder.longValue", "rest-slack > int64(d.limit)", "false"}},
		tests: []tests{{"./sources/parquet", "TestLongValues"}},
	},
	{
		name:  "elements that a path gives to many columns count nothing",
		edits: []edit{{"sources/jsonl.Scanner.countElement", "; s.starElements > s.paths.limits.Record {", "; false {"}},
		tests: []tests{{"./sources/jsonl", "TestElementsOfManyColumnsCountTowardLimit"}},
	},
	{
		name:  "a DOCTYPE may define entities",
		edits: []edit{{"sources/xml.tokens.checkDirective", "case hasDeclarations(text):", "case false:"}},
		tests: []tests{{"./sources/xml", "TestErrors"}},
	},
	{
		name:  "an element without a value makes a list shorter",
		edits: []edit{{"sources/xml.parser.fillMissing", "if len(st.lists) < st.bases[len(st.bases)-1]+count {", "if false {"}},
		tests: []tests{{"./sources/xml", "TestValues"}},
	},
	{
		name:  "attributes take memory before they are counted",
		edits: []edit{{"sources/xml.source.ReadByte", "; s.equals > s.most {", "; false {"}},
		tests: []tests{{"./sources/xml", "TestManyAttributes"}},
	},
	{
		name:  "elements that a path of XML gives to many columns count nothing",
		edits: []edit{{"sources/xml.parser.countElement", "; p.elements > p.limits.Record {", "; false {"}},
		tests: []tests{{"./sources/xml", "TestErrors"}},
	},
	{
		name:  "a misspelled path to repeated elements is an empty list",
		edits: []edit{{"sources.ColumnTracker.lacksColumn", "return w.repeated && len(v.List) == 0 || ", "return "}},
		tests: []tests{{"./sources", "TestRepeatedElementsThatNoDocumentHas"}},
	},
	{
		name:  "blocks of a TIFF may overlap",
		edits: []edit{{"pixels/header.TIFFPage.findBlocks", "; total > len(t.data) {", "; false {"}},
		tests: []tests{{"./pixels/header", "TestTIFF"}},
	},
	{
		name:  "rows of a lookup table count nothing",
		edits: []edit{{"sources.Reader.addSize", "; size > limit-r.added {", "; size < 0 {"}},
		tests: []tests{{"./pipeline", "TestRowsOfALookupTableCount"}},
	},
	{
		name:  "texts of a record take what they do not need",
		edits: []edit{{"sources/tfrecord.scanner.bytesList", "s.texts.Take(f.Count)", "s.texts.Take(2 * f.Count)[:f.Count]"}},
		tests: []tests{{"./sources/tfrecord", "TestLongListMemory"}},
	},
	{
		name: "checksum of a payload that is input not checked",
		edits: []edit{{"sources/tfrecord.scanner.Scan", `record, ok := s.in.frames.Payload(data)
	if !ok {`, `record, _ := s.in.frames.Payload(data)
	if false {`}},
		tests: []tests{{"./sources/tfrecord", "TestEveryFlip"}},
	},
	{
		name: "boxes that stay where their image is moved",
		edits: []edit{{"pipeline.Check", `if problems := j.cfg.UnmovedCoordinates(); problems != nil {
		return problems
	}`, ""}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/boxes$"}},
	},
	{
		name:  "boxes that are not clipped",
		edits: []edit{{"pixels/geometry.box.clip", "min(b.right, float64(to.Width))", "b.right"}},
		tests: []tests{{"./pixels/geometry", "TestBoxes"}},
	},
	{
		name:  "polygons that are not clipped",
		edits: []edit{{"pixels/geometry.Transform.MovePolygon", "!t.contains(moved)", "!t.contains(moved) && false"}},
		tests: []tests{{"./pixels/geometry", "TestPolygons"}},
	},
	{
		name:  "min_visible drops nothing",
		edits: []edit{{"pixels/geometry.box.remains", "return clipped.area() >= float64(minVisible*area)", "return true"}},
		tests: []tests{{"./pixels/geometry", "TestBoxes|TestRules"}},
	},
	{
		name:  "min_visible of the config is not used",
		edits: []edit{{"pixels/convert.Box.Rule", "MinVisible: float64(b.MinVisible) / fullShare", ""}},
		tests: []tests{{"./pipeline", "TestFollowingEveryWay"}},
	},
	{
		name:  "lists that keep the elements of dropped boxes",
		edits: []edit{{"sources.Reader.keepElements", "if len(f.kept) == count {", "if len(f.kept) <= count {"}},
		tests: []tests{{"./pipeline", "TestFollowingForms"}},
	},
	{
		name:  "lists that lose other elements than the boxes",
		edits: []edit{{"sources.Reader.keepElements", "list[k] = v.List[from]", "list[k], _ = v.List[k], from"}},
		tests: []tests{{"./pipeline", "TestFollowingForms"}},
	},
	{
		name:  "numbers that are lost are others than the boxes",
		edits: []edit{{"sources.Reader.keepElements", "f.text = append(f.text, v.Text[k*size:(k+1)*size]...)", "f.text = append(f.text, v.Text[0*k:size]...)"}},
		tests: []tests{{"./pipeline", "TestFollowingNumbers"}},
	},
	{
		name:  "lists of other lengths than the boxes",
		edits: []edit{{"sources.Reader.checkWith", "case got != n:", "case false:"}},
		tests: []tests{{"./pipeline", "TestHostileFollowing"}},
	},
	{
		name:  "coordinates turned the other way than their image",
		edits: []edit{{"pixels/geometry.Transform.turn", "return bottom - y, x", "return y, x"}},
		tests: []tests{{"./pixels/convert", "TestTransform"}},
	},
	{
		name:  "coordinates of the upright image turned again",
		edits: []edit{{"sources.Reader.transformOf", `f.Spec.Of == "turned"`, "false"}},
		tests: []tests{{"./pipeline", "TestFollowingOrientation"}},
	},
	{
		name:  "points outside that stay visible",
		edits: []edit{{"sources.Reader.moveXY", "visible != nil && !inside", "false && !inside"}},
		tests: []tests{{"./pipeline", "TestFollowingForms"}},
	},
	{
		name:  "masks of other sizes than their image",
		edits: []edit{{"pixels/convert.MaskConverter.Append", "case info.Width != t.From.Width || info.Height != t.From.Height:", "case false:"}},
		tests: []tests{{"./pixels/convert", "TestBadMasks"}},
	},
	{
		name:  "runs of a mask that are fewer than its pixels",
		edits: []edit{{"pixels/convert.MaskConverter.AppendRuns", "len(pixels) < cap(pixels)", "len(pixels) < 0"}},
		tests: []tests{{"./pixels/convert", "TestBadMasks|TestRuns"}, {"./pipeline", "TestHostileFollowing"}},
	},
	{
		name:  "boxes that do not count toward limits.record",
		edits: []edit{{"sources.Reader.moveLists", "r.addSize((1+4*8)*count, c.name)", "r.addSize(0*count, c.name)"}},
		tests: []tests{{"./pipeline", "TestFollowingLimits"}},
	},
	{
		name:  "coordinates that one key alone does not move are no problem",
		edits: []edit{{"pipeline/config.Config.UnmovedCoordinates", "len(moves) > 0 &&", "len(moves) > 1 &&"}},
		tests: []tests{{"./pipeline/config", "TestGuard"}},
	},
	{
		name:  "columns read before they move",
		edits: []edit{{"pipeline/config.isPathInto", `|| strings.HasPrefix(b,`, "&& strings.HasPrefix(b,"}},
		tests: []tests{{"./pipeline/config", "TestInvalidConfigs"}},
	},
	{
		name:  "splits by columns that follow an image",
		edits: []edit{{"sources/column.Set.Late", "c.Step == Split, c.Follows:", "c.Step == Split:"}},
		tests: []tests{{"./pipeline/config", "TestInvalidConfigs"}},
	},
	{
		name:  "words of names that hold coordinates split at signs alone",
		edits: []edit{{"pipeline/config.isCoordinateName", `[]string{name, caseChange.ReplaceAllString(name, "${1}_${2}")}`, "[]string{name}"}},
		tests: []tests{{"./pipeline/config", "TestCoordinateNames"}},
	},
	{
		name:  "feature lists of any length",
		edits: []edit{{"schema.sequenceEncoder.append", "case n != length:", "case n < 0:"}},
		tests: []tests{{"./schema", "TestRecordErrors"}},
	},
	{
		name:  "lengths of ragged lists counted in values",
		edits: []edit{{"schema.gatherer.appendLengthsAt", "n = elem.count() / inner", "n = elem.count() + 0*inner"}},
		tests: []tests{{"./schema", "TestRagged|TestAppendEqualsProtobuf"}},
	},
	{
		name:  "members that a zip archive claims not compared with its directory",
		edits: []edit{{"sources/zipdir.Read", "if d.entries > uint64(d.size)/entrySize {", "if false {"}},
		tests: []tests{{"./sources/zipdir", "TestClaims"}},
	},
	{
		name: "stored members of an archive not checked",
		edits: []edit{
			{"sources/arrays.arraysInput.Find", `if err := in.verifyStored(); err != nil {
		return nil, err
	}`, ""},
			{"sources/arrays.rows.Next", `if err := r.in.verifyStored(); err != nil {
			return nil, err
		}`, ""},
		},
		tests: []tests{{"./sources/arrays", "TestArchives"}},
	},
	{
		name:  "CRC of the length not checked",
		edits: []edit{{"tfrecord.Reader.readHeader", "case !IsRecord(header):", "case false:"}},
		tests: []tests{{"./tfrecord", "TestEveryFlip"}},
	},
	{
		name:  "names of classes in the order in which workers saw them",
		edits: []edit{{"pipeline/rows.Vocabulary.Collected", "slices.Sorted(slices.Values(v.texts[i].texts.Names()))", "slices.Clone(v.texts[i].texts.Names())"}},
		tests: []tests{{"./pipeline", "TestSameBytesEveryWay"}},
	},
	{
		name:  "seed ignored",
		edits: []edit{{"internal/order.NewShuffle", "mix(seed ^ seedSalt)", "mix(seedSalt)"}},
		tests: []tests{{"./internal/order", "TestSeedsGiveDifferentOrders"}},
	},
	{
		name:  "ragged row padded",
		edits: []edit{{"sources/csv.Scanner.checkRecord", "if count == columns {", "if count <= columns {"}},
		tests: []tests{{"./sources/csv", "TestScanOffsets"}},
	},
	{
		name:  "BOM kept",
		edits: []edit{{"sources/csv.Format.Start", "h.BOM, h.First = true, len(bom)", "h.BOM = true"}},
		tests: []tests{{"./sources/csv", "TestStart$"}},
	},
	{
		name: "float32 through float64",
		edits: []edit{
			{"schema.parseFloatStrconv", "strconv.ParseFloat(string(text), 32)", "strconv.ParseFloat(string(text), 64)"},
			{"schema.parseFloatStrconv", `case err != nil:
		return 0, numberRange
	case f == 0:`, `case err != nil || math.IsInf(float64(float32(f)), 0):
		return 0, numberRange
	case float32(f) == 0:`},
		},
		tests: []tests{{"./schema", "TestFloatHalfway|TestFloatCorpus"}},
	},
	{
		name:  "quarantine not counted",
		edits: []edit{{"pipeline/rejects.Log.spend", "l.count.Add(n), l.budget.Load()", "l.count.Load(), l.budget.Load()"}},
		tests: []tests{{"./pipeline", "TestTooManyRejects"}},
	},
	{
		name:  "a quarantined row encoded in one piece",
		edits: []edit{{"pipeline/rejects.lineWriter.writeString", "text[:min(len(text), chunkSize)]", "text"}},
		tests: []tests{{"./pipeline/rejects", "TestRawOfControlCharacters"}},
	},
	{
		name: "the text of a tar row grows in small steps",
		edits: []edit{{"sources/tar.grouper.appendRaw", `if n := len(g.raw) + len(piece); n > cap(g.raw) {
		g.raw = append(make([]byte, 0, max(n, 2*cap(g.raw))), g.raw...)
	}`, ""}},
		tests: []tests{{"./sources/tar", "TestMemoryOfALongRow"}},
	},
	{
		name:  "scans of a JPEG decoded before they are counted",
		edits: []edit{{"pixels/jpeg.parser.checkScans", "if p.scans+n <= maxScans {", "if p.scans+n <= 1<<30 {"}},
		tests: []tests{{"./pixels/jpeg", "TestManyScans"}},
	},
	{
		name:  "an image decoded before its size is refused",
		edits: []edit{{"pixels/convert.Converter.layout", "return l, c.check(facts, &l)", "return l, nil"}},
		tests: []tests{{"./pixels/convert", "TestRefuses"}},
	},
	{
		name:  "a record of too many features verified",
		edits: []edit{{"message.HasMany", "if len(payload) <= least*maxFeatures {", "if len(payload) > 0 {"}},
		tests: []tests{{"./dataset", "TestDeepRefusesManyFeatures"}},
	},
	{
		name:  "a file of classes without a limit",
		edits: []edit{{"pipeline/rows.Classes.readNames", "c.read(path, maxClassText, maxClasses)", "c.read(path, math.MaxInt64, math.MaxInt)"}},
		tests: []tests{{"./pipeline/rows", "TestLimitsOfClassFiles"}},
	},
	{
		name: "close deferred, its error swallowed",
		edits: []edit{{"sink.disk.writeFile", `if err = cmp.Or(err, wrapError("closing", f.Name(), f.Close())); err != nil {`, `defer f.Close()
	if err != nil {`}},
		tests: []tests{{"./sink", "TestEveryErrorOfEveryOperation"}},
	},
	{
		name: "failed fsync tried again",
		edits: []edit{{"sink.disk.syncFile", `return wrapError("syncing", f.Name(), f.Sync())`, `err := f.Sync()
	if err != nil {
		err = f.Sync()
	}
	return wrapError("syncing", f.Name(), err)`}},
		tests: []tests{{"./sink", "TestFailedSyncIsNotRetried"}},
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
		name:  "a dataset that fails its checks is published",
		edits: []edit{{"pipeline.publisher.check", "return &ChecksError{Findings: found, Report: file.Path}", "return nil"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/checks"}},
	},
	{
		name:  "max_errors forgotten by a run that resumes",
		edits: []edit{{"pipeline.build.restoreSpill", "b.pass.setBudget(found)", ""}},
		tests: []tests{{"./pipeline", "TestBudgetOfAResumedBuild"}},
	},
	{
		name:  "damaged duplicates of a stopped build used",
		edits: []edit{{"pipeline.build.reopenSpillFiles", "err := d.Each(func(_, _ uint64) error { return ctx.Err() }); err != nil", "err := ctx.Err(); err != nil"}},
		tests: []tests{{"./pipeline", "TestDamagedDuplicates"}},
	},
	{
		name:  "files that begin alike taken for different",
		edits: []edit{{"pipeline/rows.Candidates.Narrow", "repeated[all[n]] || ", ""}},
		tests: []tests{{"./pipeline", "TestDuplicateFiles"}},
	},
	{
		name: "shards of other contents kept, if the input's time is the same",
		edits: []edit{{"pipeline.build.makePlan", `if len(b.reused) > 0 && !b.plan.SameInput(b.oldPlan) {
		return task.ErrOther
	}`, ""}},
		tests: []tests{{"./pipeline", "TestStartsOverAfterAnUnseenChange"}},
	},
	{
		name: "shards kept without a plan to hold the input against",
		edits: []edit{
			{"pipeline.build.resume", "len(left.Shards) > 0 && b.oldPlan == nil {", "false {"},
			{"pipeline.build.makePlan", "len(b.reused) > 0 && !b.plan.SameInput(b.oldPlan)", "b.oldPlan != nil && len(b.reused) > 0 && !b.plan.SameInput(b.oldPlan)"},
		},
		tests: []tests{{"./pipeline", "TestStartsOverAfterAnUnseenChange"}},
	},
	{
		name:  "new classes of a changed input taken for unknown ones",
		edits: []edit{{"pipeline/rows.Encoder.reject", `bad.Code == "LABEL_UNKNOWN" && e.set`, `bad.Code == "" && e.set`}},
		tests: []tests{{"./pipeline", "TestStartsOverAfterAnUnseenChange"}},
	},
	{
		name:  "plan of another listing believed",
		edits: []edit{{"sink.Leftovers.Plan", "if newPlanSums(plan, listing) != *l.planned {", "if false {"}},
		tests: []tests{{"./sink", "TestChangedPlans"}},
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
		edits: []edit{{"sink.prefix.finishPublish", `if err := p.reconcile(); err != nil { // last, because no later step checks the shards
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
		name:  "shards of tasks in a bucket are adopted unseen",
		edits: []edit{{"sink.compareObject", "if seen == nil || !store.IsExact(seen) || etagOf(seen) != line.ETag || seen.Size() != line.Bytes { // a listing may be late", "if false {"}},
		tests: []tests{{"./sink", "TestTasks"}},
	},
	{
		name:  "a time vouches for the bytes of a shard in a bucket",
		edits: []edit{{"internal/bucket.IsETag", `return etag != "" && !strings.HasPrefix(etag, dated)`, `return etag != ""`}},
		tests: []tests{{"./sink", "TestTasksReadShardsWithoutETags|TestResumeReadsShardsWithoutETags"}},
	},
	{
		name:  "a new lock is free for a moment",
		edits: []edit{{"sink.disk.createLock", "if err == nil && !exists {", "if false {"}},
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
		name:  "objects without an ETag are all the same one",
		edits: []edit{{"internal/bucket.toObject", "dated + o.LastModified.UTC().Format(time.RFC3339)", "dated"}},
		tests: []tests{{"./internal/bucket", "TestObjectsWithoutETags"}, {"./pipeline", "TestInputWithoutETags"}},
	},
	{
		name:  "credentials with a line break are sent",
		edits: []edit{{"internal/bucket.chain.retrieve", "if err == nil && !isPrintable(value) {", "if false {"}},
		tests: []tests{{"./internal/bucket", "TestCredentialsWithALineBreak"}},
	},
	{
		name:  "pipes are read",
		edits: []edit{{"internal/vfs.osFS.Open", "if err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0 {", "if info == nil {"}},
		tests: []tests{{"./internal/vfs", "TestOpenDoesNotWait"}},
	},
	{
		name:  "a store that is down is not waited for",
		edits: []edit{{"internal/bucket.tries.do", "left := t.c.opts.Retry - failing", "left := t.c.opts.Retry/5000 - failing"}},
		tests: []tests{{"./internal/bucket", "TestStoreOutage"}},
	},
	{
		name:  "a store is waited for without a word",
		edits: []edit{{"internal/bucket.tries.do", "t.c.waiting.report(e, left)", ""}},
		tests: []tests{{"./internal/bucket", "TestStoreOutage"}},
	},
	{
		name:  "-retry is not what input and output go by",
		edits: []edit{{"pipeline.Run.stores", "opt.Retry, opt.Waiting = r.Retry, r.warn", "opt.Retry, opt.Waiting = -1, r.warn"}},
		tests: []tests{{"./cmd/tfr-build", "TestStoreIsDown$"}},
	},
	{
		name:  "a scratch directory of tasks that has its name before its lock",
		edits: []edit{{"sink.sharedPrefix.openWorkDirectory", "createLockedDirectory(p.disk, p.staging)", "p.disk.lockDirectory(p.staging)"}},
		tests: []tests{{"./sink", "TestTasksWithOneScratchDirectory"}},
	},
	{
		name:  "a scratch directory without locks is taken for that of a killed task",
		edits: []edit{{"sink.removeUnlocked", "if isLocked {", `if isLocked || dir != "" {`}},
		tests: []tests{{"./sink", "TestTasksWithoutLocks"}},
	},
	{
		name:  "the lock of a scratch directory goes before what is in it",
		edits: []edit{{"sink.removeLocked", "if err := d.removeExcept(dir, lockName); err != nil", "if err := error(nil); err != nil"}},
		tests: []tests{{"./sink", "TestTasksRemoveWhat"}},
	},
	{
		name:  "shards of tasks in a directory are adopted unread",
		edits: []edit{{"sink.sharedDirectory.adoption", "return f.location.checkShardFiles(ctx, line, digest)", "return nil, nil"}},
		tests: []tests{{"./sink", "TestTasksWithMissingShards/directory"}},
	},
	{
		name:  "a line with keys that nobody knows",
		edits: []edit{{"internal/sumline.Decode", "dec.DisallowUnknownFields()", ""}},
		tests: []tests{{"./internal/sumline", "TestDecode"}},
	},
	{
		name:  "a plan of tasks whose scans read a file twice",
		edits: []edit{{"pipeline/work.parsePlan", "return p, p.checkRanges(Scan, p.Scans)", "return p, nil"}},
		tests: []tests{{"./pipeline/work", "TestPlanCoversItsInputs"}},
	},
	{
		name:  "a note in the place of another task's",
		edits: []edit{{"pipeline/work.Plan.Note", "|| n.Task != ph.task(k) ||", "||"}},
		tests: []tests{{"./pipeline/work", "TestResultsOfOtherTasks"}},
	},
	{
		name:  "a merge that makes a shard twice",
		edits: []edit{{"pipeline/work.Note.isValid", "return n.Merged != nil && n.Merged.check(p) == nil", "return n.Merged != nil"}},
		tests: []tests{{"./pipeline/work", "TestResultsOfOtherTasks"}},
	},
	{
		name:  "a run in the place of another scan's",
		edits: []edit{{"pipeline/spill.digestOf", "return xxh3.Hash(data) ^ id }", "return xxh3.Hash(data) }"}},
		tests: []tests{{"./pipeline", "TestSwappedSpillFiles"}},
	},
	{
		name: "a task does a step on its own",
		edits: []edit{{"pipeline.Tasks.doTask", "if note, err = s.note(b, k); err != nil {", `if err := b.planShards(ctx, 0); s.phase == work.Merge && err != nil {
		return nil, nil, err
	}
	if note, err = s.note(b, k); err != nil {`}},
		tests: []tests{{"./pipeline", "TestOnlyTheTableNamesWhatAStepDoes"}},
	},
	{
		name: "the rejects of a merge are not named",
		edits: []edit{{"pipeline.build.explain", `case errors.Is(err, errInvalidRow):
		return b.rowsError(ctx)`, ""}},
		tests: []tests{{"./pipeline", "TestMergeNamesTheInvalidRow"}},
	},
	{
		name: "a lookup table that changed between tasks is not named",
		edits: []edit{{"pipeline.Tasks.comparePlan", `if err := j.inputs.ExtraInputChanged(t.plan.Extras); err != nil {
		return err
	}`, ""}},
		tests: []tests{{"./pipeline", "TestTasksNameTheExtraInputThatChanged"}},
	},
	{
		name:  "a stretch of a file that changed names no file",
		edits: []edit{{"sources/table.Files.Stretches", "return nil, &input.Error{Path: f.path, Err: err}", "return nil, err"}},
		tests: []tests{{"./pipeline", "TestTasksNameTheInputThatChanged"}},
	},
	{
		name:  "a file that is to be turned keeps its bytes",
		edits: []edit{{"pixels/convert.Converter.keepsBytes", "&& c.orientation(facts) == 1 &&", "&&"}},
		tests: []tests{{"./pixels/convert", "TestUnchangedFiles"}},
	},
	{
		name:  "transparency that a color does not ask for",
		edits: []edit{{"pixels/convert.Spec.keepsColor", "isOpaque := !facts.Transparent &&", "isOpaque :="}},
		tests: []tests{{"./pixels/convert", "TestUnchangedFiles"}},
	},
	{
		name: "a side that follows is cut off",
		edits: []edit{{"pixels/convert.divideToEven", `if 2*rest > d || 2*rest == d && q%2 == 1 {
		q++
	}`, "_ = rest"}},
		tests: []tests{{"./pixels/convert", "TestLayout|TestConvert"}},
	},
	{
		name:  "a result beyond the limit of pixels",
		edits: []edit{{"pixels/convert.Converter.layout", "if err := c.Limits.Check(s.width, s.height); err != nil {", "if err := error(nil); err != nil && s.width > 0 {"}},
		tests: []tests{{"./pixels/convert", "TestRefuses"}},
	},
	{
		name:  "an orientation that a new file forgets",
		edits: []edit{{"pixels/convert.Converter.encode", "if facts.Orientation != 1 {", "if false {"}},
		tests: []tests{{"./pixels/convert", "TestMetadataOfResults"}},
	},
	{
		name:  "images resized by columns first, always",
		edits: []edit{{"pixels/resample.Job.rowsFirst", "return lost > 0 && lost > 2*(j.Width-j.ToWidth)", "return lost < 0"}},
		tests: []tests{{"./pixels/resample", "TestGolden"}},
	},
	{
		name:  "a default that fills more than a record",
		edits: []edit{{"pipeline/config.featureCheck.checkFillSize", "size > c.maxRecord {", "size > 1<<60 {"}},
		tests: []tests{{"./pipeline/config", "TestFillSizes"}},
	},
	{
		name:  "allow_unsupported proposed for a converted image",
		edits: []edit{{"sources/images.Examiner.withHint", "if !e.converter.Decodes(info) {", "{"}},
		tests: []tests{{"./sources/images", "TestUnsupportedHint"}},
	},
	{
		name: "shards of Inception's script without its threads",
		edits: []edit{{"internal/order/inception.Cut", `for _, ofThread := range linspace(order.Range{To: rows}, threads) {
		ranges = append(ranges, linspace(ofThread, shards/threads)...)
	}`, "ranges = append(ranges, linspace(order.Range{To: rows}, shards)...)"}},
		tests: []tests{{"./internal/order/inception", "TestTable$"}},
	},
	{
		name:  "damage of a JPEG without a warning",
		edits: []edit{{"pixels/raster.addJPEGWarnings", "facts.Warnings.Add(header.Damaged)", ""}},
		tests: []tests{{"./pixels/raster", "TestDamagedJPEG"}},
	},
	{
		name:  "init: thousands separators make lists",
		edits: []edit{{"pipeline/infer.profile.numberNotation", "example, separator := p.written.grouped(others)", `example, separator := "", ""`}},
		tests: []tests{{"./pipeline/infer", "TestColumn"}, {"./cmd/tfr-build", "TestScripts/init_numbers"}},
	},
	{
		name:  "init: most rows may be unreadable",
		edits: []edit{{"pipeline/infer.draft.inspect", "100*s.invalid > mostUnreadable*s.rows", "s.invalid > s.rows"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/init_preamble"}},
	},
	{
		name:  "init: names that are not UTF-8 are written into a config",
		edits: []edit{{"pipeline/infer.findings.checkNames", "if at < 0", "if true"}},
		tests: []tests{{"./pipeline/infer", "TestNamesThatAreNotUTF8"}},
	},
	{
		name:  "init: one missing image drops load",
		edits: []edit{{"pipeline/infer.bestDirectory", "if p.failed < p.looked && (", "if p.failed == 0 && ("}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/init_images"}},
	},
	{
		name:  "init: class names in Parquet metadata are not read",
		edits: []edit{{"pipeline/infer.summary.inspectTyped", "return s.readClassNames()", "return nil"}},
		tests: []tests{{"./pipeline/infer", "TestClassNames|TestGolden"}},
	},
	{
		name:  "init: compressed masks have no feature",
		edits: []edit{{"pipeline/infer.coco.masks", "add(counts.strings, feature{", "add(0, feature{"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/init_masks"}},
	},
	{
		name:  "init: a JSON key called * becomes a feature",
		edits: []edit{{"pipeline/infer.topKeyProblem", `if key == "*" { // all`, "if false { // all"}},
		tests: []tests{{"./pipeline/infer", "TestCases"}},
	},
	{
		name:  "init: a feature of COCO that one split lacks is used",
		edits: []edit{{"pipeline/infer.coco.ofAll", "if c.unused[key] && !f.skipped {", "if false {"}},
		tests: []tests{{"./pipeline/infer", "TestCases"}},
	},
	{
		name:  "init: directories of splits are classes",
		edits: []edit{{"pipeline/infer.tree.bySplit", "if plain || len(splits) < 2 {", "if true {"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/init_splits"}},
	},
	{
		name: "link exchanged before the dataset is there",
		edits: []edit{{"pipeline.publisher.commit", "if err := p.stage.Commit(data); err != nil {", `if err := p.build.out.updateVersions(); err != nil {
		return nil, err
	}
	if err := p.stage.Commit(data); err != nil {`}},
		tests: []tests{{"./internal/fault", "TestLinkAlwaysLeadsToADataset"}},
	},
	{
		name:  "keep removes what a link names",
		edits: []edit{{"sink.Versions.linkedNames", "names[name] = true", "names[name] = false"}},
		tests: []tests{{"./sink", "TestVersionsThatStay"}},
	},
	{
		name:  "a list goes to the path that ends at it, too",
		edits: []edit{{"sources/jsonl.Scanner.scanValue", "case c == '[' && n.star != nil && s.paths.limits.Mixed:", "case false:"}},
		tests: []tests{{"./sources/jsonl", "TestMixedForms"}},
	},
	{
		name:  "values that another column takes count as dropped",
		edits: []edit{{"sources/jsonl.Scanner.replacement", "if taken || s.isEmpty(data, p) {", "if s.isEmpty(data, p) {"}},
		tests: []tests{{"./sources/jsonl", "TestMixedForms"}, {"./internal/conformance", "TestCOCO$"}},
	},
	{
		name:  "dropped values of lookup tables are forgotten",
		edits: []edit{{"sources.tableLoader.addRow", "v = &schema.Value{Mixed: v.Mixed, At: v.At}", "v = &schema.Value{At: v.At}"}},
		tests: []tests{{"./pipeline", "TestDroppedEveryWay"}},
	},
	{
		name:  "what records lack is not kept with a shard",
		edits: []edit{{"pipeline/rows.Observations.MarshalJSON", "storedObservations{o.Rows, o.FeatureWarnings(), o.columns}", "storedObservations{o.Rows, nil, o.columns}"}},
		tests: []tests{{"./pipeline", "TestDroppedEveryWay"}},
	},
	{
		name: "what rejected rows lack is counted",
		edits: []edit{{"schema.Encoder.Append", `if err != nil {
		return dst[:start], err
	}
	if len(dst)-start > values.limit.size {`, `values.countLosses()
	if err != nil {
		return dst[:start], err
	}
	if len(dst)-start > values.limit.size {`}},
		tests: []tests{{"./pipeline", "TestDroppedOfRecordsAlone"}},
	},
	{
		name:  "leakage compares where a row is from",
		edits: []edit{{"pipeline/count.comparedOf", "len(of) == 0 && !areOrigin(set, f.From.Columns)", "len(of) == 0"}},
		tests: []tests{{"./pipeline", "TestLeakageOfStrings"}},
	},
	{
		name:  "the name that was given is suggested",
		edits: []edit{{"internal/nearest.Of", "len(names) > maxNames || slices.Contains(names, found)", `len(names) > maxNames || slices.Contains(names, "")`}},
		tests: []tests{{"./internal/nearest", "TestNearestName"}},
	},
	{
		name:  "leading zeros of a version are not named",
		edits: []edit{{"pipeline/config.versionRule", "versionForm.MatchString(numbers) {", "versionForm.MatchString(s) {"}},
		tests: []tests{{"./pipeline/config", "TestInvalidConfigs"}},
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
		name:  "a file of a store without versions is opened whatever version it is",
		edits: []edit{{"internal/store.openVersion", "VersionOf(info) != version", "info == nil"}},
		tests: []tests{{"./internal/store/storetest", "TestZip"}},
	},
	{
		name:  "the limit of what is read from a store does not count",
		edits: []edit{{"internal/store.get", "case info.Size() > limit:", "case false:"}},
		tests: []tests{{"./internal/store/storetest", "TestZip"}},
	},
	{
		name: "what a store refuses to list is empty",
		edits: []edit{{"internal/store.list", `if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}`, ""}},
		tests: []tests{{"./internal/store/storetest", "TestFailing"}},
	},
	{
		name:  "an object that changed is not told from others that cannot be read",
		edits: []edit{{"internal/store/objects.cause.Is", "target == store.ErrChanged &&", "false &&"}},
		tests: []tests{{"./internal/store/storetest", "TestObjects"}},
	},
	{
		name:  "a bucket that does not exist is a missing object",
		edits: []edit{{"internal/store/objects.cause.Is", "target == store.ErrNoBucket &&", "false &&"}},
		tests: []tests{{"./internal/store/storetest", "TestObjects"}},
	},
	{
		name:  "an object is put without its condition",
		edits: []edit{{"internal/store/objects.Store.Put", "bucket.Terms{Over: cond.Over}", "bucket.Terms{}"}},
		tests: []tests{{"./internal/store/storetest", "TestObjects"}},
	},
	{
		name:  "files of one size are the same in a store without checksums",
		edits: []edit{{"internal/store.same", "isSame = err == nil && uint32(sum) == crc", "isSame = true"}},
		tests: []tests{{"./internal/store/storetest", "TestMemory"}},
	},
	{
		name:  "a run takes the output of another plan in a store",
		edits: []edit{{"sink.owner.putJob", "store.Condition{Over: store.Nothing})", "store.Condition{})"}},
		tests: []tests{{"./sink", "TestBuildInMemory"}},
	},
	{
		name:  "spill files of a work directory stay open",
		edits: []edit{{"pipeline/work.openFile.release", "f.users == 0", "f.users < 0"}},
		tests: []tests{{"./pipeline/work", "TestOpenFiles"}},
	},
}
