package schema

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"unicode/utf8"
)

var strictBase64 = base64.StdEncoding.Strict()

// A conversion is what the text of a value is read as.
type conversion uint8

const (
	toNothing conversion = iota
	toInt
	toBool
	toUint // whole uint64
	toClass
	toFloat
	toDouble
	toFloat16
	toBfloat16
	toBytes
	toString
)

// convert converts v, which is not missing, and appends it to the list.
func (e *Encoder) convert(f *field, v *Value) *RowError {
	if v.Kind == Missing || v.Kind == List || v.Kind == Object {
		return e.notValue(f, v)
	}
	switch f.to {
	case toInt:
		return e.convertInt(f, v)
	case toBool:
		return e.convertBool(f, v)
	case toClass:
		return e.convertClass(f, v)
	case toFloat:
		return e.convertFloat(f, v)
	case toBytes, toString:
		return e.convertText(f, v)
	}
	panic("schema: a feature was compiled without a conversion")
}

func (e *Encoder) convertClass(f *field, v *Value) *RowError {
	if v.Kind == Bytes {
		return e.wrongKind(f, v)
	}
	if f.collects {
		e.texts = append(e.texts, v.Text)
		e.body = appendInt(e.body, 0)
		return nil
	}
	x, ok := f.classes.number(v.Text)
	if !ok {
		return e.unknownClass(f, v)
	}
	e.body = appendInt(e.body, uint64(x))
	return nil
}

func (e *Encoder) convertBool(f *field, v *Value) *RowError {
	if v.Kind == String || v.Kind == Bytes {
		return e.wrongKind(f, v)
	}
	x, ok := parseBool(v.Text)
	if !ok {
		return e.notBool(f, v)
	}
	e.body = appendInt(e.body, x)
	return nil
}

func (e *Encoder) convertInt(f *field, v *Value) *RowError {
	if v.Kind == String || v.Kind == Bytes {
		return e.wrongKind(f, v)
	}
	if v.Kind == Bool {
		x, _ := parseBool(v.Text)
		e.body = appendInt(e.body, x)
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
	e.body = appendInt(e.body, uint64(x))
	return nil
}

func (e *Encoder) convertFloat(f *field, v *Value) *RowError {
	if v.Kind == Text || v.Kind == String {
		if bits, ok := nonfinite(v.Text); ok {
			if !f.AllowNonfinite {
				return e.notFinite(f, v)
			}
			e.body = appendFloat(e.body, bits)
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
	e.body = appendFloat(e.body, bits)
	return nil
}

func (e *Encoder) convertText(f *field, v *Value) *RowError {
	if v.Kind == Bool || v.Kind == Number && f.to == toBytes || v.Kind == Bytes && f.Encoding != Plain {
		return e.wrongKind(f, v)
	}
	// Strings and numbers of JSON are UTF-8 by their grammar; text may come
	// from the name of a file, bytes are its content.
	if f.to == toString && (v.Kind == Text || v.Kind == Bytes) && !utf8.Valid(v.Text) {
		return e.notUTF8(f, v)
	}
	switch f.Encoding {
	case Base64:
		return e.convertBase64(f, v)
	case Hex:
		return e.convertHex(f, v)
	}
	e.body = appendText(e.body, v.Text)
	return nil
}

func (e *Encoder) convertBase64(f *field, v *Value) *RowError {
	n := base64.StdEncoding.DecodedLen(len(v.Text))
	most := n
	for i := len(v.Text); i > 0 && v.Text[i-1] == '=' && n > 0; i-- {
		n--
	}
	e.body = appendTextSize(e.body, n)
	end := len(e.body) + n
	e.body = slices.Grow(e.body, most) // the decoder uses the space of whole groups
	_, err := strictBase64.Decode(e.body[len(e.body):cap(e.body)], v.Text)
	if err != nil || bytes.ContainsAny(v.Text, "\r\n") { // which the decoder passes over
		return e.notBase64(f, v, err)
	}
	e.body = e.body[:end]
	return nil
}

func (e *Encoder) convertHex(f *field, v *Value) *RowError {
	n := len(v.Text) / 2
	e.body = appendTextSize(e.body, n)
	end := len(e.body) + n
	e.body = slices.Grow(e.body, n)
	if _, err := hex.Decode(e.body[len(e.body):end], v.Text); err != nil {
		return e.notHex(f, v)
	}
	e.body = e.body[:end]
	return nil
}
