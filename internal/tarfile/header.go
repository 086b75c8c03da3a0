package tarfile

import (
	"bytes"
	"math/big"
	"strconv"
)

// BlockSize is the size of a header. Contents are padded to a multiple of it.
const BlockSize = 512

// The types of members that are distinguished here, from POSIX pax and GNU tar.
const (
	TypeFile      = '0'
	TypeOldFile   = 0
	TypeHardLink  = '1'
	TypeLink      = '2'
	TypeDirectory = '5'
	typeFIFO      = '6'
	typeReserved  = '7' // read as a file
	TypeSparse    = 'S'
	TypePAX       = 'x'
	TypeGlobal    = 'g'
	TypeLongName  = 'L'
	typeLongLink  = 'K'
)

// A header is the first block of a member.
type header []byte

func (h header) typeFlag() byte { return h[156] }

// isZero reports whether the block has only zeros, as the blocks at the end of an archive do.
func (h header) isZero() bool { return [BlockSize]byte(h) == [BlockSize]byte{} }

// isSound reports whether the checksum is right. Old writers added bytes as signed numbers.
func (h header) isSound() bool {
	want, ok := parseNumber(h[148:156])
	if !ok {
		return false
	}
	sum, negative := int64(0), int64(0)
	for i, b := range h[:BlockSize] {
		if i >= 148 && i < 156 {
			b = ' '
		}
		sum += int64(b)
		negative += int64(b >> 7)
	}
	return want == sum || want == sum-256*negative
}

// isMarked reports whether the header has the magic number of ustar.
func (h header) isMarked() bool { return bytes.HasPrefix(h[257:], []byte("ustar")) }

// size returns the length of the content. ok is false if the field is not a valid length.
func (h header) size() (n int64, ok bool) { return parseNumber(h[124:136]) }

// appendName appends the path. In ustar the beginning of a long path is a separate field.
func (h header) appendName(name []byte) []byte {
	if string(h[257:263]) == "ustar\x00" {
		prefix := trimNUL(h[345:500])
		if string(h[508:512]) == "tar\x00" { // star stores times in the rest of the field
			prefix = trimNUL(h[345:476])
		}
		if len(prefix) > 0 {
			name = append(append(name, prefix...), '/')
		}
	}
	return append(name, trimNUL(h[:100])...)
}

// trimNUL returns a field up to the first NUL.
func trimNUL(field []byte) []byte {
	if i := bytes.IndexByte(field, 0); i >= 0 {
		return field[:i]
	}
	return field
}

// parseNumber parses a number in octal digits or, as GNU writes large ones, in base 256. The first bit
// of that is a mark, and the second one the sign: a negative number is too large.
func parseNumber(field []byte) (n int64, ok bool) {
	if field[0]&0x80 != 0 {
		n := new(big.Int).SetBytes(field)
		n.SetBit(n, 8*len(field)-1, 0)
		return n.Int64(), n.IsInt64()
	}
	digits := trimNUL(bytes.Trim(field, " \x00"))
	if len(digits) == 0 {
		return 0, true
	}
	u, err := strconv.ParseUint(string(digits), 8, 63)
	return int64(u), err == nil
}

// Padded returns the length of a content with its padding.
func Padded(size int64) int64 { return (size + BlockSize - 1) &^ (BlockSize - 1) }

// IsMarked reports whether a file with this beginning has the magic number of ustar.
func IsMarked(begin []byte) bool { return len(begin) >= BlockSize && header(begin).isMarked() }

// IsArchive reports whether a file with this beginning may be an archive. It begins with a
// header, which may be damaged, or with the end of an archive.
func IsArchive(begin []byte) bool {
	if len(begin) < BlockSize {
		return false
	}
	h := header(begin)
	return h.isZero() || h.isSound() || h.isMarked()
}
