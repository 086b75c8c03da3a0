package zip

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"

	"tfr-build/schema"
	"tfr-build/sources/compress"
	"tfr-build/sources/input"
	"tfr-build/sources/zipdir"
)

// patch is the flag of a member that changes another file.
const patch = 1 << 5

// check returns the error of a member, as far as the directory shows it, or nil.
func (m *member) check(limits *input.Limits) *schema.RowError {
	switch why := m.Unsupported(); {
	case why != "":
		return m.unsupported(why)
	case m.Flags&patch != 0:
		return m.unsupported("is a patch of another file")
	case m.Mode&0o170000 == 0o120000: // S_IFMT and S_IFLNK of Unix
		return m.unsupported("is a symbolic link; expected a file")
	case m.Mode&0o170000 != 0 && m.Mode&0o170000 != 0o100000:
		return m.unsupported("is a device or a pipe; expected a file")
	}
	if why := unsafeName(m.Name); why != "" {
		return m.newError("ZIP_NAME", why+"; expected a path below the archive")
	}
	switch size := max(m.Size, m.Packed); {
	case size > int64(limits.Record):
		bad := input.LongFile(size, limits.Record)
		bad.Message = "the member " + schema.Quote(m.Name) + ": " + bad.Message
		return bad
	case m.Method == zipdir.Stored && m.Packed != m.Size:
		return m.damaged(fmt.Sprintf("is stored in %d bytes, and claims %d", m.Packed, m.Size))
	}
	return nil
}

func (m *member) newError(code, what string) *schema.RowError {
	return &schema.RowError{Code: code, At: -1, Message: "the member " + schema.Quote(m.Name) + " " + what}
}

func (m *member) unsupported(what string) *schema.RowError {
	return m.newError("ZIP_UNSUPPORTED", what)
}

func (m *member) damaged(what string) *schema.RowError {
	bad := m.newError("ZIP_CORRUPT", what)
	bad.Damage = true
	return bad
}

// unsafeName returns why a name leads out of the archive, or "".
func unsafeName(name string) string {
	switch {
	case name == "":
		return "has no path"
	case strings.IndexByte(name, 0) >= 0:
		return "has a NUL byte in its path"
	case strings.ContainsRune(name, '\\'):
		return "has a backslash in its path"
	case name[0] == '/':
		return "has an absolute path"
	case len(name) > 1 && name[1] == ':' && 'a' <= name[0]|0x20 && name[0]|0x20 <= 'z':
		return "has a drive in its path"
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "has .. in its path"
		}
	}
	return ""
}

// textSize returns the length of the text of the member: its header, name, and content. head is
// the beginning of it.
func (m *member) textSize(head []byte) (n int64, bad *schema.RowError) {
	content, ok := m.ContentAt(head)
	if !ok {
		return 0, m.damaged(fmt.Sprintf("has no header at byte %d", m.At))
	}
	if n = content + m.Packed; n > m.End-m.At {
		return 0, m.damaged(fmt.Sprintf("overlaps what begins at byte %d", m.End))
	}
	return n, nil
}

// An inflater inflates contents. It may be used by one goroutine.
type inflater struct {
	in  bytes.Reader
	out io.ReadCloser // nil until the first call
	buf []byte
}

// content returns the content of a member in its text. It is valid until the next call.
func (f *inflater) content(m *member, text []byte) ([]byte, error) {
	content := text[int64(len(text))-m.Packed:]
	if m.Method == zipdir.Deflated {
		var err error
		if content, err = f.inflate(m, content); err != nil {
			return nil, err
		}
	}
	if sum := crc32.ChecksumIEEE(content); sum != m.CRC {
		return nil, m.damaged("is damaged: its bytes are not those that its checksum is of")
	}
	return content, nil
}

// inflate inflates a content, which must have exactly the size in the directory.
func (f *inflater) inflate(m *member, packed []byte) ([]byte, error) {
	f.in.Reset(packed)
	if f.out == nil {
		f.out = flate.NewReader(&f.in)
	} else if err := f.out.(flate.Resetter).Reset(&f.in, nil); err != nil {
		return nil, err
	}
	var err error
	switch f.buf, err = compress.AppendExactly(f.buf[:0], f.out, len(packed), int(m.Size)); err {
	case nil:
		return f.buf, nil
	case compress.ErrLong:
		return nil, m.damaged(fmt.Sprintf("has more than the %d bytes that it claims", m.Size))
	case io.EOF, io.ErrUnexpectedEOF:
		return nil, m.damaged(fmt.Sprintf("has %d bytes, and claims %d", len(f.buf), m.Size))
	}
	return nil, m.damaged(fmt.Sprintf("is damaged: %v", err))
}
