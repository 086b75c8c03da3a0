package schema

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"unicode/utf8"
)

var strictBase64 = base64.StdEncoding.Strict()

func (e *Encoder) convertText(f *field, v *Value) *RowError {
	if v.Kind == Bool || v.Kind == Number && f.to == toBytes || v.Kind == Bytes && f.Encoding.isOfText() {
		return e.wrongKind(f, v)
	}
	// Strings and numbers of JSON are valid UTF-8 by their grammar. Text may come from a file name,
	// and Bytes from a file.
	if f.to == toString && (v.Kind == Text || v.Kind == Bytes) && !utf8.Valid(v.Text) {
		return e.notUTF8(f, v)
	}
	switch f.Encoding {
	case Base64:
		return e.convertBase64(f, v)
	case Hex:
		return e.convertHex(f, v)
	}
	e.body = append(appendStringSize(e.body, f.text, len(v.Text)), v.Text...)
	return nil
}

func (e *Encoder) convertBase64(f *field, v *Value) *RowError {
	n := base64.StdEncoding.DecodedLen(len(v.Text))
	most := n
	for i := len(v.Text); i > 0 && v.Text[i-1] == '=' && n > 0; i-- {
		n--
	}
	e.body = appendStringSize(e.body, f.text, n)
	end := len(e.body) + n
	e.body = slices.Grow(e.body, most) // the decoder writes complete groups
	_, err := strictBase64.Decode(e.body[len(e.body):cap(e.body)], v.Text)
	if err != nil || bytes.ContainsAny(v.Text, "\r\n") { // the decoder ignores these
		return e.notBase64(f, v, err)
	}
	e.body = e.body[:end]
	return nil
}

func (e *Encoder) convertHex(f *field, v *Value) *RowError {
	n := len(v.Text) / 2
	e.body = appendStringSize(e.body, f.text, n)
	end := len(e.body) + n
	e.body = slices.Grow(e.body, n)
	if _, err := hex.Decode(e.body[len(e.body):end], v.Text); err != nil {
		return e.notHex(f, v)
	}
	e.body = e.body[:end]
	return nil
}
