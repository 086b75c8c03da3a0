package config

import (
	"reflect"
)

// A checker checks keys that depend on each other, after each key has its value. It skips a check
// of a value that is already invalid: the problem would only be repeated.
type checker struct {
	*collector
	sets           columnSets // columns of each source
	columnsUnknown bool       // the type of a source is unclear, so its columns are unknown
}

// checkDocument merges doc into its Config and checks it.
func (c *checker) checkDocument(doc *document, root *node) {
	c.mergeSource(doc, root)
	c.columnsUnknown = len(doc.Sources) == 0
	for i := range doc.Sources {
		doc.Sources[i].inherit(doc.Steps)
		c.checkSource(&doc.Sources[i])
	}
	c.checkShards(doc, root)
	c.checkVersions(&doc.Config)
	c.checkInception(&doc.Config)
	c.checkProvenance(&doc.Config)
	c.checkConfig(&doc.Config)
	c.setKeyFeature(&doc.Config)
	c.checkRecord(&doc.Config, root)
	cells, message := hasCells(doc.Sources), doc.Message()
	doc.markEachRow()
	for _, f := range doc.AllFeatures() {
		check := featureCheck{c, f, message, cells, doc.Limits.Record}
		check.check()
	}
	c.checkWebDataset(&doc.Config) // which needs what columns say of features
	c.checkFollowing(&doc.Config)
	c.checkLayouts(&doc.Config)
	c.checkGroup(&doc.Config)  // which needs the columns of the features
	c.checkDedupe(&doc.Config) // which needs the columns of the features
	c.checkStatistics(&doc.Config)
	c.checkAppend(&doc.Config)
}

// checkShards fills in the settings of the files that depend on other keys, and checks the file
// names.
func (c *checker) checkShards(doc *document, root *node) {
	if !root.hasKey("shards") {
		doc.Shards = Shards{Hosts: 1, Filename: defaultFilename}
	}
	if name := doc.Framing().Filename; name != defaultFilename && !c.isGiven("shards.filename") {
		doc.Shards.Filename = name
	}
	c.checkShardNames(&doc.Config)
}

// checkProvenance sets the digest of the files that a statement of provenance names.
func (c *checker) checkProvenance(cfg *Config) {
	switch {
	case !cfg.Provenance || !c.isValid("provenance", "digest"):
	case !c.isGiven("digest"):
		cfg.Digest = "sha256"
	case cfg.Digest != "sha256":
		c.reportWithHint("digest", "digest: sha256", "found %s; provenance is a statement of files by their SHA-256",
			cfg.Digest)
	}
}

// mergeSource merges `source` into Sources.
func (c *checker) mergeSource(doc *document, root *node) {
	one, many := root.hasKey("source"), root.hasKey("sources")
	switch {
	case one && many:
		c.report("sources", "source and sources exclude each other")
	case !one && !many:
		if !c.invalid["source"] {
			c.reportMissing("", "source")
		}
	case one && doc.Source != nil:
		doc.Sources = []Source{*doc.Source}
	case many && len(doc.Sources) == 0 && c.isValid("sources"):
		c.report("sources", "found no source; expected at least one")
	}
	doc.Source = nil // the canonical text has only sources
}

// inherit gives s the steps of the config for each step that s does not set. An empty list or
// mapping counts as set.
func (s *Source) inherit(steps Steps) {
	if s.Split.At == "" {
		s.Split = steps.Split
	}
	if s.Split.At == "" {
		s.Split.Name = "train"
	}
	if s.Rename == nil {
		s.Rename = steps.Rename
	}
	if s.Set == nil {
		s.Set = steps.Set
	}
	if s.Join == nil {
		s.Join = steps.Join
	}
	if s.Load == nil {
		s.Load = steps.Load
	}
	if s.Derive == nil {
		s.Derive = steps.Derive
	}
}

// checkConfig checks the keys at the top level.
func (c *checker) checkConfig(cfg *Config) {
	names, known := splitNames(cfg.Sources)
	if len(names) > MaxSplits {
		c.report("split", "found %d splits; expected at most %d", len(names), MaxSplits)
	}
	if known && len(c.list) == 0 { // a problem may hide a split
		c.checkCounts(cfg.Shards.Count, names)
		c.checkLimits(cfg.Limit, names)
	}
	c.checkFilters(cfg)
	if cfg.OrderKey == "" || !c.isValid("order_key", "order") {
		return
	}
	if cfg.Order != "shuffled" {
		c.report("order_key", "order_key is for the shuffled order, but order is %s", cfg.Order)
	}
	c.checkNotLate("order_key", cfg.OrderKey, c.sets...)
}

// checkCounts compares the splits in shards.count with the splits of the config.
func (c *checker) checkCounts(count Count, names []string) {
	if count.Splits == nil {
		return
	}
	for _, name := range names {
		if count.Of(name) == 0 {
			c.report("shards.count", "the split %s has no count", quoteValue(name))
		}
	}
	for _, s := range count.Splits {
		c.checkSplit(subPath("shards.count", s.Split), s.Split, names)
	}
}

// checkSource checks the keys of a source together.
func (c *checker) checkSource(s *Source) {
	if c.checkKind(s.At, "a source", s.Kind, fieldsOf(reflect.TypeFor[Source]())) == "" {
		c.columnsUnknown = true
	}
	for i := range s.Join {
		s.tables = append(s.tables, c.checkJoin(&s.Join[i]))
	}
	for i := range s.Load {
		c.checkKeys(s.Load[i].At, &s.Load[i])
	}
	set := c.deriveColumns(s)
	c.sets = append(c.sets, set)
	if s.Split.Stratify != "" && s.Split.Stratify == s.Split.By {
		c.reportWithHint(subPath(s.Split.At, "stratify"), "stratify: the column of the class",
			"by and stratify name the same column; a group is in one split, so no value can be in all of them")
	}
	for _, key := range []struct{ name, column string }{{"by", s.Split.By}, {"stratify", s.Split.Stratify},
		{"column", s.Split.Column}} {
		if key.column != "" {
			c.checkNotLate(subPath(s.Split.At, key.name), key.column, set)
		}
	}
}
