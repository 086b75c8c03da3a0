package dataset

import (
	"encoding/binary"
	"iter"
	"math"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/schema"
)

// Examples are read where they lie: parsed into a message, a record that was
// made for it takes twenty times its bytes.

// The fields of tf.train.Example and of the messages within it.
const (
	fieldFeatures = 1 // of Example
	fieldEntry    = 1 // of Features
	fieldKey      = 1 // of an entry
	fieldFeature  = 2
	fieldValue    = 1 // of a list
)

// A feature is a message Feature of an Example, checked.
type feature struct {
	kind  schema.ListKind // of its list; empty where it has none
	count int             // of the values
	data  []byte          // the message, from the first list on that counts
}

// isExample reports whether payload is a tf.train.Example, without fields that
// the message does not have.
func isExample(payload []byte) bool {
	return eachFeature(payload, func([]byte, feature) {})
}

// eachFeature tells of the features of an Example, and reports whether payload
// is one. Of two with the same key the later one counts.
func eachFeature(payload []byte, tell func(key []byte, f feature)) bool {
	for len(payload) > 0 {
		features, rest, ok := cutField(payload)
		if !ok || !features.is(fieldFeatures) || !eachEntry(features.content, tell) {
			return false
		}
		payload = rest
	}
	return true
}

func eachEntry(features []byte, tell func(key []byte, f feature)) bool {
	for len(features) > 0 {
		entry, rest, ok := cutField(features)
		if !ok || !entry.is(fieldEntry) {
			return false
		}
		key, f, ok := readEntry(entry.content)
		if !ok {
			return false
		}
		tell(key, f)
		features = rest
	}
	return true
}

// readEntry reads the key and the feature of an entry. A feature in several
// pieces is what they are together.
func readEntry(entry []byte) (key []byte, f feature, ok bool) {
	for len(entry) > 0 {
		var item part
		if item, entry, ok = cutField(entry); !ok {
			return nil, f, false
		}
		switch {
		case item.is(fieldKey):
			if key = item.content; !utf8.Valid(key) {
				return nil, f, false
			}
		case item.is(fieldFeature):
			piece, ok := readFeature(item.content)
			if !ok {
				return nil, f, false
			}
			if f.kind != "" {
				piece, _ = readFeature(append(f.data[:len(f.data):len(f.data)], item.content...))
			}
			f = piece
		}
	}
	return key, f, true
}

// readFeature checks a message Feature. A list continues those of its own kind
// before it, and takes the place of any other.
func readFeature(data []byte) (f feature, ok bool) {
	for rest := data; len(rest) > 0; {
		here := rest
		var list part
		if list, rest, ok = cutField(rest); !ok {
			return f, false
		}
		kind := list.kind()
		if kind == "" {
			continue
		}
		if kind != f.kind {
			f = feature{kind: kind, data: here}
		}
		n, ok := countValues(kind, list.content)
		if !ok {
			return f, false
		}
		f.count += n
	}
	return f, true
}

// countValues checks a list and says how many values it has.
func countValues(kind schema.ListKind, list []byte) (count int, ok bool) {
	for len(list) > 0 {
		var v part
		if v, list, ok = cutField(list); !ok {
			return 0, false
		}
		switch {
		case v.number != fieldValue:
		case kind == schema.BytesList && v.form == protowire.BytesType,
			kind == schema.FloatList && v.form == protowire.Fixed32Type,
			kind == schema.Int64List && v.form == protowire.VarintType:
			count++
		case kind == schema.FloatList && v.form == protowire.BytesType:
			if len(v.content)%4 != 0 {
				return 0, false
			}
			count += len(v.content) / 4
		case kind == schema.Int64List && v.form == protowire.BytesType:
			for packed := v.content; len(packed) > 0; count++ {
				_, n := protowire.ConsumeVarint(packed)
				if n < 0 {
					return 0, false
				}
				packed = packed[n:]
			}
		}
	}
	return count, true
}

// values are what the lists of a feature hold: values, or several packed into one.
func (f feature) values() iter.Seq[part] {
	return func(yield func(part) bool) {
		for data := f.data; len(data) > 0; {
			var list part
			list, data, _ = cutField(data)
			if list.kind() != f.kind {
				continue
			}
			for rest := list.content; len(rest) > 0; {
				var v part
				if v, rest, _ = cutField(rest); v.number == fieldValue && !yield(v) {
					return
				}
			}
		}
	}
}

// bytes are the values of a bytes_list.
func (f feature) bytes() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for v := range f.values() {
			if v.form == protowire.BytesType && !yield(v.content) {
				return
			}
		}
	}
}

// floats are the values of a float_list.
func (f feature) floats() iter.Seq[float32] {
	return func(yield func(float32) bool) {
		for v := range f.values() {
			if v.form != protowire.Fixed32Type && v.form != protowire.BytesType {
				continue
			}
			for packed := v.content; len(packed) > 0; packed = packed[4:] {
				if !yield(math.Float32frombits(binary.LittleEndian.Uint32(packed))) {
					return
				}
			}
		}
	}
}

// ints are the values of an int64_list.
func (f feature) ints() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for v := range f.values() {
			if v.form != protowire.VarintType && v.form != protowire.BytesType {
				continue
			}
			for packed := v.content; len(packed) > 0; {
				x, n := protowire.ConsumeVarint(packed)
				if packed = packed[n:]; !yield(int64(x)) {
					return
				}
			}
		}
	}
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

// kind is that of the list which a field of Feature is; empty for any other field.
func (p part) kind() schema.ListKind {
	switch {
	case p.is(1):
		return schema.BytesList
	case p.is(2):
		return schema.FloatList
	case p.is(3):
		return schema.Int64List
	}
	return ""
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
