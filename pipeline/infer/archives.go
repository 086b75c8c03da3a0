package infer

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources"
)

// namesMost is the number of samples in archives that are read to find all extensions.
const namesMost = 1000

// memberStats counts the members with one extension in samples of archives, or the classes of
// samples.
type memberStats struct {
	name   string
	slot   int // slot of the content, or of the first of imageFacts
	image  *fileStats
	texts  *profile
	binary int    // members that are not text
	json   *value // a value with one field, for members that are JSON objects
	other  bool   // a member is not a JSON object
	count  int
}

// imageFacts are the columns of an image that are inspected.
var imageFacts = []string{".format", ".colorspace", ".width", ".height", ".orientation"}

// inspectTar inspects samples of tar archives.
func (s *summary) inspectTar(ctx context.Context, opened []*sources.Source) error {
	var names []string
	for _, src := range opened {
		found, err := src.SampleNames(ctx, namesMost)
		if err != nil {
			return err
		}
		names = append(names, found...)
	}
	members, slots := memberStatsOf(unique(names))
	var t valueScanner
	for _, src := range opened {
		layout, err := src.Bind(slots)
		if err != nil {
			return err
		}
		err = rows(ctx, s.sys, src, layout, &s.coverage, func(vals []schema.Value, _ []byte) {
			for _, p := range members {
				p.addRow(&t, vals)
			}
		})
		if err != nil {
			return err
		}
	}
	for _, p := range members {
		if c := p.column(s.rows - s.invalid); c != nil {
			s.columns = append(s.columns, c)
		}
	}
	s.columns = append(s.columns, &columnSummary{name: "key", content: "names the row"})
	return nil
}

// memberStatsOf returns the extensions among the names of columns, and the columns to read for
// them.
func memberStatsOf(names []string) (members []*memberStats, slots []schema.Column) {
	isJSON := func(name string) bool { return name == "json" || strings.HasSuffix(name, ".json") }
	for _, name := range names {
		below := func(other string) bool { return isJSON(other) && strings.HasPrefix(name, other+".") }
		if name == "key" || name == "stem" || unusable(name) != "" || slices.ContainsFunc(names, below) {
			continue
		}
		p := &memberStats{name: name, slot: len(slots), texts: newProfile(2_000)}
		switch {
		case slices.Contains(imageExtensions, lastExtension("."+name)):
			p.image = newFileStats()
			slots = addFacts(slots, name)
		default:
			if isJSON(name) {
				p.json = newValue(2_000)
			}
			slots = append(slots, schema.Column{Name: name})
		}
		members = append(members, p)
	}
	return members, slots
}

// addRow counts the member of a row.
func (p *memberStats) addRow(t *valueScanner, vals []schema.Value) {
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
func (p *memberStats) addObject(t *valueScanner, text []byte) bool {
	if p.other || !json.Valid(text) || strings.TrimLeft(string(text[:min(len(text), 100)]), " \t\r\n")[0] != '{' {
		return false
	}
	return t.add(p.json.field(p.name), &schema.Value{Kind: schema.Object, Text: text}, 0) == nil
}

// column returns the summary of the members among of rows; nil if no row has a member.
func (p *memberStats) column(of int) *columnSummary {
	c := &columnSummary{name: p.name, lacking: of - p.count}
	switch {
	case p.count == 0:
		return nil
	case p.image != nil:
		c.image = p.image
	case p.binary > 0:
		c.content = share(p.binary, p.count, "member") + " no text"
	case p.json != nil && !p.other:
		c.value = p.json.fields[p.name]
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

// inspectZip inspects the members of zip archives, which are rows like the files of a directory.
func (s *summary) inspectZip(ctx context.Context, opened []*sources.Source) error {
	s.fileStats = newFileStats()
	f := s.fileStats
	images := 0
	for _, src := range opened {
		layout, err := src.Bind([]schema.Column{{Name: "content"}, {Name: "class"}})
		if err != nil {
			return err
		}
		err = rows(ctx, s.sys, src, layout, &s.coverage, func(vals []schema.Value, _ []byte) {
			f.files++
			if vals[1].Kind == schema.Missing {
				f.without++
			} else if name := string(vals[1].Text); f.classes[name] > 0 || len(f.classes) < classesMost {
				f.classes[name]++
			}
			if facts, err := header.Read(vals[0].Text, header.Limits{}); err == nil && isImageHead(vals[0].Text) {
				images++
				f.addImage(facts.Format.String(), facts.Colorspace, facts.Width, facts.Height, facts.Orientation)
				return
			}
			f.looked++
			if isText(vals[0].Text) {
				f.texts++
			}
		})
		if err != nil {
			return err
		}
	}
	if images > 0 && images == f.looked {
		s.like = "images"
	}
	f.partial = s.partial
	s.notes = append(s.notes, f.warnings()...)
	return nil
}
