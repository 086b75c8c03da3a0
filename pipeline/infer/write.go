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
	p.addAll("", bare("name: "+scalar(d.name)), bare("output: "+scalar(d.output)))
	var items [][]line
	for i := range d.list {
		items = append(items, d.list[i].lines(d.typ.name))
	}
	if len(items) == 1 {
		p.addAll("", bare("source:", items[0]...))
	} else {
		p.addAll("", line{text: "sources:", items: items})
	}
	p.addAll("", d.split...)
	if !d.loads() {
		p.addAll("", d.equal...)
	}
	switch {
	case d.payload:
		p.addAll("", bare("record: {bytes: "+d.typ.Record+"}"))
	case d.features != nil:
		d.writeFeatures(p)
	}
	p.addAll("", d.onError...)
	p.lines = slices.DeleteFunc(p.lines, func(l line) bool {
		return d.keepSizes && strings.HasPrefix(strings.TrimSpace(l.text), commentedConvert)
	})
	return []byte(p.String())
}

// loads reports whether rows have files, whose content makes rows differ.
func (d *draft) loads() bool {
	return slices.ContainsFunc(d.list, func(s source) bool { return has(s.steps, "load") })
}

// has reports whether lines have a key.
func has(lines []line, key string) bool {
	return slices.ContainsFunc(lines, func(l line) bool { return strings.HasPrefix(l.text, key+":") && !l.isEmpty() })
}

// lines returns the lines of a source.
func (s *source) lines(typ string) []line {
	return append([]line{bare("name: " + s.name), bare("split: " + s.split), bare(typ+":", s.keys...)},
		s.steps...)
}

// mayMiss reports whether records may be without the feature. Tensors do not count: readers return an
// empty one.
func (f feature) mayMiss() bool {
	return slices.Contains(f.spec, "missing: omit") && !f.spec.has("tensor")
}

// omitted is a comment on what readers return for a value that the record does not have.
const omitted = `missing: omit is read as NaN, the lowest int64, or ""`

// writeFeatures writes the block `features`.
func (d *draft) writeFeatures(p *configText) {
	note := ""
	if slices.ContainsFunc(d.features, func(f feature) bool { return !f.skipped && f.mayMiss() }) {
		note = omitted
	}
	p.add("features:", note)
	for _, f := range d.features {
		p.addFeature(f)
	}
}

// addFeature adds the line of a feature.
func (p *configText) addFeature(f feature) {
	switch key := scalar(f.key) + ": "; {
	case f.from == "":
		p.add("  # \""+comment(f.key)+"\" is skipped", f.note)
	case f.skipped:
		p.add("  # "+key+f.text(), "skipped: "+f.note)
	default:
		p.add("  "+key+f.text(), f.note)
	}
}
