package infer

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/image"
)

// namesMost is how many samples of archives tell the extensions of all.
const namesMost = 1000

// A part is the members of one extension in samples of archives, or the class of these.
type part struct {
	name   string
	slot   int // of the content; of an image the first of its facts
	image  *folder
	texts  *profile
	binary int    // members that are no text
	json   *value // a value with one field, of members that are all objects of JSON
	other  bool   // one is none
	met    int
}

// imageFacts are those of an image that are looked at.
var imageFacts = []string{".format", ".colorspace", ".width", ".height", ".orientation"}

// samples looks at samples of tar archives.
func (s *seen) samples(ctx context.Context, opened []*sources.Source) error {
	var names []string
	for _, src := range opened {
		found, err := src.SampleNames(ctx, namesMost)
		if err != nil {
			return err
		}
		names = append(names, found...)
	}
	parts, slots := partsOf(unique(names))
	var t taker
	for _, src := range opened {
		layout, err := src.Bind(slots)
		if err != nil {
			return err
		}
		err = rows(ctx, s.sys, src, layout, &s.extent, func(vals []schema.Value, _ []byte) {
			for _, p := range parts {
				p.take(&t, vals)
			}
		})
		if err != nil {
			return err
		}
	}
	for _, p := range parts {
		if c := p.column(s.rows - s.bad); c != nil {
			s.columns = append(s.columns, c)
		}
	}
	s.columns = append(s.columns, &columnSeen{name: "key", content: "names the row"})
	return nil
}

// partsOf are the extensions among the names of columns, and what is to be read of them.
func partsOf(names []string) (parts []*part, slots []schema.Column) {
	isJSON := func(name string) bool { return name == "json" || strings.HasSuffix(name, ".json") }
	for _, name := range names {
		below := func(other string) bool { return isJSON(other) && strings.HasPrefix(name, other+".") }
		if name == "key" || name == "stem" || unusable(name) != "" || slices.ContainsFunc(names, below) {
			continue
		}
		p := &part{name: name, slot: len(slots), texts: newProfile(2_000)}
		switch {
		case slices.Contains(imageExtensions, lastExtension("."+name)):
			p.image = newFolder()
			slots = addFacts(slots, name)
		default:
			if isJSON(name) {
				p.json = newValue(2_000)
			}
			slots = append(slots, schema.Column{Name: name})
		}
		parts = append(parts, p)
	}
	return parts, slots
}

// take looks at the member of a row.
func (p *part) take(t *taker, vals []schema.Value) {
	v := &vals[p.slot]
	there := v.Kind != schema.Missing
	if there {
		p.met++
	}
	switch {
	case p.image != nil && there:
		of := vals[p.slot:]
		p.image.see(string(of[0].Text), string(of[1].Text), atoi(of[2].Text), atoi(of[3].Text), atoi(of[4].Text))
	case p.image != nil:
	case there && !isText(v.Text):
		p.binary++
	case p.json != nil && there && !p.object(t, v.Text):
		p.other = true
	}
	if p.image == nil {
		p.texts.add(v.Text, there)
	}
}

// object takes an object of JSON; it reports whether the text is one.
func (p *part) object(t *taker, text []byte) bool {
	if p.other || !json.Valid(text) || strings.TrimLeft(string(text[:min(len(text), 100)]), " \t\r\n")[0] != '{' {
		return false
	}
	return t.take(p.json.field(p.name), &schema.Value{Kind: schema.Object, Text: text}, 0) == nil
}

// column is what was seen, of so many rows; nil where there was nothing.
func (p *part) column(of int) *columnSeen {
	c := &columnSeen{name: p.name, lacking: of - p.met}
	switch {
	case p.met == 0:
		return nil
	case p.image != nil:
		c.image = p.image
	case p.binary > 0:
		c.content = share(p.binary, p.met, "member") + " no text"
	case p.json != nil && !p.other:
		c.value = p.json.fields[p.name]
	default:
		c.profile = p.texts
	}
	return c
}

// content makes the feature of bytes that are no text.
func (c *chooser) content(col *columnSeen) feature {
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

// pictures makes the features of the images of an extension.
func (c *chooser) pictures(col *columnSeen) []feature {
	list := col.image.picture(col.name)
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

// members looks at the members of zip archives, which are like the files of a folder.
func (s *seen) members(ctx context.Context, opened []*sources.Source) error {
	s.folder = newFolder()
	f := s.folder
	images := 0
	for _, src := range opened {
		layout, err := src.Bind([]schema.Column{{Name: "content"}, {Name: "class"}})
		if err != nil {
			return err
		}
		err = rows(ctx, s.sys, src, layout, &s.extent, func(vals []schema.Value, _ []byte) {
			f.files++
			if vals[1].Kind == schema.Missing {
				f.without++
			} else if name := string(vals[1].Text); f.classes[name] > 0 || len(f.classes) < classesMost {
				f.classes[name]++
			}
			if facts, err := image.Read(vals[0].Text, image.Limits{}); err == nil && isImageHead(vals[0].Text) {
				images++
				f.see(facts.Format.String(), facts.Colorspace, facts.Width, facts.Height, facts.Orientation)
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
	f.part = s.part
	s.notes = append(s.notes, f.warnings()...)
	return nil
}
