package schema

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"unicode/utf8"
)

var strictBase64 = base64.StdEncoding.Strict()

func (c *converter) convertText(f *field, v *Value) *RowError {
	if v.Kind == Bool || v.Kind == Number && f.to == toBytes || v.Kind == Bytes && f.Encoding.isOfText() {
		return c.pos.wrongKind(f, v)
	}
	// Strings and numbers of JSON are valid UTF-8 by their grammar. Text may come from a file name,
	// and Bytes from a file.
	if f.to == toString && (v.Kind == Text || v.Kind == Bytes) && !utf8.Valid(v.Text) {
		return c.pos.notUTF8(f, v)
	}
	switch f.Encoding {
	case Base64:
		return c.convertBase64(f, v)
	case Hex:
		return c.convertHex(f, v)
	}
	c.body = append(appendStringSize(c.body, f.text, len(v.Text)), v.Text...)
	return nil
}

func (c *converter) convertBase64(f *field, v *Value) *RowError {
	n := base64.StdEncoding.DecodedLen(len(v.Text))
	most := n
	for i := len(v.Text); i > 0 && v.Text[i-1] == '=' && n > 0; i-- {
		n--
	}
	c.body = appendStringSize(c.body, f.text, n)
	end := len(c.body) + n
	c.body = slices.Grow(c.body, most) // the decoder writes complete groups
	_, err := strictBase64.Decode(c.body[len(c.body):cap(c.body)], v.Text)
	if err != nil || bytes.ContainsAny(v.Text, "\r\n") { // the decoder ignores these
		return c.pos.notBase64(f, v, err)
	}
	c.body = c.body[:end]
	return nil
}

func (c *converter) convertHex(f *field, v *Value) *RowError {
	n := len(v.Text) / 2
	c.body = appendStringSize(c.body, f.text, n)
	end := len(c.body) + n
	c.body = slices.Grow(c.body, n)
	if _, err := hex.Decode(c.body[len(c.body):end], v.Text); err != nil {
		return c.pos.notHex(f, v)
	}
	c.body = c.body[:end]
	return nil
}
