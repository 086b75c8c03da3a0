package message

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Parser reads messages from JSON, as [Message.AppendJSON] prints them. It takes
// what protobuf takes of such messages: either spelling of a name (bytesList,
// bytes_list), null for what is not there, numbers that are texts, whole numbers
// that are spelled 1.0 or 1e2, and base64 of both alphabets. The zero Parser is ready for use, by one goroutine.
type Parser struct {
	scanner
	out     []byte // the message so far
	kind    Kind   // of which it is; None before its first field
	seen    int    // its fields, as bits
	lists   struct{ begin, end int }
	payload []byte // what the line gives as bytes
	keys    keys
	given   Message
	told    Message
}

// The fields that a message has in JSON.
const (
	seenPayload  = 1
	seenFeatures = 2 // or the context
	seenLists    = 4
)

// Parse appends to dst the payload whose JSON line is, spelled as protobuf does,
// and says what it is: None for bytes that the line gives as they are, and for {},
// which any message without fields is. The error is a *JSONError.
func (p *Parser) Parse(dst, line []byte) (payload []byte, kind Kind, err error) {
	start := len(dst)
	p.line, p.at, p.err = line, 0, nil
	p.out, p.kind, p.seen, p.payload = dst, None, 0, p.payload[:0]
	p.lists.begin, p.lists.end = 0, 0
	p.object(p.field)
	if p.next(); p.err == nil && p.at < len(line) {
		p.fail(p.at, "JSON_TRAILING", "%s after the end of the object", p.found())
	}
	if p.err == nil && p.seen&seenPayload != 0 {
		p.replace(start)
	}
	if p.err != nil {
		return dst, None, p.err
	}
	return p.out, p.kind, nil
}

// field reads a field of the message.
func (p *Parser) field(name []byte, at int) {
	switch string(name) {
	case "features":
		p.part(name, at, Example, seenFeatures, fieldFeatures, p.features)
	case "context":
		p.part(name, at, SequenceExample, seenFeatures, fieldFeatures, p.features)
		p.contextFirst()
	case "featureLists", "feature_lists":
		p.lists.begin = len(p.out)
		p.part(name, at, SequenceExample, seenLists, fieldLists, p.featureLists)
		p.lists.end = len(p.out)
	case "feature":
		if p.begin(name, at, OFRecord, seenFeatures) {
			p.entries(p.feature)
		}
	case "payload":
		if p.once(name, at, &p.seen, seenPayload) {
			p.payload = p.base64(p.payload)
		}
	default:
		p.unknown(name, at, "features, context, featureLists, feature or payload")
	}
}

func (p *Parser) unknown(name []byte, at int, expected string) {
	p.fail(at, "TYPE", "found %s; expected %s", shortQuote(name), expected)
}

// once makes sure that an object has a field once.
func (p *Parser) once(name []byte, at int, seen *int, field int) bool {
	if *seen&field != 0 {
		p.fail(at, "JSON_DUP_KEY", "%s is there already", shortQuote(name))
		return false
	}
	*seen |= field
	return true
}

// begin begins a field of a kind of message, unless it is null.
func (p *Parser) begin(name []byte, at int, kind Kind, field int) bool {
	if p.kind != None && p.kind != kind {
		p.fail(at, "TYPE", "found %s, which is no field of %s", shortQuote(name), p.kind.Phrase())
		return false
	}
	p.kind = kind
	return p.once(name, at, &p.seen, field) && !p.null()
}

// part reads a field of the message that holds a message.
func (p *Parser) part(name []byte, at int, kind Kind, field int, number protowire.Number, read func()) {
	if p.begin(name, at, kind, field) {
		p.nested(number, read)
	}
}

// nested makes a field of what read appends.
func (p *Parser) nested(number protowire.Number, read func()) {
	start := len(p.out)
	read()
	p.wrap(start, number)
}

// wrap makes a field of what was appended since start.
func (p *Parser) wrap(start int, number protowire.Number) {
	n := len(p.out) - start
	size := protowire.SizeTag(number) + protowire.SizeVarint(uint64(n))
	p.out = slices.Grow(p.out, size)[:start+size+n]
	copy(p.out[start+size:], p.out[start:])
	_ = protowire.AppendVarint(protowire.AppendTag(p.out[:start], number, protowire.BytesType), uint64(n))
}

// contextFirst moves the context before feature lists that the line has before it.
func (p *Parser) contextFirst() {
	if lists := p.out[p.lists.begin:p.lists.end]; len(lists) > 0 {
		context := slices.Clone(p.out[p.lists.end:])
		copy(p.out[p.lists.begin+len(context):], lists)
		copy(p.out[p.lists.begin:], context)
	}
}

// only reads an object that has no field but one, of two spellings.
func (p *Parser) only(name, snake string, read func()) {
	seen := 0
	p.object(func(found []byte, at int) {
		switch {
		case string(found) != name && string(found) != snake:
			p.unknown(found, at, name)
		case p.once(found, at, &seen, 1) && !p.null():
			read()
		}
	})
}

func (p *Parser) features() {
	p.only("feature", "feature", func() { p.entries(p.feature) })
}

func (p *Parser) featureLists() {
	p.only("featureList", "feature_list", func() { p.entries(p.steps) })
}

func (p *Parser) steps() {
	p.only("feature", "feature", func() {
		p.array(func() { p.nested(fieldStep, p.feature) })
	})
}

// entries reads a map.
func (p *Parser) entries(value func()) {
	p.keys.reset()
	p.object(func(key []byte, at int) {
		if !p.keys.add(key, at) {
			p.fail(at, "LIMIT_COLUMNS", "more than %d keys", maxFeatures)
			return
		}
		start := len(p.out)
		p.out = protowire.AppendBytes(protowire.AppendTag(p.out, fieldKey, protowire.BytesType), key)
		p.nested(fieldContent, value)
		p.wrap(start, fieldEntry)
	})
	if p.err != nil {
		return
	}
	if key, at, ok := p.keys.twice(); ok {
		p.fail(at, "JSON_DUP_KEY", "the key %s is there already", shortQuote(key))
	}
}

// feature reads a feature, which has one list or none.
func (p *Parser) feature() {
	seen := List("")
	p.object(func(name []byte, at int) {
		list, number := p.listNamed(name)
		switch {
		case list == "":
			p.unknown(name, at, p.kind.listNames())
		case seen != "":
			p.fail(at, "TYPE", "found %s; expected one list in a feature", shortQuote(name))
		case !p.null():
			seen = list
			p.nested(number, func() {
				p.only("value", "value", func() { p.values(list) })
			})
		}
	})
}

// listNamed finds a list of the message by its name, and its number there.
func (p *Parser) listNamed(name []byte) (List, protowire.Number) {
	for number, list := range p.kind.lists() {
		if list != "" && (string(name) == string(list) || string(name) == listNames[list]) {
			return list, protowire.Number(number)
		}
	}
	return "", 0
}

// listNames are the lists that a feature of the message may have, for people.
func (k Kind) listNames() string {
	if k == OFRecord {
		return "bytesList, floatList, doubleList, int32List or int64List"
	}
	return "bytesList, floatList or int64List"
}

// values reads the values of a list. Numbers are packed.
func (p *Parser) values(list List) {
	start := len(p.out)
	switch list {
	case BytesList:
		p.array(func() { p.nested(fieldValue, func() { p.out = p.base64(p.out) }) })
		return
	case FloatList:
		p.array(func() { p.out = binary.LittleEndian.AppendUint32(p.out, math.Float32bits(float32(p.float(32)))) })
	case DoubleList:
		p.array(func() { p.out = binary.LittleEndian.AppendUint64(p.out, math.Float64bits(p.float(64))) })
	case Int64List:
		p.array(func() { p.out = protowire.AppendVarint(p.out, uint64(p.int(64))) })
	case Int32List:
		p.array(func() { p.out = protowire.AppendVarint(p.out, uint64(p.int(32))) })
	}
	if len(p.out) > start {
		p.wrap(start, fieldValue)
	}
}

// base64 appends the bytes that a string spells.
func (p *Parser) base64(dst []byte) []byte {
	if p.next() != '"' {
		p.expected("TYPE", "bytes as base64 in quotes")
		return dst
	}
	at := p.at
	text := p.string()
	alphabet := base64.RawStdEncoding
	if bytes.ContainsAny(text, "-_") {
		alphabet = base64.RawURLEncoding
	}
	digits := bytes.TrimRight(text, "=")
	isPadded := len(digits) == len(text) || len(text)%4 == 0 && len(text)-len(digits) <= 2
	// The package passes over the ends of lines.
	if out, err := alphabet.AppendDecode(dst, digits); err == nil && isPadded && !bytes.ContainsAny(digits, "\r\n") {
		return out
	}
	p.fail(at, "BASE64", "%s is not base64", shortQuote(text))
	return dst
}

// replace puts the bytes that the line gives in the place of the message that it
// tells, which has to be the same, spelled in another way.
func (p *Parser) replace(start int) {
	if p.kind != None {
		err := errors.Join(p.told.Read(p.kind, p.out[start:]), p.given.Read(p.kind, p.payload))
		told, given := printer{}, printer{}
		told.message(&p.told)
		given.message(&p.given)
		if err != nil || p.given.Kind == None || !bytes.Equal(told.buf, given.buf) {
			p.fail(0, "TYPE", "the payload is not the %s beside it; leave one of the two out", p.kind)
			return
		}
	}
	p.out = append(p.out[:start], p.payload...)
}
