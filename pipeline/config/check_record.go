package config

import (
	"slices"

	"tfr-build/internal/plural"
	"tfr-build/message"
	"tfr-build/schema"
)

// checkRecord checks the payload of records: which keys with features it has, and whether it fits
// the file format.
func (c *checker) checkRecord(cfg *Config, root *node) {
	if !c.isValidInside("record") {
		return
	}
	form := cfg.Record.Form
	if form != "sequence" {
		for _, key := range []string{"context", "sequence", "lengths"} {
			if root.hasKey(key) {
				c.reportWithHint(key, "record: sequence", "%s is for SequenceExamples; the record is %s", key, form)
			}
		}
	}
	if column := cfg.Record.Column(); column != "" {
		c.checkPayload(cfg.Record, column)
	}
	if root.hasKey("features") {
		if form == "sequence" {
			c.report("features", "record: sequence has context and sequence in place of features")
		}
	}
	if c.isValid("format") {
		if cfg.Framing().Message != message.None {
			c.checkOFRecord(cfg)
		}
		c.checkCompression(cfg)
	}
	if cfg.Index {
		c.checkIndex(cfg)
	}
	record := cfg.Compile(func(f *Feature) schema.Feature { return f.Compile(nil, nil) })
	for _, q := range record.Check() {
		if path := cfg.pathOf(q); c.isValidInside(path) && c.isValidInside("record") {
			c.reportWithHint(path, q.Hint, "%s", q.Text)
		}
	}
}

// checkIndex checks that the files can have an index. Programs that read indexes seek in
// uncompressed files.
func (c *checker) checkIndex(cfg *Config) {
	switch {
	case !c.isValid("index", "format", "compression"):
	case cfg.Framing().AppendIndex == nil:
		c.report("index", "found true; files of format: %s have no index next to them", cfg.Format)
	case cfg.Compression != "none":
		c.reportWithHint("index", "compression: none",
			"found true; files of compression: %s have no index, as no reader can begin inside them", cfg.Compression)
	}
}

// checkPayload checks the column that is the payload.
func (c *checker) checkPayload(r Record, column string) {
	path := "record." + string(r.Form)
	if r.Form == "text" && c.sets.mayBeImage(column) {
		c.reportWithHint(path, "record: {bytes: "+column+"}",
			"the column %s is the content of image files, which is not text", quoteValue(column))
	}
}

// checkOFRecord checks the message of OneFlow's files.
func (c *checker) checkOFRecord(cfg *Config) {
	if cfg.Record.Form != "example" {
		c.report("record", "format: %s has a message of its own, of features; record and format: %[1]s exclude each "+
			"other", cfg.Format)
	}
}

// checkCompression checks that files of the format can have the compression.
func (c *checker) checkCompression(cfg *Config) {
	if may := cfg.Framing().Compressions; c.isValid("compression") && !slices.Contains(may, cfg.Compression) {
		c.report("compression", "found %s; expected %s for files of format: %s", quoteValue(cfg.Compression),
			plural.OneOf(may), cfg.Format)
	}
}

// checkShardNames checks that the template gives each shard its own name.
func (c *checker) checkShardNames(cfg *Config) {
	const path = "shards.filename"
	if !c.isValid("shards", path, "shards.count", "on_error") {
		return
	}
	name := cfg.Shards.Filename
	used := variablesOf(name)
	numbered := slices.ContainsFunc(numberVariables, func(v string) bool { return used[v] })
	if !numbered && !cfg.Shards.isSingleFile() {
		c.report(path, "found %s; expected a template that holds {SPLIT} and {SHARD_X_OF_Y}, or count: 1",
			quoteValue(name))
	}
	if used["COUNT"] && cfg.OnError != "fail" {
		c.reportWithHint(path, "skip invalid rows by where; find them without {COUNT}",
			"found {COUNT} with on_error: %s; expected on_error: fail", cfg.OnError)
	}
}
