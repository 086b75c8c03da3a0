package main

// configMutants are mutants of the config, and init.
var configMutants = []mutant{
	{
		name:  "rows that begin as comments are comments",
		edits: []edit{{"sources/csv.revise", "r.Hashes == 0 &&", ""}},
		tests: []tests{{"./pipeline/infer", "TestTables"}},
	},
	{
		name:  "a first row of numbers is a header",
		edits: []edit{{"sources/csv.dialect.judge", "case numbers > 0, again", "case again"}},
		tests: []tests{{"./pipeline/infer", "TestTables"}},
	},
	{
		name: "a preamble that has the numbers of rows",
		edits: []edit{{"sources/csv.dialect.skipComments", "slices.ContainsFunc(list, isRow)",
			"slices.ContainsFunc(list[:0], isRow)"}},
		tests: []tests{{"./pipeline/infer", "TestTables"}},
	},
	{
		name:  "rules of features that need the types of files are not checked again",
		edits: []edit{{"pipeline/config.Config.Complete", "check.checkSchema()", "_ = check"}},
		tests: []tests{{"./pipeline/config", "TestSchemaProblemsHavePositions"}},
	},
	{
		name:  "a default that fills more than a record",
		edits: []edit{{"schema.compiler.checkFill", "size > c.limit {", "size > 1<<60 {"}},
		tests: []tests{{"./pipeline/config", "TestFillSizes"}},
	},
	{
		name:  "a name has the count of a shard whose rows may be invalid",
		edits: []edit{{"pipeline/config.checker.checkShardNames", `cfg.OnError != "fail"`, `cfg.OnError == "none"`}},
		tests: []tests{{"./pipeline/config", "TestInvalidConfigs"}},
	},
	{
		name: "init: digits that a float32 does not keep",
		edits: []edit{{"pipeline/infer.numbers.addDigits", "n.changed.add(t, text, times)",
			"n.changed.add(t, text, 0)"}},
		tests: []tests{{"./pipeline/infer", "TestGolden"}},
	},
	{
		name: "dedupe without names that begin with @",
		edits: []edit{{"pipeline/config.Config.ComparedColumns", "!isOrigin(name)",
			"!isOrigin(name) && name[0] != '@'"}},
		tests: []tests{{"./pipeline", "TestNamesWithAt"}},
	},
	{
		name:  "init: a word in quotes means missing",
		edits: []edit{{"pipeline/infer.texts.meansMissing", "if w.quoted > 0 || ", "if "}},
		tests: []tests{{"./internal/lossless", "TestColumns|TestPublicCases"}},
	},
	{
		name:  "init: a value that some rows lack is constant",
		edits: []edit{{"pipeline/infer.chooser.judge", "case lacking == 0 && p.isConstant():", "case p.isConstant():"}},
		tests: []tests{{"./pipeline/infer", "TestCases"}, {"./internal/lossless", "TestRandomDocuments"}},
	},
	{
		name:  "init: a default that some element has",
		edits: []edit{{"pipeline/infer.profile.fill", "p.texts.empty == 0", "true"}},
		tests: []tests{{"./internal/lossless", "TestRandomDocuments"}, {"./pipeline/infer", "TestCases"}},
	},
	{
		name:  "init: images of the first directory, though another has the same names",
		edits: []edit{{"pipeline/infer.finder.choose", "return f.has(row, best) && f.has(row, other)", "return false"}},
		tests: []tests{{"./pipeline/infer", "TestCases/csv_images"}},
	},
	{
		name:  "init: documents get the images of other documents",
		edits: []edit{{"pipeline/infer.finder.follow", "f.varying[j] && of[j] == level", "false"}},
		tests: []tests{{"./pipeline/infer", "TestCases/xml_same_names"}},
	},
	{
		name:  "init: boxes are joined though two files are of one image",
		edits: []edit{{"pipeline/infer.draft.usable", "case c.shared != nil:", "case false:"}},
		tests: []tests{{"./pipeline/infer", "TestCases/images_yolo_same_names"}},
	},
}
