package tarfile

import (
	"bytes"
	"strconv"
)

// Attributes are the attributes of a member in headers before its own.
type attributes struct {
	name   []byte // path; empty if unknown
	size   int64  // of the content; negative if unknown
	sparse bool   // the content has holes
	global bool   // a global header has an attribute that only a single member can have
}

func (x *attributes) reset() { *x = attributes{name: x.name[:0], size: -1} }

// maxAttributes is the largest length in bytes of the content of such a header.
const maxAttributes = 1 << 20

// readLongName sets the name from a header of GNU.
func (x *attributes) readLongName(content []byte) { x.name = append(x.name[:0], trimNUL(content)...) }

// readPAX reads the records of PAX, which have the form
//
//	LENGTH KEY=VALUE\n
//
// LENGTH counts the complete record. It reports whether all have that form.
func (x *attributes) readPAX(content []byte, global bool) bool {
	for len(content) > 0 {
		digits, rest, found := bytes.Cut(content, []byte{' '})
		n, err := strconv.ParseUint(string(digits), 10, 31)
		begin := len(content) - len(rest)
		if !found || err != nil || int(n) <= begin || int(n) > len(content) || content[n-1] != '\n' {
			return false
		}
		key, value, found := bytes.Cut(content[begin:n-1], []byte{'='})
		if !found || len(key) == 0 || !x.set(string(key), value, global) {
			return false
		}
		content = content[n:]
	}
	return true
}

// set sets the attribute of a record, and reports whether its value is valid.
func (x *attributes) set(key string, value []byte, global bool) bool {
	switch {
	case key == "path" || key == "size":
		if global && len(value) > 0 {
			x.global = true
			return true
		}
	case len(key) > 11 && key[:11] == "GNU.sparse.":
		x.sparse = true
	}
	switch key {
	case "path":
		x.name = append(x.name[:0], value...)
	case "size":
		x.size = -1 // an empty value removes an earlier one
		if len(value) > 0 {
			n, err := strconv.ParseUint(string(value), 10, 63)
			x.size = int64(n)
			return err == nil
		}
	}
	return true
}
