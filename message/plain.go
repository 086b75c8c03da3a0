package message

import (
	"io"
	"strconv"
	"unicode/utf8"
)

// A Style says how plain JSON shows the values of a feature. The zero Style is for a
// feature of unknown type: one value is not a list, and bytes that look like text are a
// string.
type Style struct {
	IsList  bool // a list, even with one value
	IsText  bool // strings, wherever the bytes are UTF-8
	IsBytes bool // always base64; it overrides IsText
}

// WritePlain writes the message as JSON for people and for programs that do not
// know protobuf, in one line. It does not hold all of the line.
//
//	{"id":1,"score":[0.5,"NaN"],"name":"goat","blob":{"base64":"/9j/"},"empty":[],"no value":null}
//	{"context":{"id":1},"feature_lists":{"tokens":[[1,2],3]}}
//	{"text":"no message"}
//	{"base64":"/9j/"}
//
// style gets the key of a feature and whether it is a feature list, whose steps
// it then describes. For a payload that is not a message the key is nil.
func (m *Message) WritePlain(w io.Writer, style func(key []byte, isList bool) Style) error {
	p := printer{buf: m.text[:0], w: w, isPlain: true}
	p.plainMessage(m, style)
	p.pass(0)
	m.text = p.buf
	return p.err
}

func (p *printer) plainMessage(m *Message, style func(key []byte, isList bool) Style) {
	switch m.Kind {
	case None:
		p.plainPayload(m.payload, style(nil, false))
	case SequenceExample:
		p.put(`{"context":`)
		p.plainFeatures(m.Features, style)
		p.put(`,"feature_lists":{`)
		for _, l := range m.Lists {
			p.key(l.Key)
			p.plainSteps(l.Value, style(l.Key, true))
		}
		p.end('}')
		p.put("}")
	default:
		p.plainFeatures(m.Features, style)
	}
}

// plainPayload puts a payload that is not a message.
func (p *printer) plainPayload(payload []byte, s Style) {
	if !s.takesText(payload) {
		p.base64(payload)
		return
	}
	p.put(`{"text":`)
	p.text(payload)
	p.put("}")
}

func (p *printer) plainFeatures(features []Entry[Feature], style func(key []byte, isList bool) Style) {
	p.put("{")
	for _, f := range features {
		p.key(f.Key)
		p.plainFeature(f.Value, style(f.Key, false))
	}
	p.end('}')
}

func (p *printer) plainSteps(l FeatureList, s Style) {
	p.put("[")
	for f := range l.Steps() {
		p.plainFeature(f, s)
	}
	p.end(']')
	p.put(",")
}

func (p *printer) plainFeature(f Feature, s Style) {
	switch {
	case f.List == "":
		p.put("null,")
	case f.Count == 1 && !s.IsList:
		p.plainValues(f, s)
	default:
		p.put("[")
		p.plainValues(f, s)
		p.end(']')
		p.put(",")
	}
}

func (p *printer) plainValues(f Feature, s Style) {
	switch f.List {
	case BytesList:
		for v := range f.Bytes() {
			if s.takesText(v) {
				p.text(v)
			} else {
				p.base64(v)
			}
			p.put(",")
		}
	case FloatList, DoubleList:
		p.values(f)
	case Int64List, Int32List:
		for v := range f.Ints() {
			p.pass(passSize)
			p.buf = append(strconv.AppendInt(p.buf, v, 10), ',')
		}
	}
}

// base64 puts bytes that are not shown as a string.
func (p *printer) base64(v []byte) {
	p.put(`{"base64":`)
	p.bytes(v)
	p.end('}')
}

// takesText reports whether bytes are shown as a string.
func (s Style) takesText(v []byte) bool {
	return !s.IsBytes && utf8.Valid(v) && (s.IsText || !hasControls(v))
}

// hasControls reports whether there are control characters that texts do not
// have: bytes that are UTF-8 by chance, such as small numbers, mostly have some.
func hasControls(v []byte) bool {
	for _, c := range v {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
			return true
		}
	}
	return false
}
