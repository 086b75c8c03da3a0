package message

// A Kind is the type of message that a payload may be.
type Kind uint8

// The messages.
const (
	None            Kind = iota // bytes that are not a message
	Example                     // tf.train.Example
	SequenceExample             // tf.train.SequenceExample
	OFRecord                    // oneflow.OFRecord
	ListWithContext             // tensorflow.serving.ExampleListWithContext, which is detected and not decoded
)

// kindTable has the names and the lists of the kinds. It is apart from formats, whose functions use it.
var kindTable = [...]struct {
	name, phrase string
	lists        []List // of a Feature, by their field numbers
}{
	None:            {name: "bytes", phrase: "bytes"},
	Example:         {"Example", "an Example", exampleLists},
	SequenceExample: {"SequenceExample", "a SequenceExample", exampleLists},
	OFRecord:        {"OFRecord", "an OFRecord", ofRecordLists},
	ListWithContext: {name: "ExampleListWithContext", phrase: "an ExampleListWithContext"},
}

// A format is the wire format of a kind, and its JSON. A kind without features has the zero format.
type format struct {
	hasSteps bool // it has feature lists

	// isCanonical reports whether a valid payload has the bytes that protobuf writes.
	isCanonical func(payload []byte) bool
	// fields are the names of its fields in JSON.
	fields []string
	// parseField parses one of them. It returns false if the message has no such field.
	parseField func(p *Parser, name []byte, at int) bool
}

// formats is the table of the formats, with the two switches below. To add one, write it in a file
// of its own.
var formats = [...]format{Example: exampleFormat, SequenceExample: sequenceFormat, OFRecord: ofRecordFormat,
	ListWithContext: {}}

// Walk is Each for messages that may have feature lists: it calls list with each of them.
//
// It is a switch, because a call through the table would move both functions to the heap, for each
// payload.
func Walk(kind Kind, payload []byte, feature func(key []byte, f Feature), list func(key []byte, l FeatureList)) bool {
	switch kind {
	case Example:
		return walkExample(payload, feature)
	case SequenceExample:
		return walkSequence(payload, feature, list)
	case OFRecord:
		return eachFeature(OFRecord, payload, feature)
	}
	return false
}

// writeMessage writes the fields of a message as JSON. It is a switch for the same reason.
func (p *printer) writeMessage(m *Message) {
	switch m.Kind {
	case Example:
		p.writeExample(m)
	case SequenceExample:
		p.writeSequence(m)
	case OFRecord:
		p.writeOFRecord(m)
	}
}

// String returns the name of the message.
func (k Kind) String() string { return kindTable[k].name }

// Phrase returns the name with its article: an Example, a SequenceExample.
func (k Kind) Phrase() string { return kindTable[k].phrase }

// HasSteps reports whether messages of the kind have feature lists, with one step after another.
func (k Kind) HasSteps() bool { return formats[k].hasSteps }

// lists returns the lists of a Feature, by their field numbers. Other numbers have no name.
func (k Kind) lists() []List { return kindTable[k].lists }

// KindOf returns the message type of a payload in a TFRecord file: Example, SequenceExample,
// ListWithContext, or None. A payload with feature lists is a SequenceExample; without them it
// could also be an Example, and Example is returned.
func KindOf(payload []byte) Kind {
	switch {
	case Is(Example, payload):
		return Example
	case Is(SequenceExample, payload):
		return SequenceExample
	case EachExample(payload, func(bool, []byte) {}):
		return ListWithContext
	}
	return None
}

// Is reports whether payload is a valid message of that kind without unknown fields.
func Is(kind Kind, payload []byte) bool {
	return Each(kind, payload, func([]byte, Feature) {})
}

// A List is the list in which a Feature stores its values. It is the name of the field in the
// message.
type List string

// The lists of a Feature. Only an OFRecord has the last two.
const (
	BytesList  List = "bytes_list"
	FloatList  List = "float_list"
	Int64List  List = "int64_list"
	DoubleList List = "double_list"
	Int32List  List = "int32_list"
)

// The lists of a Feature, by their field numbers.
var (
	exampleLists  = []List{1: BytesList, FloatList, Int64List}
	ofRecordLists = []List{1: BytesList, FloatList, DoubleList, Int32List, Int64List}
)
