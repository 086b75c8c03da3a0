package xml

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/charset"
)

// encodings are the encodings that a declaration may name, in lower case.
var encodings = map[string]charset.Encoding{
	"utf-8": charset.UTF8, "utf8": charset.UTF8, "us-ascii": charset.UTF8, "ascii": charset.UTF8,
	"iso-8859-1": charset.Latin1, "latin1": charset.Latin1, "latin-1": charset.Latin1,
	"utf-16": charset.UTF16LE, "utf-16le": charset.UTF16LE, "utf-16be": charset.UTF16BE,
}

// decode returns a document in UTF-8, without its byte order mark: content itself, or dst with the
// decoded content appended. The byte order mark or the declaration says which encoding it has; the
// default is UTF-8. With an error, the text is the one that its offset is in, or empty.
func decode(dst, content []byte, limit int) ([]byte, *schema.RowError) {
	wide, marked := charset.UTF8, true
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xfe")):
		wide = charset.UTF16LE
	case bytes.HasPrefix(content, []byte("\xfe\xff")):
		wide = charset.UTF16BE
	case bytes.HasPrefix(content, []byte("<\x00")):
		wide, marked = charset.UTF16LE, false
	case bytes.HasPrefix(content, []byte("\x00<")):
		wide, marked = charset.UTF16BE, false
	}
	if wide != charset.UTF8 {
		text, bad := wide.Decode(dst, content, limit)
		if bad == nil && !marked && declared(text[len(dst):]) == "" {
			return dst, rowError("ENCODING", 0, "found UTF-16 without a byte order mark; expected UTF-8")
		}
		return text, bad
	}
	head := bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	name := declared(head)
	encoding, known := encodings[strings.ToLower(name)]
	if name != "" && !known {
		return dst, rowError("ENCODING", 0,
			"the document declares the encoding %s; expected UTF-8, UTF-16, ISO-8859-1, or US-ASCII",
			schema.Quote(name))
	}
	if encoding == charset.UTF16LE || encoding == charset.UTF16BE || len(head) < len(content) &&
		encoding != charset.UTF8 {
		return dst, rowError("ENCODING", 0, "the document declares the encoding %s, and its bytes are UTF-8",
			schema.Quote(name))
	}
	if strings.HasSuffix(strings.ToLower(name), "ascii") {
		if i := bytes.IndexFunc(head, func(r rune) bool { return r >= utf8.RuneSelf }); i >= 0 {
			return head, rowError("ENCODING", i, "found %s; expected ASCII, as the document declares",
				schema.Quote(head[i:i+1]))
		}
	}
	if encoding == charset.UTF8 && utf8.Valid(head) {
		return head, nil
	}
	text, bad := encoding.Decode(dst, head, limit)
	if bad != nil {
		bad.Hint = "" // the type has no option encoding
	}
	if bad != nil && encoding == charset.UTF8 {
		return head, bad
	}
	return text, bad
}

// declared returns the encoding that the declaration of a document names, or "".
func declared(text []byte) string {
	if begin := []byte("<?xml"); !bytes.HasPrefix(text, begin) || len(text) > len(begin) &&
		!strings.ContainsRune(space, rune(text[len(begin)])) {
		return ""
	}
	declaration, _, _ := bytes.Cut(text, []byte("?>"))
	_, value, found := bytes.Cut(declaration, []byte("encoding"))
	value = bytes.TrimLeft(value, " \t\r\n")
	if !found || len(value) == 0 || value[0] != '=' {
		return ""
	}
	value = bytes.TrimLeft(value[1:], " \t\r\n")
	if len(value) == 0 || value[0] != '"' && value[0] != '\'' {
		return ""
	}
	name, _, _ := bytes.Cut(value[1:], value[:1])
	return string(name)
}
