package zip

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"tfr-build/sources/files"
)

// A member is an entry of the directory.
type member struct {
	name   string
	at     int64 // offset of its local header
	end    int64 // offset of the next member, or of the directory
	packed int64 // length of the content in the archive
	size   int64 // length of the inflated content
	crc    uint32
	method uint16
	flags  uint16
	mode   uint32 // as in Unix; 0 if another system wrote the archive
}

// The sizes of fixed-size structures, and the signatures they begin with (PKWARE's APPNOTE.TXT,
// 4.3).
const (
	endSize     = 22
	end64Size   = 56
	locatorSize = 20
	entrySize   = 46
	headerSize  = 30

	endMark     = "PK\x05\x06"
	end64Mark   = "PK\x06\x06"
	locatorMark = "PK\x06\x07"
	entryMark   = "PK\x01\x02"
	headerMark  = "PK\x03\x04"
)

// maxDirectory is the largest length of a directory in bytes.
const maxDirectory = 256 << 20

// A damage says that an archive violates its format.
type damage struct{ text string }

func (d *damage) Error() string { return d.text }

// Code returns the stable error code.
func (*damage) Code() string { return "ZIP_CORRUPT" }

func damaged(format string, args ...any) error { return &damage{fmt.Sprintf(format, args...)} }

// A directory is the position of an archive's directory.
type directory struct {
	begin   int64
	size    int64
	entries uint64
	is64    bool  // in the format of large archives, where entries is exact
	before  int64 // bytes before the archive, such as the program of a self-extracting one
}

// readDirectory reads the directory of an archive of size bytes.
func readDirectory(in files.Handle, size int64) ([]member, error) {
	d, err := findDirectory(in, size)
	if err != nil {
		return nil, err
	}
	if d.size > maxDirectory {
		return nil, damaged("its directory claims %d bytes; expected at most %d", d.size, maxDirectory)
	}
	if d.entries > uint64(d.size)/entrySize {
		return nil, damaged("its directory claims %d members in %d bytes", d.entries, d.size)
	}
	text := make([]byte, d.size)
	if _, err := in.ReadAt(text, d.begin); err != nil && err != io.EOF {
		return nil, err
	}
	members := make([]member, 0, d.entries)
	for bytes.HasPrefix(text, []byte(entryMark)) {
		m, n, err := parseEntry(text)
		if err != nil {
			return nil, err
		}
		if m.at > d.begin-d.before || m.packed > d.begin {
			return nil, damaged("the member %s claims to stand at byte %d with %d bytes, which the archive does not have before its directory", quote(m.name), m.at, m.packed)
		}
		m.at += d.before
		m.end = d.begin
		members = append(members, m)
		text = text[n:]
	}
	if n := uint64(len(members)); n != d.entries && (d.is64 || n%(1<<16) != d.entries) { // old programs wrote only the low 16 bits of the number
		return nil, damaged("its directory has %d members, and claims %d", n, d.entries)
	}
	return members, nil
}

var errNoDirectory = damaged("its directory is not there: the archive is cut short")

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
		return d, errNoDirectory
	}
	le, end := binary.LittleEndian, tail[at:]
	where := begin + int64(at) // offset of the directory's end
	if le.Uint16(end[4:]) != le.Uint16(end[6:]) || le.Uint16(end[4:]) != 0 && le.Uint16(end[4:]) != 0xffff {
		return d, damaged("it is one of several files of an archive")
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
		return 0, 0, damaged("the end of its directory claims to stand at byte %d", at)
	}
	var record [end64Size]byte
	if _, err := in.ReadAt(record[:], int64(at)); err != nil {
		return 0, 0, err
	}
	if string(record[:4]) != end64Mark {
		return 0, 0, damaged("the end of its directory is not at byte %d", at)
	}
	size, from := le.Uint64(record[40:]), le.Uint64(record[48:])
	if size > at || from > at {
		return 0, 0, damaged("its directory claims %d bytes from byte %d on", size, from)
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
		return damaged("its directory claims %d bytes from byte %d on, and ends at byte %d", d.size, offset, end)
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
func parseEntry(text []byte) (m member, n int, err error) {
	le := binary.LittleEndian
	if len(text) < entrySize {
		return m, 0, damaged("its directory is damaged: a member goes beyond its end")
	}
	name, extra, comment := int(le.Uint16(text[28:])), int(le.Uint16(text[30:])), int(le.Uint16(text[32:]))
	if n = entrySize + name + extra + comment; n > len(text) {
		return m, 0, damaged("its directory is damaged: a member goes beyond its end")
	}
	const unix = 3
	m = member{
		name:  trimDots(string(text[entrySize : entrySize+name])),
		flags: le.Uint16(text[8:]), method: le.Uint16(text[10:]), crc: le.Uint32(text[16:]),
	}
	if text[5] == unix {
		m.mode = le.Uint32(text[38:]) >> 16
	}
	packed, size, at := uint64(le.Uint32(text[20:])), uint64(le.Uint32(text[24:])), uint64(le.Uint32(text[42:]))
	if !read64Fields(text[entrySize+name:entrySize+name+extra], &size, &packed, &at) || (size|packed|at)>>62 != 0 {
		return m, 0, damaged("the member %s claims sizes that none can have", quote(m.name))
	}
	m.packed, m.size, m.at = int64(packed), int64(size), int64(at)
	return m, n, nil
}

// trimDots returns a name without ./ at its beginning.
func trimDots(name string) string {
	for strings.HasPrefix(name, "./") {
		name = strings.TrimLeft(name[2:], "/")
	}
	return name
}

// read64Fields reads fields that need more than 32 bits, which are in an extra field. It reports
// whether all of them are there.
func read64Fields(extra []byte, fields ...*uint64) bool {
	const none, id64 = 0xffffffff, 1
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
