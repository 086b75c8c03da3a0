package schema

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

// A Record says how a payload is made from the columns of a row.
type Record struct {
	Message  Message
	Features []Feature // of the message; of a SequenceExample its context
	Sequence []Feature // the feature lists of a SequenceExample; a Shape is that of one step
	Free     bool      // the lists of one row may have different lengths
	Column   string    // of TextMessage and BytesMessage
}
