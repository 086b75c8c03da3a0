package config

import (
	"slices"

	"tfr-build/internal/nearest"
	"tfr-build/internal/plural"
)

// RowLimits are the largest numbers of rows of splits, in the order of the config.
type RowLimits []RowLimit

// A RowLimit is the largest number of rows of a split, or of each value of a column in the split.
type RowLimit struct {
	Split string
	Rows  int64  `yaml:"rows" required:"yes" range:"1 9223372036854775807" doc:"Largest number of rows of each value of the column." example:"1000"`
	Per   string `yaml:"per" required:"yes" is:"column" doc:"Column whose values are counted. A missing value counts as a value." example:"label"`
}

// At returns the path of the limit in the config.
func (r *RowLimit) At() string { return subPath("limit", r.Split) }

// Of returns the limit of a split; nil if the split has none.
func (l RowLimits) Of(split string) *RowLimit {
	if i := slices.IndexFunc(l, func(r RowLimit) bool { return r.Split == split }); i >= 0 {
		return &l[i]
	}
	return nil
}

// Columns returns the columns whose values are counted, each once.
func (l RowLimits) Columns() (list []string) {
	for i := range l {
		if l[i].Per != "" && !slices.Contains(list, l[i].Per) {
			list = append(list, l[i].Per)
		}
	}
	return list
}

// checkSplit reports a split that is not among the names.
func (c *checker) checkSplit(path, split string, names []string) {
	if c.isValid(path) && !slices.Contains(names, split) {
		c.reportWithHint(path, nearest.Hint(split, names), "unknown split %s; expected %s", quoteValue(split),
			plural.OneOf(names))
	}
}

// checkLimits compares the splits in limit with the splits of the config.
func (c *checker) checkLimits(limits RowLimits, names []string) {
	for _, l := range limits {
		c.checkSplit(l.At(), l.Split, names)
	}
}

// checkLimitColumns checks the columns in limit, for each source that can have rows of the split.
func (c *checker) checkLimitColumns(cfg *Config) {
	for i, set := range c.sets {
		for _, l := range cfg.Limit {
			if l.Per != "" && cfg.Sources[i].Split.CanBe(l.Split) {
				c.checkNotLate(subPath(l.At(), "per"), l.Per, set)
			}
		}
	}
}

// checkFilters checks the keys that filter rows.
func (c *checker) checkFilters(cfg *Config) {
	c.checkWhere(cfg)
	c.checkLimitColumns(cfg)
	if cfg.Sample != nil && *cfg.Sample == 0 && c.isValid("sample") {
		c.report("sample", "found 0%%; expected more, or no row is left")
	}
	if _, ok := cfg.Inception(); !ok || !c.isValid("order") {
		return
	}
	for _, key := range filterKeys {
		if c.isGiven(key) {
			c.report(key, "%s leaves rows out, but order is %s, which deals all as Inception's script did",
				key, cfg.Order)
		}
	}
}

// filterKeys are the keys that filter rows.
var filterKeys = []string{"where", "dedupe", "sample", "limit"}
