package schema

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// convertKey converts the key of a sample, which becomes part of file names.
func (c *converter) convertKey(f *field, v *Value) *RowError {
	if v.Kind == Bool {
		return c.pos.wrongKind(f, v)
	}
	if problem := keyProblem(v.Text); problem != "" {
		return c.pos.newError(f, v, "MEMBER_KEY",
			quote(v.Text)+" "+problem+"; it is the key of a sample, which is the beginning of file names", "")
	}
	c.body = AppendBytes(c.body, v.Text)
	return nil
}

// keyProblem says why a string cannot be the name of files up to the first dot; it is empty if it can.
func keyProblem(key []byte) string {
	switch {
	case len(key) == 0:
		return "is empty"
	case !utf8.Valid(key):
		return "is not UTF-8"
	case bytes.IndexByte(key, '.') >= 0:
		return "has a dot, where readers end the key"
	case bytes.IndexByte(key, '/') >= 0:
		return "has a slash"
	case bytes.IndexByte(key, '\\') >= 0:
		return "has a backslash"
	case bytes.IndexFunc(key, unicode.IsControl) >= 0:
		return "has a control character"
	}
	return ""
}
