package message

// A Kind is a message that a payload may be.
type Kind uint8

// The messages.
const (
	None            Kind = iota // bytes that are none of the others
	Example                     // tf.train.Example
	SequenceExample             // tf.train.SequenceExample
	OFRecord                    // oneflow.OFRecord
	ListWithContext             // tensorflow.serving.ExampleListWithContext, which is told apart and not taken apart
)

var kindNames = [...]string{None: "bytes", Example: "Example", SequenceExample: "SequenceExample", OFRecord: "OFRecord", ListWithContext: "ExampleListWithContext"}

// String returns the name of the message.
func (k Kind) String() string { return kindNames[k] }

// Phrase returns the name as a sentence has it: an Example, a SequenceExample.
func (k Kind) Phrase() string {
	switch k {
	case None:
		return k.String()
	case SequenceExample:
		return "a " + k.String()
	}
	return "an " + k.String()
}

// KindOf tells what a payload is that stands in a TFRecord file: an Example, a
// SequenceExample, a ListWithContext, or None. What has feature lists is a
// SequenceExample; one without any cannot be told from an Example.
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

// EachExample tells of the Examples of a ListWithContext, in their order, and which of
// them is the context. It reports whether payload is such a message.
func EachExample(payload []byte, tell func(context bool, example []byte)) bool {
	for len(payload) > 0 {
		field, rest, ok := cutField(payload)
		isContext := field.is(fieldContext)
		if !ok || !isContext && !field.is(fieldExamples) || !Is(Example, field.content) {
			return false
		}
		tell(isContext, field.content)
		payload = rest
	}
	return true
}

// Is reports whether payload is a message of that kind, without fields that the
// message does not have.
func Is(kind Kind, payload []byte) bool {
	return Each(kind, payload, func([]byte, Feature) {})
}

// A List is the kind of list that a Feature stores values in, by its name in the
// message.
type List string

// The lists of a Feature. An OFRecord alone has the last two.
const (
	BytesList  List = "bytes_list"
	FloatList  List = "float_list"
	Int64List  List = "int64_list"
	DoubleList List = "double_list"
	Int32List  List = "int32_list"
)

// The lists of a Feature by their numbers in the message.
var (
	exampleLists  = [...]List{1: BytesList, FloatList, Int64List}
	ofRecordLists = [...]List{1: BytesList, FloatList, DoubleList, Int32List, Int64List}
)

// lists are those of a Feature by their numbers in the message.
func (k Kind) lists() []List {
	if k == OFRecord {
		return ofRecordLists[:]
	}
	return exampleLists[:]
}
