package schema

import (
	"errors"
	"slices"
)

// A Record describes how a payload is made from the columns of a row.
type Record struct {
	Message  Message
	Features []Feature // features of the message; for a SequenceExample its context
	Sequence []Feature // feature lists of a SequenceExample; a Shape describes one step
	Free     bool      // the feature lists of one row may have different lengths
	Column   string    // column of a message that is the content of one
}

// check returns the inconsistencies between the parts of r.
func (r *Record) check() (errs []error) {
	bad := func(text string) { errs = append(errs, errors.New(text)) }
	switch hasFeatures := len(r.Features) > 0 || len(r.Sequence) > 0; {
	case r.Message.IsColumn() && r.Column == "":
		bad("the record is the content of a column, and names none")
	case r.Message.IsColumn() && hasFeatures:
		bad("the record is the content of a column, which has no features")
	case !r.Message.IsColumn() && r.Column != "":
		bad("the record is " + r.Message.String() + ", which is not the content of a column")
	case !r.Message.HasSteps() && len(r.Sequence) > 0:
		bad("the record is " + r.Message.String() + ", which has no feature lists")
	}
	if check := r.Message.row().check; check != nil {
		if text := check(r); text != "" {
			bad(text)
		}
	}
	keys := map[string]string{} // to the feature that has each
	for _, f := range slices.Concat(r.Features, r.Sequence) {
		for _, key := range f.Keys() {
			other, taken := keys[key]
			switch {
			case taken && other == f.Key:
				errs = append(errs, featureError(f.Key, "duplicate key"))
			case taken:
				errs = append(errs, featureError(f.Key, "feature %s has its key %s", quote(other), quote(key)))
			}
			keys[key] = f.Key
		}
	}
	return errs
}

// column returns the only feature of a record that is the content of a column.
func (r *Record) column() Feature {
	return Feature{Type: r.Message.row().column, Columns: []string{r.Column}}
}
