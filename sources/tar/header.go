package tar

import (
	"bytes"
	"encoding/binary"
	"strconv"
)

// blockSize is the size of a header, and what contents are padded to.
const blockSize = 512

// The types of members that mean something here, as headers have them.
const (
	typeFile     = '0'
	typeOldFile  = 0
	typeHardLink = '1'
	typeLink     = '2'
	typeFolder   = '5'
	typeFIFO     = '6'
	typeReserved = '7' // read as a file
	typeSparse   = 'S'
	typePAX      = 'x'
	typeGlobal   = 'g'
	typeLongName = 'L'
	typeLongLink = 'K'
)

// A header is the block that a member begins with.
type header []byte

func (h header) kind() byte { return h[156] }

// isZero reports whether the block is one of an archive's end.
func (h header) isZero() bool {
	for at := 0; at < blockSize; at += 8 {
		if binary.LittleEndian.Uint64(h[at:]) != 0 {
			return false
		}
	}
	return true
}

// isSound reports whether the checksum is that of the header. Old writers took bytes
// as signed.
func (h header) isSound() bool {
	want, ok := number(h[148:156])
	if !ok {
		return false
	}
	sum, negative := int64(0), int64(0)
	for i, b := range h[:blockSize] {
		if i >= 148 && i < 156 {
			b = ' '
		}
		sum += int64(b)
		negative += int64(b >> 7)
	}
	return want == sum || want == sum-256*negative
}

// isMarked reports whether the header says that it is one.
func (h header) isMarked() bool { return bytes.HasPrefix(h[257:], []byte("ustar")) }

// size is the length of the content; ok is false where none is named.
func (h header) size() (n int64, ok bool) {
	n, ok = number(h[124:136])
	return n, ok && n >= 0
}

// appendName appends the path. Only ustar has the beginning of a long one apart.
func (h header) appendName(name []byte) []byte {
	if string(h[257:263]) == "ustar\x00" {
		prefix := text(h[345:500])
		if string(h[508:512]) == "tar\x00" { // star has times there
			prefix = text(h[345:476])
		}
		if len(prefix) > 0 {
			name = append(append(name, prefix...), '/')
		}
	}
	return append(name, text(h[:100])...)
}

// text is a field without what follows it.
func text(field []byte) []byte {
	if i := bytes.IndexByte(field, 0); i >= 0 {
		return field[:i]
	}
	return field
}

// number is what a field says in octal digits or, as GNU writes what is large, in
// base 256.
func number(field []byte) (n int64, ok bool) {
	if field[0]&0x80 != 0 {
		return binaryNumber(field)
	}
	digits := text(bytes.Trim(field, " \x00"))
	if len(digits) == 0 {
		return 0, true
	}
	u, err := strconv.ParseUint(string(digits), 8, 63)
	return int64(u), err == nil
}

// binaryNumber is a big-endian number whose first bit is a mark and whose second is
// its sign; negative ones mean nothing here.
func binaryNumber(field []byte) (n int64, ok bool) {
	if field[0]&0x40 != 0 {
		return 0, false
	}
	for i, b := range field {
		if i == 0 {
			b &= 0x7f
		}
		if n>>55 != 0 {
			return 0, false
		}
		n = n<<8 | int64(b)
	}
	return n, true
}

// padded is the length of a content with what fills its last block.
func padded(size int64) int64 { return (size + blockSize - 1) &^ (blockSize - 1) }
