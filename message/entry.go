package message

import "google.golang.org/protobuf/encoding/protowire"

// ReadEntry decodes the entry at the beginning of data, in the Features of a message of that kind,
// or in an OFRecord. ok is false if data does not begin with a valid entry.
func ReadEntry(kind Kind, data []byte) (key []byte, f Feature, ok bool) {
	entry, _, ok := cutField(data)
	if !ok || !entry.is(fieldEntry) {
		return nil, f, false
	}
	return readEntry(entry.content, func(data []byte) (Feature, bool) { return readFeature(kind, data) })
}

// cutShort is the fast path of cutField: it cuts off a bytes field whose tag and length have one
// byte each, as most fields do. ok is false for other fields. It is small enough to be inlined.
func cutShort(message []byte) (f wireField, rest []byte, ok bool) {
	if len(message) < 2 || message[0]&0x87 != byte(protowire.BytesType) || message[0] < 1<<3 ||
		int(message[1]) > min(0x7f, len(message)-2) {
		return f, nil, false
	}
	end := 2 + int(message[1])
	return wireField{protowire.Number(message[0] >> 3), protowire.BytesType, message[2:end]}, message[end:], true
}
