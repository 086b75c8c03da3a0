package zipdir

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A Member is an entry of the directory.
type Member struct {
	Name   string
	At     int64 // offset of its local header
	End    int64 // offset of the directory
	Packed int64 // length of the content in the archive
	Size   int64 // length of the inflated content
	CRC    uint32
	Method uint16
	Flags  uint16
	Mode   uint32 // as in Unix; 0 if another system wrote the archive
}

// The compression methods that readers of members support.
const (
	Stored   = 0
	Deflated = 8
)

// The flags of an encrypted member, and of one whose local header is encrypted too.
const (
	encrypted = 1 << 0
	masked    = 1 << 13
)

// methods has the names of some compression methods.
var methods = map[uint16]string{9: " (deflate64)", 12: " (bzip2)", 14: " (LZMA)", 93: " (zstd)", 95: " (xz)",
	98: " (PPMd)", 99: " (encrypted)"}

// Unsupported returns why the content cannot be read, or "".
func (m *Member) Unsupported() string {
	switch {
	case m.Flags&(encrypted|masked) != 0:
		return "is encrypted; expected one that is not"
	case m.Method != Stored && m.Method != Deflated:
		return fmt.Sprintf("is compressed by method %d%s; expected stored or deflated", m.Method, methods[m.Method])
	}
	return ""
}

// The sizes of fixed-size structures, and the signatures they begin with (PKWARE's APPNOTE.TXT,
// 4.3).
const (
	endSize     = 22
	end64Size   = 56
	locatorSize = 20
	entrySize   = 46

	// HeaderSize is the size of a local header without its name and its extra fields.
	HeaderSize = 30

	endMark     = "PK\x05\x06"
	end64Mark   = "PK\x06\x06"
	locatorMark = "PK\x06\x07"
	entryMark   = "PK\x01\x02"

	// HeaderMark is the signature of a local header.
	HeaderMark = "PK\x03\x04"
)

// Damaged returns the error of an archive that violates its format.
func Damaged(format string, args ...any) *input.Damage {
	return input.Damaged("ZIP_CORRUPT", format, args...)
}

// A directory is the position of an archive's directory.
type directory struct {
	begin   int64
	size    int64
	entries uint64
	is64    bool  // in the format of large archives, where entries is exact
	before  int64 // bytes before the archive, such as the program of a self-extracting one
}

// Read reads the directory of an archive of size bytes, and returns what add returns for each
// member. A directory of more than limit bytes is an error. The error of an invalid archive is a
// *[input.Damage]; without the end of a directory it is ErrNone.
func Read[M any](in io.ReaderAt, size, limit int64, add func(Member) M) ([]M, error) {
	d, err := findDirectory(in, size)
	if err != nil {
		return nil, err
	}
	if d.size > limit {
		return nil, Damaged("its directory claims %d bytes; expected at most %d", d.size, limit)
	}
	if d.entries > uint64(d.size)/entrySize {
		return nil, Damaged("its directory claims %d members in %d bytes", d.entries, d.size)
	}
	text := make([]byte, d.size)
	if _, err := in.ReadAt(text, d.begin); err != nil && err != io.EOF {
		return nil, err
	}
	members := make([]M, 0, d.entries)
	for bytes.HasPrefix(text, []byte(entryMark)) {
		m, n, err := parseEntry(text)
		if err != nil {
			return nil, err
		}
		if m.At > d.begin-d.before || m.Packed > d.begin {
			return nil, Damaged("the member %s claims to be at byte %d with %d bytes, which the archive does not "+
				"have before its directory", schema.Quote(m.Name), m.At, m.Packed)
		}
		m.At += d.before
		m.End = d.begin
		members = append(members, add(m))
		text = text[n:]
	}
	// old programs wrote only the low 16 bits of the number
	if n := uint64(len(members)); n != d.entries && (d.is64 || n%(1<<16) != d.entries) {
		return nil, Damaged("its directory has %d members, and claims %d", n, d.entries)
	}
	return members, nil
}

// ErrNone is the error of a file without the end of a directory.
var ErrNone = Damaged("its directory is not there: the archive is cut short")

// maxComment is the largest length of the comment at the end of an archive.
const maxComment = 1<<16 - 1

// findDirectory finds the directory, beginning at the end of an archive.
func findDirectory(in io.ReaderAt, size int64) (d directory, err error) {
	tail := make([]byte, min(size, endSize+maxComment))
	begin := size - int64(len(tail))
	if _, err := in.ReadAt(tail, begin); err != nil && err != io.EOF {
		return d, err
	}
	at := bytes.LastIndex(tail, []byte(endMark))
	for ; at >= 0; at = bytes.LastIndex(tail[:at], []byte(endMark)) {
		if rest := len(tail) - at - endSize; rest >= 0 && int(binary.LittleEndian.Uint16(tail[at+20:])) <= rest {
			break
		}
	}
	if at < 0 {
		return d, ErrNone
	}
	le, end := binary.LittleEndian, tail[at:]
	where := begin + int64(at) // offset of the directory's end
	if le.Uint16(end[4:]) != le.Uint16(end[6:]) || le.Uint16(end[4:]) != 0 && le.Uint16(end[4:]) != 0xffff {
		return d, Damaged("it is one of several files of an archive")
	}
	d.entries, d.size = uint64(le.Uint16(end[10:])), int64(le.Uint32(end[12:]))
	offset := int64(le.Uint32(end[16:]))
	if d.entries == 0xffff || d.size == 0xffffffff || offset == 0xffffffff {
		if where, offset, err = d.read64(in, where, offset); err != nil {
			return d, err
		}
	}
	return d, d.locate(in, where, offset)
}

// read64 reads the end record of a large archive's directory, which is before the usual one, if
// it exists. It returns the offsets of the directory's end and beginning.
func (d *directory) read64(in io.ReaderAt, end, offset int64) (int64, int64, error) {
	le := binary.LittleEndian
	var locator [locatorSize]byte
	if end < locatorSize {
		return end, offset, nil
	}
	if _, err := in.ReadAt(locator[:], end-locatorSize); err != nil {
		return 0, 0, err
	}
	if string(locator[:4]) != locatorMark {
		return end, offset, nil
	}
	at := le.Uint64(locator[8:])
	if at > uint64(end) || end-int64(at) < locatorSize+end64Size {
		return 0, 0, Damaged("the end of its directory claims to be at byte %d", at)
	}
	var record [end64Size]byte
	if _, err := in.ReadAt(record[:], int64(at)); err != nil {
		return 0, 0, err
	}
	if string(record[:4]) != end64Mark {
		return 0, 0, Damaged("the end of its directory is not at byte %d", at)
	}
	size, from := le.Uint64(record[40:]), le.Uint64(record[48:])
	if size > at || from > at {
		return 0, 0, Damaged("its directory claims %d bytes from byte %d on", size, from)
	}
	d.entries, d.size, d.is64 = le.Uint64(record[32:]), int64(size), true
	return int64(at), int64(from), nil
}

// locate sets the beginning of the directory, from the offset of its end and the claimed offset.
// Bytes before the archive shift all offsets, unless the offsets include them.
func (d *directory) locate(in io.ReaderAt, end, offset int64) error {
	d.begin = end - d.size
	d.before = d.begin - offset
	if d.begin < 0 || d.before < 0 {
		return Damaged("its directory claims %d bytes from byte %d on, and ends at byte %d", d.size, offset, end)
	}
	if d.before == 0 || d.entries == 0 {
		return nil
	}
	var mark [len(entryMark)]byte
	if _, err := in.ReadAt(mark[:], offset); err != nil && err != io.EOF {
		return err
	}
	if string(mark[:]) == entryMark {
		d.begin, d.before = offset, 0
	}
	return nil
}

// parseEntry parses the entry at the beginning of text, which has n bytes.
func parseEntry(text []byte) (m Member, n int, err error) {
	le := binary.LittleEndian
	if len(text) < entrySize {
		return m, 0, Damaged("its directory is damaged: a member goes beyond its end")
	}
	name, extra, comment := int(le.Uint16(text[28:])), int(le.Uint16(text[30:])), int(le.Uint16(text[32:]))
	if n = entrySize + name + extra + comment; n > len(text) {
		return m, 0, Damaged("its directory is damaged: a member goes beyond its end")
	}
	const unix = 3
	m = Member{
		Name:  string(text[entrySize : entrySize+name]),
		Flags: le.Uint16(text[8:]), Method: le.Uint16(text[10:]), CRC: le.Uint32(text[16:]),
	}
	// The upper byte of "version made by" (APPNOTE 4.4.2) says whose attributes these are.
	if text[5] == unix {
		m.Mode = le.Uint32(text[38:]) >> 16
	}
	packed, size, at := uint64(le.Uint32(text[20:])), uint64(le.Uint32(text[24:])), uint64(le.Uint32(text[42:]))
	if !read64Fields(text[entrySize+name:entrySize+name+extra], &size, &packed, &at) || (size|packed|at)>>62 != 0 {
		return m, 0, Damaged("the member %s claims sizes that none can have", schema.Quote(m.Name))
	}
	m.Packed, m.Size, m.At = int64(packed), int64(size), int64(at)
	return m, n, nil
}

// ContentAt returns the offset of the member's content from its local header, which head begins
// with. ok is false if head is too short, or not a header.
func (m *Member) ContentAt(head []byte) (at int64, ok bool) {
	if len(head) < HeaderSize || string(head[:4]) != HeaderMark {
		return 0, false
	}
	le := binary.LittleEndian
	return HeaderSize + int64(le.Uint16(head[26:])) + int64(le.Uint16(head[28:])), true
}

// read64Fields reads fields that need more than 32 bits, which are in an extra field. It reports
// whether all of them are there.
func read64Fields(extra []byte, fields ...*uint64) bool {
	const none, id64 = 0xffffffff, 1 // APPNOTE.TXT 4.5.3: a field of the header that is in extra has this value
	var large []byte
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if n > len(extra)-4 {
			break
		}
		if id == id64 {
			large = extra[4 : 4+n]
			break
		}
		extra = extra[4+n:]
	}
	for i, f := range fields {
		switch {
		case *f != none:
			continue
		case i == 0 && large == nil: // the size of the file is exactly this number
			continue
		case len(large) < 8:
			return false
		}
		*f = binary.LittleEndian.Uint64(large)
		large = large[8:]
	}
	return true
}
