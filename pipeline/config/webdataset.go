package config

import (
	"strings"

	"tfr-build/schema"
	"tfr-build/webdataset"
)

// WebDataset says how the records of `format: webdataset` become members of archives.
type WebDataset struct {
	Key     string  `yaml:"key" is:"text" doc:"Column in braces whose value is the key of a record: the name of its members up to the dot. Default: the row ID." example:"'{stem}'"`
	Members Members `yaml:"members" doc:"Members of a record and their features. Default: each feature of bytes, and json with all others." example:"{jpg: image, cls: label, json: [caption, width]}"`

	feature Features // the feature with the key, if the config has one
}

// Members are the members of a record, in the order of the config.
type Members []NamedMember

// A NamedMember is a member and its features.
type NamedMember struct {
	Name     string
	Features MemberFeatures
}

// MemberFeatures are the features of a member.
type MemberFeatures struct {
	Keys   []string
	IsList bool // written as a list
}

// keyFeature returns the feature with the key of a record; none without `webdataset.key`.
func (c *Config) keyFeature() Features {
	if c.WebDataset == nil {
		return nil
	}
	return c.WebDataset.feature
}

// KeyColumn returns the column with the key of a record.
func (c *Config) KeyColumn() string { return c.keyFeature()[0].From.Columns[0] }

const keyPath = "webdataset.key"

// setKeyFeature makes the feature with the key of a record.
func (c *checker) setKeyFeature(cfg *Config) {
	w := cfg.WebDataset
	if w == nil || w.Key == "" || !c.isValidInside(keyPath) {
		return
	}
	inside, opens := strings.CutPrefix(w.Key, "{")
	name, closes := strings.CutSuffix(inside, "}")
	if !opens || !closes || name == "" || strings.ContainsAny(name, "{}") {
		c.reportWithHint(keyPath, "derive: {key: 'a + \"_\" + b'}, and webdataset: {key: \"{key}\"}",
			"found %s; expected one column in braces, such as \"{stem}\"", quoteValue(w.Key))
		return
	}
	w.feature = Features{{
		Key: webdataset.KeyFeature, At: keyPath, key: c.positions[keyPath], Type: "string",
		From: From{Columns: []string{name}}, Shape: Shape{Known: true},
		Missing: Missing{Form: "error"}, Decimal: ".", Nonfinite: "error", isMemberKey: true,
	}}
}

// checkWebDataset checks the members of records.
func (c *checker) checkWebDataset(cfg *Config) {
	if !c.isValid("format") {
		return
	}
	if !cfg.Framing().HasSamples {
		if cfg.WebDataset != nil {
			c.reportWithHint("webdataset", "format: webdataset", "webdataset is for format: webdataset; the format "+
				"is %s", cfg.Format)
		}
		return
	}
	if c.isValidInside("record") && cfg.Message() != schema.DefaultMessage {
		c.report("record", "the members of format: %s are features of record: example; found %s", cfg.Format,
			cfg.Message().Word())
		return
	}
	for i := range cfg.Features {
		if f := &cfg.Features[i]; f.Key == webdataset.KeyFeature {
			c.reportWithHint(f.At, `webdataset: {key: "{COLUMN}"}`, "the key of a record is not one of its features; "+
				"found %s", f.Key)
			return
		}
	}
	c.checkMembers(cfg)
}

// checkMembers checks that the features become members. Types may still be unknown.
func (c *checker) checkMembers(cfg *Config) {
	if !cfg.Framing().HasSamples || !c.isValidInside("features") || !c.isValidInside("webdataset") {
		return
	}
	record := cfg.Compile(func(f *Feature) schema.Feature { return f.Compile(nil, nil) })
	_, problems := webdataset.New(&record, cfg.Members())
	for _, q := range problems {
		path := "format"
		switch {
		case q.Key != "":
			path = cfg.pathOf(schema.Problem{Key: q.Key})
		case q.Member != "":
			path = subPath("webdataset.members", q.Member)
		case cfg.WebDataset != nil && cfg.WebDataset.Members != nil:
			path = "webdataset.members"
		}
		c.reportWithHint(path, q.Hint, "%s", q.Text)
	}
}

// Members returns the members that the config names.
func (c *Config) Members() (list []webdataset.Named) {
	if c.WebDataset == nil {
		return nil
	}
	for _, m := range c.WebDataset.Members {
		list = append(list, webdataset.Named{Name: m.Name, Features: m.Features.Keys, IsList: m.Features.IsList})
	}
	return list
}
