package message

import (
	"io"
	"slices"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// The fields of the messages, by their numbers.
const (
	fieldFeatures = 1 // of Example; the context of SequenceExample
	fieldLists    = 2 // of SequenceExample
	fieldEntry    = 1 // of Features, FeatureLists and OFRecord
	fieldKey      = 1 // of an entry
	fieldContent  = 2
	fieldStep     = 1 // of FeatureList
	fieldValue    = 1 // of a list
	fieldExamples = 1 // of ListWithContext
	fieldContext  = 2
)

// Each tells of the features of a message, those of the context where it is a
// SequenceExample, and reports whether payload is such a message, without fields
// that it does not have. Of two features with the same key the later one counts.
func Each(kind Kind, payload []byte, tell func(key []byte, f Feature)) bool {
	switch kind {
	case Example:
		return eachPart(payload, fieldFeatures, func(features []byte) bool {
			return eachFeature(kind, features, tell)
		})
	case SequenceExample:
		return EachSequence(payload, tell, func([]byte, FeatureList) {})
	case OFRecord:
		return eachFeature(kind, payload, tell)
	}
	return false
}

// EachSequence tells of the features in the context of a SequenceExample and of
// its feature lists, and reports whether payload is one. Of two with the same key
// the later one counts.
func EachSequence(payload []byte, context func(key []byte, f Feature), list func(key []byte, l FeatureList)) bool {
	for len(payload) > 0 {
		field, rest, ok := cutField(payload)
		switch {
		case !ok:
		case field.is(fieldFeatures):
			ok = eachFeature(SequenceExample, field.content, context)
		case field.is(fieldLists):
			ok = eachEntry(field.content, readList, list)
		default:
			ok = false
		}
		if !ok {
			return false
		}
		payload = rest
	}
	return true
}

func eachFeature(kind Kind, features []byte, tell func(key []byte, f Feature)) bool {
	return eachEntry(features, func(data []byte) (Feature, bool) { return readFeature(kind, data) }, tell)
}

// eachPart calls visit with what a message holds in the one field that it has.
func eachPart(message []byte, number protowire.Number, visit func(content []byte) bool) bool {
	for len(message) > 0 {
		field, rest, ok := cutField(message)
		if !ok || !field.is(number) || !visit(field.content) {
			return false
		}
		message = rest
	}
	return true
}

// eachEntry tells of the entries of a map, whose values read checks.
func eachEntry[V any](entries []byte, read func([]byte) (V, bool), tell func(key []byte, v V)) bool {
	return eachPart(entries, fieldEntry, func(entry []byte) bool {
		key, v, ok := readEntry(entry, read)
		if ok {
			tell(key, v)
		}
		return ok
	})
}

// readEntry reads the key and the value of an entry. A value in several pieces
// is what they are together, each of which has to be one itself. What has a key alone, and
// in the key an entry, is the features of an Example in an ExampleListWithContext: to
// protobuf that is the same, but no map is written so.
func readEntry[V any](entry []byte, read func([]byte) (V, bool)) (key []byte, v V, ok bool) {
	var value []byte
	pieces := 0
	for len(entry) > 0 {
		var item part
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
				value = slices.Clip(item.content) // the payload's memory is not written to
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

// BeginsOFRecord reports whether an OFRecord of size bytes, which is not empty, can
// begin with payload. Where payload has all of them it says whether it is one.
func BeginsOFRecord(payload []byte, size int64) bool {
	if int64(len(payload)) >= size {
		return size > 0 && Is(OFRecord, payload[:size])
	}
	begun := payload
	whole := eachWhole(&begun, func(entry part) bool {
		_, _, ok := readEntry(entry.content, func(data []byte) (Feature, bool) { return readFeature(OFRecord, data) })
		return ok && entry.is(fieldEntry)
	})
	if !whole || len(begun) == 0 {
		return whole
	}
	size -= int64(len(payload) - len(begun))
	entry, size, ok := cutBeginning(begun, size)
	if !ok || begun[0] != fieldEntry<<3|byte(protowire.BytesType) {
		return false
	}
	begun = entry
	whole = eachWhole(&begun, func(item part) bool { return !item.is(fieldKey) || utf8.Valid(item.content) })
	_, _, ok = cutBeginning(begun, size-int64(len(entry)-len(begun)))
	return whole && ok
}

// eachWhole calls visit with the fields of a message that are not cut, and leaves
// what follows them.
func eachWhole(message *[]byte, visit func(part) bool) bool {
	for len(*message) > 0 {
		field, rest, ok := cutField(*message)
		if !ok {
			break
		}
		if !visit(field) {
			return false
		}
		*message = rest
	}
	return true
}

// cutBeginning cuts the tag and the length off a field that data begins with. The
// field may be cut, but a message of size bytes has to have room for it.
func cutBeginning(data []byte, size int64) (content []byte, length int64, ok bool) {
	if _, _, n := protowire.ConsumeField(data); n < 0 && protowire.ParseError(n) != io.ErrUnexpectedEOF {
		return nil, 0, false
	}
	_, form, n := protowire.ConsumeTag(data)
	if n < 0 || form != protowire.BytesType {
		return nil, 0, true
	}
	long, m := protowire.ConsumeVarint(data[n:])
	if m < 0 {
		return nil, 0, true
	}
	return data[n+m:], int64(long), long <= uint64(max(0, size-int64(n+m)))
}

// A part is one field of a message: what follows its tag and, where it is of
// bytes, their number.
type part struct {
	number  protowire.Number
	form    protowire.Type
	content []byte
}

// is reports whether p is the field of that number, which holds bytes.
func (p part) is(number protowire.Number) bool {
	return p.number == number && p.form == protowire.BytesType
}

// cutField cuts the first field off a message.
func cutField(message []byte) (f part, rest []byte, ok bool) {
	number, form, n := protowire.ConsumeTag(message)
	if n < 0 || number > protowire.MaxValidNumber {
		return f, nil, false
	}
	message = message[n:]
	if n = protowire.ConsumeFieldValue(number, form, message); n < 0 {
		return f, nil, false
	}
	f = part{number, form, message[:n]}
	if form == protowire.BytesType {
		f.content, _ = protowire.ConsumeBytes(message)
	}
	return f, message[n:], true
}
