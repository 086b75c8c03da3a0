package schema

import (
	"errors"
	"slices"
)

// A Message is what the payload of a record is.
type Message uint8

// The messages.
const (
	ExampleMessage     Message = iota // tf.train.Example
	SequenceMessage                   // tf.train.SequenceExample
	OFRecordMessage                   // oneflow.OFRecord
	JSONExampleMessage                // a tf.train.Example as JSON, as tf.io.decode_json_example reads it
	JSONMessage                       // a JSON object of the features
	TextMessage                       // the text of a column
	BytesMessage                      // the bytes of a column
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

// String returns what a message is, as a sentence has it: an Example.
func (m Message) String() string { return messageNames[m] }

// ofColumn says whether m is what a column holds, without features.
func (m Message) ofColumn() bool { return m == TextMessage || m == BytesMessage }

// A Record says how a payload is made from the columns of a row.
type Record struct {
	Message  Message
	Features []Feature // of the message; of a SequenceExample its context
	Sequence []Feature // the feature lists of a SequenceExample; a Shape is that of one step
	Free     bool      // the lists of one row may have different lengths
	Column   string    // of TextMessage and BytesMessage
}

// check returns what is inconsistent between the parts of r.
func (r *Record) check() (faults []error) {
	bad := func(text string) { faults = append(faults, errors.New(text)) }
	switch hasFeatures := len(r.Features) > 0 || len(r.Sequence) > 0; {
	case r.Message.ofColumn() && r.Column == "":
		bad("the record is the content of a column, and names none")
	case r.Message.ofColumn() && hasFeatures:
		bad("the record is the content of a column, which has no features")
	case !r.Message.ofColumn() && r.Column != "":
		bad("the record is " + r.Message.String() + ", which is not the content of a column")
	case r.Message != SequenceMessage && len(r.Sequence) > 0:
		bad("the record is " + r.Message.String() + ", which has no feature lists")
	}
	if r.Message == OFRecordMessage && !slices.ContainsFunc(r.Features, Feature.isAlways) {
		bad("each feature may be missing, and an OFRecord without any cannot be read")
	}
	keys := map[string]string{} // and the feature that has each
	for _, f := range slices.Concat(r.Features, r.Sequence) {
		for _, key := range f.Keys() {
			other, taken := keys[key]
			switch {
			case taken && other == f.Key:
				faults = append(faults, featureError(f.Key, "duplicate key"))
			case taken:
				faults = append(faults, featureError(f.Key, "feature %s has its key %s", quote(other), quote(key)))
			}
			keys[key] = f.Key
		}
	}
	return faults
}

// isAlways says whether f is in each record: it is never omitted, or is a constant
// that does not ask another column how often it is repeated.
func (f Feature) isAlways() bool {
	return f.OnMissing != MissingOmit || f.Constant != nil && f.Repeat == ""
}

// column is the one feature of a record that a column holds.
func (r *Record) column() Feature {
	f := Feature{Type: StringType, Columns: []string{r.Column}}
	if r.Message == BytesMessage {
		f.Type = BytesType
	}
	return f
}
