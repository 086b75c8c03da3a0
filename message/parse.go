package message

import (
	"slices"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// The field numbers of the messages.
const (
	fieldFeatures = 1 // in Example; the context in SequenceExample
	fieldLists    = 2 // in SequenceExample
	fieldEntry    = 1 // in Features, FeatureLists, and OFRecord
	fieldKey      = 1 // in an entry
	fieldContent  = 2
	fieldStep     = 1 // in FeatureList
	fieldValue    = 1 // in a list
	fieldExamples = 1 // in ListWithContext
	fieldContext  = 2
)

// Each calls visit with each feature of a message; for a SequenceExample with each feature of its
// context. It reports whether payload is a valid message of that kind without unknown fields; it
// may call visit before it finds an error. If two features have the same key, the later one counts.
func Each(kind Kind, payload []byte, visit func(key []byte, f Feature)) bool {
	return Walk(kind, payload, visit, func([]byte, FeatureList) {})
}

func eachFeature(kind Kind, features []byte, visit func(key []byte, f Feature)) bool {
	return eachEntry(features, func(data []byte) (Feature, bool) { return readFeature(kind, data) }, visit)
}

// eachField calls visit with the contents of each field of a message. It returns false if a field
// has another number.
func eachField(message []byte, number protowire.Number, visit func(content []byte) bool) bool {
	for len(message) > 0 {
		field, rest, ok := cutField(message)
		if !ok || !field.is(number) || !visit(field.content) {
			return false
		}
		message = rest
	}
	return true
}

// eachEntry calls visit with each entry of a map. read validates and decodes the values.
func eachEntry[V any](entries []byte, read func([]byte) (V, bool), visit func(key []byte, v V)) bool {
	return eachField(entries, fieldEntry, func(entry []byte) bool {
		key, v, ok := readEntry(entry, read)
		if ok {
			visit(key, v)
		}
		return ok
	})
}

// readEntry decodes the key and the value of an entry. As in protobuf, several values are
// concatenated; each must be valid on its own. It rejects an entry whose only field is a key that
// is itself an entry. That is the features of an Example in an ExampleListWithContext; on the wire
// they look the same, but no writer omits the value of an entry.
func readEntry[V any](entry []byte, read func([]byte) (V, bool)) (key []byte, v V, ok bool) {
	var value []byte
	pieces := 0
	for len(entry) > 0 {
		var item wireField
		if item, entry, ok = cutField(entry); !ok {
			return nil, v, false
		}
		switch {
		case item.is(fieldKey):
			if key = item.content; !utf8.Valid(key) {
				return nil, v, false
			}
		case item.is(fieldContent):
			if v, ok = read(item.content); !ok {
				return nil, v, false
			}
			if pieces++; pieces == 1 {
				value = slices.Clip(item.content) // do not write to the payload's memory
			} else {
				value = append(value, item.content...)
			}
		}
	}
	switch {
	case pieces == 0 && hasBoth(key, read):
		return nil, v, false
	case pieces > 1:
		v, _ = read(value)
	}
	return key, v, true
}

// hasBoth reports whether data is an entry with a key and a value.
func hasBoth[V any](data []byte, read func([]byte) (V, bool)) bool {
	key, value := false, false
	for len(data) > 0 {
		item, rest, ok := cutField(data)
		switch {
		case !ok:
			return false
		case item.is(fieldKey):
			key = true
		case item.is(fieldContent):
			if _, value = read(item.content); !value {
				return false
			}
		}
		data = rest
	}
	return key && value
}

// A wireField is one field of a message. content is the bytes after the tag, without the length of
// a bytes field.
type wireField struct {
	number   protowire.Number
	wireType protowire.Type
	content  []byte
}

// is reports whether p is a bytes field with that number.
func (p wireField) is(number protowire.Number) bool {
	return p.number == number && p.wireType == protowire.BytesType
}

// cutField cuts off the first field of a message.
func cutField(message []byte) (f wireField, rest []byte, ok bool) {
	if f, rest, ok = cutShort(message); ok {
		return f, rest, true
	}
	number, wireType, n := protowire.ConsumeTag(message)
	if n < 0 || number > protowire.MaxValidNumber {
		return f, nil, false
	}
	message = message[n:]
	if n = protowire.ConsumeFieldValue(number, wireType, message); n < 0 {
		return f, nil, false
	}
	f = wireField{number, wireType, message[:n]}
	if wireType == protowire.BytesType {
		f.content, _ = protowire.ConsumeBytes(message)
	}
	return f, message[n:], true
}
