package config

import (
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/schema"
)

// Nested returns the prefix of the features that TFDS reads as a nested Dataset, without its slash; empty without one.
func (g *Group) Nested() string {
	if g == nil {
		return ""
	}
	return g.Dataset
}

// hasInDataset reports whether the feature of a key is in the nested Dataset.
func (g *Group) hasInDataset(key string) bool {
	return g.Nested() != "" && strings.HasPrefix(key, g.Dataset+"/")
}

// checkDataset checks the features that TFDS reads as a nested Dataset, and the dictionaries of all keys.
func (c *checker) checkDataset(cfg *Config) {
	const at = "group.dataset"
	g := cfg.Group
	if g.Dataset == "" || !c.isValid(at, "record") {
		return
	}
	if cfg.Record.Form != "example" {
		c.reportWithHint(at, "record: example", "TFDS reads a nested dataset in Examples only; the record is %s",
			cfg.Message().Word())
		return
	}
	found := false
	var first []string // names before the first slash
	for i := range cfg.Features {
		f := &cfg.Features[i]
		if name, _, nested := strings.Cut(f.Key, "/"); nested {
			first = append(first, name)
		}
		found = found || g.hasInDataset(f.Key)
		if g.hasInDataset(f.Key) && !f.EachRow {
			c.reportWithHint(f.At, f.eachRowHint(),
				"the dataset %s has an element for each row; the feature has one value of the record", g.Dataset)
		}
	}
	if !found && c.isValidInside("features") {
		c.reportWithHint(at, nearest.Hint(g.Dataset, first), "no feature begins with %s/", g.Dataset)
	}
	c.checkDictionaries(cfg)
}

// eachRowHint returns how a feature with one value of a record gets one for each row.
func (f *Feature) eachRowHint() string {
	switch {
	case f.Take != "":
		return "remove take"
	case f.Value == nil:
		return "derive: {NAME: COLUMN}, and from: NAME"
	}
	text := f.Value.Text
	if t, _ := schema.ParseType(f.Type); t.IsText() {
		text = "'" + text + "'"
	}
	return "derive: {NAME: " + quoteValue(text) + "}, and from: NAME"
}

// checkDictionaries reports a key that is a feature, and the dictionary of another one.
func (c *checker) checkDictionaries(cfg *Config) {
	names := map[string]string{} // a name in each dictionary
	for _, f := range cfg.Features {
		for i := range f.Key {
			if f.Key[i] == '/' {
				names[f.Key[:i]] = f.Key[i+1:]
			}
		}
	}
	for i := range cfg.Features {
		f := &cfg.Features[i]
		if name, found := names[f.Key]; found {
			c.report(f.At, "with group.dataset, TFDS reads %s as the dictionary of %s; expected another key",
				quoteValue(f.Key), quoteValue(name))
		}
	}
}
