package charset

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/lines"
)

// Decode appends the text of a complete file to dst as UTF-8, without its byte order mark. The
// error is LIMIT_RECORD if the text has more than limit bytes. It is UTF8_INVALID or ENCODING if
// the file is not in the encoding.
func (e Encoding) Decode(dst, content []byte, limit int) ([]byte, *schema.RowError) {
	start := len(dst)
	if e == UTF8 {
		dst = append(dst, content[lines.First(content):]...)
	} else {
		d := NewDecoder(bytes.NewReader(content), e)
		for {
			dst = append(dst, 0)[:len(dst)] // makes room for at least one byte
			n, err := d.Read(dst[len(dst):cap(dst)])
			if dst = dst[:len(dst)+n]; len(dst)-start > limit {
				text := fmt.Sprintf("the file has more than %d bytes as UTF-8 (limits.record)", limit)
				return dst[:start], &schema.RowError{Code: "LIMIT_RECORD", Message: text}
			}
			if err == io.EOF {
				break
			}
		}
	}
	text := dst[start:]
	if bad := e.Mismatch(text); bad != nil {
		return dst[:start], bad
	}
	if !utf8.Valid(text) {
		return dst[:start], e.Invalid(text, lines.FirstInvalid(text))
	}
	return dst, nil
}
