package config

import "slices"

// checkAppend checks the keys that exclude `append`: the records of the base would be others with more rows.
func (c *checker) checkAppend(cfg *Config) {
	if cfg.Append == "" || !c.isValid("append") {
		return
	}
	forbid := func(key string, isUsed bool, reason string) {
		if isUsed {
			c.report("append", "append and %s exclude each other: %s", key, reason)
		}
	}
	forbid("limit", len(cfg.Limit) > 0, "a limit is of all rows, old and new")
	forbid("group", cfg.Group != nil, "a group can have old and new rows")
	forbid("order: "+cfg.Order, cfg.Order != "shuffled", "new rows can be between old ones")
	if d := cfg.Dedupe; d != nil {
		forbid("dedupe.prefer", len(d.Prefer) > 0, "rows that were written stay")
		if !d.KeepDigests {
			c.reportWithHint("dedupe", "keep_digests: true", "append needs the digests of the compared rows")
		}
	}
	if l := cfg.leakage(); l != nil && !l.KeepDigests {
		c.reportWithHint("checks.leakage", "keep_digests: true", "append needs the digests of the compared records")
	}
	for i := range cfg.Sources {
		s := &cfg.Sources[i]
		forbid("stratify with by", s.Split.Stratify != "" && s.Split.By != "", "rows of a group can be old and new")
		forbid("class_per_file", s.ClassFile() != "", "its file has a name for each file, old and new")
		forbid("arrays", s.Kind.Name == "arrays", "the arrays of a source are fixed files")
	}
}

// leakage returns the check of leakage; nil without it.
func (c *Config) leakage() *Leakage {
	if c.Checks == nil {
		return nil
	}
	return c.Checks.Leakage
}

// IsBase reports whether a dataset stores what a later version needs to append.
func (c *Config) IsBase() bool {
	l := c.leakage()
	return c.Append != "" || l != nil && l.KeepDigests || c.KeepsRows()
}

// KeepsRows reports whether a dataset stores the digests of the rows that dedupe compares.
func (c *Config) KeepsRows() bool { return c.Dedupe != nil && c.Dedupe.KeepDigests }

// LacksDigests returns the key without which a dataset with the config was is not compared with new rows; empty if it
// has all digests that c needs.
func (c *Config) LacksDigests(was *Config) string {
	now, before := c.leakage(), was.leakage()
	if now != nil && (before == nil || !before.KeepDigests || !slices.Equal(now.Of, before.Of)) {
		return "checks.leakage"
	}
	if c.KeepsRows() && !was.KeepsRows() {
		return "dedupe"
	}
	return ""
}

// OfRecords returns the canonical text of the keys that decide the records of a file, and how they are stored.
func (c *Config) OfRecords(classes func(path string) []string) []byte {
	of := *c
	of.Version, of.Description = "", ""
	of.Shards, of.OnError, of.MaxErrors, of.AllowEmpty = Shards{}, "fail", nil, false
	of.Statistics, of.Report, of.TFX, of.Card, of.Metadata = Statistics{}, true, true, nil, ""
	of.Checks, of.OnCheck = nil, "warn"
	if c.Dedupe != nil {
		dedupe := *c.Dedupe
		dedupe.KeepDigests, of.Dedupe = false, &dedupe
	}
	return of.Canonical(classes)
}
