package infer

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// namesMost is the number of rows that are read to find all contents.
const namesMost = 1000

// contentStats counts the contents of one column.
type contentStats struct {
	input.Content
	slot   int // slot of the content, or of the first of imageMetadata
	image  *fileStats
	texts  *profile
	binary int    // contents that are not text
	json   *value // a value with one field, for contents that are objects of JSON
	other  bool   // a content is not an object of JSON
	count  int
}

// imageMetadata are the columns of an image that are inspected.
var imageMetadata = []string{".format", ".colorspace", ".width", ".height", ".orientation"}

// inspectContents inspects rows that are contents of files.
func (s *summary) inspectContents(ctx context.Context, opened []*sources.Source) error {
	names, err := sampleNames(ctx, opened, namesMost)
	if err != nil {
		return err
	}
	described := s.typ.Contents(slices.DeleteFunc(names, func(name string) bool { return input.NameProblem(name) != "" }))
	contents, slots := newContentStats(described)
	var t valueScanner
	err = s.readAll(ctx, opened, slots, func(_ int, vals []schema.Value) {
		for _, p := range contents {
			p.addRow(&t, vals)
		}
	})
	if err != nil {
		return err
	}
	for _, p := range contents {
		if c := p.column(s.rows - s.invalid); c != nil {
			s.columns = append(s.columns, c)
		}
	}
	for _, c := range described {
		if c.Bytes != "" {
			s.columns = append(s.columns, &columnSummary{name: c.Name, content: c.Bytes})
		}
	}
	return nil
}

// sampleNames returns the columns of the first rows of each source.
func sampleNames(ctx context.Context, opened []*sources.Source, rows int) ([]string, error) {
	var names []string
	for _, src := range opened {
		found, err := src.SampleNames(ctx, rows)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return unique(names), nil
}

// newContentStats returns the statistics of contents, and the columns to read for them.
func newContentStats(described []input.Content) (contents []*contentStats, slots []schema.Column) {
	for _, c := range described {
		if c.Bytes != "" {
			continue
		}
		p := &contentStats{Content: c, slot: len(slots), texts: newProfile(2_000)}
		switch {
		case c.Image:
			p.image = newFileStats()
			slots = addMetadata(slots, c.Name)
		default:
			if c.JSON {
				p.json = newValue(2_000)
			}
			slots = append(slots, schema.Column{Name: c.Name})
		}
		contents = append(contents, p)
	}
	return contents, slots
}

// addRow counts the content of a row.
func (p *contentStats) addRow(t *valueScanner, vals []schema.Value) {
	v := &vals[p.slot]
	there := v.Kind != schema.Missing
	if there {
		p.count++
	}
	switch {
	case p.image != nil && there:
		of := vals[p.slot:]
		p.image.addImage(string(of[0].Text), string(of[1].Text), atoi(of[2].Text), atoi(of[3].Text), atoi(of[4].Text))
	case p.image != nil:
	case there && !isText(v.Text):
		p.binary++
	case p.json != nil && there && !p.addObject(t, v.Text):
		p.other = true
	}
	if p.image == nil {
		p.texts.add(v.Text, there)
	}
}

// addObject counts an object of JSON. It reports whether the text is one.
func (p *contentStats) addObject(t *valueScanner, text []byte) bool {
	if p.other || !json.Valid(text) || strings.TrimLeft(string(text[:min(len(text), 100)]), " \t\r\n")[0] != '{' {
		return false
	}
	return t.add(p.json.field(p.Name), &schema.Value{Kind: schema.Object, Text: text}, 0) == nil
}

// column returns the summary of the contents in a number of rows; nil if no row has one.
func (p *contentStats) column(of int) *columnSummary {
	c := &columnSummary{name: p.Name, lacking: of - p.count}
	switch {
	case p.count == 0:
		return nil
	case p.image != nil:
		c.image = p.image
	case p.binary > 0:
		c.content = share(p.binary, p.count, "member") + " no text"
	case p.json != nil && !p.other:
		c.value = p.json.fields[p.Name]
	default:
		c.profile = p.texts
	}
	return c
}

// contentFeature returns the feature of bytes that are not text.
func (c *chooser) contentFeature(col *columnSummary) feature {
	s := spec{keys: []string{"type: bytes"}}
	f := feature{key: strings.TrimPrefix(col.name, "."), note: col.content}
	if f.key != col.name {
		s.keys = append(s.keys, "from: "+scalar(col.name))
	}
	if col.lacking > 0 {
		s.add("missing", "omit")
		f.note += "; " + plural.Of(col.lacking, "row") + " without it"
	}
	f.spec = s.String()
	return f
}

// imageFeatures returns the features of the images with an extension.
func (c *chooser) imageFeatures(col *columnSummary) []feature {
	list := col.image.imageFeatures(col.name)
	for i := range list {
		if i > 0 {
			list[i].key = col.name + "/" + list[i].key
		}
		if col.lacking > 0 {
			list[i].spec = strings.TrimSuffix(list[i].spec, "}") + ", missing: omit}"
		}
	}
	if col.lacking > 0 {
		list[0].note += "; " + plural.Of(col.lacking, "row") + " without it"
	}
	return list
}
