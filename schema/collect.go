package schema

// A ClassCollector finds the class names of a feature whose classes are not known yet. Use one per
// goroutine.
type ClassCollector struct {
	schema *Schema
	fast   fastField // only its conditions are used
	values *gatherer
	buf    []byte
}

// NewClassCollector returns a collector for f, whose Classes need no Names. steps means that f is
// in Record.Sequence.
func NewClassCollector(f Feature, steps bool) (*ClassCollector, error) {
	isLabels := f.MultiHot != nil
	if isLabels {
		f = f.labels()
	}
	f.Classes = &Classes{}
	s := newSchema(1)
	c := compiler{target: target{steps: steps}, limit: maxExample, slot: s.slot, collects: true}
	if s.fields = c.fields(&f); c.problems != nil {
		return nil, c.problems
	}
	s.fields[0].isLabels = isLabels
	collector := &ClassCollector{schema: s, values: newGatherer(s)}
	if !steps {
		collector.fast = newFastField(&s.fields[0])
	}
	return collector, nil
}

// Columns returns the columns of the rows that Collect expects.
func (c *ClassCollector) Columns() []Column { return c.schema.Columns() }

// Collect calls seen with every string of a row that Encoder.Append would look up, by the same
// rules, and with the constant, default, and pad of the feature. It skips a row with an invalid value. The
// strings are valid until seen returns.
func (c *ClassCollector) Collect(vals []Value, seen func(text []byte)) {
	f := &c.schema.fields[0]
	if c.fast.to == toClass && c.fast.takes(&vals[c.fast.slot]) && len(vals[c.fast.slot].Text) > 0 {
		seen(vals[c.fast.slot].Text)
	} else if !c.collect(f, vals, seen) {
		return
	}
	for _, v := range []*Value{f.Constant, f.Default, f.Pad} {
		if v != nil {
			seen(v.Text)
		}
	}
}

// collect is the slow path of Collect. It reports whether all values are valid.
func (c *ClassCollector) collect(f *field, vals []Value, seen func(text []byte)) bool {
	c.values.conv.texts = c.values.conv.texts[:0]
	var err *RowError
	if f.steps == nil { // the entry would cost more than the strings
		_, err = c.values.gatherValues(f, vals)
	} else {
		c.buf, err = c.values.appendEntry(c.buf[:0], f, vals)
	}
	if err != nil {
		return false
	}
	for _, text := range c.values.conv.texts {
		seen(text)
	}
	return true
}
