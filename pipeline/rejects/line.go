package rejects

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"unicode/utf8"
)

// chunkSize is the number of bytes of a row that are encoded at a time. JSON needs six times as
// many for control characters.
const chunkSize = 32 << 10

// A lineWriter writes entries as lines. It encodes the text of a row in chunks, to bound memory.
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

// write writes e and the text of its row. e must have no text. Of a row longer than limit it
// writes only the beginning.
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
		text, end = trimPartialRune(text[:min(limit, maxTruncated)]), `,"cut":true`+end
	}
	if err := l.writeText(text); err != nil {
		return err
	}
	_, err := io.WriteString(l.w, end)
	return err
}

// writeText writes the text of a row. Without text it writes no key.
func (l *lineWriter) writeText(text []byte) error {
	key, content := `,"raw":"`, l.writeString
	switch {
	case len(text) == 0:
		return nil
	case !utf8.Valid(text):
		key, content = `,"raw_base64":"`, l.writeBase64
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

// writeString writes UTF-8 as the content of a JSON string.
func (l *lineWriter) writeString(text []byte) error {
	for len(text) > 0 {
		chunk := trimPartialRune(text[:min(len(text), chunkSize)])
		text = text[len(chunk):]
		l.buf.Reset()
		if err := l.json.Encode(string(chunk)); err != nil {
			return err
		}
		quoted := l.buf.Bytes()
		if _, err := l.w.Write(quoted[len(`"`) : len(quoted)-len("\"\n")]); err != nil {
			return err
		}
	}
	return nil
}

func (l *lineWriter) writeBase64(text []byte) error {
	out := base64.NewEncoder(base64.StdEncoding, l.w)
	if _, err := out.Write(text); err != nil {
		return err
	}
	return out.Close()
}
