package config

import (
	"reflect"
	"slices"

	"tfr-build/internal/nearest"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// A Record says what the payload of a record is.
type Record struct {
	Form string // example, sequence, json_example or json; text or bytes, those of a column

	Text  string `yaml:"text" is:"column" doc:"Column whose string is the payload of each record." example:"text"`
	Bytes string `yaml:"bytes" is:"column" doc:"Column whose bytes are the payload of each record." example:"image"`
}

// recordWords are the forms that are a word, the default first.
var recordWords = []string{"example", "sequence", "json_example", "json"}

// Column is the column that is the payload; empty where features make it.
func (r *Record) Column() string { return r.Text + r.Bytes }

func decodeRecord(d *decoder, at spot, r *Record) {
	const what = "example, sequence, json_example, json, {text: COLUMN} or {bytes: COLUMN}"
	if at.kind != mappingNode {
		s, ok := d.text(at, what)
		if ok && !slices.Contains(recordWords, s) {
			d.hinted(at.path, nearest.DidYouMean(nearest.Of(s, recordWords)), "found %s; expected %s", quoteValue(s), what)
		}
		r.Form = s
		return
	}
	d.fields(at, reflect.ValueOf(r).Elem())
	switch text, raw := at.has("text"), at.has("bytes"); {
	case text && raw:
		d.bad(at.path+".bytes", "text and bytes exclude each other")
	case !text && !raw && d.fineInside(at.path):
		d.bad(at.path, "found an empty mapping; expected %s", what)
	case text:
		r.Form = "text"
	default:
		r.Form = "bytes"
	}
}

func encodeRecord(e encoder, r Record) *node {
	if r.Column() == "" {
		return textNode(r.Form)
	}
	return e.fields(reflect.ValueOf(r))
}

func recordSchema(g *generator) object {
	return anyOf(orVariable(object{"enum": recordWords}), g.ref(reflect.TypeFor[Record]()))
}

// messages are the payloads of a form in a file of TFRecord.
var messages = map[string]schema.Message{
	"example": schema.ExampleMessage, "sequence": schema.SequenceMessage, "json_example": schema.JSONExampleMessage,
	"json": schema.JSONMessage, "text": schema.TextMessage, "bytes": schema.BytesMessage,
}

// Message is what the payload of a record is.
func (c *Config) Message() schema.Message {
	if c.Format == "ofrecord" {
		return schema.OFRecordMessage
	}
	return messages[c.Record.Form]
}

// Framing is what stands around a payload in a file.
func (c *Config) Framing() tfrecord.Framing {
	if c.Format == tfrecord.ArrayRecord.String() {
		return tfrecord.ArrayRecord
	}
	framing, _ := tfrecord.ParseFraming(c.Format) // the config has none but these
	return framing
}

// Compile is what records are made of as the schema takes it, with each of the
// features as compile makes it.
func (c *Config) Compile(compile func(*Feature) schema.Feature) schema.Record {
	list := func(of Features) []schema.Feature {
		features := make([]schema.Feature, len(of))
		for i := range of {
			features[i] = compile(&of[i])
		}
		return features
	}
	record := schema.Record{
		Message: c.Message(), Features: list(c.Features), Sequence: list(c.Sequence),
		Free: c.Lengths == "free", Column: c.Record.Column(),
	}
	if record.Message == schema.SequenceMessage {
		record.Features = list(c.Context)
	}
	return record
}

// AllFeatures are the features of a record: those of `features`, or of `context`
// and then of `sequence`.
func (c *Config) AllFeatures() []*Feature {
	all := make([]*Feature, 0, len(c.Features)+len(c.Context)+len(c.Sequence))
	for _, list := range []Features{c.Features, c.Context, c.Sequence} {
		for i := range list {
			all = append(all, &list[i])
		}
	}
	return all
}

// Columns are the columns that records are made of, a column once for each time
// that something names it.
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

// Root is the key that says what records are made of, for faults of all of it.
func (c *Config) Root() string {
	switch {
	case c.Record.Column() != "":
		return "record"
	case c.Record.Form == "sequence":
		return "sequence"
	}
	return "features"
}
