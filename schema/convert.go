package schema

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

var strictBase64 = base64.StdEncoding.Strict()

// appendValue converts v, which is not missing, and appends it to the body as
// it stands in a list.
func (e *Encoder) appendValue(f *field, v *Value) *RowError {
	switch {
	case v.Kind == Missing || v.Kind == List || v.Kind == Object:
		return e.notValue(f, v)
	case f.classes != nil:
		return e.appendClass(f, v)
	case f.Type == BoolType:
		return e.appendBool(f, v)
	case f.Type == Float:
		return e.appendFloat(f, v)
	case f.Type.IsInteger():
		return e.appendInt(f, v)
	}
	return e.appendText(f, v)
}

func (e *Encoder) appendClass(f *field, v *Value) *RowError {
	if v.Kind == Bytes {
		return e.wrongKind(f, v)
	}
	if f.collects {
		e.texts = append(e.texts, v.Text)
		e.body = append(e.body, 0)
		return nil
	}
	x, ok := f.classes.number(v.Text)
	if !ok {
		return e.unknownClass(f, v)
	}
	e.body = protowire.AppendVarint(e.body, uint64(x))
	return nil
}

func (e *Encoder) appendBool(f *field, v *Value) *RowError {
	if v.Kind == String || v.Kind == Bytes {
		return e.wrongKind(f, v)
	}
	x, ok := parseBool(v.Text)
	if !ok {
		return e.notBool(f, v)
	}
	e.body = append(e.body, byte(x))
	return nil
}

func (e *Encoder) appendInt(f *field, v *Value) *RowError {
	if v.Kind == String || v.Kind == Bytes {
		return e.wrongKind(f, v)
	}
	if v.Kind == Bool {
		x, _ := parseBool(v.Text)
		e.body = append(e.body, byte(x))
		return nil
	}
	x, zeros, verdict := parseInt(v.Text)
	if verdict == numberSyntax && f.IntFromFloat {
		x, verdict = parseWhole(v.Text)
	}
	if verdict != numberFine || x < f.lowest || x > f.highest {
		return e.notInt(f, v, verdict)
	}
	if zeros {
		e.notices[f.index].LeadingZeros++
	}
	e.body = protowire.AppendVarint(e.body, uint64(x))
	return nil
}

func (e *Encoder) appendFloat(f *field, v *Value) *RowError {
	if v.Kind == Text || v.Kind == String {
		if bits, ok := nonfinite(v.Text); ok {
			if !f.AllowNonfinite {
				return e.notFinite(f, v)
			}
			e.body = protowire.AppendFixed32(e.body, bits)
			return nil
		}
	}
	if v.Kind != Text && v.Kind != Number {
		return e.wrongKind(f, v)
	}
	bits, verdict := parseFloat(v.Text)
	switch verdict {
	case numberSyntax, numberRange:
		return e.notFloat(f, v, verdict)
	case numberUnderflow:
		e.notices[f.index].Underflows++
	}
	e.body = protowire.AppendFixed32(e.body, bits)
	return nil
}

func (e *Encoder) appendText(f *field, v *Value) *RowError {
	if v.Kind == Bool || v.Kind == Number && f.Type == BytesType || v.Kind == Bytes && (f.Type == StringType || f.Encoding != Plain) {
		return e.wrongKind(f, v)
	}
	// Strings and numbers of JSON are UTF-8 by their grammar; text may come
	// from the name of a file.
	if f.Type == StringType && v.Kind == Text && !utf8.Valid(v.Text) {
		return e.notUTF8(f, v)
	}
	switch f.Encoding {
	case Base64:
		return e.appendBase64(f, v)
	case Hex:
		return e.appendHex(f, v)
	}
	e.body = protowire.AppendBytes(append(e.body, tag1), v.Text)
	return nil
}

func (e *Encoder) appendBase64(f *field, v *Value) *RowError {
	n := base64.StdEncoding.DecodedLen(len(v.Text))
	most := n
	for i := len(v.Text); i > 0 && v.Text[i-1] == '=' && n > 0; i-- {
		n--
	}
	e.body = protowire.AppendVarint(append(e.body, tag1), uint64(n))
	end := len(e.body) + n
	e.body = slices.Grow(e.body, most) // the decoder uses the space of whole groups
	_, err := strictBase64.Decode(e.body[len(e.body):cap(e.body)], v.Text)
	if err != nil || bytes.ContainsAny(v.Text, "\r\n") { // which the decoder passes over
		return e.notBase64(f, v, err)
	}
	e.body = e.body[:end]
	return nil
}

func (e *Encoder) appendHex(f *field, v *Value) *RowError {
	n := len(v.Text) / 2
	e.body = protowire.AppendVarint(append(e.body, tag1), uint64(n))
	end := len(e.body) + n
	e.body = slices.Grow(e.body, n)
	if _, err := hex.Decode(e.body[len(e.body):end], v.Text); err != nil {
		return e.notHex(f, v)
	}
	e.body = e.body[:end]
	return nil
}
