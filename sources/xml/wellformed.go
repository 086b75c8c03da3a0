package xml

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tfr-build/schema"
)

// This file checks what encoding/xml leaves open: whether a token that it accepts is well-formed.

var (
	declaration = regexp.MustCompile(`^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.0"|'1\.0')` +
		`(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*'))?` +
		`(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>$`)
	doctype = regexp.MustCompile(`^<!DOCTYPE[ \t\r\n]+([^ \t\r\n<>"'\[]+)` +
		`(?:[ \t\r\n]+(?:SYSTEM|PUBLIC[ \t\r\n]+` +
		`(?:"[-a-zA-Z0-9 \r\n'()+,./:=?;!*#@$_%]*"|'[-a-zA-Z0-9 \r\n()+,./:=?;!*#@$_%]*'))` +
		`[ \t\r\n]+(?:"[^"]*"|'[^']*'))?[ \t\r\n]*>$`)
)

// check checks a token, which is the text of the document from offset at on.
func (t *tokens) check(token xml.Token, text []byte, at int) error {
	if i := badCharacter(text); i >= 0 {
		return rowError("XML_SYNTAX", at+i, "found the character %s; XML allows no such character",
			schema.Quote(characterAt(text[i:])))
	}
	switch token := token.(type) {
	case xml.StartElement:
		if err := checkTag(text, at); err != nil {
			return err
		}
		return t.checkNames(token, at)
	case xml.EndElement:
		t.leave()
	case xml.CharData:
		if !bytes.HasPrefix(text, []byte("<![CDATA[")) {
			return checkReferences(text, at)
		}
	case xml.ProcInst:
		return t.checkInstruction(token, text, at)
	case xml.Directive:
		return t.checkDirective(token, text, at)
	}
	return nil
}

// badCharacter returns the offset of the first character that no document may have; otherwise -1.
func badCharacter(text []byte) int {
	for i, b := range text {
		switch {
		case b >= ' ' && b != 0xef, b == '\n', b == '\t', b == '\r':
		case b < ' ', len(text) > i+2 && text[i+1] == 0xbf && text[i+2] >= 0xbe: // U+FFFE and U+FFFF
			return i
		}
	}
	return -1
}

func characterAt(text []byte) []byte {
	_, n := utf8.DecodeRune(text)
	return text[:n]
}

// isCharacter reports whether a document may have a character.
func isCharacter(r uint64) bool {
	return r >= ' ' && r < 0xd800 || r > 0xdfff && r < 0xfffe || r > 0xffff && r <= unicode.MaxRune || r == '\n' ||
		r == '\t' || r == '\r'
}

// checkReferences checks the characters to which numeric references refer.
func checkReferences(text []byte, at int) error {
	for rest := text; ; {
		_, after, found := bytes.Cut(rest, []byte("&#"))
		if !found {
			return nil
		}
		digits, _, _ := bytes.Cut(after, []byte(";"))
		number, base := string(digits), 10
		if strings.HasPrefix(number, "x") {
			number, base = number[1:], 16
		}
		if r, err := strconv.ParseUint(number, base, 64); err != nil || !isCharacter(r) {
			return rowError("XML_SYNTAX", at+len(text)-len(after)-2, "found %s, a character that XML does not allow",
				schema.Quote("&#"+string(digits)+";"))
		}
		rest = after
	}
}

// checkTag checks the white space and the references in a start tag.
func checkTag(text []byte, at int) error {
	for i := 0; i < len(text); {
		q := bytes.IndexAny(text[i:], `"'`)
		if q < 0 {
			return nil
		}
		from := i + q + 1
		n := bytes.IndexByte(text[from:], text[from-1])
		if n < 0 {
			return nil
		}
		if err := checkReferences(text[from:from+n], at+from); err != nil {
			return err
		}
		i = from + n + 1
		if i < len(text) && !strings.ContainsRune(space+"/>", rune(text[i])) {
			return rowError("XML_SYNTAX", at+i, "found %s after an attribute; expected white space",
				schema.Quote(characterAt(text[i:])))
		}
	}
	return nil
}

// checkInstruction checks a processing instruction. One with the target xml is the declaration.
func (t *tokens) checkInstruction(token xml.ProcInst, text []byte, at int) error {
	after := text[len("<?")+len(token.Target):]
	switch {
	case token.Target == "xml" && (at > 0 || t.begun):
		return rowError("XML_SYNTAX", at, "found an XML declaration; expected it only at the beginning of the document")
	case token.Target == "xml" && !declaration.Match(text):
		return rowError("XML_SYNTAX", at,
			`found a malformed XML declaration; expected <?xml version="1.0" encoding="UTF-8"?>`)
	case token.Target != "xml" && strings.EqualFold(token.Target, "xml"), strings.Contains(token.Target, ":"):
		return rowError("XML_SYNTAX", at, "found the processing instruction %s; expected another name",
			schema.Quote(token.Target))
	case !bytes.HasPrefix(after, []byte("?>")) && !strings.ContainsRune(space, rune(after[0])):
		return rowError("XML_SYNTAX", at+len(text)-len(after),
			"found %s in the name of a processing instruction; expected white space", schema.Quote(characterAt(after)))
	}
	return nil
}

// A prefixes is the prefixes of name spaces that the open elements declare.
type prefixes struct {
	depth    int              // open elements
	declared []declaredPrefix // outermost first
	bound    map[string][]int // numbers of the name spaces of each prefix, innermost last
	numbers  map[string]int   // numbers of name spaces
}

type declaredPrefix struct {
	prefix string
	depth  int
}

// Names of name spaces that two prefixes always have.
const (
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
	xmlnsSpace = "http://www.w3.org/2000/xmlns/"
)

// leave forgets the prefixes that the innermost element declares.
func (p *prefixes) leave() {
	for n := len(p.declared); n > 0 && p.declared[n-1].depth == p.depth; n-- {
		name := p.declared[n-1].prefix
		p.bound[name] = p.bound[name][:len(p.bound[name])-1]
		p.declared = p.declared[:n-1]
	}
	p.depth--
}

// declare adds a prefix that the innermost element declares.
func (p *prefixes) declare(prefix, space string) {
	if p.bound == nil {
		p.bound, p.numbers = map[string][]int{}, map[string]int{}
	}
	number, known := p.numbers[space]
	if !known {
		number = len(p.numbers) + 1
		p.numbers[space] = number
	}
	p.bound[prefix] = append(p.bound[prefix], number)
	p.declared = append(p.declared, declaredPrefix{prefix, p.depth})
}

// number returns the number of the name space of a prefix; 0 if no element declares it.
func (p *prefixes) number(prefix string) int {
	if list := p.bound[prefix]; len(list) > 0 {
		return list[len(list)-1]
	}
	switch prefix {
	case "xml":
		return -1
	case "xmlns":
		return -2
	}
	return 0
}

// checkNames checks the names of an element and of its attributes, and the prefixes that it declares.
func (t *tokens) checkNames(token xml.StartElement, at int) error {
	t.depth++
	for _, a := range token.Attr {
		if bad := badDeclaration(a); bad != "" {
			return rowError("XML_SYNTAX", at, "found %s=%s; %s", written(a.Name), schema.Quote(a.Value), bad)
		}
		if a.Name.Space == "xmlns" {
			t.declare(a.Name.Local, a.Value)
		}
	}
	if token.Name.Space == "xmlns" {
		return rowError("XML_SYNTAX", at, "found the element <%s>; expected another prefix", written(token.Name))
	}
	if err := t.checkName(token.Name, at); err != nil {
		return err
	}
	t.names = t.names[:0]
	for _, a := range token.Attr {
		if err := t.checkName(a.Name, at); err != nil {
			return err
		}
		name := a.Name.Local
		if a.Name.Space != "" {
			name = strconv.Itoa(t.number(a.Name.Space)) + "}" + name // } is in no name
		}
		t.names = append(t.names, name)
	}
	return t.checkRepeated(at)
}

// badDeclaration says what is wrong with an attribute that declares a prefix. It is empty if nothing is.
func badDeclaration(a xml.Attr) string {
	isDefault := a.Name.Space == "" && a.Name.Local == "xmlns"
	switch {
	case a.Name.Space != "xmlns" && !isDefault:
	case a.Name.Local == "xmlns" && !isDefault, a.Value == xmlnsSpace:
		return "expected another prefix and name space than xmlns has"
	case (a.Name.Local == "xml") != (a.Value == xmlSpace):
		return "expected the prefix xml for " + xmlSpace + " and no other"
	case a.Value == "" && !isDefault:
		return "expected a name space"
	}
	return ""
}

// checkName checks the prefix of a name.
func (t *tokens) checkName(name xml.Name, at int) error {
	first, _ := utf8.DecodeRuneInString(name.Local)
	switch {
	case strings.Contains(name.Local, ":"), name.Space != "" && !unicode.IsLetter(first) && first != '_':
		return rowError("XML_SYNTAX", at, "found the name %s; expected a name on each side of the colon",
			schema.Quote(written(name)))
	case name.Space == "":
		return nil
	case t.number(name.Space) == 0 && !t.inRow:
		return rowError("XML_SYNTAX", at, "found %s, whose prefix no element around it declares; expected xmlns:%s",
			schema.Quote(written(name)), name.Space)
	}
	return nil
}
