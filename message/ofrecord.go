package message

import (
	"io"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

var ofRecordFormat = format{
	isCanonical: func(payload []byte) bool { return canonicalFeatures(OFRecord, payload) },
	fields:      []string{"feature"},
	parseField: func(p *Parser, name []byte, at int) bool {
		if string(name) != "feature" {
			return false
		}
		if p.beginField(name, at, OFRecord, seenFeatures) {
			p.parseEntries(p.parseFeature)
		}
		return true
	},
}

func (p *printer) writeOFRecord(m *Message) {
	if len(m.Features) > 0 {
		p.writeFeatures("", m.Features)
		p.write(",")
	}
}

// BeginsOFRecord reports whether payload may be the beginning of a nonempty OFRecord of size bytes.
// If payload has all size bytes, it reports whether they are an OFRecord.
func BeginsOFRecord(payload []byte, size int64) bool {
	if int64(len(payload)) >= size {
		return size > 0 && Is(OFRecord, payload[:size])
	}
	begun := payload
	complete := eachComplete(&begun, func(entry wireField) bool {
		_, _, ok := readEntry(entry.content, func(data []byte) (Feature, bool) { return readFeature(OFRecord, data) })
		return ok && entry.is(fieldEntry)
	})
	if !complete || len(begun) == 0 {
		return complete
	}
	size -= int64(len(payload) - len(begun))
	entry, size, ok := cutHeader(begun, size)
	if !ok || begun[0] != fieldEntry<<3|byte(protowire.BytesType) {
		return false
	}
	begun = entry
	complete = eachComplete(&begun, func(item wireField) bool { return !item.is(fieldKey) || utf8.Valid(item.content) })
	_, _, ok = cutHeader(begun, size-int64(len(entry)-len(begun)))
	return complete && ok
}

// eachComplete calls visit with the complete fields at the beginning of a message. Afterward,
// message is the rest. It returns false if visit does.
func eachComplete(message *[]byte, visit func(wireField) bool) bool {
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

// cutHeader cuts off the tag and the length of a bytes field, which may be truncated. ok is false
// if the field cannot be part of a message of size bytes.
func cutHeader(data []byte, size int64) (content []byte, length int64, ok bool) {
	if _, _, n := protowire.ConsumeField(data); n < 0 && protowire.ParseError(n) != io.ErrUnexpectedEOF {
		return nil, 0, false
	}
	_, wireType, n := protowire.ConsumeTag(data)
	if n < 0 || wireType != protowire.BytesType {
		return nil, 0, true
	}
	long, m := protowire.ConsumeVarint(data[n:])
	if m < 0 {
		return nil, 0, true
	}
	return data[n+m:], int64(long), long <= uint64(max(0, size-int64(n+m)))
}
