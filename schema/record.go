package schema

import (
	"errors"
	"slices"
)

// A Message is the format of a record's payload.
type Message uint8

// The messages.
const (
	ExampleMessage     Message = iota // tf.train.Example
	SequenceMessage                   // tf.train.SequenceExample
	OFRecordMessage                   // oneflow.OFRecord
	JSONExampleMessage                // a tf.train.Example as JSON, for tf.io.decode_json_example
	JSONMessage                       // a JSON object of the features
	TextMessage                       // the string in a column
	BytesMessage                      // the bytes in a column
)

var messageNames = [...]string{
	ExampleMessage:     "an Example",
	SequenceMessage:    "a SequenceExample",
	OFRecordMessage:    "an OFRecord",
	JSONExampleMessage: "an Example as JSON",
	JSONMessage:        "a JSON object",
	TextMessage:        "a text",
	BytesMessage:       "a record",
}

// String returns the name of the message with its article: an Example.
func (m Message) String() string { return messageNames[m] }

// isColumn reports whether m is the content of a column and has no features.
func (m Message) isColumn() bool { return m == TextMessage || m == BytesMessage }

// A Record describes how a payload is made from the columns of a row.
type Record struct {
	Message  Message
	Features []Feature // features of the message; for a SequenceExample its context
	Sequence []Feature // feature lists of a SequenceExample; a Shape describes one step
	Free     bool      // the feature lists of one row may have different lengths
	Column   string    // column of TextMessage and BytesMessage
}

// check returns the inconsistencies between the parts of r.
func (r *Record) check() (errs []error) {
	bad := func(text string) { errs = append(errs, errors.New(text)) }
	switch hasFeatures := len(r.Features) > 0 || len(r.Sequence) > 0; {
	case r.Message.isColumn() && r.Column == "":
		bad("the record is the content of a column, and names none")
	case r.Message.isColumn() && hasFeatures:
		bad("the record is the content of a column, which has no features")
	case !r.Message.isColumn() && r.Column != "":
		bad("the record is " + r.Message.String() + ", which is not the content of a column")
	case r.Message != SequenceMessage && len(r.Sequence) > 0:
		bad("the record is " + r.Message.String() + ", which has no feature lists")
	}
	if r.Message == OFRecordMessage && !slices.ContainsFunc(r.Features, Feature.isAlwaysPresent) {
		bad("each feature may be missing, and an OFRecord without any cannot be read")
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

// isAlwaysPresent reports whether each record has f: f is never omitted, or is a constant that is
// not repeated once per element of another column.
func (f Feature) isAlwaysPresent() bool {
	return f.OnMissing != MissingOmit || f.Constant != nil && f.Repeat == ""
}

// column returns the only feature of a record that is the content of a column.
func (r *Record) column() Feature {
	f := Feature{Type: StringType, Columns: []string{r.Column}}
	if r.Message == BytesMessage {
		f.Type = BytesType
	}
	return f
}
