package infer

import (
	"slices"
	"strings"
)

// text returns the text of the config.
func (d *draft) text() []byte {
	p := new(configText)
	for _, note := range d.notes {
		p.addComment("", note)
	}
	p.add("name: "+d.name, "")
	p.add("output: "+scalar(d.output), "")
	if len(d.list) == 1 {
		p.add("source:", "")
		d.list[0].writeTo(p, d.typ.name, "  ")
	} else {
		p.add("sources:", "")
		for i := range d.list {
			from := len(p.lines)
			d.list[i].writeTo(p, d.typ.name, "    ")
			p.lines[from].text = "  - " + strings.TrimPrefix(p.lines[from].text, "    ")
		}
	}
	p.lines = append(p.lines, d.split...)
	if !d.loads() {
		p.lines = append(p.lines, d.equal...)
	}
	switch {
	case d.payload:
		p.add("record: {bytes: "+d.typ.Record+"}", "")
	case d.features != nil:
		d.writeFeatures(p)
	}
	p.lines = append(p.lines, d.onError...)
	for i := range p.lines {
		p.lines[i].note = comment(p.lines[i].note)
	}
	return []byte(p.String())
}

// loads reports whether rows have files, whose content makes rows differ.
func (d *draft) loads() bool {
	return slices.ContainsFunc(d.list, func(s source) bool {
		return slices.ContainsFunc(s.steps, func(l line) bool { return strings.HasPrefix(l.text, "load:") })
	})
}

// writeTo writes a source.
func (s *source) writeTo(p *configText, typ, indent string) {
	if s.name != "" {
		p.add(indent+"name: "+s.name, "")
	}
	if s.split != "" {
		p.add(indent+"split: "+s.split, "")
	}
	p.add(indent+typ+":", "")
	for _, l := range s.keys {
		p.add(indent+"  "+l.text, l.note)
	}
	for _, l := range s.steps {
		p.add(indent+l.text, l.note)
	}
}

// mayLack reports whether records may be without the feature. Tensors do not count: readers return an
// empty one.
func (f feature) mayLack() bool {
	return !f.skipped && strings.Contains(f.spec, "missing: omit") && !strings.Contains(f.spec, "tensor: true")
}

// omitted is a comment on what readers return for a value that the record does not have.
const omitted = `missing: omit is read as NaN, the lowest int64, or ""`

// writeFeatures writes the block `features`.
func (d *draft) writeFeatures(p *configText) {
	note := ""
	if slices.ContainsFunc(d.features, feature.mayLack) {
		note = omitted
	}
	p.add("features:", note)
	for _, f := range d.features {
		p.addFeature(f)
	}
}

// addFeature adds the line of a feature.
func (p *configText) addFeature(f feature) {
	switch text := scalar(f.key) + ": " + f.spec; {
	case f.spec == "": // it cannot be a feature
		p.add("  # \""+comment(f.key)+"\" is skipped", f.note)
	case f.skipped:
		p.add("  # "+text, "skipped: "+f.note)
	default:
		p.add("  "+text, f.note)
	}
}
