package main

// schemaMutants are mutants of features, records, and expressions.
var schemaMutants = []mutant{
	{
		name: "parentheses without end",
		edits: []edit{{"expr.parser.enterLevel", "if p.depth++; p.depth > maxDepth {",
			"if p.depth++; p.depth > maxText {"}},
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
		name:  "keys of samples with dots",
		edits: []edit{{"schema.keyProblem", "case bytes.IndexByte(key, '.') >= 0:", "case len(key) > 1<<20:"}},
		tests: []tests{{"./pipeline", "TestKeysOfRecords"}},
	},
	{
		name: "keys of samples that occur twice",
		edits: []edit{{"pipeline/contents.Twice", "some[i-1].hash == some[i].hash && isFirst",
			"some[i-1].hash == some[i].hash && isFirst && i < 0"}},
		tests: []tests{{"./pipeline", "TestKeysOfRecords"}},
	},
	{
		name: "archives in several members of gzip",
		edits: []edit{{"pipeline/task.CompressionOf", `if len(f.Tail) > 0 && name == "gzip" {`,
			`if len(f.Tail) > 1<<20 && name == "gzip" {`}},
		tests: []tests{{"./pipeline", "TestWebDatasetEveryWay"}},
	},
	{
		name: "a record with two members of one name",
		edits: []edit{{"webdataset.Reader.split", "if r.member(name) != nil {",
			"if r.member(name) != nil && name == \"\" {"}},
		tests: []tests{{"./internal/badinput", "TestDamagedSamples"}},
	},
	{
		name:  "members that the dataset does not have",
		edits: []edit{{"webdataset.Reader.decode", "if !m.isUsed {", "if !m.isUsed && m.name == \"\" {"}},
		tests: []tests{{"./internal/badinput", "TestDamagedSamples"}},
	},
	{
		name: "arrays of another type than the dataset's",
		edits: []edit{{"webdataset.readArray", "!bytes.Equal(appendArrayHead(nil, f, shape), content[:n]) ||",
			"len(shape) > 1<<20 ||"}},
		tests: []tests{{"./webdataset", "TestDamaged"}},
	},
	{
		name:  "a manifest whose arrays have text",
		edits: []edit{{"webdataset.Sample.Check", "if !f.fits(m.As) {", "if !f.fits(m.As) && len(s) == 0 {"}},
		tests: []tests{{"./webdataset", "TestCheck"}},
	},
	{
		name:  "long names of members are cut off",
		edits: []edit{{"webdataset.appendHeader", "short != name {", "len(short) > len(name) {"}},
		tests: []tests{{"./webdataset", "TestRestoresExamples"}},
	},
	{
		name:  "records that may have no member",
		edits: []edit{{"webdataset.planner.checkNotEmpty", "if !always &&", "if !always && len(p.sample) == 0 &&"}},
		tests: []tests{{"./webdataset", "TestProblems"}},
	},
	{
		name:  "contents of samples that overwrite each other",
		edits: []edit{{"webdataset.Batch.move", "c.to < c.at {", "c.to < c.at && i < 0 {"}},
		tests: []tests{{"./webdataset", "TestContentsMoveInPlace"}},
	},
	{
		name:  "contents of samples that move in any order",
		edits: []edit{{"webdataset.Batch.addMoved", "at < end ||", "at < 0 ||"}},
		tests: []tests{{"./webdataset", "TestContentsMoveInPlace"}},
	},
	{
		name:  "large records that outgrow their memory",
		edits: []edit{{"schema.entry.appendOpening", "n+n/16)", "n)"}},
		tests: []tests{{"./internal/conformance", "TestMemoryOfListedFiles"}},
	},
	{
		name:  "ints that wrap around",
		edits: []edit{{"expr.eval.computeNums", "if !fits {", "if !fits && e == nil {"}},
		tests: []tests{{"./expr", "TestMessages|TestAgainstTheModel"}},
	},
	{
		name:  "noted strings that stay when the record moves",
		edits: []edit{{"schema.Noted.move", "n.Row[i] += uint64(by) << 32", "n.Row[i] += 0"}},
		tests: []tests{{"./schema", "TestNoted$"}},
	},
	{
		name:  "computed numbers are rounded as Arrays",
		edits: []edit{{"expr.Number.isRoundedByDigits", "return x.isFloat &&", "return false && x.isFloat &&"}},
		tests: []tests{{"./expr", "TestArraysAreStoredAsDigits"}},
	},
	{
		name:  "patterns that change with Unicode",
		edits: []edit{{"expr.unstable", "case ignoredCase.MatchString(pattern) && ", `case pattern == "" && `}},
		tests: []tests{{"./expr", "TestMessages"}},
	},
	{
		name:  "OFRecords not held against their message",
		edits: []edit{{"framing.ofRecord", "Accepts: message.BeginsOFRecord,", ""}},
		tests: []tests{{"./dataset", "TestVerifyLoneOFRecordFile"}},
	},
	{
		name:  "feature lists of any length",
		edits: []edit{{"schema.sequenceEncoder.append", "case n != length:", "case n < 0:"}},
		tests: []tests{{"./schema", "TestRecordErrors"}},
	},
	{
		name:  "CRC of the length not checked",
		edits: []edit{{"tfrecord.Reader.readHeader", "case !IsRecord(header):", "case false:"}},
		tests: []tests{{"./tfrecord", "TestEveryFlip"}},
	},
	{
		name: "float32 through float64",
		edits: []edit{
			{"schema.parseFloatStrconv", "strconv.ParseFloat(string(text), 32)",
				"strconv.ParseFloat(string(text), 64)"},
			{"schema.parseFloatStrconv", `case err != nil:
		return 0, numberRange
	case f == 0:`, `case err != nil || math.IsInf(float64(float32(f)), 0):
		return 0, numberRange
	case float32(f) == 0:`},
		},
		tests: []tests{{"./schema", "TestFloatHalfway|TestFloatCorpus"}},
	},
	{
		name:  "a record of too many features verified",
		edits: []edit{{"message.HasMany", "if len(payload) <= least*maxFeatures {", "if len(payload) > 0 {"}},
		tests: []tests{{"./dataset", "TestDeepRefusesManyFeatures"}},
	},
}
