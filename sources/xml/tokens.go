package xml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"tfr-build/schema"
)

// tokens reads the tokens of a document. It checks what a document needs beyond tokens that are
// valid one by one, except nesting.
type tokens struct {
	source     source
	decoder    *xml.Decoder
	attributes int // the largest number of an element
	names      []string
	doctype    bool
	begun      bool // the document begins before data
	inRow      bool // elements around data may declare prefixes
	prefixes
}

const cutShort = "found the end of the file; expected the end of the document; the file may be cut short"

// errManyAttributes ends an element with too many attributes before they take memory.
var errManyAttributes = errors.New("too many attributes")

// A source returns the bytes of a document to the tokenizer. In tags it counts attributes, and
// normalizes their values: a tab or a line end becomes a space.
type source struct {
	data    []byte
	at      int
	skipped int  // carriage returns that were not returned
	inTag   bool // the current token is a start tag
	quote   byte // the quotes around the current value; 0 outside
	equals  int  // of the current tag, outside quotes
	most    int
}

// Read implements io.Reader, which a declaration with an encoding needs.
func (s *source) Read(p []byte) (n int, err error) {
	n = copy(p, s.data[s.at:])
	if s.at += n; n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// ReadByte returns the next byte.
func (s *source) ReadByte() (byte, error) {
	if s.at == len(s.data) {
		return 0, io.EOF
	}
	b := s.data[s.at]
	s.at++
	if !s.inTag {
		return b, nil
	}
	switch {
	case s.quote == 0 && (b == '"' || b == '\''):
		s.quote = b
	case b == s.quote:
		s.quote = 0
	case s.quote == 0 && b == '=':
		if s.equals++; s.equals > s.most { // before encoding/xml allocates the attributes
			return 0, errManyAttributes
		}
	case s.quote != 0 && (b == '\n' || b == '\t' || b == '\r'):
		// encoding/xml does not normalize attributes: XML 1.0, 2.11 and 3.3.3.
		if b == '\r' && s.at < len(s.data) && s.data[s.at] == '\n' {
			s.at++
			s.skipped++
		}
		return ' ', nil
	}
	return b, nil
}

func newTokens(data []byte, attributes int, names []string) *tokens {
	t := &tokens{source: source{data: data, most: attributes}, attributes: attributes, names: names[:0]}
	t.restart(data, 0)
	return t
}

// restart continues with the markup at an offset of data.
func (t *tokens) restart(data []byte, at int) {
	t.decoder = xml.NewDecoder(&t.source)
	t.decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 already
	t.source.data, t.source.at, t.source.skipped = data, at, at
}

// at returns the offset of the next token.
func (t *tokens) at() int { return int(t.decoder.InputOffset()) + t.source.skipped }

// next returns the next token, or io.EOF. It is valid until the next call.
func (t *tokens) next() (xml.Token, error) {
	at, s := t.at(), &t.source
	rest := s.data[at:]
	s.inTag = len(rest) > 1 && rest[0] == '<' && rest[1] != '/' && rest[1] != '!' && rest[1] != '?'
	s.quote, s.equals = 0, 0
	token, err := t.decoder.RawToken()
	switch {
	case err == io.EOF:
		return nil, err
	case errors.Is(err, errManyAttributes):
		return nil, rowError("LIMIT_COLUMNS", at, "an element with more attributes than limits.columns, %d",
			t.attributes)
	case err != nil:
		return nil, t.syntaxError(err)
	}
	return token, t.check(token, s.data[at:t.at()], at)
}

// syntaxError returns the error of the tokenizer, without its line, which the position has.
func (t *tokens) syntaxError(err error) error {
	text := strings.TrimPrefix(err.Error(), "xml: ")
	if bad, ok := errors.AsType[*xml.SyntaxError](err); ok {
		text = bad.Msg
	}
	at := min(max(t.at()-1, 0), len(t.source.data))
	if strings.HasPrefix(text, "unexpected EOF") {
		at, text = len(t.source.data), cutShort
	}
	return rowError("XML_SYNTAX", at, "%s", text)
}

// checkRepeated checks that no attribute of an element occurs twice.
func (t *tokens) checkRepeated(at int) error {
	slices.Sort(t.names)
	for i := 1; i < len(t.names); i++ {
		if t.names[i] == t.names[i-1] {
			_, local, isPrefixed := strings.Cut(t.names[i], "}")
			if !isPrefixed {
				local = t.names[i]
			}
			return rowError("XML_SYNTAX", at, "found the attribute %s twice; expected it once",
				schema.Quote(local))
		}
	}
	return nil
}

// checkDirective accepts one DOCTYPE without declarations. whole is the markup as it is written.
func (t *tokens) checkDirective(text xml.Directive, whole []byte, at int) error {
	switch {
	case !bytes.HasPrefix(text, []byte("DOCTYPE")):
		return rowError("XML_SYNTAX", at, "found <!%s; expected an element",
			schema.Quote([]byte(text[:min(len(text), maxName)])))
	case t.doctype:
		return rowError("XML_SYNTAX", at, "found a second DOCTYPE; expected an element")
	case hasDeclarations(text):
		return rowError("XML_DTD", at,
			"the DOCTYPE has declarations, which could define entities and values; expected a document without")
	case !doctype.Match(whole) || !isName(string(doctype.FindSubmatch(whole)[1])):
		return rowError("XML_SYNTAX", at, `found a malformed DOCTYPE; expected <!DOCTYPE NAME SYSTEM "FILE">`)
	}
	t.doctype = true
	return nil
}

// isName reports whether text is a name of an element.
func isName(text string) bool {
	token, err := xml.NewDecoder(strings.NewReader("<" + text + "/>")).RawToken()
	tag, is := token.(xml.StartElement)
	return err == nil && is && written(tag.Name) == text && !strings.HasPrefix(text, ":") &&
		!strings.HasSuffix(text, ":")
}

const maxName = 40 // bytes of a name that a message shows

// hasDeclarations reports whether a DOCTYPE has a [ outside quotes.
func hasDeclarations(text []byte) bool {
	quote := byte(0)
	for _, b := range text {
		switch {
		case b == quote:
			quote = 0
		case quote != 0:
		case b == '"' || b == '\'':
			quote = b
		case b == '[':
			return true
		}
	}
	return false
}

// written returns a name as the document has it.
func written(name xml.Name) string {
	if name.Space == "" {
		return name.Local
	}
	return name.Space + ":" + name.Local
}

func rowError(code string, at int, format string, args ...any) *schema.RowError {
	return schema.RowErrorf(code, at, format, args...)
}
