package schema

// A ClassCollector finds the names that a feature's classes must have, before
// they are known. Use one per goroutine.
type ClassCollector struct {
	schema  *Schema
	encoder *Encoder
	buf     []byte
}

// NewClassCollector returns a collector for f, whose Classes need no Names. steps
// says that f is one of Record.Sequence.
func NewClassCollector(f Feature, steps bool) (_ *ClassCollector, err error) {
	f.Classes = &Classes{}
	s := newSchema(1)
	c := compiler{place: place{steps: steps}, slot: s.slot, collects: true}
	if s.fields, err = c.fields(&f); err != nil {
		return nil, err
	}
	return &ClassCollector{schema: s, encoder: s.NewEncoder()}, nil
}

// Columns lists the columns that a row for Collect holds.
func (c *ClassCollector) Columns() []Column { return c.schema.Columns() }

// Collect calls seen with every text of a row that Encoder.Append would look
// up, under the same rules, and with the default or constant if the feature
// has one. A row whose value cannot be read has none. The texts hold until
// seen returns.
func (c *ClassCollector) Collect(vals []Value, seen func(text []byte)) {
	e, f := c.encoder, &c.schema.fields[0]
	e.texts = e.texts[:0]
	var err *RowError
	if c.buf, err = e.appendEntry(c.buf[:0], f, vals); err != nil {
		return
	}
	for _, text := range e.texts {
		seen(text)
	}
	switch {
	case f.Constant != nil:
		seen(f.Constant.Text)
	case f.Default != nil:
		seen(f.Default.Text)
	}
}
