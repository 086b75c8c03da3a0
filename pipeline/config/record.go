package config

import (
	"slices"

	"tfr-build/framing"
	"tfr-build/schema"
)

// A Record says what the payload of a record is.
type Record struct {
	Form recordForm // example, sequence, json_example, or json; text or bytes for a column

	Text  string `yaml:"text" alone:"yes" is:"column" doc:"Column whose string is the payload of each record." example:"text"`
	Bytes string `yaml:"bytes" alone:"yes" is:"column" doc:"Column whose bytes are the payload of each record." example:"image"`
}

// A recordForm is a word for the payload of a record.
type recordForm string

// Words returns the words that a config can have, the default first: the messages with features, except messages with a
// format of their own.
func (recordForm) Words() (words []string) {
	for _, m := range schema.Messages() {
		if !m.IsColumn() && !m.IsImplied() {
			words = append(words, m.Word())
		}
	}
	return words
}

// Column returns the column that is the payload; empty if the payload is made of features.
func (r *Record) Column() string { return r.Text + r.Bytes }

// setRecordForm sets the form that a key means.
func setRecordForm(_ *decoder, _ spot, r *Record) {
	switch {
	case r.Text != "":
		r.Form = "text"
	case r.Bytes != "":
		r.Form = "bytes"
	}
}

// Message returns the message in the payload of a record.
func (c *Config) Message() schema.Message {
	m := schema.ImpliedMessage(c.Framing().Message)
	if !m.IsImplied() {
		m, _ = schema.ParseMessage(string(c.Record.Form))
	}
	return m
}

// Framing returns the framing of the payloads in a file.
func (c *Config) Framing() *framing.Format { return c.Format.Format() }

// Compile returns the record for the schema. compile compiles each of its features.
func (c *Config) Compile(compile func(*Feature) schema.Feature) schema.Record {
	list := func(of Features) []schema.Feature {
		features := make([]schema.Feature, len(of))
		for i := range of {
			features[i] = compile(&of[i])
		}
		return features
	}
	record := schema.Record{
		Message: c.Message(), Features: list(slices.Concat(c.Features, c.keyFeature())), Sequence: list(c.Sequence),
		Free: c.Lengths == "free", Column: c.Record.Column(),
	}
	if record.Message.HasSteps() {
		record.Features = list(c.Context)
	}
	return record
}

// AllFeatures returns the features of a record: `features`, or `context` and then `sequence`, and the key of
// `webdataset`.
func (c *Config) AllFeatures() []*Feature {
	all := make([]*Feature, 0, len(c.Features)+len(c.Context)+len(c.Sequence)+1)
	for _, list := range []Features{c.Features, c.Context, c.Sequence, c.keyFeature()} {
		for i := range list {
			all = append(all, &list[i])
		}
	}
	return all
}

// Columns returns the columns that records read, each as often as something names it.
func (c *Config) Columns() []string {
	var list []string
	for _, f := range c.AllFeatures() {
		list = append(list, f.From.Columns...)
		if f.Repeat != "" {
			list = append(list, f.Repeat)
		}
	}
	if column := c.Record.Column(); column != "" {
		list = append(list, column)
	}
	return list
}

// Root returns the key that describes the content of records, for problems that are not about one
// feature.
func (c *Config) Root() string {
	switch {
	case c.Record.Column() != "":
		return "record"
	case c.Message().HasSteps():
		return "sequence"
	}
	return "features"
}
