package main

// sourcesMutants are mutants of source types.
var sourcesMutants = []mutant{
	{
		name: "numbers of one value have several keys",
		edits: []edit{{"schema.Value.Key", "case !ok || v.Kind != Number && v.Kind != Array || isPlainInteger(text):",
			"case true:"}},
		tests: []tests{{"./schema", "TestKey"}, {"./sources", "TestNumbersMatchByValue"}},
	},
	{
		name:  "rows of a lookup table are used only by the first worker",
		edits: []edit{{"sources.JoinMatches.Add", "m.Used.add(row)", "_ = row"}},
		tests: []tests{{"./pipeline", "TestMatchesEveryWay"}},
	},
	{
		name:  "a row in several windows is looked up in each",
		edits: []edit{{"pipeline/rows.groupEncoder.read", ".CountMatches(counted)", ".CountMatches(true)"}},
		tests: []tests{{"./pipeline", "TestMatchesEveryWay"}},
	},
	{
		name:  "elements below another path are rows",
		edits: []edit{{"sources/xml.cutter.take", "c.onPath = min(c.onPath, len(c.parser.open)-1)", ""}},
		tests: []tests{{"./sources/xml", "TestRows"}},
	},
	{
		name:  "an error at the end of a window is the document's",
		edits: []edit{{"sources/xml.cutter.takeMarkup", "|| read == len(window) && !atEOF", ""}},
		tests: []tests{{"./sources/xml", "TestRows"}},
	},
	{
		name: "invalid rows of lookup tables are accepted with on_error: fail",
		edits: []edit{{"sources.tableLoader.addInvalid", "!isRow || !t.source.env.Skips || rec.Bad != nil",
			"!isRow || rec.Bad != nil"}},
		tests: []tests{{"./sources", "TestInvalidRowsOfTables"}},
	},
	{
		name:  "other rows of an invalid row's key match",
		edits: []edit{{"sources.tableLoader.groupRows", "t.rows[key] = span{lo: -1 - i}", "_, _ = key, i"}},
		tests: []tests{{"./sources", "TestInvalidRowsOfTables"}, {"./pipeline", "TestInvalidRowsOfTables"}},
	},
	{
		name:  "keys of several columns that collide",
		edits: []edit{{"sources.appendKey", "if columns > 1 {", "if columns > 1 && len(text) > 1<<20 {"}},
		tests: []tests{{"./sources", "TestKeysDoNotCollide"}},
	},
	{
		name: "elements of Parquet lists count nothing",
		edits: []edit{{"sources/parquet.scanner.readDecoded", "if size*t.maxCost > s.in.limits.Record {",
			"if false {"}},
		tests: []tests{{"./sources/parquet", "TestLimitIsExact"}},
	},
	{
		name: "a row of Parquet that is too long is decoded whole",
		edits: []edit{{"sources/parquet.decoder.inBatches", "d.batch, d.truncates = batchValues, d.max.rep > 0",
			"d.batch = batchValues"}},
		tests: []tests{{"./sources/parquet", "TestLongLists"}},
	},
	{
		name: "missing deltas are zeros",
		edits: []edit{{"sources/parquet.skipDeltas", "bits > 8*width || size > len(data)", "bits > 8*width"},
			{"sources/parquet.skipDeltas", "data[size:], left-", "data[min(size, len(data)):], left-"}},
		tests: []tests{{"./sources/parquet", "TestDeltasEnd"}},
	},
	{
		name:  "deltas take the memory that they claim",
		edits: []edit{{"sources/parquet.checkExpanded", "if size > max(", "if false && size > max("}},
		tests: []tests{{"./sources/parquet", "TestInvalidDeltas"}},
	},
	{
		name:  "a prefix is longer than the string before it",
		edits: []edit{{"sources/parquet.valueDecoder.beginPrefixes", "int(shared[i]) > len(last) || ", ""}},
		tests: []tests{{"./sources/parquet", "TestInvalidDeltas"}},
	},
	{
		name: "a panic of a decoder is damage of the file",
		edits: []edit{{"sources/parquet.guard", "defer bug.Recover(&err)",
			"defer func() { err = damaged(\"%v\", err) }()\n\tdefer bug.Recover(&err)"}},
		tests: []tests{{"./sources/parquet", "TestPanicsAreBugs"}},
	},
	{
		name: "an element of a derived list takes no memory",
		edits: []edit{{"sources.Reader.computeDerived", "input.ElementSize*countElements(&v)",
			"min(1, input.ElementSize)*countElements(&v)"}},
		tests: []tests{{"./sources", "TestElementsOfStepsCount"}},
	},
	{
		name:  "an element of a Parquet list takes no memory",
		edits: []edit{{"sources/parquet.block.rowCost", "input.ElementSize * b.countStarted", "b.countStarted"}},
		tests: []tests{{"./sources/parquet", "TestLimitIsExact"}},
	},
	{
		name:  "an empty string of a record takes no memory",
		edits: []edit{{"sources/tfrecord.memoryOf", "return input.ElementSize * f.Count", "return f.Count"}},
		tests: []tests{{"./sources/tfrecord", "TestElementsCountTheirMemory"}},
	},
	{
		name: "a page of nothing in LZ4 is decompressed to no memory",
		edits: []edit{{"sources/parquet.decompressor.decompress", "slices.Grow(dst, size+1)",
			"slices.Grow(dst, size)"}},
		tests: []tests{{"./sources/parquet", "FuzzPages"}},
	},
	{
		name:  "the header of a page is believed to be short",
		edits: []edit{{"sources/parquet.decoder.longValue", "rest-slack > int64(d.limit)", "false"}},
		tests: []tests{{"./sources/parquet", "TestLongValues"}},
	},
	{
		name:  "elements of JSON and XML take no memory",
		edits: []edit{{"sources/input.RowLists.Storable", "l.limit/ElementSize", "l.limit/min(1, ElementSize)"}},
		tests: []tests{{"./sources/jsonl", "TestElementsOfManyColumnsCountTowardLimit|TestTooManyElements"},
			{"./sources/xml", "TestErrors"}},
	},
	{
		name:  "a DOCTYPE may define entities",
		edits: []edit{{"sources/xml.tokens.checkDirective", "case hasDeclarations(text):", "case false:"}},
		tests: []tests{{"./sources/xml", "TestErrors|TestTooManyElements"}},
	},
	{
		name: "an element without a value makes a list shorter",
		edits: []edit{{"sources/input.RowLists.FillMissing", "len(of.elements) < of.begins[len(of.begins)-1]+count",
			"of == nil"}},
		tests: []tests{{"./sources/xml", "TestValues"}},
	},
	{
		name:  "attributes take memory before they are counted",
		edits: []edit{{"sources/xml.source.ReadByte", "; s.equals > s.most {", "; false {"}},
		tests: []tests{{"./sources/xml", "TestManyAttributes"}},
	},
	{
		name:  "a misspelled path to repeated elements is an empty list",
		edits: []edit{{"sources.ColumnTracker.lacksColumn", "return w.repeated && len(v.List) == 0 || ", "return "}},
		tests: []tests{{"./sources", "TestRepeatedElementsThatNoDocumentHas"}},
	},
	{
		name:  "rows of a lookup table count nothing",
		edits: []edit{{"sources.Reader.addSize", "; size > limit-r.added {", "; size < 0 {"}},
		tests: []tests{{"./pipeline", "TestRowsOfALookupTableCount"}},
	},
	{
		name:  "masks of a row have no bound together",
		edits: []edit{{"pixels/convert.Meter.Add", "if int64(n) > (limit-m.pixels)/size {", "if size > limit {"}},
		tests: []tests{{"./pipeline", "TestManyMasks"}},
	},
	{
		name: "texts of a record take what they do not need",
		edits: []edit{{"sources/tfrecord.scanner.bytesList", "s.texts.Take(f.Count)",
			"s.texts.Take(2 * f.Count)[:f.Count]"}},
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
		name:  "lists that lose other elements than the boxes",
		edits: []edit{{"sources.Reader.keepElements", "list[k] = v.List[from]", "list[k], _ = v.List[k], from"}},
		tests: []tests{{"./pipeline", "TestFollowingForms"}},
	},
	{
		name:  "lists of other lengths than the boxes",
		edits: []edit{{"sources.Reader.checkWith", "got != n &&", "false &&"}},
		tests: []tests{{"./pipeline", "TestHostileFollowing"}},
	},
	{
		name: "boxes that do not count toward limits.record",
		edits: []edit{{"sources.Reader.moveBoxes", "r.addSize(input.ElementSize*count, c.name)",
			"r.addSize(0*count, c.name)"}},
		tests: []tests{{"./pipeline", "TestFollowingLimits"}},
	},
	{
		name:  "converted images of a list replaced by the next one",
		edits: []edit{{"sources/images.Filler.Fill", `c.Name == "" && image.Made || c.Name == ".pixels"`, "false"}},
		tests: []tests{{"./pipeline", "TestListsOfImagesEveryWay"}},
	},
	{
		name:  "converted images of a list without a limit",
		edits: []edit{{"sources/images.Filler.keep", "f.size > f.Limit", "false"}},
		tests: []tests{{"./pipeline", "TestListsOfImagesAreInvalid"}},
	},
	{
		name:  "files of a list that do not count together",
		edits: []edit{{"sources.loader.read", "l.limit-l.size", "l.limit"}},
		tests: []tests{{"./pipeline", "TestListsOfImagesAreInvalid"}},
	},
	{
		name:  "boxes that follow the last image of a list",
		edits: []edit{{"sources.loader.find", "l.list >= 0 && l.load.Convert.Follows()", "false"}},
		tests: []tests{{"./pipeline", "TestListsOfImagesAreInvalid"}},
	},
	{
		name:  "the size that a member claims is allocated at once",
		edits: []edit{{"sources/compress.AppendExactly", "min(size, TrustedRatio*packed+4096)", "size"}},
		tests: []tests{{"./sources/compress", "TestClaimedSize"}},
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
		name:  "ragged row padded",
		edits: []edit{{"sources/csv.Scanner.checkRecord", "if count == columns {", "if count <= columns {"}},
		tests: []tests{{"./sources/csv", "TestScanOffsets"}},
	},
	{
		name: "the text of a tar row grows in small steps",
		edits: []edit{{"internal/tarfile.Grouper.appendRaw", `if n := len(g.Raw) + len(piece); n > cap(g.Raw) {
		g.Raw = append(make([]byte, 0, max(n, 2*cap(g.Raw))), g.Raw...)
	}`, ""}},
		tests: []tests{{"./sources/tar", "TestMemoryOfALongRow"}},
	},
	{
		name:  "members of an object take memory beyond the limit",
		edits: []edit{{"sources/jsonl.Scanner.scanObject", "s.countElement(star, data, value, i)", ""}},
		tests: []tests{{"./sources/jsonl", "TestTooManyElements"}},
	},
}
