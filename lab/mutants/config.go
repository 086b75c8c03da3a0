package main

// configMutants are mutants of the config, and init.
var configMutants = []mutant{
	{
		name:  "coordinates that one key alone does not move are no problem",
		edits: []edit{{"pipeline/config.Config.UnmovedCoordinates", "len(moves) > 0 &&", "len(moves) > 1 &&"}},
		tests: []tests{{"./pipeline/config", "TestGuard"}},
	},
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
		name:  "Latin-1 with controls",
		edits: []edit{{"sources/charset.isLatin1", "return c >= 0xa0 &&", "return"}},
		tests: []tests{{"./pipeline/infer", "TestTables"}},
	},
	{
		name:  "columns read before they move",
		edits: []edit{{"pipeline/config.following.readUnmoved", `i >= 0 {`, "i > 0 {"}},
		tests: []tests{{"./pipeline/config", "TestInvalidConfigs"}},
	},
	{
		name: "words of names that hold coordinates split at signs alone",
		edits: []edit{{"pipeline/config.isCoordinateName", `[]string{name, caseChange.ReplaceAllString(name, "${1}_${2}")}`,
			"[]string{name}"}},
		tests: []tests{{"./pipeline/config", "TestCoordinateNames"}},
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
		name:  "init: thousands separators make lists",
		edits: []edit{{"pipeline/infer.addMarks", "case x.marks.grouped == x.marks.texts:", "case false:"}},
		tests: []tests{{"./pipeline/infer", "TestColumn"}, {"./cmd/tfr-build", "TestScripts/init_numbers"}},
	},
	{
		name:  "init: digits that a float32 does not keep",
		edits: []edit{{"pipeline/infer.numbers.addDigits", "n.wide += times", "n.wide += 0"}},
		tests: []tests{{"./internal/lossless", "TestPublicCases"}},
	},
	{
		name:  "dedupe without names that begin with @",
		edits: []edit{{"pipeline/config.Config.ComparedColumns", "!isOrigin(name)", "!isOrigin(name) && name[0] != '@'"}},
		tests: []tests{{"./pipeline", "TestNamesWithAt"}},
	},
	{
		name:  "init: a word in quotes means missing",
		edits: []edit{{"pipeline/infer.texts.meansMissing", "if w.quoted > 0 || ", "if "}},
		tests: []tests{{"./internal/lossless", "TestColumns|TestPublicCases"}},
	},
	{
		name:  "init: a word that is like the others means missing",
		edits: []edit{{"pipeline/infer.texts.meansMissing", "return 2*alike < others", "return true"}},
		tests: []tests{{"./pipeline/infer", "TestColumn"}},
	},
	{
		name:  "init: a value that some rows lack is constant",
		edits: []edit{{"pipeline/infer.chooser.judge", "case lacking == 0 && p.isConstant():", "case p.isConstant():"}},
		tests: []tests{{"./pipeline/infer", "TestCases"}, {"./internal/lossless", "TestRandomDocuments"}},
	},
	{
		name: "init: integers are compared as floats",
		edits: []edit{{"pipeline/infer.profile.isConstant", "p.numbers.least == p.numbers.most",
			"p.numbers.low == p.numbers.high"}},
		tests: []tests{{"./pipeline/infer", "TestCases"}},
	},
	{
		name:  "init: a default that some element has",
		edits: []edit{{"pipeline/infer.profile.fill", "return s.fill, p.texts.empty == 0", "return s.fill, true"}},
		tests: []tests{{"./internal/lossless", "TestRandomDocuments"}, {"./pipeline/infer", "TestCases"}},
	},
	{
		name:  "init: most rows may be unreadable",
		edits: []edit{{"pipeline/infer.summary.rowsError", "100*s.Invalid <= mostUnreadable*s.Rows", "s.Invalid <= s.Rows"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/init_preamble"}},
	},
	{
		name:  "init: names that are not UTF-8 are written into a config",
		edits: []edit{{"pipeline/infer.findings.checkNames", "if at < 0", "if true"}},
		tests: []tests{{"./pipeline/infer", "TestNamesThatAreNotUTF8"}},
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
		name:  "init: one missing image drops load",
		edits: []edit{{"pipeline/infer.draft.mayLoad", "100*lacking > most*all", "lacking > 0"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/init_images"}},
	},
	{
		name:  "init: tables get the images of the first directory",
		edits: []edit{{"pipeline/infer.draft.addFiles", `if pattern != "" {`, "if false {"}},
		tests: []tests{{"./pipeline/infer", "TestCases/csv_images_two_tables"}},
	},
	{
		name: "init: masks are classes",
		edits: []edit{{"pipeline/infer.findings.addRows", "!slices.ContainsFunc(rest, isImageName)",
			"slices.ContainsFunc(rest, isImageName)"}},
		tests: []tests{{"./pipeline/infer", "TestCases/images_masks"}},
	},
	{
		name:  "init: boxes are joined though two files are of one image",
		edits: []edit{{"pipeline/infer.draft.usable", "case c.shared != nil:", "case false:"}},
		tests: []tests{{"./pipeline/infer", "TestCases/images_yolo_same_names"}},
	},
	{
		name:  "init: documents lose an image at another place",
		edits: []edit{{"pipeline/infer.finder.choose", "|| f.has(row, best)", "|| !f.has(row, best)"}},
		tests: []tests{{"./pipeline/infer", "TestCases/xml_images"}},
	},
	{
		name:  "init: the text of an element with attributes is left out",
		edits: []edit{{"pipeline/infer.chooser.addFields", `key == "" && c.typ.Repeated`, "false"}},
		tests: []tests{{"./pipeline/infer", "TestCases/xml_text"}},
	},
	{
		name:  "init: convert leaves coordinates where they were",
		edits: []edit{{"pipeline/infer.draft.checkConvert", "cfg.UnmovedCoordinates() == nil", "cfg != nil"}},
		tests: []tests{{"./pipeline/infer", "TestCases/csv_images_boxes"}},
	},
	{
		name:  "init: each sample of an archive has columns of its own",
		edits: []edit{{"pipeline/infer.draft.noteMembers", "len(names) < 2", "len(names) < 200"}},
		tests: []tests{{"./pipeline/infer", "TestCases/tar_dots"}},
	},
	{
		name:  "init: values of annotations are not looked at",
		edits: []edit{{"pipeline/infer.coco.addFeatures", "v.isVector() && v.most == 4", "v != nil"}},
		tests: []tests{{"./pipeline/infer", "TestCases/json_coco_types"}},
	},
	{
		name:  "init: class names in Parquet metadata are not read",
		edits: []edit{{"pipeline/infer.summary.inspectColumns", "return s.readClassNames()", "return nil"}},
		tests: []tests{{"./pipeline/infer", "TestClassNames|TestGolden"}},
	},
	{
		name:  "init: compressed masks have no feature",
		edits: []edit{{"pipeline/infer.coco.masks", "add(counts.texts.count, ", "add(0, "}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/init_masks"}},
	},
	{
		name:  "init: a JSON key called * becomes a feature",
		edits: []edit{{"pipeline/infer.unusableKey", `case key == "*": // all`, "case false: // all"}},
		tests: []tests{{"./pipeline/infer", "TestCases"}},
	},
	{
		name:  "init: a feature of COCO that one split does not have is used",
		edits: []edit{{"pipeline/infer.coco.addFeatures", "if v.sources < len(c.opened) && !f.skipped {", "if false {"}},
		tests: []tests{{"./pipeline/infer", "TestCases"}},
	},
	{
		name:  "init: a map of splits only has the names with more words",
		edits: []edit{{"pipeline/infer.draft.useSplits", "isPlain && name == of[name]", "isPlain"}},
		tests: []tests{{"./pipeline/infer", "TestCases/images_splits_words"}},
	},
	{
		name:  "init: the boxes of one image are the rows",
		edits: []edit{{"sources/json.bestOutline", "isInside && 2*array.size < object.size", "isInside && false"}},
		tests: []tests{{"./pipeline/infer", "TestCases/json_objects_lists"}},
	},
	{
		name:  "init: a column that some files lack is left out",
		edits: []edit{{"pipeline/infer.draft.divide", "if len(lacking) == 0 ||", "if true ||"}},
		tests: []tests{{"./pipeline/infer", "TestCases/csv_other_columns"}},
	},
	{
		name:  "init: directories of splits are classes",
		edits: []edit{{"pipeline/infer.level.splits", `if l.without > 0 ||`, "if true ||"}},
		tests: []tests{{"./cmd/tfr-build", "TestScripts/init_splits"}},
	},
	{
		name:  "leading zeros of a version are not named",
		edits: []edit{{"pipeline/config.versionRule", "versionForm.MatchString(numbers) {", "versionForm.MatchString(s) {"}},
		tests: []tests{{"./pipeline/config", "TestInvalidConfigs"}},
	},
}
