package message

import (
	"encoding/base64"
	"io"
	"math"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// AppendJSON appends the message as JSON, in one line, to dst. An Example has the
// form that tf.io.decode_json_example reads, that of protobuf, and so have the
// others:
//
//	{"features":{"feature":{"a":{"int64List":{"value":["1"]}},"b":{"floatList":{"value":[0.5,"NaN"]}}}}}
//	{"context":{"feature":{…}},"featureLists":{"featureList":{"c":{"feature":[{"bytesList":{"value":["Z29hdA=="]}},{}]}}}}
//	{"feature":{"d":{"doubleList":{}},"e":{"int32List":{"value":[1]}}}}
//	{"payload":"bm8gbWVzc2FnZQ=="}
//
// A message whose bytes cannot be told from its JSON, for they are spelled as
// protobuf does not, has them under the key "payload", too.
func (m *Message) AppendJSON(dst []byte) []byte {
	p := printer{buf: dst}
	p.line(m)
	return p.buf
}

// WriteJSON writes the message as AppendJSON appends it, without holding all of
// that.
func (m *Message) WriteJSON(w io.Writer) error {
	p := printer{buf: m.text[:0], w: w}
	p.line(m)
	p.pass(0)
	m.text = p.buf
	return p.err
}

// passSize is the size from which on text is passed on to a writer.
const passSize = 64 << 10

// A printer appends JSON to buf, and passes it on to w, if there is one.
type printer struct {
	buf []byte
	w   io.Writer
	err error

	// isPlain escapes the control characters that JSON takes as they are and a
	// terminal obeys. The JSON of protobuf, which datasets hold, does not.
	isPlain bool
}

// pass passes on what is in buf, if it is more than so much.
func (p *printer) pass(more int) {
	if p.w == nil || len(p.buf) <= more {
		return
	}
	if p.err == nil {
		_, p.err = p.w.Write(p.buf)
	}
	p.buf = p.buf[:0]
}

func (p *printer) put(text string) { p.buf = append(p.buf, text...) }

// end puts the bracket that closes a list or an object. The comma after what is
// in it, if anything is, has its place.
func (p *printer) end(bracket byte) {
	if last := len(p.buf) - 1; p.buf[last] == ',' {
		p.buf[last] = bracket
		return
	}
	p.buf = append(p.buf, bracket)
}

// line puts a message and, where it is needed, its bytes.
func (p *printer) line(m *Message) {
	p.put("{")
	p.message(m)
	if m.Kind == None || m.twice || !isUsual(m.Kind, m.payload) {
		p.put(`"payload":`)
		p.bytes(m.payload)
	}
	p.end('}')
}

// message puts the fields that a message has.
func (p *printer) message(m *Message) {
	switch m.Kind {
	case Example:
		if len(m.payload) > 0 {
			p.features(`"features":{`, m.Features)
			p.put("},")
		}
	case SequenceExample:
		if m.has(fieldFeatures) {
			p.features(`"context":{`, m.Features)
			p.put("},")
		}
		if m.has(fieldLists) {
			p.lists(m.Lists)
		}
	case OFRecord:
		if len(m.Features) > 0 {
			p.features("", m.Features)
			p.put(",")
		}
	}
}

// has reports whether a message has a field at all, if only an empty one.
func (m *Message) has(number int32) bool {
	for rest := m.payload; len(rest) > 0; {
		var field part
		if field, rest, _ = cutField(rest); int32(field.number) == number {
			return true
		}
	}
	return false
}

// features puts what is before them, and the map of features, if there are any.
func (p *printer) features(before string, features []Entry[Feature]) {
	p.put(before)
	if len(features) == 0 {
		return
	}
	p.put(`"feature":{`)
	for _, f := range features {
		p.key(f.Key)
		p.feature(f.Value)
	}
	p.end('}')
}

func (p *printer) lists(lists []Entry[FeatureList]) {
	p.put(`"featureLists":{`)
	if len(lists) > 0 {
		p.put(`"featureList":{`)
		for _, l := range lists {
			p.key(l.Key)
			p.steps(l.Value)
		}
		p.end('}')
	}
	p.put("},")
}

func (p *printer) steps(l FeatureList) {
	p.put("{")
	if l.Count > 0 {
		p.put(`"feature":[`)
		for f := range l.Steps() {
			p.feature(f)
		}
		p.end(']')
	}
	p.put("},")
}

// listNames are the names of the lists in JSON.
var listNames = map[List]string{
	BytesList: "bytesList", FloatList: "floatList", Int64List: "int64List", DoubleList: "doubleList", Int32List: "int32List",
}

// feature puts a feature, which may have no list, and a list, which may have no
// values.
func (p *printer) feature(f Feature) {
	p.put("{")
	if f.List != "" {
		p.buf = append(append(append(p.buf, '"'), listNames[f.List]...), `":{`...)
		if f.Count > 0 {
			p.put(`"value":[`)
			p.values(f)
			p.end(']')
		}
		p.put("}")
	}
	p.put("},")
}

func (p *printer) values(f Feature) {
	switch f.List {
	case BytesList:
		for v := range f.Bytes() {
			p.bytes(v)
		}
	case FloatList:
		for v := range f.Floats() {
			p.float(float64(v), 32)
		}
	case DoubleList:
		for v := range f.Doubles() {
			p.float(v, 64)
		}
	case Int64List: // as texts: many a reader takes JSON's numbers for float64
		for v := range f.Ints() {
			p.pass(passSize)
			p.buf = append(strconv.AppendInt(append(p.buf, '"'), v, 10), '"', ',')
		}
	case Int32List:
		for v := range f.Ints() {
			p.pass(passSize)
			p.buf = append(strconv.AppendInt(p.buf, v, 10), ',')
		}
	}
}

// bytes puts bytes in base64, so many at a time that a writer has to hold few.
func (p *printer) bytes(v []byte) {
	const some = 48 << 10 // three bytes are four characters
	p.put(`"`)
	for p.pass(passSize); len(v) > some; p.pass(passSize) {
		p.buf = base64.StdEncoding.AppendEncode(p.buf, v[:some])
		v = v[some:]
	}
	p.buf = base64.StdEncoding.AppendEncode(p.buf, v)
	p.put(`",`)
}

// float puts the shortest number that is v, as JavaScript spells it, or the word
// that protobuf has for what JSON has no number for.
func (p *printer) float(v float64, bits int) {
	p.pass(passSize)
	switch {
	case math.IsNaN(v):
		p.put(`"NaN",`)
		return
	case math.IsInf(v, 1):
		p.put(`"Infinity",`)
		return
	case math.IsInf(v, -1):
		p.put(`"-Infinity",`)
		return
	case v == 0 && math.Signbit(v): // -0 is an integer, 0, for many a reader
		p.put("-0.0,")
		return
	}
	format := byte('f')
	if size := math.Abs(v); size != 0 && (size < lowest(bits) || size >= 1e21) {
		format = 'e'
	}
	p.buf = strconv.AppendFloat(p.buf, v, format, -1, bits)
	if n := len(p.buf); format == 'e' && p.buf[n-4] == 'e' && p.buf[n-3] == '-' && p.buf[n-2] == '0' { // e-09 is e-9
		p.buf = append(p.buf[:n-2], p.buf[n-1])
	}
	p.put(",")
}

// lowest is the size below which a number has an exponent: 1e-6, of the type.
func lowest(bits int) float64 {
	if bits == 32 {
		return float64(float32(1e-6))
	}
	return 1e-6
}

// key puts a key, which is UTF-8.
func (p *printer) key(key []byte) {
	p.text(key)
	p.put(":")
}

// text puts UTF-8 as a JSON string, so much at a time that a writer has to hold
// little.
func (p *printer) text(text []byte) {
	const hex = "0123456789abcdef"
	p.put(`"`)
	for len(text) > 0 {
		p.pass(passSize)
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '"' || r == '\\':
			p.buf = append(p.buf, '\\', byte(r))
		case r < ' ' && shortEscapes[r] != 0:
			p.buf = append(p.buf, '\\', shortEscapes[r])
		case r < ' ' || p.isPlain && unicode.IsControl(r) || r == '\u2028' || r == '\u2029': // the last two end a line of JavaScript
			p.buf = append(p.buf, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			p.buf = append(p.buf, text[:size]...)
		}
		text = text[size:]
	}
	p.put(`"`)
}

// shortEscapes are the letters of the control characters that have one.
var shortEscapes = [' ']byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r'}
