package tar

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"tfr-build/schema"
)

// A member is what an archive has after one header, or several that tell of it.
type member struct {
	at      int64  // where its first header begins
	head    []byte // its headers
	size    int64  // of its content
	name    []byte // its path, as the archive has it
	key     []byte // of its row: the path up to the first dot of its last element
	ext     []byte // what follows that dot, in lower case
	fault   *schema.RowError
	skipped bool // it is in no row
}

// A walker goes from member to member. What it returns holds until the next call.
type walker struct {
	in     blocks
	member member
	last   int64 // where the member before begins
	before extension
	lower  []byte
	noEnd  bool // the archive stopped where another member could begin
	over   bool // its end was there
	resync bool // the header at hand was looked for: in is behind it
	block  [blockSize]byte
}

// errDamage is what is wrong with an archive, from the member at hand on.
type errDamage struct{ *schema.RowError }

// damage is the fault of a stretch in which members may be lost.
func damage(format string, args ...any) error {
	return errDamage{&schema.RowError{Code: "TAR_DAMAGED", At: -1, Message: fmt.Sprintf(format, args...), Damage: true}}
}

// next goes to the next member; its content is not read. io.EOF follows the last. An
// errDamage says that there is none where one should be.
func (w *walker) next() error {
	m := &w.member
	w.last = m.at
	*m = member{at: w.in.offset(), head: m.head[:0], name: m.name[:0]}
	if w.resync {
		m.at -= blockSize
	}
	w.before.reset()
	for {
		h, err := w.header()
		if err != nil {
			return err
		}
		if h.isZero() {
			return w.end()
		}
		if !h.isSound() {
			return damage("at byte %d stands no header of a member: its checksum is wrong", w.in.offset()-blockSize)
		}
		size, ok := h.size()
		if !ok {
			return damage("the header at byte %d has no size", w.in.offset()-blockSize)
		}
		m.head = append(m.head, h...)
		switch h.kind() {
		case typePAX, typeGlobal, typeLongName, typeLongLink:
			if err := w.extension(h.kind(), size); err != nil {
				return err
			}
		default:
			return w.take(header(m.head[len(m.head)-blockSize:]), size)
		}
	}
}

// header is the next block.
func (w *walker) header() (header, error) {
	if w.resync {
		w.resync = false
		return w.block[:], nil
	}
	b, err := w.in.next(blockSize)
	switch {
	case err == nil:
		return b, nil
	case err == io.EOF && len(w.member.head) == 0:
		w.noEnd = true
		return nil, io.EOF
	}
	return nil, isCut(err)
}

// isCut is damage where an archive ends too early; any other error is left alone.
func isCut(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return damage("the archive is cut short: it ends within a member")
	}
	return err
}

// extension reads a header that tells of the member behind it.
func (w *walker) extension(kind byte, size int64) error {
	if size > mostExtension {
		return damage("the header at byte %d claims %d bytes of a name or of attributes; expected at most %d", w.in.offset()-blockSize, size, mostExtension)
	}
	m := &w.member
	if len(m.head) > 4*mostExtension {
		return damage("the headers from byte %d on tell of no member in %d bytes", m.at, len(m.head))
	}
	content, err := w.in.next(int(padded(size)))
	if err != nil {
		return isCut(err)
	}
	m.head = append(m.head, content...)
	content = content[:size]
	switch {
	case kind == typeLongName:
		w.before.readLong(content)
	case kind == typeLongLink:
	case !w.before.readPAX(content, kind == typeGlobal):
		return damage("the attributes in the header at byte %d are none", w.in.offset()-padded(size)-blockSize)
	}
	return nil
}

// take takes the member whose own header is at hand.
func (w *walker) take(h header, size int64) error {
	m, x := &w.member, &w.before
	if m.name = append(m.name, x.name...); len(x.name) == 0 {
		m.name = h.appendName(m.name)
	}
	if m.size = size; x.size >= 0 {
		m.size = x.size
	}
	kind := h.kind()
	if kind >= typeHardLink && kind <= typeFIFO {
		m.size = 0 // whatever the header says
	}
	if m.size > 1<<62 {
		return damage("the header at byte %d claims %d bytes", w.in.offset()-blockSize, m.size)
	}
	w.split()
	m.skipped = kind == typeFolder || len(m.key) == 0 || len(m.ext) == 0
	m.fault = w.refuse(kind)
	return nil
}

// split splits the name of a member.
func (w *walker) split() {
	m := &w.member
	for bytes.HasPrefix(m.name, []byte("./")) {
		m.name = bytes.TrimLeft(m.name[2:], "/")
	}
	base := bytes.LastIndexByte(m.name, '/') + 1
	dot := bytes.IndexByte(m.name[base:], '.')
	if dot <= 0 {
		return
	}
	m.key = m.name[:base+dot]
	w.lower = w.lower[:0]
	for _, b := range m.name[base+dot+1:] {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		w.lower = append(w.lower, b)
	}
	m.ext = w.lower
}

// refuse is the fault of a member that cannot be of a row.
func (w *walker) refuse(kind byte) *schema.RowError {
	m := &w.member
	what := ""
	switch {
	case w.before.general:
		return refused("TAR_UNSUPPORTED", m.name, "has its path or its size from a header of all members, which is not read")
	case w.before.sparse || kind == typeSparse:
		what = "is sparse: its holes are left out"
	case kind == typeFile || kind == typeOldFile || kind == typeReserved:
		return unsafeName(m.name)
	case kind == typeHardLink:
		what = "is a hard link"
	case kind == typeLink:
		what = "is a symbolic link"
	case kind > typeLink && kind <= typeFIFO:
		what = "is a device or a pipe"
	default:
		what = fmt.Sprintf("is of the type %q", kind)
	}
	return refused("TAR_UNSUPPORTED", m.name, what+"; expected a file")
}

func refused(code string, name []byte, what string) *schema.RowError {
	return &schema.RowError{Code: code, At: -1, Message: "the member " + schema.Quote(name) + " " + what}
}

// unsafeName is the fault of a name that leads out of a folder, wherever that is.
func unsafeName(name []byte) *schema.RowError {
	switch {
	case bytes.HasPrefix(name, []byte("/")):
		return refused("TAR_NAME", name, "has an absolute path; expected one relative to the archive")
	case bytes.IndexByte(name, 0) >= 0:
		return refused("TAR_NAME", name, "has a NUL byte in its path")
	}
	for part := range bytes.SplitSeq(name, []byte("/")) {
		if string(part) == ".." {
			return refused("TAR_NAME", name, "has .. in its path; expected one below the archive")
		}
	}
	return nil
}

// end reads what follows the first block of zeros, which ends an archive: nothing but
// zeros.
func (w *walker) end() error {
	if len(w.member.head) > 0 {
		return damage("the archive ends at byte %d, before the member that a header tells of", w.in.offset()-blockSize)
	}
	at := w.in.offset() - blockSize
	w.over = true
	for {
		b, err := w.in.next(blockSize)
		switch {
		case err == io.EOF:
			return io.EOF
		case err == io.ErrUnexpectedEOF:
			return damage("the archive ends at byte %d, and behind that is more than whole blocks of zeros", at)
		case err != nil:
			return err
		case !header(b).isZero():
			return damage("the archive ends at byte %d, but at byte %d something follows: archives one behind the other are not read", at, w.in.offset()-blockSize)
		}
	}
}

// seek looks for the next header behind a damaged one; io.EOF says that there is none.
func (w *walker) seek() error {
	for {
		b, err := w.in.next(blockSize)
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

// damaged is the fault that err is of a stretch; nil where it is another error.
func damaged(err error) *schema.RowError {
	d, _ := errors.AsType[errDamage](err)
	return d.RowError
}
