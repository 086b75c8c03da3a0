package schema

import "slices"

// A Record describes how a payload is made from the columns of a row.
type Record struct {
	Message  Message
	Features []Feature // features of the message; for a SequenceExample its context
	Sequence []Feature // feature lists of a SequenceExample; a Shape describes one step
	Free     bool      // the feature lists of one row may have different lengths
	Column   string    // column of a message that is the content of one
}

// Check returns the problems of the parts of r together. Its features have their own.
func (r *Record) Check() Problems {
	var c reporter
	switch hasFeatures := len(r.Features) > 0 || len(r.Sequence) > 0; {
	case r.Message.IsColumn() && r.Column == "":
		c.report("record", "the record is the content of a column, and names none")
	case r.Message.IsColumn() && hasFeatures:
		c.report("features", "the record is the column %s alone; it has no features", quote(r.Column))
	case !r.Message.IsColumn() && r.Column != "":
		c.report("record", "the record is %s, which is not the content of a column", r.Message)
	case !r.Message.HasSteps() && len(r.Sequence) > 0:
		c.report("sequence", "the record is %s, which has no feature lists", r.Message)
	}
	if check := r.Message.row().check; check != nil {
		check(r, &c)
	}
	keys := map[string]string{} // to the feature that has each
	for _, f := range slices.Concat(r.Features, r.Sequence) {
		for _, key := range f.Keys() {
			c.key = f.Key
			switch other, taken := keys[key]; {
			case taken && other == f.Key:
				c.report("", "the record has the feature %s twice; one of them needs another key", quote(key))
			case taken:
				c.report("", "feature %s has its key %s", quote(other), quote(key))
			}
			keys[key] = f.Key
		}
	}
	return c.problems
}

// column returns the only feature of a record that is the content of a column.
func (r *Record) column() Feature {
	return Feature{Type: r.Message.row().column, Columns: []string{r.Column}}
}
