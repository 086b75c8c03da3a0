package schema

import (
	"slices"

	"tfr-build/message"
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

// DefaultMessage is the message of records that nothing describes.
const DefaultMessage = ExampleMessage

// A Payload is what the bytes of a record are.
type Payload uint8

// The payloads.
const (
	WirePayload  Payload = iota // a message in the wire format of protobuf
	JSONPayload                 // a JSON object
	TextPayload                 // UTF-8
	BytesPayload                // any bytes
)

// A messageRow is everything in which a message differs from the others. To add a message, write its
// encoder in a file of its own, and add a constant and a row here. If it has a wire format of its own,
// add that to package message; if it has its own reader, to package dataset.
type messageRow struct {
	word   string // in configs, manifests, and statistics
	name   string // in reports and errors
	phrase string // a short name with its article

	payload Payload
	// the message that has the features: its walker, and its JSON in both directions; None: no lists
	kind      message.Kind
	isGuessed bool // payloads may also be other messages, and programs guess which
	isImplied bool // the framing of a file implies the message, and has no other

	storages   storages                 // how values of each type are stored
	tags       map[message.List]byte    // of the lists
	column     Type                     // type of a record that is the content of a column; 0: it has features
	check      func(*Record, *reporter) // reports what is wrong with a record; may be nil
	newEncoder func(*Schema, *gatherer) recordEncoder
	hasBounds  bool // the encoder notes entries

	readers Readers
}

// Readers says which programs read the records of a message. Croissant describes all messages alike.
type Readers struct {
	Template string // the template of reader.py
	Torch    string // what torch_reader.py reads: example, string, or bytes; empty: nothing
	TFDS     string // why TFDS cannot read the records; empty: it can
	TFX      string // why TFX cannot; empty: it can
	DALI     bool   // DALI reads them
}

const (
	notTFDS = "TFDS reads no records but tf.train.Example"
	notTFX  = "TFX reads no records but tf.train.Example and tf.train.SequenceExample"
)

// messageRows is the table of messages.
var messageRows = [...]messageRow{
	ExampleMessage: {
		word: "example", name: "tf.train.Example", phrase: "an Example",
		kind: message.Example, isGuessed: true, storages: inExample, tags: listTags,
		newEncoder: func(s *Schema, values *gatherer) recordEncoder {
			e := newExampleEncoder(s, values)
			return recordEncoder{e.append, e.features}
		},
		hasBounds: true,
		readers:   Readers{Template: "example", Torch: "example", DALI: true},
	},
	SequenceMessage: {
		word: "sequence", name: "tf.train.SequenceExample", phrase: "a SequenceExample",
		kind: message.SequenceExample, storages: inExample, tags: listTags,
		newEncoder: func(s *Schema, values *gatherer) recordEncoder {
			return recordEncoder{append: newSequenceEncoder(s, values).append}
		},
		readers: Readers{Template: "sequence", TFDS: notTFDS},
	},
	OFRecordMessage: {
		word: "ofrecord", name: "oneflow.OFRecord", phrase: "an OFRecord",
		kind: message.OFRecord, isImplied: true, storages: inOFRecord, tags: ofrecordTags, check: checkOFRecord,
		newEncoder: func(s *Schema, values *gatherer) recordEncoder {
			e := newFeatureEncoder(s, values)
			append := func(dst []byte, vals []Value) ([]byte, *RowError) {
				return e.append(dst, len(dst), len(dst), vals)
			}
			return recordEncoder{append, e}
		},
		hasBounds: true,
		readers:   Readers{Template: "ofrecord", TFDS: notTFDS, TFX: "TFX reads no OFRecord files"},
	},
	JSONExampleMessage: {
		word: "json_example", name: "tf.train.Example as JSON", phrase: "an Example as JSON",
		payload: JSONPayload, kind: message.Example, storages: inExample, tags: listTags,
		newEncoder: func(s *Schema, values *gatherer) recordEncoder {
			return recordEncoder{append: newJSONExampleEncoder(s, values).append}
		},
		readers: Readers{Template: "example", TFDS: notTFDS, TFX: notTFX},
	},
	JSONMessage: {
		word: "json", name: "JSON object", phrase: "a JSON object",
		payload: JSONPayload, storages: inExample, tags: listTags,
		newEncoder: func(s *Schema, values *gatherer) recordEncoder {
			return recordEncoder{append: newJSONEncoder(s, values).append}
		},
		readers: Readers{Template: "json", TFDS: notTFDS, TFX: notTFX},
	},
	TextMessage: {
		word: "text", name: "text in UTF-8", phrase: "a text",
		payload: TextPayload, storages: inExample, tags: listTags, column: StringType,
		newEncoder: encodeColumn,
		readers:    Readers{Template: "text", Torch: "string", TFDS: notTFDS, TFX: notTFX},
	},
	BytesMessage: {
		word: "bytes", name: "bytes", phrase: "a record",
		payload: BytesPayload, isGuessed: true, storages: inExample, tags: listTags, column: BytesType,
		newEncoder: encodeColumn,
		readers:    Readers{Template: "bytes", Torch: "bytes", TFDS: notTFDS, TFX: notTFX},
	},
}

func encodeColumn(s *Schema, values *gatherer) recordEncoder {
	return recordEncoder{append: newColumnEncoder(s, values).append}
}

func (m Message) row() *messageRow { return &messageRows[m] }

// Messages returns all messages.
func Messages() []Message {
	list := make([]Message, len(messageRows))
	for i := range list {
		list[i] = Message(i)
	}
	return list
}

// ParseMessage returns the message with that word: see [Message.Word].
func ParseMessage(word string) (m Message, ok bool) {
	i := slices.IndexFunc(messageRows[:], func(r messageRow) bool { return r.word == word })
	return Message(max(0, i)), i >= 0
}

// ImpliedMessage returns the message of the records in a file whose framing holds only messages of a
// kind. None is for framings that hold any records: they imply an Example.
func ImpliedMessage(kind message.Kind) Message {
	if kind == message.None {
		return DefaultMessage
	}
	return MessageOfKind(kind)
}

// MessageOfKind returns the message whose payloads are messages of that kind, and BytesMessage for
// None.
func MessageOfKind(kind message.Kind) Message {
	for i := range messageRows {
		if r := &messageRows[i]; r.kind == kind && (r.payload == WirePayload || r.payload == BytesPayload) {
			return Message(i)
		}
	}
	return BytesMessage
}

// String returns the name of the message with its article: an Example.
func (m Message) String() string { return m.row().phrase }

// Word returns the word for the message in configs, manifests, and statistics.
func (m Message) Word() string { return m.row().word }

// Name returns the complete name of the message: tf.train.Example.
func (m Message) Name() string { return m.row().name }

// IsImplied reports whether the framing of a file implies the message: see [ImpliedMessage].
func (m Message) IsImplied() bool { return m.row().isImplied }

// Payload returns what the bytes of a record are.
func (m Message) Payload() Payload { return m.row().payload }

// Kind returns the message that has the features of a record, directly or as JSON. It is None if the
// features are not in lists.
func (m Message) Kind() message.Kind { return m.row().kind }

// IsObject reports whether a record is a JSON object of the features, and not of their lists.
func (m Message) IsObject() bool { return m.Payload() == JSONPayload && m.Kind() == message.None }

// WireKind returns Kind if payloads have the wire format of protobuf, and otherwise None.
func (m Message) WireKind() message.Kind {
	if m.Payload() != WirePayload {
		return message.None
	}
	return m.Kind()
}

// IsGuessed reports whether a payload of a dataset of m may also be another message.
func (m Message) IsGuessed() bool { return m.row().isGuessed }

// IsColumn reports whether m is the content of a column and has no features.
func (m Message) IsColumn() bool { return m.row().column != 0 }

// HasSteps reports whether m has feature lists, with one step after another.
func (m Message) HasSteps() bool { return m.Kind().HasSteps() }

// HasBounds reports whether the entries of features are one after another in a record: see
// [Noted].
func (m Message) HasBounds() bool { return m.row().hasBounds }

// Readers returns which programs read the records.
func (m Message) Readers() Readers { return m.row().readers }
