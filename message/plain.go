package message

import (
	"io"
	"strconv"
	"unicode/utf8"
)

// A Style tells how plain JSON shows the values of a feature. The zero Style is for a feature of
// unknown type: one value is not a list, and bytes that look like text are a string.
type Style struct {
	IsList  bool // a list, even with one value
	IsText  bool // strings, if the bytes are UTF-8
	IsBytes bool // always base64; it overrides IsText
}

// WritePlain writes the message as JSON for people, and for programs that do not know protobuf. It
// writes one line, and does not keep it in memory. It returns the first error of w.
//
//	{"id":1,"score":[0.5,"NaN"],"name":"goat","blob":{"base64":"/9j/"},"empty":[],"no value":null}
//	{"context":{"id":1},"feature_lists":{"tokens":[[1,2],3]}}
//	{"text":"no message"}
//	{"base64":"/9j/"}
//
// style is called with the key of a feature, and with whether it is a feature list; then the Style
// applies to its steps. For a payload that is not a message, the key is nil.
func (m *Message) WritePlain(w io.Writer, style func(key []byte, isList bool) Style) error {
	p := printer{buf: m.text[:0], w: w, isPlain: true}
	p.writePlainMessage(m, style)
	p.flush(0)
	m.text = p.buf
	return p.err
}

func (p *printer) writePlainMessage(m *Message, style func(key []byte, isList bool) Style) {
	switch {
	case m.Kind == None:
		p.writePlainPayload(m.payload, style(nil, false))
	case m.Kind.HasSteps():
		p.write(`{"context":`)
		p.writePlainFeatures(m.Features, style)
		p.write(`,"feature_lists":{`)
		for _, l := range m.Lists {
			p.writeKey(l.Key)
			p.writePlainSteps(l.Value, style(l.Key, true))
		}
		p.closeBracket('}')
		p.write("}")
	default:
		p.writePlainFeatures(m.Features, style)
	}
}

// writePlainPayload appends a payload that is not a message.
func (p *printer) writePlainPayload(payload []byte, s Style) {
	if !s.isString(payload) {
		p.writeBase64(payload)
		return
	}
	p.write(`{"text":`)
	p.writeString(payload)
	p.write("}")
}

func (p *printer) writePlainFeatures(features []Entry[Feature], style func(key []byte, isList bool) Style) {
	p.write("{")
	for _, f := range features {
		p.writeKey(f.Key)
		p.writePlainFeature(f.Value, style(f.Key, false))
	}
	p.closeBracket('}')
}

func (p *printer) writePlainSteps(l FeatureList, s Style) {
	p.write("[")
	for f := range l.Steps() {
		p.writePlainFeature(f, s)
	}
	p.closeBracket(']')
	p.write(",")
}

func (p *printer) writePlainFeature(f Feature, s Style) {
	switch {
	case f.List == "":
		p.write("null,")
	case f.Count == 1 && !s.IsList:
		p.writePlainValues(f, s)
	default:
		p.write("[")
		p.writePlainValues(f, s)
		p.closeBracket(']')
		p.write(",")
	}
}

func (p *printer) writePlainValues(f Feature, s Style) {
	switch f.List {
	case BytesList:
		for v := range f.Bytes() {
			if s.isString(v) {
				p.writeString(v)
			} else {
				p.writeBase64(v)
			}
			p.write(",")
		}
	case FloatList, DoubleList:
		p.writeValues(f)
	case Int64List, Int32List:
		for v := range f.Ints() {
			p.flush(flushSize)
			p.buf = append(strconv.AppendInt(p.buf, v, 10), ',')
		}
	}
}

// writeBase64 appends bytes that are not shown as a string.
func (p *printer) writeBase64(v []byte) {
	p.write(`{"base64":`)
	p.writeBytes(v)
	p.closeBracket('}')
}

// isString reports whether bytes are shown as a string.
func (s Style) isString(v []byte) bool {
	return !s.IsBytes && utf8.Valid(v) && (s.IsText || !hasControls(v))
}

// hasControls reports whether v has control characters that are rare in text. Bytes that are UTF-8
// by chance, such as small numbers, usually have some.
func hasControls(v []byte) bool {
	for _, c := range v {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
			return true
		}
	}
	return false
}
