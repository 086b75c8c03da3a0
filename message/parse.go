package message

import (
	"encoding/binary"
	"iter"
	"math"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// A List is the kind of list that a Feature stores values in, by its name in the
// message.
type List string

// The lists of tensorflow.Feature, and those that oneflow.Feature has besides.
const (
	BytesList  List = "bytes_list"
	FloatList  List = "float_list"
	Int64List  List = "int64_list"
	DoubleList List = "double_list"
	Int32List  List = "int32_list"
)

// The fields of tf.train.Example and of the messages within it.
const (
	fieldFeatures = 1 // of Example
	fieldEntry    = 1 // of Features
	fieldKey      = 1 // of an entry
	fieldFeature  = 2
	fieldValue    = 1 // of a list
)

// A Feature is a message Feature, checked. It shares the memory of its payload.
type Feature struct {
	List  List   // that it has; empty for none
	Count int    // of the values
	data  []byte // the message, from the first list on that counts
}

// IsExample reports whether payload is a tf.train.Example, without fields that
// the message does not have.
func IsExample(payload []byte) bool {
	return EachFeature(payload, func([]byte, Feature) {})
}

// EachFeature tells of the features of an Example, and reports whether payload
// is one. Of two with the same key the later one counts.
func EachFeature(payload []byte, tell func(key []byte, f Feature)) bool {
	for len(payload) > 0 {
		features, rest, ok := cutField(payload)
		if !ok || !features.is(fieldFeatures) || !eachEntry(features.content, tell) {
			return false
		}
		payload = rest
	}
	return true
}

func eachEntry(features []byte, tell func(key []byte, f Feature)) bool {
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
func readEntry(entry []byte) (key []byte, f Feature, ok bool) {
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
			if f.List != "" {
				piece, _ = readFeature(append(f.data[:len(f.data):len(f.data)], item.content...))
			}
			f = piece
		}
	}
	return key, f, true
}

// readFeature checks a message Feature. A list continues those of its own kind
// before it, and takes the place of any other.
func readFeature(data []byte) (f Feature, ok bool) {
	for rest := data; len(rest) > 0; {
		here := rest
		var list part
		if list, rest, ok = cutField(rest); !ok {
			return f, false
		}
		kind := list.list()
		if kind == "" {
			continue
		}
		if kind != f.List {
			f = Feature{List: kind, data: here}
		}
		n, ok := countValues(kind, list.content)
		if !ok {
			return f, false
		}
		f.Count += n
	}
	return f, true
}

// countValues checks a list and says how many values it has.
func countValues(kind List, list []byte) (count int, ok bool) {
	for len(list) > 0 {
		var v part
		if v, list, ok = cutField(list); !ok {
			return 0, false
		}
		switch {
		case v.number != fieldValue:
		case kind == BytesList && v.form == protowire.BytesType,
			kind == FloatList && v.form == protowire.Fixed32Type,
			kind == Int64List && v.form == protowire.VarintType:
			count++
		case kind == FloatList && v.form == protowire.BytesType:
			if len(v.content)%4 != 0 {
				return 0, false
			}
			count += len(v.content) / 4
		case kind == Int64List && v.form == protowire.BytesType:
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
func (f Feature) values() iter.Seq[part] {
	return func(yield func(part) bool) {
		for data := f.data; len(data) > 0; {
			var list part
			list, data, _ = cutField(data)
			if list.list() != f.List {
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

// Bytes are the values of a bytes_list.
func (f Feature) Bytes() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for v := range f.values() {
			if v.form == protowire.BytesType && !yield(v.content) {
				return
			}
		}
	}
}

// Floats are the values of a float_list.
func (f Feature) Floats() iter.Seq[float32] {
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

// Ints are the values of an int64_list.
func (f Feature) Ints() iter.Seq[int64] {
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

// list is that which a field of Feature is; empty for any other field.
func (p part) list() List {
	switch {
	case p.is(1):
		return BytesList
	case p.is(2):
		return FloatList
	case p.is(3):
		return Int64List
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
