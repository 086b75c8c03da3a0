package tarfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"tfr-build/schema"
)

// A Member is a file in an archive, with one or more headers.
type Member struct {
	At      int64  // offset of its first header
	Head    []byte // its headers
	Size    int64  // of its content
	Name    []byte // its path in the archive
	Key     []byte // of its row: the path up to the first dot of its last element
	Ext     []byte // the rest after that dot, in lower case
	Err     *schema.RowError
	Skipped bool // it is in no row
}

// A walker reads the headers of one member after another. Its results are valid until the next
// call.
type walker struct {
	in     Blocks
	member Member
	last   int64 // offset of the member before
	noEnd  bool  // the input ended where another member could begin
	over   bool  // the end of the archive was read
	attrs  attributes
	lower  []byte
	resync bool // the next header is in block, where seek stored it
	block  [BlockSize]byte
}

// A damageError is the error of an archive that is damaged from the current member on.
type damageError struct{ *schema.RowError }

// damage returns the error of a range in which members may be lost.
func damage(format string, args ...any) error {
	return damageError{&schema.RowError{Code: "TAR_DAMAGED", At: -1, Message: fmt.Sprintf(format, args...),
		Damage: true}}
}

// next reads the headers of the next member, but not its content. After the last member it
// returns io.EOF. If the next bytes are not a member, it returns a damageError.
func (w *walker) next() error {
	m := &w.member
	w.last = m.At
	*m = Member{At: w.in.Offset(), Head: m.Head[:0], Name: m.Name[:0]}
	if w.resync {
		m.At -= BlockSize
	}
	w.attrs.reset()
	for {
		h, err := w.header()
		if err != nil {
			return err
		}
		if h.isZero() {
			return w.readEnd()
		}
		if !h.isSound() {
			return damage("at byte %d the header of a member has a wrong checksum", w.in.Offset()-BlockSize)
		}
		size, ok := h.size()
		if !ok {
			return damage("the header at byte %d has no size", w.in.Offset()-BlockSize)
		}
		m.Head = append(m.Head, h...)
		switch h.typeFlag() {
		case TypePAX, TypeGlobal, TypeLongName, typeLongLink:
			if err := w.readAttributes(h.typeFlag(), size); err != nil {
				return err
			}
		default:
			return w.setMember(header(m.Head[len(m.Head)-BlockSize:]), size)
		}
	}
}

// header returns the next block.
func (w *walker) header() (header, error) {
	if w.resync {
		w.resync = false
		return w.block[:], nil
	}
	b, err := w.in.Next(BlockSize)
	switch {
	case err == nil:
		return b, nil
	case err == io.EOF && len(w.member.Head) == 0:
		w.noEnd = true
		return nil, io.EOF
	}
	return nil, truncated(err)
}

// truncated returns damage for the end of an archive within a member. It returns other errors
// unchanged.
func truncated(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return damage("the archive is cut short: it ends within a member")
	}
	return err
}

// readAttributes reads a header with attributes of the next member.
func (w *walker) readAttributes(kind byte, size int64) error {
	if size > maxAttributes {
		return damage("the header at byte %d claims %d bytes of a name or of attributes; expected at most %d",
			w.in.Offset()-BlockSize, size, maxAttributes)
	}
	m := &w.member
	if len(m.Head) > 4*maxAttributes {
		return damage("the headers from byte %d on tell of no member in %d bytes", m.At, len(m.Head))
	}
	content, err := w.in.Next(int(Padded(size)))
	if err != nil {
		return truncated(err)
	}
	m.Head = append(m.Head, content...)
	content = content[:size]
	switch {
	case kind == TypeLongName:
		w.attrs.readLongName(content)
	case kind == typeLongLink:
	case !w.attrs.readPAX(content, kind == TypeGlobal):
		return damage("the header at byte %d has invalid attributes", w.in.Offset()-Padded(size)-BlockSize)
	}
	return nil
}

// setMember sets the member from its own header.
func (w *walker) setMember(h header, size int64) error {
	m, x := &w.member, &w.attrs
	if m.Name = append(m.Name, x.name...); len(x.name) == 0 {
		m.Name = h.appendName(m.Name)
	}
	if m.Size = size; x.size >= 0 {
		m.Size = x.size
	}
	kind := h.typeFlag()
	if kind >= TypeHardLink && kind <= typeFIFO {
		m.Size = 0 // a size in the header does not count
	}
	if m.Size > 1<<62 {
		return damage("the header at byte %d claims %d bytes", w.in.Offset()-BlockSize, m.Size)
	}
	w.splitName()
	m.Skipped = kind == TypeDirectory || len(m.Key) == 0 || len(m.Ext) == 0
	m.Err = w.check(kind)
	return nil
}

// splitName splits the name of a member into key and extension.
func (w *walker) splitName() {
	m := &w.member
	for bytes.HasPrefix(m.Name, []byte("./")) {
		m.Name = bytes.TrimLeft(m.Name[2:], "/")
	}
	base := bytes.LastIndexByte(m.Name, '/') + 1
	dot := bytes.IndexByte(m.Name[base:], '.')
	if dot <= 0 {
		return
	}
	m.Key = m.Name[:base+dot]
	w.lower = w.lower[:0]
	for _, b := range m.Name[base+dot+1:] {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		w.lower = append(w.lower, b)
	}
	m.Ext = w.lower
}

// check returns the error of a member that cannot be in a row.
func (w *walker) check(kind byte) *schema.RowError {
	m := &w.member
	what := ""
	switch {
	case w.attrs.global:
		return MemberError("TAR_UNSUPPORTED", m.Name,
			"has its path or its size from a header of all members, which is not read")
	case w.attrs.sparse || kind == TypeSparse:
		what = "is sparse: its holes are not stored"
	case kind == TypeFile || kind == TypeOldFile || kind == typeReserved:
		return unsafeName(m.Name)
	case kind == TypeHardLink:
		what = "is a hard link"
	case kind == TypeLink:
		what = "is a symbolic link"
	case kind > TypeLink && kind <= typeFIFO:
		what = "is a device or a pipe"
	default:
		what = fmt.Sprintf("is of the type %q", kind)
	}
	return MemberError("TAR_UNSUPPORTED", m.Name, what+"; expected a file")
}

// MemberError returns the error of a member: what says what it is or lacks.
func MemberError(code string, name []byte, what string) *schema.RowError {
	return &schema.RowError{Code: code, At: -1, Message: "the member " + schema.Quote(name) + " " + what}
}

// unsafeName returns the error of a name that leads out of a directory, wherever that is.
func unsafeName(name []byte) *schema.RowError {
	switch {
	case bytes.HasPrefix(name, []byte("/")):
		return MemberError("TAR_NAME", name, "has an absolute path; expected one relative to the archive")
	case bytes.IndexByte(name, 0) >= 0:
		return MemberError("TAR_NAME", name, "has a NUL byte in its path")
	}
	for part := range bytes.SplitSeq(name, []byte("/")) {
		if string(part) == ".." {
			return MemberError("TAR_NAME", name, "has .. in its path; expected one below the archive")
		}
	}
	return nil
}

// readEnd reads the rest after the first block of zeros, which ends an archive. It must be zeros.
func (w *walker) readEnd() error {
	if len(w.member.Head) > 0 {
		return damage("the archive ends at byte %d, before the member that a header tells of", w.in.Offset()-BlockSize)
	}
	at := w.in.Offset() - BlockSize
	w.over = true
	for {
		b, err := w.in.Next(BlockSize)
		switch {
		case err == io.EOF:
			return io.EOF
		case err == io.ErrUnexpectedEOF:
			return damage("the archive ends at byte %d, but other bytes than complete blocks of zeros follow", at)
		case err != nil:
			return err
		case !header(b).isZero():
			return damage("the archive ends at byte %d, but at byte %d something follows: archives one behind the "+
				"other are not read", at, w.in.Offset()-BlockSize)
		}
	}
}

// seek finds the next header after a damaged one. At the end of the archive the error is io.EOF.
func (w *walker) seek() error {
	for {
		b, err := w.in.Next(BlockSize)
		if err == io.ErrUnexpectedEOF {
			err = io.EOF
		}
		if err != nil {
			return err
		}
		if h := header(b); h.isMarked() && h.isSound() {
			copy(w.block[:], b)
			w.resync = true
			return nil
		}
	}
}

// damageOf returns the error of a damaged range, or nil if err is another error.
func damageOf(err error) *schema.RowError {
	d, _ := errors.AsType[damageError](err)
	return d.RowError
}
