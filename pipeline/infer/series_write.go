package infer

import (
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// addSeries puts the rows of a series into one record, if nothing contradicts.
func (d *draft) addSeries(c *chooser) {
	of := c.series
	if of == nil {
		return
	}
	if c.partial || of.largest*len(c.columns) > mostInGroup {
		d.notes = append(d.notes, fmt.Sprintf("Rows with one %s look like a series in the order of %s. To put each into records: `record: sequence` and `group: {by: %s, sort: %s, windows: {length: 100}}`.", shown(of.by), shown(of.sort), scalar(of.by), of.sortText()))
		return
	}
	differs := func(name string) bool { return name != "" && !of.same[name] }
	if len(d.onError) > 0 || differs(c.split) || differs(c.by) {
		return
	}
	list, steps := slices.Clone(d.features), 0
	for i := range list {
		f := &list[i]
		switch f.ofGroup = of.same[f.key] && !strings.Contains(f.spec, "from: "); {
		case f.key == of.by:
			f.skipped, f.note = false, "the same in all rows of a record"
		case f.ofGroup:
		case f.key == of.sort:
			*f = f.asStep()
		default:
			if *f = f.asStep(); !f.skipped {
				steps++
			}
		}
	}
	if steps == 0 {
		return
	}
	d.features, d.series = list, of
	d.notes = append(d.notes, fmt.Sprintf("Rows with one %s become one record, in the order of %s. For one record per row: write `features:` in place of the lines from `record:` to `context:`, and remove the line `sequence:`.", shown(of.by), shown(of.sort)))
	if c.by == of.by {
		c.by = ""
	}
}

// asStep returns the feature with a value for each row. A float that is missing becomes NaN, as
// readers return it. Other features with missing values are skipped, with a default to choose.
func (f feature) asStep() feature {
	const omit = "missing: omit"
	if !strings.Contains(f.spec, omit) {
		return f
	}
	value := "missing: {default: " + f.fill + "}"
	if f.fill == "nan" {
		value += ", nonfinite: allow"
	}
	isFloat := strings.HasPrefix(f.spec, "{type: float, "+omit)
	f.spec = strings.Replace(f.spec, omit, value, 1)
	if f.skipped || isFloat {
		return f
	}
	return f.asComment(f.spec, "each row of a record needs a value; "+f.note)
}

// sortText returns the value of the key sort.
func (of *series) sortText() string {
	if of.kind != "" {
		return "{column: " + scalar(of.sort) + ", type: " + of.kind + "}"
	}
	return scalar(of.sort)
}

// splitNote returns a note for splits of groups that are few; of may be nil.
func (of *series) splitNote() string {
	const few = 30
	if of == nil || of.groups >= few {
		return ""
	}
	return plural.Of(of.groups, "group") + ", each in one split: a split may have none"
}

// writeSeries writes the group, and the features in two blocks.
func (d *draft) writeSeries(p *configText) {
	of := d.series
	p.add("record: sequence", "")
	p.add("group:", "")
	p.add("  by: "+scalar(of.by), fmt.Sprintf("%s in %s", plural.Of(of.groups, "value"), plural.Of(of.rows, "row")))
	p.add("  sort: "+of.sortText(), "differs in all rows of a group")
	if of.largest > longGroup {
		p.add("  # windows: {length: 100}", "cuts each group into records of 100 rows; the longest has "+plural.Of(of.largest, "row"))
	}
	p.add("context:", "")
	for _, f := range d.features {
		if f.ofGroup {
			p.addFeature(f)
		}
	}
	p.add("sequence:", "a value for each row")
	for _, f := range d.features {
		if !f.ofGroup {
			p.addFeature(f)
		}
	}
}
