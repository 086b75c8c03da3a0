package config

import (
	"slices"
	"strconv"

	"tfr-build/sources/column"
)

// Dedupe says which rows are equal, and which of them stays.
type Dedupe struct {
	By         []string `yaml:"by" is:"column" unique:"column" doc:"Columns that are compared. Default: all columns of the features, except path, filename, stem, key of tar, and columns of every source such as @file." example:"[image]"`
	Prefer     []string `yaml:"prefer" unique:"split" doc:"Splits in the order in which they keep a row. Default: the first row in source order stays." example:"[test, validation, train]"`
	Duplicates string   `yaml:"duplicates" is:"localpath" canonical:"-" doc:"File for the skipped rows, each with the row that stays. Default: no file." example:"duplicates.jsonl"`

	KeepDigests bool `yaml:"keep_digests" default:"false" canonical:"set" doc:"Stores the digests of the rows that stay, for a later version with append. Default: false."`
}

// DuplicatesFile returns the path of the list of skipped rows; empty for none.
func (c *Config) DuplicatesFile() string {
	if c.Dedupe == nil || c.Dedupe.Duplicates == "" {
		return ""
	}
	return c.Resolve(c.Dedupe.Duplicates)
}

// ComparedColumns returns the columns that are compared unless dedupe.by names others: the columns of
// the records, each once, without those that say where a row comes from.
func (c *Config) ComparedColumns(isOrigin func(name string) bool) []string {
	var columns column.Slots[string]
	for _, name := range c.Columns() {
		if !isOrigin(name) {
			columns.Of(name)
		}
	}
	return columns.Columns()
}

// checkDedupe checks the keys of dedupe.
func (c *checker) checkDedupe(cfg *Config) {
	if cfg.Dedupe == nil || !c.isValid("dedupe") {
		return
	}
	d := cfg.Dedupe
	if !c.isGiven("dedupe.by") {
		c.checkCompared(cfg)
	}
	for i, name := range d.By {
		c.checkNotLate("dedupe.by["+strconv.Itoa(i)+"]", name, c.sets...)
	}
	c.checkPrefer(cfg)
	if d.Duplicates != "" && d.Duplicates == cfg.Rejects {
		c.report("dedupe.duplicates", "found %s, which is the file of rejects; expected another one",
			quoteValue(d.Duplicates))
	}
}

// checkCompared checks the columns that are compared without dedupe.by.
func (c *checker) checkCompared(cfg *Config) {
	if c.columnsUnknown {
		return
	}
	for _, name := range cfg.Columns() {
		late := func(set *column.Set) bool {
			known, _ := set.Known(name)
			return set.Late(name) != "" && set.Late(name) != "@split" && !(known.InGroup && known.Origin)
		}
		if slices.ContainsFunc(c.sets, late) {
			c.reportWithHint("dedupe", "by: [COLUMN, …] with columns that the row itself has",
				"the features use %s, which is loaded, moved, or numbered after rows are compared; expected by",
				quoteValue(name))
			return
		}
	}
	isOrigin := func(name string) bool {
		return slices.ContainsFunc(c.sets, func(set *column.Set) bool {
			known, _ := set.Known(name)
			return known.Origin
		})
	}
	if len(cfg.Columns()) > 0 && len(cfg.ComparedColumns(isOrigin)) == 0 {
		c.report("dedupe", "the features use no column that says what a row contains; expected by")
	}
}

// checkPrefer checks the splits in dedupe.prefer.
func (c *checker) checkPrefer(cfg *Config) {
	names, known := splitNames(cfg.Sources)
	for i := range cfg.Sources {
		if s := &cfg.Sources[i].Split; s.Stratify != "" && len(cfg.Dedupe.Prefer) > 0 {
			c.reportWithHint("dedupe.prefer", "dedupe without prefer: of equal rows, one stays in all splits together",
				"prefer needs splits that the row alone decides, but %s stratifies", s.At)
			return
		}
	}
	for i, split := range cfg.Dedupe.Prefer {
		at := "dedupe.prefer[" + strconv.Itoa(i) + "]"
		if known {
			c.checkSplit(at, split, names)
		} else if expected, _ := splitRule(split); expected != "" {
			c.report(at, "found the split %s; expected %s", quoteValue(split), expected)
		}
	}
}
