package tar

import (
	"bytes"
	"strconv"
)

// An extension is what headers before a member's own say of it.
type extension struct {
	name    []byte // its path, nil where none is said
	size    int64  // of its content; negative where none is said
	sparse  bool   // its content has holes
	general bool   // what only a single member can have is said of all
}

func (x *extension) reset() { *x = extension{name: x.name[:0], size: -1} }

// mostExtension is how long a header before a member's own may be.
const mostExtension = 1 << 20

// readLong takes the name that GNU writes before a header.
func (x *extension) readLong(content []byte) { x.name = append(x.name[:0], text(content)...) }

// readPAX takes the records of PAX, each of which is
//
//	LENGTH KEY=VALUE\n
//
// where LENGTH counts all of it. It reports whether they are all of that form.
func (x *extension) readPAX(content []byte, global bool) bool {
	for len(content) > 0 {
		digits, rest, found := bytes.Cut(content, []byte{' '})
		n, err := strconv.ParseUint(string(digits), 10, 31)
		begin := len(content) - len(rest)
		if !found || err != nil || int(n) <= begin || int(n) > len(content) || content[n-1] != '\n' {
			return false
		}
		key, value, found := bytes.Cut(content[begin:n-1], []byte{'='})
		if !found || len(key) == 0 || !x.take(string(key), value, global) {
			return false
		}
		content = content[n:]
	}
	return true
}

// take takes a record, and reports whether its value is one.
func (x *extension) take(key string, value []byte, global bool) bool {
	switch {
	case key == "path" || key == "size":
		if global && len(value) > 0 {
			x.general = true
			return true
		}
	case len(key) > 11 && key[:11] == "GNU.sparse.":
		x.sparse = true
	}
	switch key {
	case "path":
		x.name = append(x.name[:0], value...)
	case "size":
		x.size = -1 // an empty value takes back what was said before
		if len(value) > 0 {
			n, err := strconv.ParseUint(string(value), 10, 63)
			x.size = int64(n)
			return err == nil
		}
	}
	return true
}
