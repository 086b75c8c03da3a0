package message

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// What the JSON of a message calls NaN is one of many NaNs: these are those that
// programs mean.
const (
	usualNaN32 = 0x7fc00000
	usualNaN64 = 0x7ff8000000000000
)

// isUsual reports whether a message is spelled as protobuf writes it. It is then
// known, byte for byte, from its JSON.
func isUsual(kind Kind, payload []byte) bool {
	switch kind {
	case Example:
		features, rest, ok := cutUsual(payload, fieldFeatures)
		return len(payload) == 0 || ok && len(rest) == 0 && usualFeatures(kind, features)
	case SequenceExample:
		context, rest, ok := cutUsual(payload, fieldFeatures)
		if ok && !usualFeatures(kind, context) {
			return false
		}
		lists, rest, ok := cutUsual(rest, fieldLists)
		return len(rest) == 0 && (!ok || usualEntries(lists, usualSteps))
	case OFRecord:
		return usualFeatures(kind, payload)
	}
	return false
}

func usualFeatures(kind Kind, features []byte) bool {
	return usualEntries(features, func(feature []byte) bool { return usualFeature(kind, feature) })
}

// usualEntries are those that have a key and then a value, which usual checks.
func usualEntries(entries []byte, usual func(value []byte) bool) bool {
	for len(entries) > 0 {
		entry, rest, ok := cutUsual(entries, fieldEntry)
		if !ok {
			return false
		}
		_, entry, ok = cutUsual(entry, fieldKey)
		if !ok {
			return false
		}
		value, after, ok := cutUsual(entry, fieldContent)
		if !ok || len(after) > 0 || !usual(value) {
			return false
		}
		entries = rest
	}
	return true
}

func usualSteps(steps []byte) bool {
	for len(steps) > 0 {
		step, rest, ok := cutUsual(steps, fieldStep)
		if !ok || !usualFeature(SequenceExample, step) {
			return false
		}
		steps = rest
	}
	return true
}

// usualFeature has one list or none.
func usualFeature(kind Kind, feature []byte) bool {
	for number, list := range kind.lists() {
		values, rest, ok := cutUsual(feature, protowire.Number(number))
		if list != "" && ok {
			return len(rest) == 0 && usualList(list, values)
		}
	}
	return len(feature) == 0
}

// usualList has its numbers packed into one.
func usualList(list List, data []byte) bool {
	if list == BytesList {
		for len(data) > 0 {
			_, rest, ok := cutUsual(data, fieldValue)
			if !ok {
				return false
			}
			data = rest
		}
		return true
	}
	values, rest, ok := cutUsual(data, fieldValue)
	return len(data) == 0 || ok && len(rest) == 0 && len(values) > 0 && usualNumbers(list, values)
}

func usualNumbers(list List, packed []byte) bool {
	for len(packed) > 0 {
		n := 0
		switch list {
		case FloatList:
			bits := binary.LittleEndian.Uint32(packed)
			if v := math.Float32frombits(bits); v != v && bits != usualNaN32 {
				return false
			}
			n = 4
		case DoubleList:
			bits := binary.LittleEndian.Uint64(packed)
			if v := math.Float64frombits(bits); v != v && bits != usualNaN64 {
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

// cutUsual cuts the field of that number off a checked message, which is spelled
// as short as can be. Where the message does not begin with it, rest is all of
// the message.
func cutUsual(message []byte, number protowire.Number) (content, rest []byte, ok bool) {
	field, rest, ok := cutField(message)
	spelled := 1 + protowire.SizeBytes(len(field.content)) // the tags of all fields have one byte
	if !ok || !field.is(number) || len(message)-len(rest) != spelled {
		return nil, message, false
	}
	return field.content, rest, true
}
