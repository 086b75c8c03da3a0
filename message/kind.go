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

var kindNames = [...]string{None: "bytes", Example: "Example", SequenceExample: "SequenceExample", OFRecord: "OFRecord", ListWithContext: "ExampleListWithContext"}

// String returns the name of the message.
func (k Kind) String() string { return kindNames[k] }

// Phrase returns the name with its article: an Example, a SequenceExample.
func (k Kind) Phrase() string {
	switch k {
	case None:
		return k.String()
	case SequenceExample:
		return "a " + k.String()
	}
	return "an " + k.String()
}

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

// EachExample calls visit with each Example of a ListWithContext in order, and with whether it is
// the context. It reports whether payload is a valid ListWithContext; it may call visit before it
// finds an error.
func EachExample(payload []byte, visit func(context bool, example []byte)) bool {
	for len(payload) > 0 {
		field, rest, ok := cutField(payload)
		isContext := field.is(fieldContext)
		if !ok || !isContext && !field.is(fieldExamples) || !Is(Example, field.content) {
			return false
		}
		visit(isContext, field.content)
		payload = rest
	}
	return true
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
	exampleLists  = [...]List{1: BytesList, FloatList, Int64List}
	ofRecordLists = [...]List{1: BytesList, FloatList, DoubleList, Int32List, Int64List}
)

// lists returns the lists of a Feature, by their field numbers.
func (k Kind) lists() []List {
	if k == OFRecord {
		return ofRecordLists[:]
	}
	return exampleLists[:]
}

// HasSteps reports whether messages of the kind have feature lists, with one step after another.
func (k Kind) HasSteps() bool { return k == SequenceExample }
