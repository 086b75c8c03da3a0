package infer

import (
	"slices"
	"strings"
)

// text is the config.
func (d *draft) text() []byte {
	p := new(page)
	for _, note := range d.notes {
		p.remark("", note)
	}
	p.add("name: "+d.name, "")
	p.add("output: "+scalar(d.output), "")
	if len(d.list) == 1 {
		p.add("source:", "")
		d.list[0].write(p, d.kind, "  ")
	} else {
		p.add("sources:", "")
		for i := range d.list {
			from := len(p.lines)
			d.list[i].write(p, d.kind, "    ")
			p.lines[from].text = "  - " + strings.TrimPrefix(p.lines[from].text, "    ")
		}
	}
	p.lines = append(p.lines, d.split...)
	switch {
	case d.payload:
		p.add("record: {bytes: record}", "")
	case d.features != nil:
		d.writeFeatures(p)
	}
	p.lines = append(p.lines, d.bad...)
	for i := range p.lines {
		p.lines[i].note = comment(p.lines[i].note)
	}
	return []byte(p.String())
}

// write writes a source.
func (s *source) write(p *page, kind, indent string) {
	if s.name != "" {
		p.add(indent+"name: "+s.name, "")
	}
	if s.split != "" {
		p.add(indent+"split: "+s.split, "")
	}
	p.add(indent+kind+":", "")
	for _, l := range s.keys {
		p.add(indent+"  "+l.text, l.note)
	}
	for _, l := range s.steps {
		p.add(indent+l.text, l.note)
	}
}

// mayLack reports whether the feature is absent from records without a value. Tensors are not
// meant: readers return an empty one.
func (f feature) mayLack() bool {
	return !f.out && strings.Contains(f.spec, "missing: omit") && !strings.Contains(f.spec, "tensor: true")
}

// omitted says what readers return for a value that the record does not have.
const omitted = `missing: omit is read as NaN, the lowest int64, or ""`

// writeFeatures writes the block `features`.
func (d *draft) writeFeatures(p *page) {
	note := ""
	if slices.ContainsFunc(d.features, feature.mayLack) {
		note = omitted
	}
	p.add("features:", note)
	for _, f := range d.features {
		mark := "  "
		if f.out {
			mark = "  # "
		}
		p.add(mark+scalar(f.key)+": "+f.spec, f.note)
	}
}
