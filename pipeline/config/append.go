package config

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
	forbid("dedupe", cfg.Dedupe != nil, "a dataset does not keep what its rows were compared by")
	forbid("checks.leakage", cfg.Checks != nil && cfg.Checks.Leakage != nil,
		"a dataset does not keep what its records were compared by")
	forbid("webdataset.key", cfg.WebDataset != nil && cfg.WebDataset.Key != "",
		"a dataset does not keep the keys, of which each must be unique")
	for i := range cfg.Sources {
		s := &cfg.Sources[i]
		forbid("stratify with by", s.Split.Stratify != "" && s.Split.By != "", "rows of a group can be old and new")
		forbid("arrays", s.Kind.Name == "arrays", "the arrays of a source are fixed files")
	}
}

// OfRecords returns the canonical text of the keys that decide the records of a file, and how they are stored.
func (c *Config) OfRecords(classes func(path string) []string) []byte {
	of := *c
	of.Version, of.Description = "", ""
	of.Shards, of.OnError, of.MaxErrors, of.AllowEmpty = Shards{}, "fail", MaxErrors{}, false
	of.Statistics, of.Report, of.TFX, of.Card, of.Metadata = Statistics{}, true, true, nil, ""
	of.Checks, of.OnCheck = nil, "warn"
	return of.Canonical(classes)
}
