package message

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// The JSON of a message has one NaN, but floats have many. These are the bits that most programs
// write.
const (
	canonicalNaN32 = 0x7fc00000
	canonicalNaN64 = 0x7ff8000000000000
)

// isCanonical reports whether a message has the bytes that protobuf writes for it. Then its JSON
// determines its bytes.
func isCanonical(kind Kind, payload []byte) bool {
	canonical := formats[kind].isCanonical
	return canonical != nil && canonical(payload)
}

func canonicalFeatures(kind Kind, features []byte) bool {
	return canonicalEntries(features, func(feature []byte) bool { return canonicalFeature(kind, feature) })
}

// canonicalEntries reports whether each entry has a key followed by a value, and canonical
// accepts the values.
func canonicalEntries(entries []byte, canonical func(value []byte) bool) bool {
	for len(entries) > 0 {
		entry, rest, ok := cutCanonical(entries, fieldEntry)
		if !ok {
			return false
		}
		_, entry, ok = cutCanonical(entry, fieldKey)
		if !ok {
			return false
		}
		value, after, ok := cutCanonical(entry, fieldContent)
		if !ok || len(after) > 0 || !canonical(value) {
			return false
		}
		entries = rest
	}
	return true
}

// canonicalFeature reports whether a feature has at most one list, which is canonical.
func canonicalFeature(kind Kind, feature []byte) bool {
	for number, list := range kind.lists() {
		values, rest, ok := cutCanonical(feature, protowire.Number(number))
		if list != "" && ok {
			return len(rest) == 0 && canonicalList(list, values)
		}
	}
	return len(feature) == 0
}

// canonicalList reports whether the numbers of a list are packed into one field.
func canonicalList(list List, data []byte) bool {
	if list == BytesList {
		for len(data) > 0 {
			_, rest, ok := cutCanonical(data, fieldValue)
			if !ok {
				return false
			}
			data = rest
		}
		return true
	}
	values, rest, ok := cutCanonical(data, fieldValue)
	return len(data) == 0 || ok && len(rest) == 0 && len(values) > 0 && canonicalNumbers(list, values)
}

func canonicalNumbers(list List, packed []byte) bool {
	for len(packed) > 0 {
		n := 0
		switch list {
		case FloatList:
			bits := binary.LittleEndian.Uint32(packed)
			if v := math.Float32frombits(bits); v != v && bits != canonicalNaN32 {
				return false
			}
			n = 4
		case DoubleList:
			bits := binary.LittleEndian.Uint64(packed)
			if v := math.Float64frombits(bits); v != v && bits != canonicalNaN64 {
				return false
			}
			n = 8
		default:
			var v uint64
			v, n = protowire.ConsumeVarint(packed)
			if n != protowire.SizeVarint(v) || list == Int32List && int64(v) != int64(int32(v)) {
				return false
			}
		}
		packed = packed[n:]
	}
	return true
}

// cutCanonical cuts off the field with that number from a valid message. ok is false, and rest is
// the message, if another field comes first or if its encoding is not the shortest one.
func cutCanonical(message []byte, number protowire.Number) (content, rest []byte, ok bool) {
	field, rest, ok := cutField(message)
	spelled := 1 + protowire.SizeBytes(len(field.content)) // the tags of all fields have one byte
	if !ok || !field.is(number) || len(message)-len(rest) != spelled {
		return nil, message, false
	}
	return field.content, rest, true
}
