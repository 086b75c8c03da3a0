package config

import "slices"

// record checks what a record's payload is made of: which lists of features there
// are, and what goes with the files' format.
func (c *checker) record(cfg *Config, root *node) {
	if !c.fineInside("record") {
		return
	}
	form := cfg.Record.Form
	if form != "sequence" {
		for _, key := range []string{"context", "sequence", "lengths"} {
			if root.has(key) {
				c.hinted(key, "record: sequence", "%s is for SequenceExamples; the record is %s", key, form)
			}
		}
	}
	if column := cfg.Record.Column(); column != "" {
		c.payload(cfg.Record, column)
	}
	if root.has("features") {
		switch {
		case form == "sequence":
			c.bad("features", "record: sequence has context and sequence in place of features")
		case cfg.Record.Column() != "":
			c.bad("features", "the record is the column %s alone; it has no features", quoteValue(cfg.Record.Column()))
		}
	}
	if c.fine("format") {
		if cfg.Format == "ofrecord" {
			c.ofrecord(cfg)
		}
		c.compression(cfg)
	}
	if cfg.Index {
		c.index(cfg)
	}
	c.keysOnce(cfg)
}

// index checks that positions in the files are those of records: what reads indexes reads
// TFRecords that are not compressed.
func (c *checker) index(cfg *Config) {
	switch {
	case !c.fine("index", "format", "compression"):
	case cfg.Format != "tfrecord":
		c.bad("index", "found true; files of format: %s have no index beside them", cfg.Format)
	case cfg.Compression != "none":
		c.hinted("index", "compression: none", "found true; files of compression: %s have no index, as no reader can begin inside them", cfg.Compression)
	}
}

// payload checks the column that is the payload.
func (c *checker) payload(r Record, column string) {
	path := "record." + r.Form
	if r.Form == "text" && c.sets.mayBeImage(column) {
		c.hinted(path, "record: {bytes: "+column+"}", "the column %s is the content of image files, which is no text", quoteValue(column))
	}
}

// ofrecord checks what OneFlow's files cannot be. That some feature is in each record
// is a rule of the schema as well, which knows no place in a config.
func (c *checker) ofrecord(cfg *Config) {
	if cfg.Record.Form != "example" {
		c.bad("record", "format: ofrecord has a message of its own, of features; record and format: ofrecord exclude each other")
	}
	canBeMissing := func(f Feature) bool { return f.Missing.Form == "omit" }
	if len(cfg.Features) > 0 && c.fineInside("features") && !slices.ContainsFunc(cfg.Features, func(f Feature) bool { return !canBeMissing(f) }) {
		c.hinted("features", "a constant in each record: {value: 1}", "all features may be missing; OneFlow reads no record of format: ofrecord without any feature")
	}
}

// compressions are those that files of a format may have.
var compressions = map[string][]string{
	"tfrecord": {"none", "gzip", "zlib"}, "ofrecord": {"none"}, "array_record": {"none", "zstd"},
}

// compression checks that files of the format can be compressed so.
func (c *checker) compression(cfg *Config) {
	if may := compressions[cfg.Format]; c.fine("compression") && !slices.Contains(may, cfg.Compression) {
		c.bad("compression", "found %s; expected %s for files of format: %s", quoteValue(cfg.Compression), oneOf(may), cfg.Format)
	}
}

// keysOnce refuses a key that stands in context and in sequence: readers know
// features by their keys alone. The schema refuses it too, but knows no place; the
// keys that ragged features have beside their own are left to it.
func (c *checker) keysOnce(cfg *Config) {
	there := map[string]bool{}
	for i := range cfg.Context {
		there[cfg.Context[i].Key] = true
	}
	for i := range cfg.Sequence {
		if f := &cfg.Sequence[i]; there[f.Key] {
			c.bad(f.At, "context has the feature %s, too; one of them needs another key", quoteValue(f.Key))
		}
	}
}

// shardNames checks the template of the files' names against what it names.
func (c *checker) shardNames(cfg *Config) {
	const path = "shards.filename"
	if !c.fine("shards", path, "shards.count") {
		return
	}
	name := cfg.Shards.Filename
	used := variablesOf(name)
	numbered := slices.ContainsFunc(numberVariables, func(v string) bool { return used[v] })
	if !numbered && !cfg.Shards.alone() {
		c.bad(path, "found %s; expected a template that holds {SPLIT} and {SHARD_X_OF_Y}, or count: 1", quoteValue(name))
	}
}
