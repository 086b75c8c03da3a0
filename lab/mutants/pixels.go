package main

// pixelsMutants are mutants of images and their coordinates.
var pixelsMutants = []mutant{
	{
		name:  "blocks of a TIFF may overlap",
		edits: []edit{{"pixels/header.directory.checkBlocks", "if total > len(d.data) {", "if false {"}},
		tests: []tests{{"./pixels/header", "TestTIFF"}},
	},
	{
		name: "memory for a BMP whose pixels are not there",
		edits: []edit{{"pixels/raster.decodeBMP", "err := facts.Verify(data, header.Structure); err != nil {",
			"err := facts.Unsupported; err != nil {"}},
		tests: []tests{{"./pixels/raster", "TestDecodeErrorsWithoutStructureCheck"}},
	},
	{
		name: "memory for a TIFF whose pixels are not there",
		edits: []edit{{"pixels/header.directory.checkBlocks", "if total < " +
			"f.Width*f.Height*f.Channels*f.Depth/8/tiffRatio {", "if false {"}},
		tests: []tests{{"./pixels/header", "TestTIFF"}},
	},
	{
		name: "a JPEG without its last scans is complete",
		edits: []edit{{"pixels/jpeg.parser.isComplete", "!c.hasTable || p.progressive && c.known != [64]int8{}",
			"c == nil"}},
		tests: []tests{{"./pixels/header", "TestCutAnywhere"}},
	},
	{
		name:  "memory for a JPEG whose pixels are not there",
		edits: []edit{{"pixels/header.Info.checkWithoutEnd", "f.Width*f.Height/maxPixelsPerByte > len(data)", "false"}},
		tests: []tests{{"./pixels/header", "TestCheckResults"}},
	},
	{
		name:  "a run that stops is not looked at between masks",
		edits: []edit{{"sources.Reader.moveMasks", "err := r.pixels.Stop()", "var err error"}},
		tests: []tests{{"./pipeline", "TestStopsBetweenMasks"}},
	},
	{
		name:  "a run that stops is not looked at between rows",
		edits: []edit{{"sources.Reader.checkStop", "return r.pixels.Stop()", "return nil"}},
		tests: []tests{{"./sources", "TestLooksBetweenRows"}},
	},
	{
		name: "masks of other sizes than their image",
		edits: []edit{{"pixels/convert.MaskConverter.Append",
			"case info.Width != t.From.Width || info.Height != t.From.Height:", "case false:"}},
		tests: []tests{{"./pixels/convert", "TestBadMasks"}},
	},
	{
		name:  "runs of a mask that are fewer than its pixels",
		edits: []edit{{"pixels/convert.MaskConverter.AppendRuns", "len(rest) > 0", "len(rest) < 0"}},
		tests: []tests{{"./pixels/convert", "TestBadMasks|TestRuns"}, {"./pipeline", "TestHostileFollowing"}},
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
		name:  "a file that is to be turned keeps its bytes",
		edits: []edit{{"pixels/convert.Converter.keepsBytes", "&& c.orientation(facts) == 1 &&", "&&"}},
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
		name: "a result beyond the limit of pixels",
		edits: []edit{{"pixels/convert.Converter.layout", "if err := c.Limits.Check(s.width, s.height); err != nil {",
			"if err := error(nil); err != nil && s.width > 0 {"}},
		tests: []tests{{"./pixels/convert", "TestRefuses"}},
	},
	{
		name: "images resized by columns first, always",
		edits: []edit{{"pixels/resample.Job.rowsFirst", "return lost > 0 && lost > 2*(j.Width-j.ToWidth)",
			"return lost < 0"}},
		tests: []tests{{"./pixels/resample", "TestGolden"}},
	},
	{
		name:  "damage of a JPEG without a warning",
		edits: []edit{{"pixels/raster.addJPEGWarnings", "facts.Warnings.Add(header.Damaged)", ""}},
		tests: []tests{{"./pixels/raster", "TestDamagedJPEG"}},
	},
}
