package message

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Parser parses messages from JSON as [Message.AppendJSON] prints them. It accepts the variants
// that protobuf accepts:
//
//   - either spelling of a name: bytesList, bytes_list
//   - null for an absent value
//   - numbers as strings
//   - integers as 1.0 or 1e2
//   - base64 of both alphabets
//
// The zero Parser is ready for use by one goroutine.
type Parser struct {
	scanner
	out     []byte // the message so far
	kind    Kind   // kind of the message; None before its first field
	seen    int    // bits of the fields that were parsed
	lists   struct{ begin, end int }
	payload []byte // the bytes of the field "payload"
	keys    keys
	given   Message
	built   Message
}

// Bits of the fields of a message in JSON.
const (
	seenPayload  = 1
	seenFeatures = 2 // or the context
	seenLists    = 4
)

// Parse appends the payload of a JSON line to dst, in protobuf's canonical form, and returns the
// kind of the message. The kind is None if the line has only the payload, and for {}, which is any
// message without fields. The error is a *JSONError; then dst is returned unchanged.
func (p *Parser) Parse(dst, line []byte) (payload []byte, kind Kind, err error) {
	start := len(dst)
	p.line, p.at, p.err = line, 0, nil
	p.out, p.kind, p.seen, p.payload = dst, None, 0, p.payload[:0]
	p.lists.begin, p.lists.end = 0, 0
	p.readObject(p.parseField)
	if p.peek(); p.err == nil && p.at < len(line) {
		p.fail(p.at, "JSON_TRAILING", "%s after the end of the object", p.describeNext())
	}
	if p.err == nil && p.seen&seenPayload != 0 {
		p.usePayload(start)
	}
	if p.err != nil {
		return dst, None, p.err
	}
	return p.out, p.kind, nil
}

// parseField parses a field of the message.
func (p *Parser) parseField(name []byte, at int) {
	if string(name) == "payload" {
		if p.checkOnce(name, at, &p.seen, seenPayload) {
			p.payload = p.parseBase64(p.payload)
		}
		return
	}
	expected := ""
	for i := range formats {
		if parse := formats[i].parseField; parse != nil && parse(p, name, at) {
			return
		}
		for _, field := range formats[i].fields {
			expected += field + ", "
		}
	}
	p.failUnknown(name, at, strings.TrimSuffix(expected, ", ")+" or payload")
}

func (p *Parser) failUnknown(name []byte, at int, expected string) {
	p.fail(at, "TYPE", "found %s; expected %s", shortQuote(name), expected)
}

// checkOnce records an error if an object has a field twice, and reports whether the field is new.
func (p *Parser) checkOnce(name []byte, at int, seen *int, field int) bool {
	if *seen&field != 0 {
		p.fail(at, "JSON_DUP_KEY", "%s occurs twice", shortQuote(name))
		return false
	}
	*seen |= field
	return true
}

// beginField starts a field of a kind of message. It returns false if the field is null or invalid.
func (p *Parser) beginField(name []byte, at int, kind Kind, field int) bool {
	if p.kind != None && p.kind != kind {
		p.fail(at, "TYPE", "found %s, which is not a field of %s", shortQuote(name), p.kind.Phrase())
		return false
	}
	p.kind = kind
	return p.checkOnce(name, at, &p.seen, field) && !p.skipNull()
}

// parseMessageField parses a field whose value is a message.
func (p *Parser) parseMessageField(name []byte, at int, kind Kind, field int, number protowire.Number, read func()) {
	if p.beginField(name, at, kind, field) {
		p.appendNested(number, read)
	}
}

// appendNested appends a field with the bytes that read appends.
func (p *Parser) appendNested(number protowire.Number, read func()) {
	start := len(p.out)
	read()
	p.wrapField(start, number)
}

// wrapField turns the bytes after start into a field.
func (p *Parser) wrapField(start int, number protowire.Number) {
	n := len(p.out) - start
	size := protowire.SizeTag(number) + protowire.SizeVarint(uint64(n))
	p.out = slices.Grow(p.out, size)[:start+size+n]
	copy(p.out[start+size:], p.out[start:])
	_ = protowire.AppendVarint(protowire.AppendTag(p.out[:start], number, protowire.BytesType), uint64(n))
}

// parseOnly parses an object with a single known field, which has two spellings.
func (p *Parser) parseOnly(name, snake string, read func()) {
	seen := 0
	p.readObject(func(found []byte, at int) {
		switch {
		case string(found) != name && string(found) != snake:
			p.failUnknown(found, at, name)
		case p.checkOnce(found, at, &seen, 1) && !p.skipNull():
			read()
		}
	})
}

func (p *Parser) parseFeatures() {
	p.parseOnly("feature", "feature", func() { p.parseEntries(p.parseFeature) })
}

func (p *Parser) parseFeatureLists() {
	p.parseOnly("featureList", "feature_list", func() { p.parseEntries(p.parseSteps) })
}

func (p *Parser) parseSteps() {
	p.parseOnly("feature", "feature", func() {
		p.readArray(func() { p.appendNested(fieldStep, p.parseFeature) })
	})
}

// parseEntries parses a map.
func (p *Parser) parseEntries(value func()) {
	p.keys.reset()
	p.readObject(func(key []byte, at int) {
		if !p.keys.add(key, at) {
			p.fail(at, "LIMIT_COLUMNS", "more than %d keys", maxFeatures)
			return
		}
		start := len(p.out)
		p.out = protowire.AppendBytes(protowire.AppendTag(p.out, fieldKey, protowire.BytesType), key)
		p.appendNested(fieldContent, value)
		p.wrapField(start, fieldEntry)
	})
	if p.err != nil {
		return
	}
	if key, at, ok := p.keys.findDuplicate(); ok {
		p.fail(at, "JSON_DUP_KEY", "the key %s occurs twice", shortQuote(key))
	}
}

// parseFeature parses a feature, which has at most one list.
func (p *Parser) parseFeature() {
	seen := List("")
	p.readObject(func(name []byte, at int) {
		list, number := p.findList(name)
		switch {
		case list == "":
			p.failUnknown(name, at, p.kind.listNames())
		case seen != "":
			p.fail(at, "TYPE", "found %s; expected one list in a feature", shortQuote(name))
		case !p.skipNull():
			seen = list
			p.appendNested(number, func() {
				p.parseOnly("value", "value", func() { p.parseValues(list) })
			})
		}
	})
}

// findList returns the list with a name, and its field number in the message.
func (p *Parser) findList(name []byte) (List, protowire.Number) {
	for number, list := range p.kind.lists() {
		if list != "" && (string(name) == string(list) || string(name) == listNames[list]) {
			return list, protowire.Number(number)
		}
	}
	return "", 0
}

// listNames returns the lists of a feature of the message, for error messages.
func (k Kind) listNames() string {
	var names []string
	for _, list := range k.lists()[1:] {
		names = append(names, listNames[list])
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// parseValues parses the values of a list. Numbers are packed.
func (p *Parser) parseValues(list List) {
	start := len(p.out)
	switch list {
	case BytesList:
		p.readArray(func() { p.appendNested(fieldValue, func() { p.out = p.parseBase64(p.out) }) })
		return
	case FloatList:
		p.readArray(func() {
			p.out = binary.LittleEndian.AppendUint32(p.out, math.Float32bits(float32(p.parseFloat(32))))
		})
	case DoubleList:
		p.readArray(func() { p.out = binary.LittleEndian.AppendUint64(p.out, math.Float64bits(p.parseFloat(64))) })
	case Int64List:
		p.readArray(func() { p.out = protowire.AppendVarint(p.out, uint64(p.parseInt(64))) })
	case Int32List:
		p.readArray(func() { p.out = protowire.AppendVarint(p.out, uint64(p.parseInt(32))) })
	}
	if len(p.out) > start {
		p.wrapField(start, fieldValue)
	}
}

// parseBase64 parses a base64 string, and appends its bytes.
func (p *Parser) parseBase64(dst []byte) []byte {
	if p.peek() != '"' {
		p.failExpected("TYPE", "bytes as base64 in quotes")
		return dst
	}
	at := p.at
	text := p.readString()
	alphabet := base64.RawStdEncoding
	if bytes.ContainsAny(text, "-_") {
		alphabet = base64.RawURLEncoding
	}
	digits := bytes.TrimRight(text, "=")
	isPadded := len(digits) == len(text) || len(text)%4 == 0 && len(text)-len(digits) <= 2
	// Package base64 ignores line ends.
	if out, err := alphabet.AppendDecode(dst, digits); err == nil && isPadded && !bytes.ContainsAny(digits, "\r\n") {
		return out
	}
	p.fail(at, "BASE64", "%s is not base64", shortQuote(text))
	return dst
}

// usePayload replaces the parsed message by the bytes of the field "payload". They must encode the
// same message, possibly not in canonical form.
func (p *Parser) usePayload(start int) {
	if p.kind != None {
		err := errors.Join(p.built.Read(p.kind, p.out[start:]), p.given.Read(p.kind, p.payload))
		built, given := printer{}, printer{}
		built.writeMessage(&p.built)
		given.writeMessage(&p.given)
		if err != nil || p.given.Kind == None || !bytes.Equal(built.buf, given.buf) {
			p.fail(0, "TYPE", "the payload differs from the %s next to it; remove one of the two", p.kind)
			return
		}
	}
	p.out = append(p.out[:start], p.payload...)
}
