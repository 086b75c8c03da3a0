package rejects

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"unicode/utf8"
)

// linePiece is how many bytes of a row are encoded at a time: a row of control
// characters is six times as long in JSON.
const linePiece = 32 << 10

// A lineWriter writes entries as lines. It encodes the text of a row in pieces.
type lineWriter struct {
	w    io.Writer
	json *json.Encoder // to buf
	buf  bytes.Buffer
}

func newLineWriter(w io.Writer) *lineWriter {
	l := &lineWriter{w: w}
	l.json = json.NewEncoder(&l.buf)
	l.json.SetEscapeHTML(false)
	return l
}

// write writes e, which has no text, with the text of its row, or with the beginning
// of one that is longer than limit.
func (l *lineWriter) write(e *Entry, text []byte, limit int) error {
	l.buf.Reset()
	if err := l.json.Encode(e); err != nil {
		return err
	}
	l.buf.Truncate(l.buf.Len() - len("}\n"))
	if _, err := l.buf.WriteTo(l.w); err != nil {
		return err
	}
	end := "}\n"
	if len(text) > limit {
		text, end = wholeRunes(text[:min(limit, maxCut)]), `,"cut":true`+end
	}
	if err := l.raw(text); err != nil {
		return err
	}
	_, err := io.WriteString(l.w, end)
	return err
}

// raw writes the text of a row; a row without any has no key.
func (l *lineWriter) raw(text []byte) error {
	key, content := `,"raw":"`, l.text
	switch {
	case len(text) == 0:
		return nil
	case !utf8.Valid(text):
		key, content = `,"raw_base64":"`, l.base64
	}
	if _, err := io.WriteString(l.w, key); err != nil {
		return err
	}
	if err := content(text); err != nil {
		return err
	}
	_, err := io.WriteString(l.w, `"`)
	return err
}

// text writes UTF-8 as the inside of a JSON string.
func (l *lineWriter) text(text []byte) error {
	for len(text) > 0 {
		piece := wholeRunes(text[:min(len(text), linePiece)])
		text = text[len(piece):]
		l.buf.Reset()
		if err := l.json.Encode(string(piece)); err != nil {
			return err
		}
		quoted := l.buf.Bytes()
		if _, err := l.w.Write(quoted[len(`"`) : len(quoted)-len("\"\n")]); err != nil {
			return err
		}
	}
	return nil
}

func (l *lineWriter) base64(text []byte) error {
	out := base64.NewEncoder(base64.StdEncoding, l.w)
	if _, err := out.Write(text); err != nil {
		return err
	}
	return out.Close()
}
