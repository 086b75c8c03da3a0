package message

import (
	"encoding/base64"
	"io"
	"math"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// AppendJSON appends the message to dst as JSON, in one line. The JSON of an Example is protobuf's,
// which tf.io.decode_json_example reads. The other messages have the same form:
//
//	{"features":{"feature":{"a":{"int64List":{"value":["1"]}},"b":{"floatList":{"value":[0.5,"NaN"]}}}}}
//	{"context":{"feature":{…}},"featureLists":{"featureList":{"c":{"feature":[{"bytesList":{"value":["Z28="]}},{}]}}}}
//	{"feature":{"d":{"doubleList":{}},"e":{"int32List":{"value":[1]}}}}
//	{"payload":"bm8gbWVzc2FnZQ=="}
//
// If the payload is not in protobuf's canonical form, the JSON does not determine its bytes. Then
// the key "payload" has them in addition.
func (m *Message) AppendJSON(dst []byte) []byte {
	p := printer{buf: dst}
	p.writeLine(m)
	return p.buf
}

// WriteJSON writes the same JSON as AppendJSON, without keeping the complete line in memory. It
// returns the first error of w.
func (m *Message) WriteJSON(w io.Writer) error {
	p := printer{buf: m.text[:0], w: w}
	p.writeLine(m)
	p.flush(0)
	m.text = p.buf
	return p.err
}

// flushSize is the size above which the buffer is flushed to a writer.
const flushSize = 64 << 10

// A printer appends JSON to buf, and flushes buf to w if there is one.
type printer struct {
	buf []byte
	w   io.Writer
	err error

	// isPlain also escapes control characters that JSON allows and terminals interpret. The JSON of
	// protobuf, which datasets contain, does not escape them.
	isPlain bool
}

// flush writes buf to w if buf has more than limit bytes.
func (p *printer) flush(limit int) {
	if p.w == nil || len(p.buf) <= limit {
		return
	}
	if p.err == nil {
		_, p.err = p.w.Write(p.buf)
	}
	p.buf = p.buf[:0]
}

func (p *printer) write(text string) { p.buf = append(p.buf, text...) }

// closeBracket appends the bracket that closes a list or an object. It replaces the comma after the
// last element, if there is one.
func (p *printer) closeBracket(bracket byte) {
	if last := len(p.buf) - 1; p.buf[last] == ',' {
		p.buf[last] = bracket
		return
	}
	p.buf = append(p.buf, bracket)
}

// writeLine appends a message and, if necessary, its bytes.
func (p *printer) writeLine(m *Message) {
	p.write("{")
	p.writeMessage(m)
	if m.Kind == None || m.hasDuplicates || !isCanonical(m.Kind, m.payload) {
		p.write(`"payload":`)
		p.writeBytes(m.payload)
	}
	p.closeBracket('}')
}

// writeFeatures appends prefix, and the map of features if there are any.
func (p *printer) writeFeatures(prefix string, features []Entry[Feature]) {
	p.write(prefix)
	if len(features) == 0 {
		return
	}
	p.write(`"feature":{`)
	for _, f := range features {
		p.writeKey(f.Key)
		p.writeFeature(f.Value)
	}
	p.closeBracket('}')
}

func (p *printer) writeLists(lists []Entry[FeatureList]) {
	p.write(`"featureLists":{`)
	if len(lists) > 0 {
		p.write(`"featureList":{`)
		for _, l := range lists {
			p.writeKey(l.Key)
			p.writeSteps(l.Value)
		}
		p.closeBracket('}')
	}
	p.write("},")
}

func (p *printer) writeSteps(l FeatureList) {
	p.write("{")
	if l.Count > 0 {
		p.write(`"feature":[`)
		for f := range l.Steps() {
			p.writeFeature(f)
		}
		p.closeBracket(']')
	}
	p.write("},")
}

// listNames are the names of the lists in JSON.
var listNames = map[List]string{
	BytesList: "bytesList", FloatList: "floatList", Int64List: "int64List", DoubleList: "doubleList",
	Int32List: "int32List",
}

// writeFeature appends a feature, which may have no list, or a list without values.
func (p *printer) writeFeature(f Feature) {
	p.write("{")
	if f.List != "" {
		p.buf = append(append(append(p.buf, '"'), listNames[f.List]...), `":{`...)
		if f.Count > 0 {
			p.write(`"value":[`)
			p.writeValues(f)
			p.closeBracket(']')
		}
		p.write("}")
	}
	p.write("},")
}

func (p *printer) writeValues(f Feature) {
	switch f.List {
	case BytesList:
		for v := range f.Bytes() {
			p.writeBytes(v)
		}
	case FloatList:
		for v := range f.Floats() {
			p.writeFloat(float64(v), 32)
		}
	case DoubleList:
		for v := range f.Doubles() {
			p.writeFloat(v, 64)
		}
	case Int64List: // as strings: many readers convert JSON numbers to float64
		for v := range f.Ints() {
			p.flush(flushSize)
			p.buf = append(strconv.AppendInt(append(p.buf, '"'), v, 10), '"', ',')
		}
	case Int32List:
		for v := range f.Ints() {
			p.flush(flushSize)
			p.buf = append(strconv.AppendInt(p.buf, v, 10), ',')
		}
	}
}

// writeBytes appends bytes in base64, in chunks, so that the buffer stays small.
func (p *printer) writeBytes(v []byte) {
	const some = 48 << 10 // a multiple of 3: base64 encodes three bytes as four characters
	p.write(`"`)
	for p.flush(flushSize); len(v) > some; p.flush(flushSize) {
		p.buf = base64.StdEncoding.AppendEncode(p.buf, v[:some])
		v = v[some:]
	}
	p.buf = base64.StdEncoding.AppendEncode(p.buf, v)
	p.write(`",`)
}

// writeFloat appends the shortest number that is v, as JavaScript prints it. JSON has no number for
// nan and inf; it appends protobuf's words for them.
func (p *printer) writeFloat(v float64, bits int) {
	p.flush(flushSize)
	switch {
	case math.IsNaN(v):
		p.write(`"NaN",`)
		return
	case math.IsInf(v, 1):
		p.write(`"Infinity",`)
		return
	case math.IsInf(v, -1):
		p.write(`"-Infinity",`)
		return
	case v == 0 && math.Signbit(v): // many readers parse -0 as the integer 0
		p.write("-0.0,")
		return
	}
	format := byte('f')
	if size := math.Abs(v); size != 0 && (size < minFixed(bits) || size >= 1e21) {
		format = 'e'
	}
	p.buf = strconv.AppendFloat(p.buf, v, format, -1, bits)
	// e-09 becomes e-9
	if n := len(p.buf); format == 'e' && p.buf[n-4] == 'e' && p.buf[n-3] == '-' && p.buf[n-2] == '0' {
		p.buf = append(p.buf[:n-2], p.buf[n-1])
	}
	p.write(",")
}

// minFixed returns the size below which a number is printed with an exponent: 1e-6 in the type's
// precision.
func minFixed(bits int) float64 {
	if bits == 32 {
		return float64(float32(1e-6))
	}
	return 1e-6
}

// writeKey appends a key, which is UTF-8.
func (p *printer) writeKey(key []byte) {
	p.writeString(key)
	p.write(":")
}

// writeString appends UTF-8 as a JSON string, and flushes on the way, so that the buffer stays
// small.
func (p *printer) writeString(text []byte) {
	const hex = "0123456789abcdef"
	p.write(`"`)
	for len(text) > 0 {
		p.flush(flushSize)
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '"' || r == '\\':
			p.buf = append(p.buf, '\\', byte(r))
		case r < ' ' && shortEscapes[r] != 0:
			p.buf = append(p.buf, '\\', shortEscapes[r])
		case r < ' ' || p.isPlain && unicode.IsControl(r) || r == '\u2028' ||
			r == '\u2029': // JavaScript treats the last two as line ends
			p.buf = append(p.buf, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			p.buf = append(p.buf, text[:size]...)
		}
		text = text[size:]
	}
	p.write(`"`)
}

// shortEscapes are the letters of control characters with a short escape sequence.
var shortEscapes = [' ']byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r'}
